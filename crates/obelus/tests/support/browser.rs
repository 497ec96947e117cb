//! Chromium without a window, spoken to in the DevTools protocol through two pipes.
//!
//! <https://chromedevtools.github.io/devtools-protocol/>: with `--remote-debugging-pipe`, it reads
//! messages from its descriptor 3 and writes to 4, each ended by a zero byte.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Its names on different systems.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// What makes it run as root, without a screen, and without asking anything of the network.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
    "--remote-debugging-pipe",
];

/// The program, where there is one and this system has named pipes.
pub fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").filter(|_| cfg!(unix))?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut all = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.find(|program| program.is_file())
}

/// One browser with one page.
pub struct Browser {
    child: Child,
    to: File,
    from: BufReader<File>,
    next: u64,
    session: Option<String>,
    /// Events that no call has waited for.
    events: Vec<Value>,
    _folder: TempDir,
}

impl Browser {
    /// Starts the browser and attaches to a page that is empty.
    pub fn start(program: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let pipes = ["in", "out"].map(|name| folder.path().join(name));
        let made = Command::new("mkfifo").args(&pipes).status().expect("mkfifo runs");
        assert!(made.success(), "named pipes can be made");
        let child = Command::new("sh")
            .args(["-c", "in=$1 out=$2; shift 2; exec \"$@\" 3<\"$in\" 4>\"$out\"", "sh"])
            .args(&pipes)
            .arg(program)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh runs");
        let to = OpenOptions::new().write(true).open(&pipes[0]).expect("the way in");
        let from = BufReader::new(File::open(&pipes[1]).expect("the way out"));
        let mut browser = Browser {
            child,
            to,
            from,
            next: 0,
            session: None,
            events: Vec::new(),
            _folder: folder,
        };
        let page = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": page["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "DOM", "Accessibility"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// What the browser answers to `method`.
    #[track_caller]
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({"id": self.next, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        loop {
            let mut answer = self.read();
            if answer["id"] == self.next {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
            self.events.push(answer);
        }
    }

    fn read(&mut self) -> Value {
        let mut message = Vec::new();
        self.from.read_until(0, &mut message).expect("the browser answers");
        assert_eq!(message.pop(), Some(0), "the browser is there");
        serde_json::from_slice(&message).expect("a message is JSON")
    }

    /// Waits for `event`, which may have come already.
    fn wait(&mut self, event: &str) {
        let come = |message: &Value| message["method"] == event;
        while !self.events.iter().any(come) {
            let message = self.read();
            self.events.push(message);
        }
    }

    /// Loads a file, as wide as a window of `width` and in the colours of `scheme`.
    pub fn load(&mut self, file: &Path, width: u32, scheme: &str) {
        let (height, mobile) = (900, width < 600);
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
        self.events.clear();
        let address = format!("file://{}", file.display());
        self.call("Page.navigate", json!({"url": address}));
        self.wait("Page.loadEventFired");
    }

    /// The value of a JavaScript expression; of a promise, what it comes to.
    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    /// Presses and releases a key; `text` is what it types.
    pub fn press(&mut self, key: &str, text: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            " " => 32,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut params = json!({"type": kind, "key": key, "windowsVirtualKeyCode": code});
            if kind == "keyDown" && !text.is_empty() {
                params["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// Types into what has the focus.
    pub fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// What the page complained about since it was loaded: messages of its console, exceptions, and
    /// what its policy refused.
    pub fn complaints(&mut self) -> Vec<String> {
        // An answer comes behind all events that were there before it.
        self.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
        let is_complaint = |event: &&Value| {
            ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"]
                .contains(&event["method"].as_str().unwrap_or_default())
        };
        self.events.iter().filter(is_complaint).map(Value::to_string).collect()
    }

    /// A picture of what the window shows, as a PNG in base64.
    pub fn screenshot(&mut self) -> String {
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}));
        picture["data"].as_str().unwrap_or_default().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may be gone already, as after a failed test.
        let _ = self.to.write_all(b"{\"id\": 0, \"method\": \"Browser.close\"}\0");
        if std::thread::panicking() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
