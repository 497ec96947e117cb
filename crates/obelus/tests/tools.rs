//! Every tool as it is installed: a repository in which it finds one thing, and the same without.
//!
//! One named trial a tool. A tool that is not installed is skipped by its name; `enough_tools_ran` holds how many were
//! there against a minimum.

mod support;
mod tools {
    pub mod compiled;
    pub mod config;
    pub mod python;
    pub mod rust;
    pub mod web;
}

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use support::{Done, Repo, lines, with_in_front};

/// Fewer than this is a fault of the installation, not of the machine. All of them are 44; what a machine may lack are
/// a JDK, clang, cargo-nextest, or a whole set.
const MINIMUM: usize = 30;

/// One tool and what it is tried on.
pub struct Tool {
    /// The trial's name; that of the checker where there is one.
    pub name: &'static str,
    /// Where it was installed.
    pub home: Home,
    /// Who starts it.
    pub by: By,
    /// Files of both repositories.
    pub files: &'static [(&'static str, &'static str)],
    /// The file in which it finds something.
    pub path: &'static str,
    /// That file as it is found fault with.
    pub faulty: &'static str,
    /// That file without a fault.
    pub clean: &'static str,
    /// The one record, as [`lines`] writes it.
    pub found: &'static str,
    /// The exit status of the tool with that record.
    pub exit: i64,
    /// What Obelus makes of it.
    pub outcome: &'static str,
}

/// Where a tool is.
pub enum Home {
    /// A program of a set of npm packages.
    Npm(&'static str, &'static str),
    /// A program of a virtual environment, which the repository has as its own.
    Venv(&'static str, &'static str),
    /// A program of a virtual environment that is no environment for Python: on `$PATH`.
    Bin(&'static str, &'static str),
    /// On this machine, where this command succeeds.
    Machine(&'static [&'static str]),
}

/// Who starts a tool.
pub enum By {
    /// `obelus check`, by the checker's table.
    Check,
    /// This test, with this command line; `obelus parse` reads what it printed.
    Parse {
        /// The command line.
        argv: &'static [&'static str],
        /// The tool as records name it.
        tool: &'static str,
        /// The format of what it prints.
        format: &'static str,
        /// Where it prints that.
        on: Printed,
    },
}

/// Where a tool prints its findings.
pub enum Printed {
    /// On standard output.
    Stdout,
    /// On standard error.
    Stderr,
    /// Into this file of the repository.
    File(&'static str),
}

#[expect(clippy::print_stdout, reason = "what is skipped is told to who started the tests")]
fn main() {
    let args = Arguments::from_args();
    let all = [
        tools::web::TOOLS,
        tools::python::TOOLS,
        tools::rust::TOOLS,
        tools::compiled::TOOLS,
        tools::config::TOOLS,
    ];
    let (mut trials, mut there, mut skipped) = (Vec::new(), 0, Vec::new());
    for tool in all.into_iter().flatten() {
        let installed = tool.home.installed();
        match installed {
            true => there += 1,
            false => skipped.push(tool.name),
        }
        let trial = Trial::test(tool.name, || {
            tool.finds();
            tool.passes();
            Ok(())
        });
        trials.push(match installed {
            true => trial,
            false => trial.with_kind("not installed").with_ignored_flag(true),
        });
    }
    let told = format!("{there} tools are installed; skipped: {skipped:?}");
    if !args.list {
        println!("{told}");
    }
    trials.push(Trial::test("enough_tools_ran", move || match there >= MINIMUM {
        true => Ok(()),
        false => Err(Failed::from(format!("{told}; at least {MINIMUM} must be there"))),
    }));
    libtest_mimic::run(&args, trials).exit();
}

impl Home {
    fn installed(&self) -> bool {
        match self {
            Home::Npm(set, program) => support::installed(set)
                .is_some_and(|at| at.join("node_modules/.bin").join(program).exists()),
            Home::Venv(set, program) | Home::Bin(set, program) => {
                support::installed(set).is_some_and(|at| programs(&at).join(program).exists())
            }
            Home::Machine(command) => {
                let mut command = words(command);
                let quiet =
                    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                quiet.status().is_ok_and(|status| status.success())
            }
        }
    }
}

impl Tool {
    /// The tool's one finding is told exactly, with what its exit status means.
    fn finds(&self) {
        let repo = self.repository(self.faulty);
        let done = self.run(&repo);
        let report = done.report();
        assert_eq!(lines(&report), [self.found], "{}", done.stdout);
        let run = &report["runs"][0];
        assert_eq!(
            (&run["exit"], &run["outcome"]),
            (&self.exit.into(), &self.outcome.into()),
            "{run}"
        );
        // Its version is one that the table was tried with, and nothing about the run is odd.
        assert_eq!(run["notes"], serde_json::json!([]));
        let status = if self.outcome == "fail" { 1 } else { 0 };
        assert_eq!(done.status, Some(status), "{}", done.stdout);
    }

