//! What keeps git from telling what is asked.

use std::path::PathBuf;

use thiserror::Error;

use super::MINIMUM;

/// Why git could not tell.
#[derive(Debug, Error)]
pub enum GitError {
    /// There is no git.
    #[error("git is not on $PATH; comparing with a revision needs git {}.{} or newer, and {WITHOUT}", MINIMUM.0, MINIMUM.1)]
    Missing,
    /// It is too old.
    #[error("comparing with a revision needs git {}.{} or newer, and this is {says:?}", MINIMUM.0, MINIMUM.1)]
    TooOld {
        /// What it says about itself.
        says: String,
    },
    /// The root lies in no repository.
    #[error("{} is no git repository, so there is no revision to compare with; {WITHOUT}", root.display())]
    NotARepository {
        /// The root.
        root: PathBuf,
    },
    /// It belongs to somebody else, and git doesn't trust it.
    #[error("git refuses to look into the repository: {said}")]
    Refused {
        /// What it said, with what to do.
        said: String,
    },
    /// The repository is bare, or the root lies in its git folder.
    #[error("{} is no work tree: its repository is bare; check in a clone or in a `git worktree` of it", root.display())]
    NoWorkTree {
        /// The root.
        root: PathBuf,
    },
    /// There is no commit yet.
    #[error(
        "the repository has no commit yet, so there is no {revision:?} to compare with; commit first, or store a baseline of the files as they are by `obelus baseline` and compare with `--since baseline`"
    )]
    Unborn {
        /// What was asked for.
        revision: String,
    },
    /// There is no such revision.
    #[error("there is no revision {revision:?} in this repository{hint}")]
    NoSuchRevision {
        /// What was asked for.
        revision: String,
        /// What to do, with what joins it to the sentence.
        hint: String,
    },
    /// Two revisions have no common ancestor here.
    #[error("HEAD and {branch:?} have no common ancestor{hint}")]
    NoMergeBase {
        /// The other one.
        branch: String,
        /// What to do, with what joins it to the sentence.
        hint: String,
    },
    /// A submodule's commit isn't there.
    #[error(
        "the submodule {path} of that revision can't be had: {reason}; `git submodule update --init --recursive` brings its commits, or `git fetch` in it"
    )]
    Submodule {
        /// Its path from the top.
        path: String,
        /// Why not.
        reason: String,
    },
    /// A call can't be started.
    #[error("cannot run `{doing}`: {error}")]
    Start {
        /// The call.
        doing: String,
        /// Why not.
        error: std::io::Error,
    },
    /// A call failed.
    #[error("`{doing}` failed: {said}")]
    Failed {
        /// The call.
        doing: String,
        /// Its exit status.
        code: Option<i32>,
        /// What it said.
        said: String,
    },
    /// An answer has another shape than git documents.
    #[error("git gave an answer that was not expected ({doing}): {what}")]
    Unexpected {
        /// What was asked.
        doing: &'static str,
        /// The answer.
        what: String,
    },
    /// A file of Obelus, or the copied index, can't be read or written.
    #[error("cannot {doing} ({}): {error}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
}

/// What can be done without git.
const WITHOUT: &str =
    "`obelus report AFTER --baseline BEFORE` compares two saved reports without it";

impl GitError {
    /// Whether somebody asked for what can't be, rather than something having broken down.
    pub fn is_usage(&self) -> bool {
        !matches!(
            self,
            GitError::Start { .. }
                | GitError::Failed { .. }
                | GitError::Unexpected { .. }
                | GitError::Io { .. }
        )
    }
}
