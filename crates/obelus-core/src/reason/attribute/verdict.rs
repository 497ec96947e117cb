//! What an attribution means for the verdict.

use obelus_record::{Attribution, Outcome, Report, Say, Severity};
use serde::{Deserialize, Serialize};

use super::settle::is_outside;
use super::stopped::runs_of;

/// Which findings make a check fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailOn {
    /// Those that the change caused, and those of which that can't be told.
    #[default]
    New,
    /// All.
    Any,
}

/// Puts `attribution` into the report and judges by it, as [`decide`] does.
pub fn apply(report: &mut Report, attribution: Attribution, fail_on: FailOn) {
    report.attribution = Some(Box::new(attribution));
    decide(report, fail_on);
}

/// Judges by what is new, unless all findings count, and by what is adopted. Without an attribution
/// and without a file of adopted findings nothing is changed.
///
/// A harness error stays one. A failed check passes if nothing that it objects to is new; but what
/// can't be attributed, or was not looked at, can't be called clean, so it fails for these.
/// Findings outside the repository are nobody's change and fail nothing; nor do adopted ones.
pub fn decide(report: &mut Report, fail_on: FailOn) {
    if report.outcome != Outcome::Fail {
        return;
    }
    let judgement = match report.attribution.as_deref() {
        Some(attribution) if fail_on == FailOn::New => judge(report, attribution),
        _ if report.adopted.is_some() => judge_adopted(report),
        _ => return,
    };
    (report.outcome, report.reason) = judgement;
}

/// By what is not adopted.
fn judge_adopted(report: &Report) -> (Outcome, String) {
    let unexplained = runs_without_errors(report);
    let all = 0..u32::try_from(report.records.len()).unwrap_or(u32::MAX);
    match all.filter(|&index| objects(report, index, &unexplained)).count() {
        0 => (Outcome::Pass, format!("nothing but adopted findings; of these: {}", report.reason)),
        left => (Outcome::Fail, format!("{left} not adopted; {}", report.reason)),
    }
}

/// The records for which a failed check fails, as indices: of those that `fail_on` makes count.
pub fn objections(report: &Report, fail_on: FailOn) -> Vec<u32> {
    let unexplained = runs_without_errors(report);
    let candidates: Vec<u32> = match report.attribution.as_deref() {
        Some(attribution) if fail_on == FailOn::New => {
            let unknown = &attribution.unattributed.after;
            attribution.new.iter().chain(unknown).copied().collect()
        }
        _ => (0..u32::try_from(report.records.len()).unwrap_or(u32::MAX)).collect(),
    };
    candidates.into_iter().filter(|&index| objects(report, index, &unexplained)).collect()
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
    let adopted = report.adopted.as_ref();
    !is_outside(record)
        && adopted.is_none_or(|adopted| adopted.standing.binary_search(&index).is_err())
        && (record.severity == Severity::Error
            || runs_of(&report.origins, index).iter().any(counts))
}

/// By run: whether it fails without a single error.
fn runs_without_errors(report: &Report) -> Vec<bool> {
    let mut unexplained: Vec<bool> =
        report.runs.iter().map(|run| run.outcome == Outcome::Fail).collect();
    let mut left = unexplained.iter().filter(|run| **run).count();
    let mut errors = report
        .records
        .iter()
        .zip(&report.origins)
        .filter(|(record, _)| record.severity == Severity::Error);
    while left > 0
        && let Some((_, origin)) = errors.next()
    {
        for &run in &*origin.runs {
            if let Some(run) = unexplained.get_mut(run as usize) {
                left -= usize::from(std::mem::take(run));
            }
        }
    }
    unexplained
}

#[cfg(test)]
mod tests {
    use obelus_record::Adopted;
    use serde_json::json;

    use super::*;

    /// What comes of a run that fails with records of these severities.
    fn judged(severities: &[&str], new: Option<&[u32]>, adopted: Option<&[u32]>) -> Outcome {
        let record = |severity: &&str| json!({"tool": "tsc", "severity": severity, "message": "m"});
        let mut report: Report = serde_json::from_value(json!({
            "version": 1, "outcome": "fail", "reason": "tsc: exit status 1",
            "records": severities.iter().map(record).collect::<Vec<_>>(),
            "origins": severities.iter().map(|_| json!({"runs": [0], "count": 1})).collect::<Vec<_>>(),
            "counts": {"error": 0, "warning": 0, "info": 0, "hint": 0, "files": 0, "by_tool": {}},
            "runs": [{"checker": "tsc", "tool": "tsc", "format": "tsc-text", "exit": 1,
                "termination": {"how": "exited", "code": 1}, "outcome": "fail", "reason": ""}],
        }))
        .unwrap();
        report.attribution =
            new.map(|new| Box::new(Attribution { new: new.to_vec(), ..Attribution::default() }));
        report.adopted = adopted.map(|standing| {
            Box::new(Adopted { standing: standing.to_vec(), ..Adopted::default() })
        });
        decide(&mut report, FailOn::New);
        report.outcome
    }

