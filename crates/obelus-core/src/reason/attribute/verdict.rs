//! What an attribution means for the verdict.

use obelus_record::{Attribution, Outcome, Report, Say, Severity};

use super::settle::is_outside;
use super::stopped::runs_of;

/// Which findings make a check fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailOn {
    /// Those that the change caused, and those of which that can't be told.
    #[default]
    New,
    /// All.
    Any,
}

/// Puts `attribution` into the report and, unless all findings count, judges by what is new.
///
/// A harness error stays one. A failed check passes if nothing that it objects to is new; but what
/// can't be attributed, or was not looked at, can't be called clean, so it fails for these.
/// Findings outside the repository are nobody's change and fail nothing.
pub fn apply(report: &mut Report, attribution: Attribution, fail_on: FailOn) {
    if fail_on == FailOn::New && report.outcome == Outcome::Fail {
        let (outcome, reason) = judge(report, &attribution);
        report.outcome = outcome;
        report.reason = reason;
    }
    report.attribution = Some(Box::new(attribution));
}

fn judge(report: &Report, attribution: &Attribution) -> (Outcome, String) {
    let unexplained = runs_without_errors(report);
    let objections = |indices: &[u32]| {
        indices.iter().filter(|&&index| objects(report, index, &unexplained)).count() as u64
    };
    let new = objections(&attribution.new);
    let unattributed = objections(&attribution.unattributed.after);
    let mut reasons = Vec::new();
    if new > 0 {
        reasons.push(format!("{new} new"));
    }
    if unattributed > 0 {
        let words: Vec<&str> = attribution
            .say
            .iter()
            .filter(|say| say.forbids_comparison())
            .map(|say| say.as_str())
            .collect();
        reasons.push(format!(
            "{unattributed} that can't be attributed ({}), so that nobody knows whether they are new",
            words.join(", ")
        ));
    }
    if attribution.say.contains(&Say::NotAnalysedAfter) {
        reasons.push("a checker stopped early, so that the rest was not looked at".to_owned());
    }
    match reasons.is_empty() {
        true => (Outcome::Pass, format!("nothing new; before the change: {}", report.reason)),
        false => (Outcome::Fail, reasons.join("; ")),
    }
}

/// Whether a record is one for which its run fails: an error; or anything, where the run fails
/// without a single error, as at a limit of warnings.
fn objects(report: &Report, index: u32, unexplained: &[bool]) -> bool {
    let Some(record) = report.records.get(index as usize) else { return false };
    let counts = |&run: &u32| unexplained.get(run as usize).copied().unwrap_or(false);
    !is_outside(record)
        && (record.severity == Severity::Error
            || runs_of(&report.origins, index).iter().any(counts))
}

/// By run: whether it fails without a single error.
fn runs_without_errors(report: &Report) -> Vec<bool> {
    let mut unexplained: Vec<bool> =
        report.runs.iter().map(|run| run.outcome == Outcome::Fail).collect();
    for (record, origin) in report.records.iter().zip(&report.origins) {
        if record.severity == Severity::Error {
            for &run in origin.runs.iter() {
                if let Some(run) = unexplained.get_mut(run as usize) {
                    *run = false;
                }
            }
        }
    }
    unexplained
}
