//! Starting other programs, and the file operations that the standard library lacks.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The Cargo that runs this task.
pub(crate) fn cargo(repository: &Path) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(repository);
    command
}

/// npm is a script on Windows, which only its full name starts.
pub(crate) fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

/// Python 3 by the name it has on this system.
pub(crate) fn python() -> Command {
    Command::new(if cfg!(windows) { "python" } else { "python3" })
}

/// Runs a command with its output on stderr; anything but success is an error that says what was being done.
pub(crate) fn quietly(command: &mut Command, doing: &str) -> Result<()> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{doing}: could not start {}", name(command)))?;
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stdout));
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        bail!("{doing}: {} ended with {}", name(command), output.status);
    }
    Ok(())
}

/// Whether a program is there and answers with success.
pub(crate) fn answers(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Builds the command with optimisation and returns nothing but the certainty that it is there.
pub(crate) fn build_release(repository: &Path) -> Result<()> {
    eprintln!("building obelus (release)");
    let status = cargo(repository)
        .args(["build", "--quiet", "--release", "--package", "obelus"])
        .status()
        .context("building obelus: could not start cargo")?;
    if !status.success() {
        bail!("building obelus: cargo ended with {status}");
    }
    Ok(())
}

fn name(command: &Command) -> String {
    command.get_program().display().to_string()
}

/// What a build or an install leaves behind; never copied.
const LEFT_BEHIND: [&str; 6] =
    ["node_modules", "dist", "target", ".obelus", ".mypy_cache", ".ruff_cache"];

/// Copies a folder of the checkout, without what a build or an install left in it.
pub(crate) fn copy_sources(from: &Path, to: &Path) -> Result<()> {
    let copying = || format!("copying {}", from.display());
    fs::create_dir_all(to).with_context(copying)?;
    for entry in fs::read_dir(from).with_context(copying)? {
        let entry = entry.with_context(copying)?;
        let name = entry.file_name();
        if is_left_behind(&name) {
            continue;
        }
        let target = to.join(&name);
        if entry.file_type().with_context(copying)?.is_dir() {
            copy_sources(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target).with_context(copying)?;
        }
    }
    Ok(())
}

fn is_left_behind(name: &OsStr) -> bool {
    LEFT_BEHIND.iter().any(|left| name == *left) || name.to_string_lossy().ends_with(".tsbuildinfo")
}

/// Removes a folder with all that is in it; a folder that is not there is fine.
pub(crate) fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("removing {}", folder.display()))
        }
        _ => Ok(()),
    }
}
