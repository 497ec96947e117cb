//! The page for a browser, in a browser: Chromium, where there is one (`cargo xtask test` installs it
//! where it may). Without one, each of these tests is named as ignored.

mod support;

use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};
use support::Repo;
use support::browser::{Browser, program};

type Test = fn(&mut Browser) -> Result<(), Failed>;

const TESTS: [(&str, Test); 9] = [
    ("the_console_stays_empty", the_console_stays_empty),
    ("a_complaint_would_be_heard", a_complaint_would_be_heard),
    ("it_fits_a_phone_and_a_desktop_in_light_and_dark", it_fits),
    ("the_filter_works_by_keyboard", the_filter_works_by_keyboard),
    ("a_bar_filters", a_bar_filters),
    ("groups_open_and_close_by_keyboard", groups_open_and_close),
    ("what_is_no_finding_is_told_apart", what_is_no_finding_is_told_apart),
    ("a_screen_reader_finds_its_way", a_screen_reader_finds_its_way),
    ("it_is_read_without_its_script", it_is_read_without_its_script),
];

fn main() {
    let mut args = Arguments::from_args();
    // Each starts a browser.
    args.test_threads = Some(1);
    let browser = program();
    let trials = TESTS.map(|(name, test)| {
        let browser = browser.clone();
        let ignored = browser.is_none();
        let run = move || match &browser {
            Some(program) => test(&mut Browser::start(program)),
            None => Err("there is no Chromium here".into()),
        };
        Trial::test(name, run).with_ignored_flag(ignored)
    });
    libtest_mimic::run(&args, trials.into()).exit();
}

/// A folder with the page of a report about `records`, whose files lie in `source`.
fn page(records: &Path, source: &Path) -> (Repo, PathBuf) {
    let repo = Repo::empty();
    let records = records.to_str().expect("a path");
    let source = source.to_str().expect("a path");
    let done = repo.obelus(&["report", records, "--source", source, "--output", "html=page.html"]);
    assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("", ""));
    let page = repo.root().join("page.html");
    (repo, page)
}

/// The page of a case with causes: 62 errors of a renamed member.
fn causes() -> (Repo, PathBuf) {
    let case = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/cases/cause/member-renamed-in-one-place");
    page(&case.join("records.jsonl"), &case.join("project"))
}

/// A page whose every text tries to be markup.
fn hostile() -> (Repo, PathBuf) {
    let repo = Repo::empty();
    let evil = "</script><script>hacked=1</script><img src=x onerror=hacked=1>\"'<!--";
    let edit = json!({"path": "a.ts", "line": 1, "column": 1, "end_line": 1, "end_column": 2, "text": evil});
    let record = json!({"tool": evil, "severity": "error", "code": evil, "path": "a.ts", "line": 1,
        "column": 1, "end_line": 1, "end_column": 9, "message": format!("{evil}\n{evil}"),
        "related": [{"path": "a.ts", "line": 1, "column": 4, "message": evil}],
        "suggestion": {"applicability": "safe", "message": evil, "edits": [edit]}});
    repo.write("records.jsonl", &format!("{record}\n")).write("a.ts", evil);
    let done =
        repo.obelus(&["report", "records.jsonl", "--source", ".", "--output", "html=page.html"]);
    assert_eq!(done.stderr, "");
    let page = repo.root().join("page.html");
    (repo, page)
}

/// A page of more findings than it holds.
fn huge() -> (Repo, PathBuf) {
    let repo = Repo::empty();
    let record = |number: u32| {
        let record = json!({"tool": "tsc", "severity": "warning", "code": format!("TS{}", number % 40),
            "path": format!("src/{}.ts", number % 500), "line": number, "message": format!("it is {number}")});
        format!("{record}\n")
    };
    repo.write("records.jsonl", &(0..10_250).map(record).collect::<String>());
    let done = repo.obelus(&["report", "records.jsonl", "--output", "html=page.html"]);
    assert_eq!(done.stderr, "");
    let page = repo.root().join("page.html");
    (repo, page)
}

