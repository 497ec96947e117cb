//! What a fix would do, with nothing written.

use std::collections::BTreeMap;
use std::time::SystemTime;

use obelus_core::fix::unified_diff;
use obelus_record::{FIX_REPORT_VERSION, FixEnd, FixReport, Report};

use super::desk::{Desk, changes};
use super::ledger::Ledger;
use super::rounds::judge_adopted;
use super::seen::Seen;
use super::{FixError, FixOptions, Fixed};
use crate::apply::{Tree, io};
use crate::baseline::Running;
use crate::sources::FolderSources;

/// What the first round would do.
pub(super) fn propose(
    running: Running<'_>,
    options: &FixOptions,
    mut check: Report,
    began: SystemTime,
) -> Result<Fixed, FixError> {
    let root = &running.repository.root;
    let tree = Tree::open(root).map_err(io("open", root))?;
    let mut ledger = Ledger::default();
    let units = ledger.units(&check, options, &FolderSources::new(root));
    let plan = Desk::new(root).plan(&tree, &units, &Seen::Since(began, BTreeMap::new()));
    ledger.skip(&plan.skipped);
    ledger.apply(plan.planned.iter().map(|unit| unit.index));
    let changes = changes(&plan.files, &plan.with_all());
    let diff = changes.iter().flat_map(|one| unified_diff(&one.path, &one.from, &one.to));
    let diff = diff.collect();
    judge_adopted(running, &mut check)?;
    let mut report = FixReport {
        version: FIX_REPORT_VERSION,
        dry_run: true,
        files: changes.iter().map(|one| one.path.to_string()).collect(),
        ended: FixEnd::OnePass,
        outcome: Some(check.outcome),
        ..FixReport::default()
    };
    ledger.report(&mut report);
    Ok(Fixed { report, check: Some(check), diff })
}
