//! Saved runs, read again.

use obelus_core::assemble::RecordSet;
use obelus_record::{NotRun, Outcome, Report, Run, Termination};

use super::{CheckError, read_saved};
use crate::repository::Repository;
use crate::shard;
use crate::sources::FolderSources;
use crate::store::Saved;

/// Reads a saved run again, by the definitions as they are now; no checker is run, and nothing is
/// compared or let stand.
pub fn replay(repository: &Repository, saved: &Saved) -> Result<Report, CheckError> {
    let before = saved.report()?;
    let checkers = repository.checkers()?;
    let sources = FolderSources::new(&repository.root);
    let mut set = RecordSet::default();
    let mut slots = saved.slots()?.into_iter();
    for old in &before.runs {
        // A run that could not begin printed nothing: it is as it was.
        if matches!(old.termination, Termination::NotStarted { .. }) && old.argv.is_empty() {
            set.add(old.clone(), Vec::new(), &before.scope);
            continue;
        }
        let Some((invocation, slot)) = slots.next() else { break };
        let Some(checker) = checkers.iter().find(|checker| checker.name == invocation.checker)
        else {
            let reason = format!("there is no checker {:?} any more", invocation.checker);
            set.add(
                Run { outcome: Outcome::HarnessError, reason, ..old.clone() },
                Vec::new(),
                &before.scope,
            );
            continue;
        };
        let (run, diagnostics) = read_saved(checker, &invocation, &slot, &sources)?;
        set.add(run, diagnostics, &before.scope);
    }
    let not_run: Vec<NotRun> = before.not_run.clone();
    let mut report = set.report(not_run, before.scope.clone());
    if let Some(shard) = before.shard {
        shard::mark(&mut report, *shard);
    }
    report.id = Some(saved.id.clone());
    report.duration_ms = before.duration_ms;
    Ok(report)
}