/// A page without a finding, of a checker that failed itself.
fn failed() -> (Repo, PathBuf) {
    let repo = Repo::empty();
    repo.write("captured", "{\"broken");
    let args =
        ["parse", "--format", "eslint-json", "--tool", "eslint", "--exit", "1", "--root", "."];
    let done = repo.obelus(&[&args[..], &["captured", "--output", "html=page.html"]].concat());
    assert_eq!(done.status, Some(70));
    let page = repo.root().join("page.html");
    (repo, page)
}

/// The page of a change: one finding is new, one fixed, one was there before.
fn change() -> (Repo, PathBuf) {
    let repo = Repo::empty();
    let record = |code: &str, line: u32, message: &str| {
        let record = json!({"tool": "tsc", "severity": "error", "code": code, "path": "a.ts", "line": line,
            "column": 5, "message": message});
        format!("{record}\n")
    };
    let stays = record("TS1", 1, "it stays");
    repo.write("before/a.ts", "let a = 1;\nlet b = 2;\n").write("a.ts", "let a = 1;\nlet c = 3;\n");
    repo.write("before.jsonl", &format!("{stays}{}", record("TS2", 2, "it goes")));
    repo.write("after.jsonl", &format!("{stays}{}", record("TS3", 2, "it comes")));
    let baseline = ["--baseline", "before.jsonl", "--baseline-source", "before"];
    let args = ["report", "after.jsonl", "--source", ".", "--output", "html=page.html"];
    let done = repo.obelus(&[&args[..], &baseline].concat());
    assert_eq!((done.status, done.stderr.as_str()), (Some(1), ""));
    let page = repo.root().join("page.html");
    (repo, page)
}

fn equal(what: &str, got: &Value, want: &Value) -> Result<(), Failed> {
    if got == want { Ok(()) } else { Err(format!("{what}: {got} and not {want}").into()) }
}

fn the_console_stays_empty(browser: &mut Browser) -> Result<(), Failed> {
    for (name, (_repo, file), verdict, findings) in [
        ("causes", causes(), "fail", 62),
        ("hostile", hostile(), "fail", 1),
        ("huge", huge(), "pass", 10_000),
        ("failed", failed(), "harness error", 0),
        ("change", change(), "fail", 1),
    ] {
        browser.load(&file, 1280, "light");
        equal(name, &json!(browser.complaints()), &json!([]))?;
        let seen = browser.value(
            "[document.querySelector('h1 .verdict').textContent, \
              document.querySelectorAll('#findings article').length, typeof hacked, \
              document.querySelectorAll('img, iframe, link, script[src]').length, document.scripts.length]",
        );
        equal(name, &seen, &json!([verdict, findings, "undefined", 0, 1]))?;
    }
    Ok(())
}

fn a_complaint_would_be_heard(browser: &mut Browser) -> Result<(), Failed> {
    let (repo, file) = causes();
    let page = std::fs::read_to_string(file)?;
    for more in [
        "<script>1</script>",
        "<p style=\"color: red\">",
        "<img src=\"https://example.org/x.png\">",
    ] {
        let broken = repo.root().join("broken.html");
        std::fs::write(&broken, page.replace("</main>", &format!("{more}</main>")))?;
        browser.load(&broken, 1280, "light");
        if browser.complaints().is_empty() {
            return Err(format!("nobody complains about {more}").into());
        }
    }
    Ok(())
}

