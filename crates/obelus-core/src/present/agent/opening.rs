//! The first lines: what everything came to, in words that can't be taken for a failed edit, and
//! all that is not known.

use std::fmt::Write as _;

use obelus_record::{Attribution, Outcome, Report, Severity};

use crate::present::text::{self, plural};
use crate::present::{change, rules, verdict};

/// The first line alone.
pub fn first_line(report: &Report) -> String {
    if verdict::nobody_looked(report) {
        return verdict::line(report) + "\n";
    }
    let mut parts = verdict::parts(report);
    let mut prefix = "";
    if let Some(found) = found(report) {
        prefix = "edit applied; ";
        // The totals stand behind the checkers that failed themselves, if any did.
        let at = usize::from(report.outcome == Outcome::HarnessError && parts.len() > 1);
        if let Some(part) = parts.get_mut(at) {
            *part = found;
        }
    }
    // "fail" alone could be read as "the edit failed".
    let word = match (prefix, report.outcome) {
        ("", _) => verdict::word(report),
        (_, Outcome::Pass) => "checks pass",
        (_, Outcome::Fail) => "checks fail",
        (_, Outcome::HarnessError) => "harness error",
    };
    format!("{prefix}{word}: {}\n", parts.join("; "))
}

/// What belongs behind the first line.
pub fn notes(report: &Report) -> String {
    let mut page = String::new();
    for change in rules::policy(report) {
        let _ = writeln!(page, "policy: {change}");
    }
    for line in rules::adopted(report) {
        let _ = writeln!(page, "{line}");
    }
    if let Some(shape) = shape(report) {
        let _ = writeln!(page, "{shape}");
    }
    for (index, run) in report.runs.iter().enumerate() {
        if run.outcome == Outcome::HarnessError {
            page += &harness_error(report, index);
        }
        let title = verdict::title(run);
        if verdict::is_unexplained(report, index) {
            let _ = writeln!(page, "note: {title} fails: {}", text::line(&run.reason));
        }
        for note in &run.notes {
            let _ = writeln!(page, "note: {title}: {}", text::line(note));
        }
        if run.unrecognised.count > 0 {
            let lines = plural(run.unrecognised.count, "line", "lines");
            let _ = write!(page, "note: {title}: {lines} of its output not understood");
            if let Some(first) = run.unrecognised.lines.first() {
                let _ = write!(page, ", first: \"{}\"", text::line(&first.text));
            }
            page.push('\n');
        }
        if run.out_of_scope > 0 {
            let findings = plural(run.out_of_scope, "finding", "findings");
            let _ =
                writeln!(page, "note: {title}: {findings} outside what was asked about left out");
        }
    }
    for line in
        report.attribution.iter().flat_map(|attribution| change::not_attributable(attribution))
    {
        page += &line;
        page.push('\n');
    }
    // What stands behind a semicolon is evidence, for people.
    let reason = |reason: &str| text::line(reason.split(';').next().unwrap_or(reason));
    let not_run: Vec<String> = report
        .not_run
        .iter()
        .map(|not_run| format!("{} ({})", text::line(&not_run.checker), reason(&not_run.reason)))
        .collect();
    if !not_run.is_empty() {
        let _ = writeln!(page, "not run: {}", not_run.join(", "));
    }
    page
}

/// What was found, where something is known of the change: new and old apart, and nothing sent is
/// not called clean.
fn found(report: &Report) -> Option<String> {
    if let Some(attribution) = &report.attribution {
        return Some(compared(report, attribution));
    }
    let route = report.route.as_ref()?;
    route.touched.as_ref()?;
    let is_error = |&&index: &&u32| {
        report.records.get(index as usize).is_some_and(|record| record.severity == Severity::Error)
    };
    let errors = route.sent.iter().filter(is_error).count() as u64;
    let here = match errors {
        0 => "no errors in the touched files".to_owned(),
        _ => format!("{} in the touched files", plural(errors, "error", "errors")),
    };
    Some(match route.unsent.errors {
        0 => here,
        _ => format!("{here}, {} elsewhere", elsewhere(report)),
    })
}

