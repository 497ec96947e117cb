//! The files of a round put in place again.

use std::path::Path;

use super::LoopError;
use super::journal;
use super::ledger::Ledger;

/// Which files are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restore {
    /// Those after this round, 0 for those from before the loop.
    Round(u32),
    /// Those of the best round; of a loop that was interrupted, those from before it.
    Best,
    /// Those from before the last restore.
    Undo,
}

/// Puts the files in place that are wanted of the loop `ledger` in the repository at `root`. Those
/// that were there are kept, for [`Restore::Undo`]. The round is given back, unless it was an undo.
pub fn restore(root: &Path, ledger: &Ledger, which: Restore) -> Result<Option<u32>, LoopError> {
    let round = match which {
        Restore::Round(round) => Some(round),
        Restore::Best => Some(ledger.report()?.and_then(|report| report.best_round).unwrap_or(0)),
        Restore::Undo => None,
    };
    let target = match round {
        Some(round) => ledger.tree(round)?,
        None => ledger.undo()?,
    };
    let snapshots = ledger.snapshots(root)?;
    let now = snapshots.take(Some(&target))?;
    ledger.put_undo(&now)?;
    snapshots.restore_from(&target, &now)?;
    journal::settled(root, &ledger.id)?;
    Ok(round)
}
