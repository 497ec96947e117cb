//! From records to what may be applied.

use std::collections::HashMap;
use std::sync::Arc;

use obelus_record::{Applicability, Diagnostic, Edit, Report, SkipReason};

use crate::{LineEnds, checker, format};

/// One suggestion: its edits are made together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The record that has it, by which reports name it.
    pub index: u32,
    /// Its edits.
    pub edits: Vec<Edit>,
    /// What ends the lines that its tool counts.
    pub line_ends: LineEnds,
    /// Why it may not be applied, whatever its files are.
    pub refused: Option<SkipReason>,
}

/// The suggestions of the records of `report` that `wanted` selects, safe ones as they are; those
/// that their tools call unsafe are refused unless `with_unsafe`.
pub fn units(
    report: &Report,
    with_unsafe: bool,
    wanted: impl Fn(&Diagnostic) -> bool,
) -> Vec<Unit> {
    let mut by_tool: HashMap<Arc<str>, LineEnds> = HashMap::new();
    let mut units = Vec::new();
    for (index, record) in report.records.iter().enumerate() {
        let Some(suggestion) = record.suggestion.as_ref().filter(|_| wanted(record)) else {
            continue;
        };
        let run = report.origins.get(index).and_then(|origin| origin.runs.first());
        let run = run.and_then(|&run| report.runs.get(run as usize));
        let line_ends = match run.and_then(|run| format::find(&run.format)) {
            Some(format) => format.positions().line_ends,
            // Bare records name their tool alone.
            None => *by_tool
                .entry(record.tool.clone())
                .or_insert_with(|| checker::line_ends_of(&record.tool)),
        };
        let refused = match suggestion.applicability {
            Applicability::Unsafe if !with_unsafe => Some(SkipReason::Unsafe),
            Applicability::Incomplete => Some(SkipReason::Incomplete),
            _ if suggestion.edits.is_empty() => Some(SkipReason::Incomplete),
            // Lines are then those of a cell, and what lies on disk is JSON.
            _ if record.cell.is_some() => Some(SkipReason::OutOfRange),
            _ => None,
        };
        let edits = suggestion.edits.clone();
        units.push(Unit { index: index as u32, edits, line_ends, refused });
    }
    units
}
