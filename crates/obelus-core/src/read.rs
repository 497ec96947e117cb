//! One run, from its streams to its records and its outcome.

use std::io::BufRead;
use std::sync::Arc;

use obelus_record::{
    Diagnostic, Fault, FaultKind, Outcome, Severity, Stream, Termination, Unrecognised,
};

use crate::Sources;
use crate::checker::{ExitTable, Fatal, FatalFinding, Order, SeverityMap};
use crate::format::{Format, Input};
use crate::normalise::{Lookup, Normaliser, Records, Roots};
use crate::outcome::{Facts, Judgement, judge};
use crate::watched::Watched;

/// The rules by which one run is read; they come from a checker's definition.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the fields are those of Checker")]
pub struct Rules<'a> {
    pub tool: &'a str,
    pub exits: &'a ExitTable,
    pub fatal: &'a [Fatal],
    pub fatal_findings: &'a [FatalFinding],
    pub quiet_stderr: bool,
    pub severity: &'a SeverityMap,
    pub order: Order,
}

impl<'a> Rules<'a> {
    /// Rules for a tool of which nothing is known but its exit codes and severities.
    pub fn plain(tool: &'a str, exits: &'a ExitTable, severity: &'a SeverityMap) -> Self {
        Rules {
            tool,
            exits,
            fatal: &[],
            fatal_findings: &[],
            quiet_stderr: false,
            severity,
            order: Order::default(),
        }
    }
}

/// The streams of one run, each read forward.
pub struct Streams<'a> {
    /// Standard output.
    pub stdout: &'a mut dyn BufRead,
    /// Standard error.
    pub stderr: &'a mut dyn BufRead,
    /// The file that the checker was told to write; empty where there is none.
    pub report: &'a mut dyn BufRead,
    /// The stream that holds the findings.
    pub primary: Stream,
}

/// What one run came to.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Its records, in the order that its checker's definition says.
    pub diagnostics: Vec<Diagnostic>,
    /// Its outcome, with the reason.
    pub judgement: Judgement,
    /// The fault for which its stream was rejected.
    pub fault: Option<Fault>,
    /// Lines that the format does not know.
    pub unrecognised: Unrecognised,
    /// What else somebody should know.
    pub notes: Vec<String>,
}

/// Reads one run. Never fails: whatever is wrong with the streams is a part of the answer.
pub fn read_run(
    format: &dyn Format,
    rules: &Rules<'_>,
    streams: Streams<'_>,
    termination: &Termination,
    roots: &Roots,
    sources: &dyn Sources,
) -> Reading {
    let mut records = if let Termination::NotStarted { .. } = termination {
        Records::default()
    } else {
        read_streams(format, rules, streams, was_cut(termination), roots, sources)
    };
    if records.tool_failed.is_none() {
        records.tool_failed = fatal_finding(rules.fatal_findings, &records.diagnostics);
    }
    let errors =
        records.diagnostics.iter().filter(|d| d.severity == Severity::Error).count() as u64;
    let unknown_lines = match format.silent_when_clean() {
        true => records.unrecognised.count,
        false => 0,
    };
    let judgement = judge(&Facts {
        termination,
        exits: rules.exits,
        errors,
        others: records.diagnostics.len() as u64 - errors,
        fault: records.fault.as_ref(),
        tool_failed: records.tool_failed.as_deref(),
        unknown_lines,
        words: records.words.as_deref(),
    });
    if rules.order == Order::Place {
        sort_by_place(&mut records.diagnostics);
    }
    let notes = notes(rules, &judgement, records.stderr);
    Reading {
        diagnostics: records.diagnostics,
        judgement,
        fault: records.fault,
        unrecognised: records.unrecognised,
        notes,
    }
}

/// What the outcome of a run does not say, and somebody should know.
fn notes(rules: &Rules<'_>, judgement: &Judgement, stderr: Option<(String, u64)>) -> Vec<String> {
    let mut notes = Vec::new();
    if judgement.disagreement {
        notes.push("its exit status and its findings disagree".to_owned());
    }
    if let Some((first, count)) = stderr
        && rules.quiet_stderr
        && judgement.outcome != Outcome::HarnessError
    {
        let more = match count {
            1 => String::new(),
            2 => " and 1 line more".to_owned(),
            _ => format!(" and {} lines more", count - 1),
        };
        notes.push(format!("it said on stderr: {first:?}{more}"));
    }
    notes
}