fn it_fits(browser: &mut Browser) -> Result<(), Failed> {
    let pages = [causes(), hostile(), failed(), change()];
    for (width, scheme) in [(360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")] {
        for (_repo, file) in &pages {
            browser.load(file, width, scheme);
            let root = "document.documentElement";
            let wide = browser.value(&format!("{root}.scrollWidth - {root}.clientWidth"));
            equal(&format!("{width} {scheme}: too wide by"), &wide, &json!(0))?;
            let outside = browser.value(
                "[...document.querySelectorAll('h1, h2, dl, table, form, .finding, .bar, .verdict, .alarm')]\
                 .map((e) => [e.tagName, e.getBoundingClientRect()])\
                 .filter(([, r]) => !r.width || !r.height || r.left < 0 || r.right > innerWidth)",
            );
            equal(&format!("{width} {scheme}: outside"), &outside, &json!([]))?;
        }
        let (_repo, file) = &pages[0];
        browser.load(file, width, scheme);
        looks(browser, scheme).map_err(|error| format!("{width} {scheme}: {error:?}"))?;
    }
    Ok(())
}

/// The picture is neither blank nor in the colours of the other scheme, and the verdict stands out.
fn looks(browser: &mut Browser, scheme: &str) -> Result<(), Failed> {
    let verdict =
        browser.value("getComputedStyle(document.querySelector('.verdict')).backgroundColor");
    let picture = browser.screenshot();
    // The page's own policy lets it load no picture, so that an empty page looks at it.
    browser.call("Page.navigate", json!({"url": "about:blank"}));
    let seen = browser.value(&format!(
        "(async () => {{
            const image = new Image();
            image.src = 'data:image/png;base64,{picture}';
            await image.decode();
            const canvas = new OffscreenCanvas(image.width, image.height);
            const context = canvas.getContext('2d');
            context.drawImage(image, 0, 0);
            const {{data}} = context.getImageData(0, 0, image.width, image.height);
            const counts = new Map();
            for (let at = 0; at < data.length; at += 4) {{
                const colour = `rgb(${{data[at]}}, ${{data[at + 1]}}, ${{data[at + 2]}})`;
                counts.set(colour, (counts.get(colour) ?? 0) + 1);
            }}
            const most = [...counts].sort((a, b) => b[1] - a[1])[0];
            return {{most: most[0], share: most[1] * 4 / data.length, colours: counts.size,
                verdict: counts.get({verdict}) ?? 0}};
        }})()"
    ));
    let background = if scheme == "dark" { "rgb(13, 17, 23)" } else { "rgb(255, 255, 255)" };
    equal("the background", &seen["most"], &json!(background))?;
    let share = seen["share"].as_f64().unwrap_or(1.0);
    let number = |key: &str| seen[key].as_u64().unwrap_or(0);
    if share > 0.95 || number("colours") < 50 || number("verdict") < 500 {
        return Err(format!("it looks blank: {seen}").into());
    }
    Ok(())
}

const SHOWN: &str = "[document.activeElement.id, document.getElementById('shown').textContent, \
    [...document.querySelectorAll('#findings .finding')].filter((e) => !e.hidden).length]";

/// Lets the page do what it put off.
fn settle(browser: &mut Browser) {
    browser.value("new Promise((done) => setTimeout(done, 20))");
}

fn the_filter_works_by_keyboard(browser: &mut Browser) -> Result<(), Failed> {
    let (_repo, file) = causes();
    browser.load(&file, 1280, "light");
    browser.press("/", "/");
    browser.type_text("AUDIT ts2551");
    settle(browser);
    let seen = browser.value(SHOWN);
    equal("searched", &seen, &json!(["words", "5 of 62 findings shown", 5]))?;
    let mut order = Vec::new();
    for _ in 0..8 {
        browser.press("Tab", "");
        order.push(browser.value("document.activeElement.id || document.activeElement.value"));
    }
    let want = json!(["code", "path", "tool", "error", "warning", "info", "hint", ""]);
    equal("the order of fields", &json!(order), &want)?;
    browser.press("Enter", "\r");
    settle(browser);
    equal("all again", &browser.value(SHOWN)[1], &json!("62 findings"))?;
    browser.value("document.querySelector('[value=error]').focus()");
    browser.press(" ", " ");
    settle(browser);
    equal("no errors", &browser.value(SHOWN)[1], &json!("0 of 62 findings shown"))
}

fn a_bar_filters(browser: &mut Browser) -> Result<(), Failed> {
    let (_repo, file) = causes();
    browser.load(&file, 1280, "light");
    browser.value("document.querySelector('a[data-filter-path=\"src/cart.ts\"]').focus()");
    browser.press("Enter", "\r");
    settle(browser);
    equal(
        "the file",
        &browser.value("document.getElementById('path').value"),
        &json!("src/cart.ts"),
    )?;
    equal("filtered", &browser.value(SHOWN)[1], &json!("5 of 62 findings shown"))?;
    let hidden = "[...document.querySelectorAll('#findings .finding:not([hidden])')]\
        .filter((e) => !e.checkVisibility()).length";
    equal("hidden in a closed group", &browser.value(hidden), &json!(0))
}

