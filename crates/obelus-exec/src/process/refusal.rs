//! Why a program could not be started, in words that say what to do about it.
//!
//! The system has one error for several causes: "no such file" is said of a missing program, a
//! missing folder, and a script that is there but whose interpreter isn't.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::Command;

/// As much of a file as the kernel of Linux looks at.
const HEAD: u64 = 256;

/// What can be told without trying.
pub(super) fn before_start(command: &Command) -> Option<String> {
    let Some(program) = command.argv.first().map(Path::new) else {
        return Some("the command is empty".to_owned());
    };
    if !program.is_absolute() {
        return Some(format!("`{}` is not an absolute path", program.display()));
    }
    if !command.cwd.is_dir() {
        return Some(format!("the working directory `{}` does not exist", command.cwd.display()));
    }
    None
}

/// What the failed start tells.
pub(super) fn after_start(command: &Command, error: &io::Error) -> String {
    let program = command.argv.first().map(Path::new).unwrap_or(Path::new(""));
    let name = format!("`{}`", program.display());
    let known = match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => not_found(program, &name),
        ErrorKind::PermissionDenied => not_permitted(program, &name),
        ErrorKind::ArgumentListTooLong => {
            Some(format!("the arguments of {name} are longer than this system allows"))
        }
        ErrorKind::ExecutableFileBusy => Some(format!("{name} is being written at the moment")),
        _ if is_exec_format(error) => not_a_program(program, &name),
        _ => None,
    };
    known.unwrap_or_else(|| format!("{name} can't be started: {error}"))
}

fn not_found(program: &Path, name: &str) -> Option<String> {
    if !program.exists() {
        return Some(match fs::read_link(program) {
            Ok(target) => {
                format!("{name} is a link to `{}`, which does not exist", target.display())
            }
            Err(_) => format!("{name} does not exist"),
        });
    }
    let head = head(program)?;
    if let Some(interpreter) = interpreter(&head) {
        return Some(if interpreter.ends_with('\r') {
            format!(
                "the first line of {name} ends in a carriage return, which counts as part of its interpreter's name"
            )
        } else {
            format!(
                "the first line of {name} names the interpreter `{interpreter}`, which does not exist"
            )
        });
    }
    is_binary(&head).then(|| {
        format!("{name} needs a loader that does not exist here: it is built for another system")
    })
}

fn not_permitted(program: &Path, name: &str) -> Option<String> {
    let metadata = program.metadata().ok()?;
    if metadata.is_dir() {
        return Some(format!("{name} is a folder, not a program"));
    }
    if !may_be_executed(&metadata) {
        return Some(format!("{name} is not executable: its permissions don't allow it"));
    }
    let interpreter = head(program).as_deref().and_then(interpreter)?;
    Some(format!("{name} or its interpreter `{interpreter}` is not allowed to be executed"))
}

fn not_a_program(program: &Path, name: &str) -> Option<String> {
    let head = head(program)?;
    Some(if head.is_empty() {
        format!("{name} is empty")
    } else if is_binary(&head) {
        format!("{name} is not a program for this system and processor")
    } else {
        format!(
            "{name} is a script without an interpreter: its first line does not begin with `#!`"
        )
    })
}

#[cfg(unix)]
fn may_be_executed(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(windows)]
fn may_be_executed(_metadata: &fs::Metadata) -> bool {
    true
}

#[cfg(unix)]
fn is_exec_format(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error())
}

#[cfg(windows)]
fn is_exec_format(error: &io::Error) -> bool {
    /// The name that Windows' own headers give to it.
    const ERROR_BAD_EXE_FORMAT: i32 = 193;
    error.raw_os_error() == Some(ERROR_BAD_EXE_FORMAT)
}

fn head(program: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    fs::File::open(program).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    Some(head)
}

/// The program that the first line of a script names; a carriage return is kept.
fn interpreter(head: &[u8]) -> Option<String> {
    let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = line.trim_ascii_start();
    let name = line.split(|byte| matches!(byte, b' ' | b'\t')).next()?;
    Some(String::from_utf8_lossy(name).into_owned())
}

/// Text has no zero byte; every kind of executable file has some at its beginning.
fn is_binary(head: &[u8]) -> bool {
    head.contains(&0)
}
