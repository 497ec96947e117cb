//! What the tests of processes share: fake checkers, their captured bytes, who is still alive.

#![cfg(unix)]
#![allow(dead_code, reason = "every test program uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a bench that cannot be set up fails its test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use obelus_exec::process::stop::Stop;
use obelus_exec::process::{self, Capture, Command, Limits};
use obelus_record::Termination;

/// Longer than any test takes on the busiest machine, so that a wrong wait is seen.
pub const LONG: Duration = Duration::from_secs(60);
/// A run that waited for nothing ends within this, on the busiest machine.
pub const SOON: Duration = Duration::from_secs(20);
/// A limit that is meant to be reached.
pub const SHORT: Duration = Duration::from_millis(100);

/// A run that is over.
#[derive(Debug)]
pub struct Ran {
    pub capture: Capture,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// A folder of a test's own, with the fake checkers that it starts.
pub struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Bench { folder: tempfile::tempdir().unwrap() }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// The fake checker with these steps, in which `@` stands for the folder; no limit is short.
    pub fn fake(&self, steps: &str) -> Command {
        let folder = self.path("").to_str().unwrap().trim_end_matches('/').to_owned();
        let steps = steps.split_whitespace().map(|step| step.replace('@', &folder));
        let argv = [fake_checker::path().into()].into_iter().chain(steps.map(Into::into));
        Command {
            argv: argv.collect(),
            cwd: self.path(""),
            env: [].into(),
            unset_env: Vec::new(),
            limits: Limits {
                time: LONG,
                output_bytes: 1 << 20,
                grace: LONG,
                settle: SHORT,
                drain: LONG,
            },
        }
    }

    pub fn run(&self, command: &Command) -> Ran {
        self.run_until(command, &Stop::new())
    }

    pub fn run_until(&self, command: &Command, stop: &Stop) -> Ran {
        let [stdout, stderr] = ["captured.stdout", "captured.stderr"].map(|name| self.path(name));
        let files = [&stdout, &stderr].map(|path| fs::File::create(path).unwrap());
        let [to_stdout, to_stderr] = files;
        let capture = process::run(command, to_stdout, to_stderr, stop).unwrap();
        let ran =
            Ran { capture, stdout: fs::read(stdout).unwrap(), stderr: fs::read(stderr).unwrap() };
        assert_eq!(ran.capture.stdout_bytes, ran.stdout.len() as u64);
        assert_eq!(ran.capture.stderr_bytes, ran.stderr.len() as u64);
        ran
    }

    /// The process id that a fake checker wrote into a file of the folder.
    pub fn pid(&self, name: &str) -> i32 {
        fs::read_to_string(self.path(name)).unwrap().parse().unwrap()
    }

    /// Waits until the file is there.
    pub fn wait_for(&self, name: &str) {
        let path = self.path(name);
        assert!(within(LONG, || path.exists()), "{} never came", path.display());
    }

    /// The process whose id is in the file is dead, or dies within moments (a kill is not
    /// immediate).
    pub fn assert_dead(&self, name: &str) {
        let pid = self.pid(name);
        assert!(within(SOON, || !is_alive(pid)), "process {name} lives on");
    }

    /// The process whose id is in the file lives, until this function ends it.
    pub fn assert_alive_and_end(&self, name: &str) {
        let pid = self.pid(name);
        // Long enough for a kill that should not have been sent to arrive.
        thread::sleep(SHORT);
        assert!(is_alive(pid), "process {name} is dead");
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }
}

/// Whether it becomes true in this time.
pub fn within(time: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while !condition() {
        if begun.elapsed() > time {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// A zombie, which nobody may have reaped yet, counts as dead.
fn is_alive(pid: i32) -> bool {
    let ps = std::process::Command::new("ps")
        .args(["-o", "stat=", "-p", &pid.to_string()])
        .output()
        .unwrap();
    let state = String::from_utf8(ps.stdout).unwrap();
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

pub fn exited(code: i32) -> Termination {
    Termination::Exited { code }
}

pub fn not_started(reason: String) -> Termination {
    Termination::NotStarted { reason }
}

/// A file with these permissions.
pub fn write_with_mode(path: &Path, content: &[u8], mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, content).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}
