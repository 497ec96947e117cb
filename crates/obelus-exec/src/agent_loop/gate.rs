//! The gate: the repository's own build, which has the last word when every checker is clean. By
//! its exit status alone; what it prints is kept. Where it fails, findings are read from that as from any
//! build log, for people: nothing is decided by them, and none is sent.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use obelus_core::checker;
use obelus_core::format;
use obelus_core::normalise::Roots;
use obelus_core::read::{Streams, read_run_guarded};
use obelus_record::{Diagnostic, GateRun, Stream, Termination};

use super::LoopError;
use super::ledger::last_lines;
use crate::locate::{Environment, on_path_named};
use crate::process::stop::Stop;
use crate::process::{self, Limits};
use crate::sources::FolderSources;

/// The format of logs in which several tools speak.
const BUILD_LOG: &str = "build-log";
/// Lines of the log that a person sees.
const LAST_LINES: usize = 8;

/// What came of the gate.
pub enum Gate {
    /// It ran to its end.
    Ran(GateRun),
    /// It did not: why, in words.
    Broken(String),
    /// The user stopped it.
    Interrupted,
}

/// Runs the gate `argv` in `root`, with its log in the two files.
pub fn run(
    argv: &[String],
    root: &Path,
    logs: &[PathBuf; 2],
    time: Duration,
    stop: &Stop,
) -> Result<Gate, LoopError> {
    let Some(program) = argv.first() else {
        return Ok(Gate::Broken("the gate in obelus.toml has no program".to_owned()));
    };
    let found = match program.contains(['/', '\\']) {
        true => Some(root.join(program)),
        false => on_path_named(program, &Environment::current()),
    };
    let Some(found) = found else {
        return Ok(Gate::Broken(format!("the gate can't be run: there is no {program} on $PATH")));
    };
    let create = |path: &PathBuf| File::create(path).map_err(LoopError::io("create", path));
    let words = argv.iter().skip(1).map(OsString::from);
    let command = process::Command {
        argv: std::iter::once(found.into_os_string()).chain(words).collect(),
        cwd: root.to_owned(),
        env: [].into(),
        unset_env: vec!["MAKEFLAGS".to_owned(), "MAKELEVEL".to_owned()],
        limits: Limits { time, ..Limits::default() },
    };
    let capture = process::run(&command, create(&logs[0])?, create(&logs[1])?, stop)
        .map_err(LoopError::io("run", root))?;
    let exit = match capture.termination {
        Termination::Exited { code } | Termination::Undrained { code } => code,
        Termination::Interrupted => return Ok(Gate::Interrupted),
        Termination::NotStarted { reason } => {
            return Ok(Gate::Broken(format!("the gate can't be run: {reason}")));
        }
        Termination::TimedOut { limit_seconds } => {
            return Ok(Gate::Broken(format!("the gate was stopped after {limit_seconds} s")));
        }
        other => return Ok(Gate::Broken(format!("the gate did not end by itself: {other:?}"))),
    };
    let mut lines = last_lines(&logs[1], LAST_LINES);
    if lines.is_empty() {
        lines = last_lines(&logs[0], LAST_LINES);
    }
    let passed = exit == 0;
    let (last_lines, findings) = match passed {
        true => (Vec::new(), Vec::new()),
        false => (lines, findings(root, logs, exit)),
    };
    Ok(Gate::Ran(GateRun { argv: argv.to_vec(), exit: Some(exit), passed, last_lines, findings }))
}

/// What tools that are known say in the log of a gate that failed with `exit`.
fn findings(root: &Path, logs: &[PathBuf; 2], exit: i32) -> Vec<Diagnostic> {
    let [Ok(stdout), Ok(stderr)] = logs.each_ref().map(File::open) else { return Vec::new() };
    let Some(format) = format::find(BUILD_LOG) else { return Vec::new() };
    let Some((_, rules)) = checker::for_output(BUILD_LOG, BUILD_LOG) else { return Vec::new() };
    let streams = Streams {
        stdout: &mut BufReader::new(stdout.chain(stderr)),
        stderr: &mut std::io::empty(),
        report: &mut std::io::empty(),
        primary: Stream::Stdout,
    };
    let roots = Roots::new([root.display().to_string()], ".");
    let termination = Termination::Exited { code: exit };
    let sources = FolderSources::new(root);
    read_run_guarded(format, &rules, streams, &termination, &roots, &sources).diagnostics
}

/// That a gate failed, in words.
pub fn in_words(gate: &GateRun) -> String {
    let exit =
        gate.exit.map_or_else(|| "no exit status".to_owned(), |exit| format!("exit status {exit}"));
    format!("the gate `{}` fails with {exit}", gate.argv.join(" "))
}
