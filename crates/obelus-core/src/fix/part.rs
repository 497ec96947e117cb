//! A part of a report, for checks that are made again in part.

use obelus_record::{Diagnostic, Report, Run};

use crate::assemble::RecordSet;

/// The runs of `report` that `wanted` selects, with their records.
pub fn part(report: &Report, wanted: impl Fn(&Run) -> bool) -> Report {
    let mut records: Vec<Vec<Diagnostic>> = vec![Vec::new(); report.runs.len()];
    for (record, origin) in report.records.iter().zip(&report.origins) {
        for &run in &*origin.runs {
            if let Some(list) = records.get_mut(run as usize) {
                list.push(record.clone());
            }
        }
    }
    let mut set = RecordSet::default();
    for (run, records) in report.runs.iter().zip(records).filter(|(run, _)| wanted(run)) {
        set.add(run.clone(), records, &[]);
    }
    set.report(report.not_run.clone(), report.scope.clone())
}
