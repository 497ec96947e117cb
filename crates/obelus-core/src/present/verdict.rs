//! What a report came to, in the words that the outputs for people and for models share.

use obelus_record::{
    Counts, Diagnostic, Fault, FaultKind, Origin, Outcome, Report, Run, Severity, Termination,
};

use super::change;
use super::text::{self, plural};

/// The verdict in one word or two. Where nobody looked, "pass" would be read as "clean".
pub fn word(report: &Report) -> &'static str {
    match report.outcome {
        _ if nobody_looked(report) => "not checked",
        Outcome::Pass => "pass",
        Outcome::Fail => "fail",
        Outcome::HarnessError => "harness error",
    }
}

/// What belongs behind [`word`]: what was found, and which checkers came to what.
pub fn parts(report: &Report) -> Vec<String> {
    if nobody_looked(report) {
        return vec!["no checker was found that applies here".to_owned()];
    }
    let mut parts = vec![found(report)];
    // A checker that fails for what stood before does not fail the change.
    let failed = match report.outcome {
        Outcome::Pass => "objecting to what stood before",
        _ => "failed",
    };
    for (outcome, word) in [(Outcome::Fail, failed), (Outcome::Pass, "passed")] {
        if let Some(names) = checkers(report, outcome) {
            parts.push(format!("{word}: {names}"));
        }
    }
    if let Some(names) = checkers(report, Outcome::HarnessError) {
        parts.insert(0, names);
    }
    parts
}

/// The verdict with what belongs behind it, on one line: `fail: 2 errors in 1 file; failed: tsc`.
pub fn line(report: &Report) -> String {
    format!("{}: {}", word(report), parts(report).join("; "))
}

/// A line for each checker that may apply and was not run.
pub fn not_run(report: &Report) -> impl Iterator<Item = String> {
    report.not_run.iter().map(|not_run| {
        format!("not run: {} ({})", text::line(&not_run.checker), text::line(&not_run.reason))
    })
}

/// Whether not a single checker was run.
pub fn nobody_looked(report: &Report) -> bool {
    report.runs.is_empty() && report.records.is_empty()
}

/// `2 errors, 1 warning in 3 files`, or what there is to say where nothing was found.
fn found(report: &Report) -> String {
    let counts = &change::counts(report);
    let found = found_of(counts, report.outcome);
    match &report.attribution {
        Some(attribution) => change::found(attribution, &found),
        None => found,
    }
}

fn found_of(counts: &Counts, outcome: Outcome) -> String {
    let mut parts = Vec::new();
    for (count, one, many) in [
        (counts.error, "error", "errors"),
        (counts.warning, "warning", "warnings"),
        (counts.info, "info", "infos"),
        (counts.hint, "hint", "hints"),
    ] {
        if count > 0 {
            parts.push(plural(count, one, many));
        }
    }
    if parts.is_empty() {
        return match outcome {
            Outcome::HarnessError => "no findings by the others".to_owned(),
            _ => "no findings".to_owned(),
        };
    }
    let found = parts.join(", ");
    match counts.files {
        0 => found,
        files => format!("{found} in {}", plural(files, "file", "files")),
    }
}

/// `tsc (2 runs), eslint`: the checkers whose runs came to `outcome`.
fn checkers(report: &Report, outcome: Outcome) -> Option<String> {
    let mut names: Vec<(&str, u64)> = Vec::new();
    for run in report.runs.iter().filter(|run| run.outcome == outcome) {
        match names.iter_mut().find(|(name, _)| *name == run.checker) {
            Some((_, count)) => *count += 1,
            None => names.push((&run.checker, 1)),
        }
    }
    let names: Vec<String> = names
        .into_iter()
        .map(|(name, count)| match count {
            1 => text::line(name),
            _ => format!("{} ({count} runs)", text::line(name)),
        })
        .collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The run by name: `tsc`, `tsc in packages/api`.
pub fn title(run: &Run) -> String {
    match run.project.as_deref() {
        None | Some("." | "") => text::line(&run.checker),
        Some(project) => format!("{} in {}", text::line(&run.checker), text::name(project)),
    }
}

/// What a run that failed itself leaves in the dark.
pub fn unknown(run: &Run) -> String {
    match run.project.as_deref() {
        None | Some("." | "") => "nothing is known about this code".to_owned(),
        Some(project) => format!("nothing is known about {}", text::name(project)),
    }
}

/// The records that the run at `index` reported.
pub fn records_of(report: &Report, index: usize) -> impl Iterator<Item = &Diagnostic> {
    let of_run = move |origin: &Origin| origin.runs.iter().any(|&run| run as usize == index);
    let both = report.records.iter().zip(&report.origins);
    both.filter(move |(_, origin)| of_run(origin)).map(|(record, _)| record)
}

/// Whether the run at `index` objects without a single error: then its reason has to be told, as
/// its records don't explain it.
pub fn is_unexplained(report: &Report, index: usize) -> bool {
    report.runs[index].outcome == Outcome::Fail
        && records_of(report, index).all(|record| record.severity != Severity::Error)
}

/// Why a stream of the run was rejected, unless its reason says that already.
pub fn untold_fault(run: &Run) -> Option<&Fault> {
    run.fault.as_ref().filter(|fault| !run.reason.contains(&fault.to_string()))
}

/// Where and why a stream was rejected, without what stands there.
pub fn fault(fault: &Fault) -> String {
    let mut told = format!("{}, line {}: {}", fault.stream, fault.line, fault.kind);
    if !fault.detail.is_empty() {
        told += &format!(" ({})", text::line(&fault.detail));
    }
    told
}

/// What a person can do about a run that failed itself.
pub fn next_step(run: &Run) -> &'static str {
    let foreign =
        |fault: &Fault| matches!(fault.kind, FaultKind::InvalidJson | FaultKind::NotAnObject);
    match run.termination {
        Termination::Exited { .. } | Termination::Unknown
            if run.fault.as_ref().is_some_and(foreign) =>
        {
            "find out who prints that text into its output (a plugin, a wrapper, `npm run`), and let it print elsewhere"
        }
        Termination::NotStarted { .. } => "make it runnable, then check again",
        Termination::TimedOut { .. } => {
            "give it a longer time limit, or find out what it waits for"
        }
        Termination::OutputLimit { .. } => "find out what it prints so much",
        Termination::Signaled { signal: 9 } => {
            "give it more memory, or run fewer checkers at once: signal 9 is what the kernel sends when memory runs out"
        }
        Termination::Interrupted => "check again",
        Termination::Undrained { .. } => "make it end the processes that it starts",
        _ => "run it by hand and see what it says",
    }
}