/// `4 errors in 2 other files`, of those that are not sent.
fn elsewhere(report: &Report) -> String {
    let unsent = report.route.as_ref().map(|route| route.unsent).unwrap_or_default();
    let errors = plural(unsent.errors, "error", "errors");
    format!("{errors} in {}", plural(unsent.files, "file", "files"))
}

fn compared(report: &Report, attribution: &Attribution) -> String {
    let by_severity = |indices: &mut dyn Iterator<Item = u32>, word: &str| {
        let mut counts = [0_u64; 4];
        for index in indices {
            if let Some(record) = report.records.get(index as usize) {
                counts[record.severity as usize] += 1;
            }
        }
        let names =
            [("error", "errors"), ("warning", "warnings"), ("info", "infos"), ("hint", "hints")];
        let parts = counts.iter().zip(names).filter(|&(&count, _)| count > 0);
        let parts: Vec<String> = parts
            .map(|(&count, (one, many))| {
                plural(count, &format!("{word}{one}"), &format!("{word}{many}"))
            })
            .collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    };
    let mut parts = Vec::new();
    let new = by_severity(&mut attribution.new.iter().copied(), "new ");
    parts.push(new.unwrap_or_else(|| "nothing new".to_owned()));
    if !attribution.fixed.is_empty() {
        parts.push(format!("{} fixed", attribution.fixed.len()));
    }
    if !attribution.silenced.is_empty() {
        parts.push(format!("{} silenced, not fixed", attribution.silenced.len()));
    }
    let old = attribution.unchanged.iter().map(|&(_, after)| after);
    let mut old = old.chain(attribution.revealed.iter().copied());
    if let Some(old) = by_severity(&mut old, "older ") {
        let told = [
            (change::moved(attribution), "moved"),
            (change::likely(attribution), "of these only likely"),
        ];
        let told = told.iter().filter(|(count, _)| *count > 0);
        let told: Vec<String> = told.map(|(count, what)| format!("{count} {what}")).collect();
        let told = if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) };
        parts.push(format!("{old} not caused by the edit{told}"));
    }
    if let Some(unknown) = by_severity(&mut attribution.unattributed.after.iter().copied(), "") {
        parts.push(format!("{unknown} of unknown age"));
    }
    let findings = |count: usize| plural(count as u64, "older finding", "older findings");
    let hidden = attribution.hidden.len();
    if hidden > 0 {
        parts.push(format!("{} hidden because a checker stopped early", findings(hidden)));
    }
    let lost = attribution.unattributed.before.len();
    if lost > 0 {
        parts.push(format!("{} that may be fixed or not", findings(lost)));
    }
    parts.join(", ")
}

/// `31 of 47 errors are TS2339, in 11 files`; not where one cause says the same.
fn shape(report: &Report) -> Option<String> {
    let shape = report.counts.shape.as_ref()?;
    let largest = report.causes.iter().flatten().map(|cause| cause.consequences.len() as u64).max();
    if largest.is_some_and(|largest| largest * 10 >= shape.count * 9) {
        return None;
    }
    let severities = format!("{}s", shape.severity);
    let count = match shape.count == shape.of {
        true => format!("all {} {severities}", shape.of),
        false => format!("{} of {} {severities}", shape.count, shape.of),
    };
    let code = text::line(&shape.code);
    Some(format!("{count} are {code}, in {}", plural(shape.files, "file", "files")))
}

/// One line that keeps a model from patching code because a checker broke down.
fn harness_error(report: &Report, index: usize) -> String {
    let run = &report.runs[index];
    let mut told = format!("harness error: {}: {}", verdict::title(run), text::line(&run.reason));
    if let Some(fault) = verdict::untold_fault(run) {
        told += &format!("; {}", verdict::fault(fault));
        if !fault.snippet.is_empty() {
            told += &format!(": \"{}\"", text::line(&fault.snippet));
        }
    }
    told += ". This is not a defect in the code: do not edit code because of it. ";
    told += &match verdict::records_of(report, index).count() {
        0 => format!("From it {}.", verdict::unknown(run)),
        1 => "Its 1 finding below is from before it failed; there may be more.".to_owned(),
        n => format!("Its {n} findings below are from before it failed; there may be more."),
    };
    told.push('\n');
    told
}