    #[test]
    fn what_is_new_and_not_adopted_fails() {
        assert_eq!(judged(&["error"], None, None), Outcome::Fail);
        assert_eq!(judged(&["error", "error"], Some(&[]), None), Outcome::Pass);
        assert_eq!(judged(&["error", "error"], Some(&[1]), None), Outcome::Fail);
        assert_eq!(judged(&["error", "error"], Some(&[1]), Some(&[1])), Outcome::Pass);
        assert_eq!(judged(&["error", "error"], None, Some(&[0])), Outcome::Fail);
        assert_eq!(judged(&["error", "error"], None, Some(&[0, 1])), Outcome::Pass);
    }

    #[test]
    fn a_warning_fails_where_the_run_has_no_error_to_fail_for() {
        assert_eq!(judged(&["error", "warning"], Some(&[1]), None), Outcome::Pass);
        assert_eq!(judged(&["warning", "warning"], Some(&[1]), None), Outcome::Fail);
        assert_eq!(judged(&["warning"], None, Some(&[0])), Outcome::Pass);
        // Its errors are adopted, and it fails for them.
        assert_eq!(judged(&["error", "warning"], None, Some(&[0])), Outcome::Pass);
    }
}

#[cfg(test)]
mod tests_with_a_baseline {
    use serde_json::{Value, json};

    use super::*;
    use crate::reports;

    fn report(runs: Value, records: Value) -> Report {
        let text = json!({"runs": runs, "records": records}).to_string();
        reports::read(text.as_bytes()).unwrap()
    }

    fn record(severity: &str, path: &str) -> Value {
        json!({"tool": "lint", "severity": severity, "path": path, "line": 1, "message": path})
    }

    fn run(outcome: &str) -> Value {
        json!([{"tool": "lint", "exit": 1, "outcome": outcome}])
    }

    /// What a report comes to of which the records at these indices are new, and unattributed.
    fn judged(mut report: Report, new: &[u32], unattributed: &[u32], say: &[Say]) -> Outcome {
        let mut attribution = Attribution { new: new.to_vec(), ..Attribution::default() };
        attribution.unattributed.after = unattributed.to_vec();
        attribution.say = say.to_vec();
        apply(&mut report, attribution, FailOn::New);
        report.outcome
    }

    #[test]
    fn only_what_is_new_fails() {
        let both = || report(run("fail"), json!([record("error", "a"), record("warning", "b")]));
        assert_eq!(judged(both(), &[], &[], &[]), Outcome::Pass);
        assert_eq!(judged(both(), &[0], &[], &[]), Outcome::Fail);
        // A warning is no objection, as long as the run has another reason to fail.
        assert_eq!(judged(both(), &[1], &[], &[]), Outcome::Pass);
        let warnings = report(run("fail"), json!([record("warning", "b")]));
        assert_eq!(judged(warnings, &[0], &[], &[]), Outcome::Fail);
        let mut any = both();
        apply(&mut any, Attribution::default(), FailOn::Any);
        assert_eq!(any.outcome, Outcome::Fail);
    }

    #[test]
    fn what_is_not_known_is_not_clean() {
        let one = |path| report(run("fail"), json!([record("error", path)]));
        assert_eq!(judged(one("a"), &[], &[0], &[Say::BaselineFailed]), Outcome::Fail);
        assert_eq!(judged(one("a"), &[], &[], &[Say::NotAnalysedAfter]), Outcome::Fail);
        assert_eq!(judged(one("/usr/lib/x"), &[], &[0], &[]), Outcome::Pass);
        let crashed = report(run("harness_error"), json!([record("error", "a")]));
        assert_eq!(judged(crashed, &[], &[0], &[Say::AfterFailed]), Outcome::HarnessError);
        let clean = report(run("pass"), json!([]));
        assert_eq!(judged(clean, &[], &[], &[Say::BaselineFailed]), Outcome::Pass);
    }
}
