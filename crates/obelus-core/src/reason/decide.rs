//! The verdict of a report whose records are known to be new, standing, or adopted: the one place
//! that decides it.

use obelus_record::{Comparison, Outcome, Report, Run, Severity};
use rustc_hash::FxHashSet;

use crate::outcome::verdict;

/// Which records fail the verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailOn {
    /// Those that the change caused. Without an attribution all are new.
    #[default]
    New,
    /// All that the checkers report now.
    Any,
}

/// Sets the outcome and the reason of `report` by its attribution, its adopted records, and what
/// `fail_on` asks for. Nothing is changed where there is neither.
///
/// A run that objects, and of which nobody can say whether the change made it object, leaves
/// nothing known: that is a harness error, neither a pass nor a defect to patch.
pub fn decide(report: &mut Report, fail_on: FailOn) {
    let compared = report.attribution.is_some() && fail_on == FailOn::New;
    if !compared && report.adopted.is_none() {
        return;
    }
    let judged: Vec<Judged> =
        (0..report.runs.len()).map(|index| judge(report, index, compared)).collect();
    let outcome = verdict(judged.iter().map(|judged| judged.outcome));
    report.reason = reason(outcome, &judged, compared);
    report.outcome = outcome;
}

/// What one run comes to.
struct Judged {
    outcome: Outcome,
    reason: String,
}

fn judge(report: &Report, index: usize, compared: bool) -> Judged {
    let run = &report.runs[index];
    let as_it_is = || Judged { outcome: run.outcome, reason: told(run, &run.reason) };
    if run.outcome != Outcome::Fail {
        return as_it_is();
    }
    let records: Vec<u32> = records_of(report, index).collect();
    let adopted: &[u32] = report.adopted.as_ref().map_or(&[], |adopted| &adopted.standing);
    let left: Vec<u32> =
        records.iter().copied().filter(|record| adopted.binary_search(record).is_err()).collect();
    let attribution = report.attribution.as_ref().filter(|_| compared);
    let counting: Vec<u32> = match attribution {
        None => left,
        Some(attribution) => {
            let unknown: FxHashSet<u32> = attribution.unattributed.after.iter().copied().collect();
            if let Some(first) = left.iter().find(|record| unknown.contains(record)) {
                let comparison =
                    attribution.runs.iter().find(|one| one.after == Some(index as u32));
                let count = left.iter().filter(|record| unknown.contains(record)).count();
                return unattributable(report, run, *first, count, comparison);
            }
            let new: FxHashSet<u32> = attribution.new.iter().copied().collect();
            left.into_iter().filter(|record| new.contains(record)).collect()
        }
    };
    if objects(report, &records, &counting) {
        let what = if attribution.is_some() { "new" } else { "not adopted" };
        let reason = format!("{} {what}", findings(counting.len()));
        return Judged { outcome: Outcome::Fail, reason: told(run, &reason) };
    }
    Judged { outcome: Outcome::Pass, reason: told(run, "nothing that it objects to counts") }
}

/// Whether a run that objects does so for one of `counting`, a part of its `records`. A run
/// without a single error objects by its tool's own gate, as a limit of warnings; where it has
/// errors, these are why, and a warning beside them is not.
fn objects(report: &Report, records: &[u32], counting: &[u32]) -> bool {
    let is_error = |record: &u32| report.records[*record as usize].severity == Severity::Error;
    match records.iter().any(is_error) {
        true => counting.iter().any(is_error),
        // A run that objects without any record has nothing that could be called standing.
        false => records.is_empty() || !counting.is_empty(),
    }
}

fn unattributable(
    report: &Report,
    run: &Run,
    first: u32,
    count: usize,
    comparison: Option<&Comparison>,
) -> Judged {
    let mut why = comparison.map(|comparison| comparison.details.join("; ")).unwrap_or_default();
    if why.is_empty() {
        let words = comparison.iter().flat_map(|comparison| &comparison.say);
        why = words.map(|say| say.as_str().replace('_', " ")).collect::<Vec<_>>().join(", ");
    }
    if why.is_empty() {
        why = format!("first: {}", report.records[first as usize].message);
    }
    let reason = format!("{} can't be told to be new or standing: {why}", findings(count));
    Judged { outcome: Outcome::HarnessError, reason: told(run, &reason) }
}

fn findings(count: usize) -> String {
    format!("{count} finding{}", if count == 1 { "" } else { "s" })
}

fn told(run: &Run, reason: &str) -> String {
    format!("{}: {reason}", run.checker)
}

