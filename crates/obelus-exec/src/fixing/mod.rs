//! Suggestions of checkers applied, verified, and taken back where they made things worse.
//!
//! [`fix`] checks the repository, applies what may be applied, checks again and goes on until
//! nothing is left: `rounds.rs` leads, `verify.rs` says whether a state is worse than the one before, `bisect.rs`
//! finds which of several suggestions made it so, `tools.rs` lets tools fix by themselves.
//! [`fix_given`] applies records that exist already, in one pass.

mod bisect;
mod desk;
mod given;
mod ledger;
mod proposal;
mod rounds;
mod seen;
mod tools;
mod verify;

use std::path::PathBuf;

use obelus_core::reason::tidy;
use obelus_record::{Diagnostic, FixReport, Report};
use thiserror::Error;

use crate::apply::{ApplyError, Restored};
use crate::check::CheckError;
use crate::repository::RepositoryError;

pub use given::{Given, fix_given};
pub use rounds::fix;
pub use seen::{NotSeen, Seen};

/// How often suggestions are applied and looked at before it is said that there is no end to it.
pub const MOST_ROUNDS: u32 = 10;

/// How often checkers are run again in all rounds together.
pub const MOST_RERUNS: u32 = 40;

/// What is to be applied, and how.
#[derive(Clone, Debug, Default)]
pub struct FixOptions {
    /// Also what its tool calls unsafe.
    pub with_unsafe: bool,
    /// Only a part of it.
    pub only: Only,
    /// Write nothing.
    pub dry_run: bool,
}

/// A part of all suggestions; an empty list is no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Only {
    /// Codes of findings.
    pub codes: Vec<String>,
    /// Files, or folders with all that is in them, from the root.
    pub paths: Vec<String>,
}

impl Only {
    /// Whether a record belongs to the part.
    pub fn wants(&self, record: &Diagnostic) -> bool {
        let code = record.code.as_deref();
        let by_code =
            self.codes.is_empty() || self.codes.iter().any(|wanted| code == Some(wanted.as_str()));
        let below = |path: &str, wanted: &str| {
            wanted.is_empty()
                || path
                    .strip_prefix(wanted)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let by_path = self.paths.is_empty()
            || record.path.as_deref().is_some_and(|path| {
                let path = tidy(path);
                self.paths.iter().any(|wanted| below(&path, wanted))
            });
        by_code && by_path
    }
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    /// What was done.
    pub report: FixReport,
    /// What the checkers say of the files as they are now, where they were run.
    pub check: Option<Report>,
    /// What was changed, or would be, as a unified diff.
    pub diff: Vec<u8>,
}

/// Why nothing could be fixed.
#[derive(Debug, Error)]
pub enum FixError {
    /// Files can't be replaced.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// The repository can't be checked.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The command that verifies can't be run.
    #[error("cannot run {command:?}: {why}")]
    Verify {
        /// The command.
        command: String,
        /// Why not.
        why: String,
    },
    /// A file or folder can't be used.
    #[error("cannot {doing} {}: {error}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
}

impl From<RepositoryError> for FixError {
    fn from(error: RepositoryError) -> Self {
        FixError::Check(error.into())
    }
}

/// What is told of files that an earlier fix had changed.
fn recovered(restored: &Restored) -> Vec<String> {
    let files = restored.files.join(", ");
    let back = (!files.is_empty())
        .then(|| format!("an earlier fix was cut off; put back as they were: {files}"));
    back.into_iter().chain(left(restored)).collect()
}

/// What is told of files that could not be put back.
fn left(restored: &Restored) -> Option<String> {
    let files = restored.left.join(", ");
    (!files.is_empty())
        .then(|| format!("changed by somebody else meanwhile, and left as they are: {files}"))
}
