//! Which version a program has, where its package does not state it.

use std::path::Path;
use std::time::Duration;

use obelus_core::checker::Binary;
use obelus_record::Termination;

use crate::locate::{Program, version_in};
use crate::process::stop::Stop;
use crate::process::{self, Limits};

/// How long a program may take to tell its version.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// The version of `program`: what its package states, else what it says when it is asked in `cwd`
/// (rustup and pyenv choose by the folder). Nothing where it does not tell one.
pub fn version_of(binary: &Binary, program: &Program, cwd: &Path, stop: &Stop) -> Option<String> {
    if program.version.is_some() || binary.version.is_empty() {
        return program.version.clone();
    }
    let name = program.path.as_os_str().to_owned();
    let command = process::Command {
        argv: std::iter::once(name).chain(binary.version.iter().map(Into::into)).collect(),
        cwd: cwd.to_owned(),
        env: Default::default(),
        unset_env: Vec::new(),
        limits: Limits { time: TIME_LIMIT, output_bytes: 1 << 16, ..Limits::default() },
    };
    let mut stdout = tempfile::tempfile().ok()?;
    let capture =
        process::run(&command, stdout.try_clone().ok()?, tempfile::tempfile().ok()?, stop).ok()?;
    if capture.termination != (Termination::Exited { code: 0 }) {
        return None;
    }
    let mut text = String::new();
    std::io::Seek::rewind(&mut stdout).ok()?;
    std::io::Read::read_to_string(&mut stdout, &mut text).ok()?;
    version_in(&text)
}
