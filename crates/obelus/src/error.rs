//! What ends the command before it could do what was asked.

use std::io::Write;
use std::path::PathBuf;

use obelus_core::reports::NotAReport;
use obelus_exec::agent_loop::LoopError;
use obelus_exec::baseline::BaselineError;
use obelus_exec::check::CheckError;
use obelus_exec::fixing::FixError;
use obelus_exec::repository::RepositoryError;
use obelus_exec::reviewer::ReviewError;
use obelus_exec::store::StoreError;
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
    /// A file that was named holds neither a report nor records.
    #[error("{what} {}, {error}", path.display())]
    NotAReport {
        /// What the file is to the command.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        error: NotAReport,
    },
    /// The repository or its configuration can't be used.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    /// The check could not be made.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// Nothing can be compared or adopted.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// The loop could not be run, told or taken back.
    #[error(transparent)]
    Loop(#[from] LoopError),
    /// Nothing can be fixed.
    #[error(transparent)]
    Fix(#[from] FixError),
    /// No reviewer can be run, or its review not be read.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// A program could not be tested.
    #[error("cannot test the program: {0}")]
    Contract(std::io::Error),
    /// A saved run can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file can't be written.
    #[error("cannot write {}: {error}", path.display())]
    WriteFile {
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
        // Nothing is left to be told where even this can't be written.
        let _ = writeln!(std::io::stderr(), "obelus: {self}");
        match self {
            CommandError::Baseline(BaselineError::Interrupted)
            | CommandError::Fix(FixError::Interrupted) => ExitStatus::Interrupted,
            CommandError::Baseline(error) if error.is_usage() => ExitStatus::Usage,
            CommandError::Loop(LoopError::Interrupted { .. }) => ExitStatus::Interrupted,
            CommandError::Loop(error) if error.is_usage() => ExitStatus::Usage,
            CommandError::Review(error) if error.is_usage() => ExitStatus::Usage,
            CommandError::Usage(_)
            | CommandError::Read { .. }
            | CommandError::NotAReport { .. }
            | CommandError::Repository(_)
            | CommandError::Check(
                CheckError::Repository(_) | CheckError::Glob(_) | CheckError::Adopted(_),
            )
            | CommandError::Fix(FixError::Check(
                CheckError::Repository(_) | CheckError::Glob(_) | CheckError::Adopted(_),
            ))
            | CommandError::Store(StoreError::NoSuchRun(_) | StoreError::NoSuchReview(_)) => {
                ExitStatus::Usage
            }
            CommandError::Check(_)
            | CommandError::Baseline(_)
            | CommandError::Fix(_)
            | CommandError::Review(_)
            | CommandError::Loop(_)
            | CommandError::Store(_)
            | CommandError::Contract(_)
            | CommandError::Write(_)
            | CommandError::WriteFile { .. } => ExitStatus::HarnessError,
        }
    }
}