    /// Without a fault it passes, again too when Obelus has files of its own in the repository.
    fn passes(&self) {
        let repo = self.repository(self.clean);
        for time in ["first", "second"] {
            let done = self.run(&repo);
            let report = done.report();
            assert_eq!(lines(&report), [] as [&str; 0], "{time} time: {}", done.stdout);
            assert_eq!(report["runs"][0]["outcome"], "pass", "{time} time: {}", done.stdout);
            assert_eq!(done.status, Some(0), "{time} time: {}", done.stdout);
            if !matches!(self.by, By::Check) {
                return;
            }
            // As the scripts are that Obelus ships: nobody's code of this repository.
            repo.write(".obelus/assets/own.mjs", "var own = 1;\nif (own == '1')  debugger\n");
        }
    }

    fn repository(&self, text: &str) -> Repo {
        let repo = Repo::empty();
        for (path, text) in self.files {
            repo.write(path, text);
        }
        repo.write(self.path, text);
        match self.home {
            Home::Npm(set, _) => {
                repo.with_node_modules(set);
            }
            Home::Venv(set, _) => {
                repo.with_venv(set);
            }
            Home::Bin(..) | Home::Machine(_) => {}
        }
        repo
    }

    fn run(&self, repo: &Repo) -> Done {
        match &self.by {
            By::Check => {
                let arguments = ["check", self.name, "--root", ".", "--output", "json"];
                repo.command(&arguments)
                    .env("PATH", self.path_variable())
                    .output()
                    .expect("obelus runs")
                    .into()
            }
            By::Parse { argv, tool, format, on } => self.parse(repo, argv, tool, format, on),
        }
    }

    fn parse(&self, repo: &Repo, argv: &[&str], tool: &str, format: &str, on: &Printed) -> Done {
        let root = repo.root();
        let ran = words(argv)
            .current_dir(root)
            .stdin(Stdio::null())
            .env("PATH", self.path_variable())
            .env("LC_ALL", "C.UTF-8")
            .output()
            .unwrap_or_else(|error| panic!("{argv:?}: {error}"));
        let kept = Repo::empty();
        let keep = |name: &str, bytes: &[u8]| {
            let path = kept.root().join(name);
            std::fs::write(&path, bytes).expect("the output can be kept");
            path.display().to_string()
        };
        let (stdout, stderr) = (keep("stdout", &ran.stdout), keep("stderr", &ran.stderr));
        let root = root.canonicalize().expect("the root has a place").display().to_string();
        let exit = ran.status.code().expect("it was not killed").to_string();
        let mut arguments =
            vec!["parse", "--tool", tool, "--format", format, "--root", &root, "--source", &root];
        arguments.extend(["--exit", &exit, "--output", "json", "--stderr", &stderr]);
        let report;
        match on {
            Printed::Stdout => arguments.push(&stdout),
            Printed::Stderr => {}
            Printed::File(path) => {
                report = repo.root().join(path).display().to_string();
                arguments.extend(["--stdout", &stdout, &report]);
            }
        }
        repo.obelus(&arguments)
    }

    /// `$PATH` with the set in front, where it is one that repositories don't have as their own.
    fn path_variable(&self) -> OsString {
        match self.home {
            Home::Bin(set, _) => with_in_front(&programs(&support::toolchain(set))),
            Home::Npm(set, _) => with_in_front(&support::toolchain(set).join("node_modules/.bin")),
            Home::Venv(..) | Home::Machine(_) => std::env::var_os("PATH").unwrap_or_default(),
        }
    }
}

fn programs(venv: &Path) -> PathBuf {
    venv.join(if cfg!(windows) { "Scripts" } else { "bin" })
}

fn words(argv: &[&str]) -> Command {
    let (program, arguments) = argv.split_first().expect("a command has a program");
    let mut command = Command::new(program);
    command.args(arguments);
    command
}
