//! The tasks of this repository, run as `cargo xtask TASK`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task talks to the person who started it"
)]

mod bench;
mod demo;
mod fuzz;
mod new_format;
mod run;
mod test;
mod tidy;
mod toolchain;
mod tools;
mod truth;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

const HELP: &str = "\
The tasks of this repository

Usage: cargo xtask <TASK>

Tasks:
  test [-- ARGS]   install the locked checkers and agents, then run every test (or `cargo test --workspace ARGS`)
  demo             build the example monorepo, then check it: the build log beside the answer
  demo --loop      take it from broken to clean in a loop with a scripted agent, and count what is sent
  bench [--quick]  time reading against jq, a check against the same commands from sh, and telling
                   what a change caused against sarif-multitool; --quick leaves the 400 MB inputs out,
                   `bench attribution` does the last alone
  bench tokens     count what the text for a model costs, and hold the estimate against an exact tokenizer
  fuzz --quick     hand every format bytes that no checker prints, for a second each; it wants a C++ compiler
  fuzz FORMAT [S]  the same for one format, for a minute or S seconds
  truth [--quick] [--show] [LANGUAGE]...
                   put faults into generated repositories, run the real checkers, and count how often the
                   cause that is told first is the right one; --show prints the texts where it is not
  new-format NAME  lay out a format: its file, its registry lines, its first case
  tidy             check the rules of this repository that no compiler checks
";

fn main() -> ExitCode {
    let mut args = env::args_os().skip(1);
    let task = args.next().unwrap_or_else(|| "--help".into());
    let rest: Vec<OsString> = args.collect();
    let result = match task.to_str() {
        Some("test") => test::run(&rest),
        Some("demo") if rest == ["--loop"] => demo::looped::run(),
        Some("demo") => without_arguments("demo", &rest).and_then(|()| demo::run()),
        Some("bench") => bench::run(&rest),
        Some("fuzz") => fuzz::run(&rest),
        Some("truth") => truth::run(&rest),
        Some("new-format") => new_format::run(&rest),
        Some("tidy") => without_arguments("tidy", &rest).and_then(|()| tidy::run()),
        Some(bench::MEASURE) => bench::measure::child(&rest),
        Some("help" | "-h" | "--help") => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("error: there is no task {}\n\n{HELP}", task.display());
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn without_arguments(task: &str, rest: &[OsString]) -> Result<()> {
    match rest.first() {
        Some(argument) => bail!("`{task}` takes no arguments, got {}", argument.display()),
        None => Ok(()),
    }
}

/// The folder of the workspace: the one above this crate.
fn repository() -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    root.map(Path::to_path_buf).context("the crate of the tasks must lie below the workspace")
}

/// Where Cargo builds, and where the tasks keep what they install and write.
fn target(repository: &Path) -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => repository.join(folder),
        None => repository.join("target"),
    }
}
