//! What is true of the whole and is no finding, for outputs whose shape has room for findings only.
//!
//! They stand there as entries of their own, whose code begins with `obelus/`, as no checker's does: a
//! list that is empty because a checker failed itself must not read as clean.

use obelus_record::{Outcome, Report, Severity};

use super::text::{self, plural};
use super::{change, rules, verdict};

/// One statement about the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// `obelus/verdict`, `obelus/harness-error`, `obelus/policy`, `obelus/silenced` or
    /// `obelus/not-run`.
    pub code: &'static str,
    /// How much it matters: what leaves something unknown is an error.
    pub severity: Severity,
    /// The statement, on one line.
    pub text: String,
}

/// The verdict first, then what failed itself, what loosens the rules, how much the change silenced, and
/// what was not run.
pub fn remarks(report: &Report) -> Vec<Remark> {
    let unknown = report.outcome == Outcome::HarnessError;
    let mut remarks = vec![Remark {
        code: "obelus/verdict",
        severity: Severity::Info,
        text: verdict::line(report),
    }];
    let mut add = |code, severity, text| remarks.push(Remark { code, severity, text });
    for run in report.runs.iter().filter(|run| run.outcome == Outcome::HarnessError) {
        let (title, dark) = (verdict::title(run), verdict::unknown(run));
        let reason = text::line(&run.reason);
        add(
            "obelus/harness-error",
            Severity::Error,
            format!("{title} failed itself: {reason}; {dark}"),
        );
    }
    if unknown && report.runs.iter().all(|run| run.outcome != Outcome::HarnessError) {
        add("obelus/harness-error", Severity::Error, text::line(&report.reason));
    }
    for change in rules::policy(report) {
        add("obelus/policy", Severity::Warning, change);
    }
    if let Some(silenced) = change::silenced(report) {
        add("obelus/silenced", Severity::Warning, silenced);
    }
    for not_run in verdict::not_run(report) {
        add("obelus/not-run", Severity::Info, not_run);
    }
    remarks
}

/// `3 more findings` behind what a limit let through; nothing where it let all through.
pub fn left_out(count: usize) -> Option<String> {
    (count > 0).then(|| plural(count as u64, "more finding", "more findings"))
}
