//! Runs an agent program as a reviewer, and keeps the evidence of what came of it.

mod acp;
mod change;
mod conversation;
mod environment;
pub(crate) mod launch;
mod listener;
mod program;
mod run;
pub mod store;

use std::path::PathBuf;

use thiserror::Error;

pub use change::{Change, ChangeOf};
pub use program::{Located, agent_of, locate};
pub use run::{Order, replay, review};

use crate::git::GitError;
use crate::store::StoreError;

/// Why no reviewer could be run.
#[derive(Debug, Error)]
pub enum ReviewError {
    /// git can't tell what changed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The evidence can't be kept or read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The change can't be read.
    #[error("cannot read the change {}: {error}", path.display())]
    Diff {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// There is nothing to review.
    #[error("there is nothing to review: {0} has no change")]
    NoChange(String),
    /// There is no such agent, or it can't review.
    #[error("{0}")]
    NoReviewer(String),
    /// The agent's table has a key that can't be used.
    #[error("obelus.toml, [agents.{agent}], {key}: {message}")]
    Table {
        /// The agent.
        agent: String,
        /// The key.
        key: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// A temporary folder can't be made.
    #[error("cannot create a temporary folder: {0}")]
    Temporary(std::io::Error),
    /// The system has no random numbers for a marker that nobody can guess.
    #[error("cannot make a marker for this run: {0}")]
    Random(String),
}

impl ReviewError {
    /// Whether the command line or the configuration is at fault.
    pub fn is_usage(&self) -> bool {
        match self {
            ReviewError::Git(error) => error.is_usage(),
            ReviewError::Store(error) => matches!(error, StoreError::NoSuchReview(_)),
            ReviewError::Diff { .. }
            | ReviewError::NoChange(_)
            | ReviewError::NoReviewer(_)
            | ReviewError::Table { .. } => true,
            ReviewError::Temporary(_) | ReviewError::Random(_) => false,
        }
    }
}
