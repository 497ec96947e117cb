//! What a change caused: the check of the work tree held against one of a baseline.
//!
//! The records of the baseline are taken from a check that was kept, where tree, versions and
//! configuration agree; else the checkers run on it in a folder of its own. Neither the user's
//! files nor the git repository are written to.

mod adopt;
mod cache;
mod checkout;
mod held;
mod installed;
mod obtain;
mod point;
mod policy;
mod running;
mod share;
mod since;

use std::path::{Path, PathBuf};

use obelus_core::checker::ConfigError;
use thiserror::Error;

pub use adopt::adopt;
pub(crate) use held::hold_against;
pub use held::replay;
pub use point::STORED;
pub(crate) use policy::Sides;
pub use running::{Running, store_baseline};
pub use since::{PolicyOf, Since, check_since};

use crate::adopted::AdoptedFileError;
use crate::check::CheckError;
use crate::git::{Git, GitError};
use crate::store::StoreError;

/// Why nothing could be compared.
#[derive(Debug, Error)]
pub enum BaselineError {
    /// git can't tell what is asked.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The check itself could not be made.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// What is kept can't be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing was stored yet.
    #[error("no baseline is stored; `obelus baseline` stores one of the files as they are now")]
    NothingStored,
    /// A saved run can't be held against its baseline again.
    #[error(
        "run {id} was held against {name}, and {what}; `obelus runs show {id}` shows what was found then"
    )]
    Gone {
        /// The run.
        id: String,
        /// What the user named the baseline by.
        name: String,
        /// What is not there any more.
        what: &'static str,
    },
    /// Files changed while they were checked.
    #[error(
        "files changed while they were checked, so it is not known of what this is the baseline; run it again"
    )]
    Changing,
    /// Somebody stopped the check of the baseline.
    #[error("interrupted while the baseline was checked")]
    Interrupted,
    /// The root leads out of the tree in that revision.
    #[error(
        "{path} is a link out of the repository in that revision, and what lies there is not checked"
    )]
    Elsewhere {
        /// The root, from the top.
        path: String,
    },
    /// The configuration of the baseline is wrong, and it is to judge.
    #[error(
        "the configuration of {revision} can't judge: {error}; `--policy work` judges with that of the work tree"
    )]
    Policy {
        /// What the user named the baseline by.
        revision: String,
        /// What is wrong.
        error: Box<ConfigError>,
    },
    /// The file of adopted findings can't be read.
    #[error(transparent)]
    Adopted(#[from] AdoptedFileError),
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

impl BaselineError {
    /// Whether somebody asked for what can't be, rather than something having broken down.
    pub fn is_usage(&self) -> bool {
        match self {
            BaselineError::Git(error) => error.is_usage(),
            BaselineError::Check(error) => matches!(
                error,
                CheckError::Repository(_) | CheckError::Glob(_) | CheckError::Adopted(_)
            ),
            BaselineError::Adopted(_)
            | BaselineError::NothingStored
            | BaselineError::Gone { .. }
            | BaselineError::Elsewhere { .. }
            | BaselineError::Policy { .. } => true,
            BaselineError::Store(_)
            | BaselineError::Changing
            | BaselineError::Interrupted
            | BaselineError::Io { .. } => false,
        }
    }

    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |error| BaselineError::Io { doing, path, error }
    }
}

/// What lies in a work tree and not in git; paths are from the top, and a folder stands for all that is in it.
#[derive(Clone, Debug, Default)]
pub struct Untracked {
    /// What git ignores.
    pub ignored: Vec<String>,
    /// What git does not ignore and does not know.
    pub others: Vec<String>,
}

impl Untracked {
    fn of(git: &Git) -> Result<Self, GitError> {
        Ok(Untracked { ignored: git.untracked(true)?, others: git.untracked(false)? })
    }

    /// A word for which packages are installed.
    fn installed(&self, git: &Git) -> String {
        let all: Vec<String> = self.ignored.iter().chain(&self.others).cloned().collect();
        installed::installed(git.top(), &all)
    }
}