/// The indices of the records that the run at `index` reported.
fn records_of(report: &Report, index: usize) -> impl Iterator<Item = u32> {
    let origins = report.origins.iter().zip(0_u32..);
    origins
        .filter(move |(origin, _)| origin.runs.iter().any(|&run| run as usize == index))
        .map(|(_, record)| record)
}

fn reason(outcome: Outcome, judged: &[Judged], compared: bool) -> String {
    let deciding: Vec<&str> = judged
        .iter()
        .filter(|judged| judged.outcome == outcome)
        .map(|judged| judged.reason.as_str())
        .collect();
    match (outcome, compared) {
        _ if judged.is_empty() => {
            "no checker was run, so nothing is known about the code".to_owned()
        }
        (Outcome::Pass, true) => "the change caused nothing that fails the check".to_owned(),
        (Outcome::Pass, false) => "nothing fails the check besides what is adopted".to_owned(),
        _ => deciding.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use obelus_record::{Adopted, Attribution, Unattributed};
    use serde_json::json;

    use super::*;

    /// A report of one run that fails with records of these severities.
    fn failing(severities: &[&str]) -> Report {
        let record = |severity: &&str| json!({"tool": "tsc", "severity": severity, "message": "m"});
        let origin = |_: &&str| json!({"runs": [0], "count": 1});
        serde_json::from_value(json!({
            "version": 1, "outcome": "fail", "reason": "tsc: exit status 1",
            "records": severities.iter().map(record).collect::<Vec<_>>(),
            "origins": severities.iter().map(origin).collect::<Vec<_>>(),
            "counts": {"error": 0, "warning": 0, "info": 0, "hint": 0, "files": 0, "by_tool": {}},
            "runs": [{"checker": "tsc", "tool": "tsc", "format": "tsc-text", "exit": 1,
                "termination": {"how": "exited", "code": 1}, "outcome": "fail", "reason": "exit status 1"}],
        }))
        .unwrap()
    }

    fn with_new(severities: &[&str], new: &[u32]) -> Report {
        let attribution = Attribution { new: new.to_vec(), ..Attribution::default() };
        Report { attribution: Some(Box::new(attribution)), ..failing(severities) }
    }

    fn decided(mut report: Report, fail_on: FailOn) -> (Outcome, String) {
        decide(&mut report, fail_on);
        (report.outcome, report.reason)
    }

    #[test]
    fn only_what_is_new_fails() {
        let decide =
            |severities: &[&str], new: &[u32]| decided(with_new(severities, new), FailOn::New).0;
        assert_eq!(decide(&["error", "error"], &[]), Outcome::Pass);
        assert_eq!(decide(&["error", "error"], &[1]), Outcome::Fail);
        // The warning is not why it objects.
        assert_eq!(decide(&["error", "warning"], &[1]), Outcome::Pass);
        // The tool's own gate of warnings.
        assert_eq!(decide(&["warning", "warning"], &[1]), Outcome::Fail);
        assert_eq!(decide(&["warning", "warning"], &[]), Outcome::Pass);
        // It objects and does not say to what.
        assert_eq!(decide(&[], &[]), Outcome::Fail);
        let (outcome, reason) = decided(with_new(&["error"], &[]), FailOn::Any);
        assert_eq!((outcome, reason.as_str()), (Outcome::Fail, "tsc: exit status 1"));
    }

    #[test]
    fn what_can_not_be_told_is_a_harness_error() {
        let mut report = with_new(&["error", "error"], &[]);
        report.attribution.as_mut().unwrap().unattributed =
            Unattributed { before: Vec::new(), after: vec![0, 1] };
        report.attribution.as_mut().unwrap().runs = vec![Comparison {
            checker: "tsc".to_owned(),
            project: None,
            before: Some(0),
            after: Some(0),
            attributable: false,
            say: vec![obelus_record::Say::BaselineFailed],
            details: Vec::new(),
        }];
        let (outcome, reason) = decided(report, FailOn::New);
        assert_eq!(outcome, Outcome::HarnessError);
        assert_eq!(reason, "tsc: 2 findings can't be told to be new or standing: baseline failed");
    }

    #[test]
    fn what_is_adopted_fails_nothing() {
        let adopted = |severities: &[&str], standing: &[u32]| {
            let adopted = Adopted { standing: standing.to_vec(), ..Adopted::default() };
            let report = Report { adopted: Some(Box::new(adopted)), ..failing(severities) };
            decided(report, FailOn::Any).0
        };
        assert_eq!(adopted(&["error", "error"], &[0, 1]), Outcome::Pass);
        assert_eq!(adopted(&["error", "error"], &[0]), Outcome::Fail);
        assert_eq!(adopted(&["warning"], &[0]), Outcome::Pass);
    }
}