/// Sorts by path and place; what is at one place stays in printed order.
fn sort_by_place(diagnostics: &mut [Diagnostic]) {
    let place = |d: &Diagnostic| (d.cell, d.line, d.column);
    if diagnostics.is_sorted_by_key(|d| (&d.path, place(d))) {
        return;
    }
    // Paths are long and begin alike, and records are big: sorting numbers in their stead, and
    // moving each record once, takes a fraction of the time.
    let mut paths: Vec<Option<Arc<str>>> = Vec::new();
    for diagnostic in &*diagnostics {
        if paths.last() != Some(&diagnostic.path) {
            paths.push(diagnostic.path.clone());
        }
    }
    paths.sort_unstable();
    paths.dedup();
    let mut last = None;
    let mut rank = |path: &Option<Arc<str>>| match &last {
        Some((known, rank)) if known == path => *rank,
        _ => {
            let rank = u32::try_from(paths.partition_point(|other| other < path));
            let rank = rank.unwrap_or(u32::MAX);
            last = Some((path.clone(), rank));
            rank
        }
    };
    diagnostics.sort_by_cached_key(|d| (rank(&d.path), place(d)));
}

/// Whether the process was stopped in the middle, so that its last line may be a part of one.
fn was_cut(termination: &Termination) -> bool {
    !matches!(termination, Termination::Exited { .. } | Termination::Unknown)
}

fn read_streams(
    format: &dyn Format,
    rules: &Rules<'_>,
    streams: Streams<'_>,
    cut: bool,
    roots: &Roots,
    sources: &dyn Sources,
) -> Records {
    let places = Lookup::new(roots, sources);
    let mut normaliser =
        Normaliser::new(rules.tool, rules.severity, format.positions(), roots, sources);
    let mut stdout = Watched::new(streams.stdout, Stream::Stdout, rules.fatal);
    let mut stderr = Watched::new(streams.stderr, Stream::Stderr, rules.fatal);
    let mut input = Input {
        stdout: &mut stdout,
        stderr: &mut stderr,
        report: streams.report,
        primary: streams.primary,
        cut,
        places: &places,
    };
    let fault = format.read(&mut input, &mut normaliser).err();
    // What the format left unread may still hold the words by which the tool says that it failed.
    let unread = [stdout.finish(), stderr.finish()].into_iter().flatten().next();
    let mut records = normaliser.finish();
    records.fault = fault.or(unread);
    records.stderr = stderr.first.take().map(|first| (first, stderr.count));
    records.words = stderr.telling.take().or(stderr.last.take());
    // What the tool said in its own words tells more than what a format concludes.
    records.tool_failed = stderr.fatal.or(stdout.fatal).or(records.tool_failed.take());
    records
}

fn fatal_finding(rules: &[FatalFinding], diagnostics: &[Diagnostic]) -> Option<String> {
    rules.iter().find_map(|rule| {
        let hit = diagnostics.iter().find(|d| {
            (!rule.without_place || d.path.is_none())
                && d.code
                    .as_deref()
                    .is_some_and(|code| rule.codes.iter().any(|known| known == code))
        })?;
        Some(format!("{}: {}", rule.reason, hit.message))
    })
}

/// Reads one run as [`read_run`] does, and makes a panic in the reading that run's harness error:
/// a fault of Obelus must not take the answers about other runs with it.
pub fn read_run_guarded(
    format: &dyn Format,
    rules: &Rules<'_>,
    streams: Streams<'_>,
    termination: &Termination,
    roots: &Roots,
    sources: &dyn Sources,
) -> Reading {
    let primary = streams.primary;
    let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        read_run(format, rules, streams, termination, roots, sources)
    }));
    attempt.unwrap_or_else(|panic| {
        let words = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        let fault = Fault {
            stream: primary,
            line: 1,
            kind: FaultKind::Panic,
            snippet: String::new(),
            detail: format!("format {}: {words}", format.name()),
        };
        let judgement = judge(&Facts {
            termination,
            exits: rules.exits,
            errors: 0,
            others: 0,
            fault: Some(&fault),
            tool_failed: None,
            unknown_lines: 0,
            words: None,
        });
        Reading {
            diagnostics: Vec::new(),
            judgement,
            fault: Some(fault),
            unrecognised: Unrecognised::default(),
            notes: Vec::new(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_sorted_by_place_and_those_at_one_place_stay_in_printed_order() {
        let places = [
            (Some("b.ts"), 2, "1"),
            (Some("a.ts"), 10, "2"),
            (None, 1, "3"),
            (Some("b.ts"), 1, "4"),
            (Some("a.ts"), 9, "5"),
            (Some("b.ts"), 1, "6"),
        ];
        let record = |(path, line, message): (Option<&str>, u32, &str)| -> Diagnostic {
            serde_json::from_value(serde_json::json!({
                "tool": "t", "severity": "error", "path": path, "line": line, "message": message,
            }))
            .unwrap()
        };
        let mut records = places.map(record);
        sort_by_place(&mut records);
        assert_eq!(records.each_ref().map(|d| &*d.message), ["3", "5", "2", "4", "6", "1"]);
    }
}
