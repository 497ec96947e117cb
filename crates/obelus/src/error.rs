//! What ends the command before it could do what was asked.

use std::io::Write;
use std::path::PathBuf;

use obelus_record::ExitStatus;
use thiserror::Error;

/// A reason for which nothing could be done.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The command line asks for something that can't be.
    #[error("{0}")]
    Usage(String),
    /// A file that was named can't be read.
    #[error("cannot read {what} {}: {error}", path.display())]
    Read {
        /// What the file is to the command.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The answer can't be written.
    #[error("cannot write to stdout: {0}")]
    Write(std::io::Error),
}

impl CommandError {
    /// Tells the error on stderr, and which status the process exits with.
    pub fn report(&self) -> ExitStatus {
        if let CommandError::Write(error) = self
            && error.kind() == std::io::ErrorKind::BrokenPipe
        {
            // The reader has what it wanted.
            return ExitStatus::Pass;
        }
        // Nothing is left to be told where even this can't be written.
        let _ = writeln!(std::io::stderr(), "obelus: {self}");
        match self {
            CommandError::Usage(_) | CommandError::Read { .. } => ExitStatus::Usage,
            CommandError::Write(_) => ExitStatus::HarnessError,
        }
    }
}
