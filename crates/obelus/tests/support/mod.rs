//! Repositories for tests: copies of `examples/`, with the real checkers that `cargo xtask test`
//! installs, and the real program run on them.

#![allow(dead_code, reason = "each test binary uses its own part of this")]

pub mod browser;
pub mod captured;
pub mod in_process;
pub mod mutate;
pub mod random;
pub mod schema;
pub mod sound;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A repository in a temporary folder.
pub struct Repo {
    folder: TempDir,
}

/// What came of one run of the program.
pub struct Done {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Done {
    /// The report on stdout.
    #[track_caller]
    pub fn report(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| {
            panic!(
                "status {:?}: no report on stdout: {error}\n{}\n{}",
                self.status, self.stdout, self.stderr
            )
        })
    }
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Done {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Repo {
    /// A folder with nothing in it.
    pub fn empty() -> Self {
        Repo { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// A copy of `examples/NAME`.
    pub fn example(name: &str) -> Self {
        let repo = Repo::empty();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        copy(&from, repo.root()).expect("the example can be copied");
        repo
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder");
        std::fs::write(path, text).expect("the file");
        self
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).expect("the file")
    }

    /// Replaces `from`, which must be there, in a file.
    #[track_caller]
    pub fn replace(&self, path: &str, from: &str, to: &str) -> &Self {
        let text = self.read(path);
        assert!(text.contains(from), "{path} holds {from:?}");
        self.write(path, &text.replace(from, to))
    }

    pub fn remove(&self, path: &str) -> &Self {
        std::fs::remove_file(self.root().join(path)).expect("the file can be removed");
        self
    }

    /// Links an installed set of npm packages as `node_modules`.
    pub fn with_node_modules(&self, set: &str) -> &Self {
        link(&toolchain(set).join("node_modules"), &self.root().join("node_modules"));
        self
    }

    /// Links an installed virtual environment as `.venv`.
    pub fn with_venv(&self, set: &str) -> &Self {
        link(&toolchain(set), &self.root().join(".venv"));
        self
    }

    /// Defines a checker `fake` that runs the fake checker with `steps`; its output is read as `format`.
    pub fn with_fake(&self, steps: &[&str], format: &str, more: &str) -> &Self {
        let steps: Vec<String> = steps.iter().map(|step| format!("{step:?}")).collect();
        self.write(
            "obelus.toml",
            &format!(
                "[checker.fake]\nsummary = \"a fake\"\n\
                 binary = {{ name = \"fake-checker\", version = [\"--version\"], install = \"make fake\" }}\n\
                 exits = {{ clean = [0], findings = [1] }}\n\
                 run = [{{ argv = [\"{{binary}}\", {}], format = {format:?}{more} }}]\n",
                steps.join(", ")
            ),
        )
    }

    /// git with `args`, in the root, as somebody who may commit; what it prints.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        git(self.root(), args)
    }

    /// Makes it a git repository whose one commit holds everything.
    pub fn committed(&self) -> &Self {
        self.git(&["init", "--quiet", "--initial-branch=main"]);
        self.commit()
    }

    /// Commits everything that is not ignored.
    pub fn commit(&self) -> &Self {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message=change"]);
        self
    }

    /// The program with `args`, in the root.
    pub fn obelus(&self, args: &[&str]) -> Done {
        self.command(args).output().expect("obelus runs").into()
    }

    /// The program with `args`, in a folder below the root.
    pub fn obelus_in(&self, folder: &str, args: &[&str]) -> Done {
        self.command(args)
            .current_dir(self.root().join(folder))
            .output()
            .expect("obelus runs")
            .into()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_obelus"));
        command.args(args).current_dir(self.root()).stdin(Stdio::null());
        command
            .env("PATH", path_with_fake())
            .env_remove("VIRTUAL_ENV")
            .env_remove("CLICOLOR_FORCE");
        command
    }
}

/// git with `args` in `folder`, without what the machine says about it; what it prints.
#[track_caller]
pub fn git(folder: &Path, args: &[&str]) -> String {
    let settings =
        ["user.name=Somebody", "user.email=somebody@example.org", "protocol.file.allow=always"];
    let mut command = Command::new("git");
    for setting in settings {
        command.args(["-c", setting]);
    }
    let done: Done = command
        .args(args)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", if cfg!(windows) { "NUL" } else { "/dev/null" })
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .expect("git runs")
        .into();
    assert_eq!(done.status, Some(0), "git {args:?}: {}", done.stderr);
    done.stdout
}

/// `$PATH` with the fake checker in front.
fn path_with_fake() -> OsString {
    with_in_front(fake_checker::path().parent().expect("it lies in a folder"))
}

/// `$PATH` with `folder` in front.
pub fn with_in_front(folder: &Path) -> OsString {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(folder.to_owned()).chain(std::env::split_paths(&rest)))
        .expect("PATH can be joined")
}

/// A folder that holds nothing but links to `programs`, for a `$PATH` of its own.
pub fn path_of(programs: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in programs {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::split_paths(&path).map(|at| at.join(name)).find(|at| at.is_file());
        link(&program.unwrap_or_else(|| panic!("{name} is on $PATH")), &folder.path().join(name));
    }
    folder
}

/// Where `cargo xtask test` installed the real checkers.
#[track_caller]
pub fn toolchain(set: &str) -> PathBuf {
    let folder = installed(set);
    folder.unwrap_or_else(|| panic!("{set} is missing: `cargo xtask test` installs it"))
}

/// The folder of an installed set, if it is there.
pub fn installed(set: &str) -> Option<PathBuf> {
    let installed = match std::env::var_os("OBELUS_TOOLCHAIN") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/toolchain"),
    };
    installed.join(set).canonicalize().ok().filter(|folder| folder.is_dir())
}

/// The records of a report, each as one line: tool, severity, code, place, and the message's first line.
pub fn lines(report: &Value) -> Vec<String> {
    let number = |value: &Value| value.as_u64().map_or("-".to_owned(), |n| n.to_string());
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let records = report["records"].as_array().expect("a report has records");
    let line = |r: &Value| {
        format!(
            "{} {} {} {}:{}:{}-{}:{} {}",
            text(&r["tool"]),
            text(&r["severity"]),
            text(&r["code"]),
            text(&r["path"]),
            number(&r["line"]),
            number(&r["column"]),
            number(&r["end_line"]),
            number(&r["end_column"]),
            text(&r["message"]).lines().next().unwrap_or_default(),
        )
    };
    records.iter().map(line).collect()
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        // What somebody installed or built in the example is no part of it.
        if matches!(
            entry.file_name().to_str(),
            Some("node_modules" | "target" | ".venv" | ".obelus" | ".mypy_cache")
        ) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            std::fs::create_dir_all(&target)?;
            copy(&source, &target)?;
        } else {
            std::fs::copy(&source, &target)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(from, to).expect("a link can be made");
}

#[cfg(windows)]
fn link(from: &Path, to: &Path) {
    let done = match from.is_dir() {
        true => std::os::windows::fs::symlink_dir(from, to),
        false => std::os::windows::fs::symlink_file(from, to),
    };
    done.expect("a link can be made");
}
