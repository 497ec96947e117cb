//! The loop, done: what [`obelus_core::agent_loop`] says is to be done next is done here, round
//! after round, and written down so that it can be told, taken back and decided again.
//!
//! Nothing is decided here, and nothing is new here: the checks, the comparison with the baseline
//! and the fixes are those of every other command.

pub mod agent;
mod gate;
mod journal;
mod ledger;
pub mod program;
mod replay;
mod restore;
mod round;
mod run;
mod steps;

use std::path::{Path, PathBuf};

use obelus_record::LoopRound;
use thiserror::Error;

pub use journal::{Journal, interrupted};
pub use ledger::{Ledger, Plan, SavedRound};
pub use replay::{Replayed, replay};
pub use restore::{Restore, restore};
pub use run::{Fixes, LoopRequest, run};

use crate::baseline::BaselineError;
use crate::check::{CheckError, Events};
use crate::repository::RepositoryError;
use crate::snapshot::SnapshotError;
use crate::store::StoreError;

/// Why a loop could not be run, told, replayed or taken back.
#[derive(Debug, Error)]
pub enum LoopError {
    /// Another loop is at work in the same repository.
    #[error("another loop is at work in this repository; wait for its end, or stop it first")]
    AtWork,
    /// The user stopped it.
    #[error(
        "interrupted; the files are as the agent left them, and those from before the loop come back by: obelus runs restore {id} --round 0"
    )]
    Interrupted {
        /// The ledger.
        id: String,
    },
    /// There is no such ledger.
    #[error("there is no loop {0:?}; `obelus runs list` names those that there are")]
    NoSuchLoop(String),
    /// There is no such round in it.
    #[error(
        "the files after round {round} were not kept in {id}; `obelus runs explain {id}` tells what was"
    )]
    NoSuchRound {
        /// The ledger.
        id: String,
        /// The round.
        round: u32,
    },
    /// There is no such agent, or it can't work.
    #[error(transparent)]
    Agent(#[from] crate::reviewer::ReviewError),
    /// A check could not be made.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// A check could not be held against the baseline.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// The configuration from before the loop can't be read.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    /// What is safe could not be applied.
    #[error(transparent)]
    Fix(#[from] crate::fixing::FixError),
    /// Files could not be kept or put back.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The ledger can't be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
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

impl LoopError {
    /// Whether somebody asked for what can't be, rather than something having broken down.
    pub fn is_usage(&self) -> bool {
        match self {
            LoopError::AtWork
            | LoopError::NoSuchLoop(_)
            | LoopError::NoSuchRound { .. }
            | LoopError::Repository(_) => true,
            LoopError::Baseline(error) => error.is_usage(),
            LoopError::Agent(error) => error.is_usage(),
            LoopError::Check(error) => {
                matches!(error, CheckError::Repository(_) | CheckError::Glob(_))
            }
            _ => false,
        }
    }

    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |error| LoopError::Io { doing, path, error }
    }
}

/// What happens while a loop runs, for those who watch.
pub trait LoopEvents: Events {
    /// The ledger is there, and the files from before the loop are kept in it.
    fn began(&self, id: &str);
    /// A round has ended.
    fn round_ended(&self, round: &LoopRound);
}