fn groups_open_and_close(browser: &mut Browser) -> Result<(), Failed> {
    let (_repo, file) = causes();
    browser.load(&file, 1280, "light");
    let open = "document.querySelector('.cause details').open";
    equal("at first", &browser.value(open), &json!(false))?;
    browser.value("document.querySelector('.cause summary').focus()");
    for want in [true, false] {
        browser.press("Enter", "\r");
        equal("pressed", &browser.value(open), &json!(want))?;
    }
    browser.value("document.getElementById('open').focus()");
    browser.press("Enter", "\r");
    equal("all", &browser.value(open), &json!(true))
}

fn what_is_no_finding_is_told_apart(browser: &mut Browser) -> Result<(), Failed> {
    let (_repo, file) = change();
    browser.load(&file, 360, "dark");
    let lists = "[...document.querySelectorAll('#elsewhere details')].map((list) => { list.open = true; \
        return [list.querySelector('h3').textContent, list.querySelector('.message').textContent]; })";
    let want = json!([["Fixed by this change 1", "it goes"], ["Unchanged 1", "it stays"]]);
    equal("the lists", &browser.value(lists), &want)?;
    let new = "document.querySelector('#findings h3.section + article h4').innerText";
    equal("what is new", &browser.value(new), &json!("error it comes"))
}

fn a_screen_reader_finds_its_way(browser: &mut Browser) -> Result<(), Failed> {
    let (_repo, file) = causes();
    browser.load(&file, 360, "dark");
    let tree = browser.call("Accessibility.getFullAXTree", json!({}));
    let nodes: Vec<&Value> = tree["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|node| node["ignored"] == false)
        .collect();
    let role = |node: &Value| node["role"]["value"].as_str().unwrap_or_default().to_owned();
    let name = |node: &Value| node["name"]["value"].as_str().unwrap_or_default().trim().to_owned();
    for landmark in ["banner", "navigation", "main", "search", "contentinfo"] {
        let count = nodes.iter().filter(|node| role(node) == landmark).count();
        equal(landmark, &json!(count), &json!(1))?;
    }
    let named = [
        "button",
        "link",
        "searchbox",
        "combobox",
        "checkbox",
        "image",
        "heading",
        "DisclosureTriangle",
        "region",
    ];
    for node in nodes.iter().filter(|node| named.contains(&&*role(node))) {
        if name(node).is_empty() {
            return Err(format!("no name: {node}").into());
        }
    }
    for (kind, label) in [
        ("searchbox", "Search"),
        ("combobox", "Code"),
        ("checkbox", "error"),
        ("region", "Findings"),
    ] {
        if !nodes.iter().any(|node| role(node) == kind && name(node) == label) {
            return Err(format!("there is no {kind} called {label}").into());
        }
    }
    levels(browser)?;
    browser.press("Tab", "");
    let first = browser.value("document.activeElement.textContent");
    equal("the first stop", &first, &json!("Skip to the findings"))?;
    let (_repo, file) = change();
    browser.load(&file, 360, "dark");
    levels(browser)
}

/// No level of headings is left out.
fn levels(browser: &mut Browser) -> Result<(), Failed> {
    let levels =
        browser.value("[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => +h.tagName[1])");
    let levels: Vec<u64> =
        levels.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    let steps = levels.windows(2).all(|pair| pair[1] <= pair[0] + 1);
    equal("levels", &json!([levels.first(), steps]), &json!([1, true]))
}

fn it_is_read_without_its_script(browser: &mut Browser) -> Result<(), Failed> {
    let (_repo, file) = causes();
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.load(&file, 360, "light");
    let seen = browser.value(
        "[document.getElementById('filter').checkVisibility(), \
          document.querySelector('#findings article h3').checkVisibility(), \
          document.querySelectorAll('#findings article').length]",
    );
    equal("without a script", &seen, &json!([false, true, 62]))
}
