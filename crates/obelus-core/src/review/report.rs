//! A review among the other checks: its findings as records, its run as a run.

use std::ops::RangeInclusive;

use obelus_record::{
    Diagnostic, Fault, FaultKind, Outcome, PlaceCheck, Report, Review, ReviewFinding,
    ReviewOutcome, Run, Stream, StreamFaultKind, Termination, Unrecognised,
};

use super::change::Hunks;
use super::outcome::counted;
use crate::assemble::RecordSet;
use crate::checker::SeverityMap;
use crate::format::Sink as _;
use crate::normalise::{Normaliser, Roots, source_text};
use crate::{Finding, Position, Positions, Sources, Span, Unit};

/// Looks at the place of each finding; nothing is dropped, whatever comes of it.
pub fn check_places(
    review: &mut Review,
    roots: &Roots,
    sources: &dyn Sources,
    hunks: Option<&Hunks>,
) {
    for finding in &mut review.findings {
        finding.place = Some(place(finding, roots, sources, hunks));
    }
}

fn place(
    finding: &ReviewFinding,
    roots: &Roots,
    sources: &dyn Sources,
    hunks: Option<&Hunks>,
) -> PlaceCheck {
    let resolved = roots.resolve(&finding.path);
    let exists = resolved.inside && sources.exists(&resolved.path);
    let text = exists.then(|| sources.read(&resolved.path)).flatten().map(source_text);
    let lines = lines(finding);
    let line_in_file = text.zip(lines.clone()).map(|(text, lines)| {
        let count = text.line_count();
        // What stands behind the last line end is no line.
        let ended = count > 1 && text.line(count).is_some_and(<[u8]>::is_empty);
        *lines.end() <= u64::from(count - u32::from(ended))
    });
    PlaceCheck {
        path_exists: Some(exists),
        line_in_file,
        line_in_change: hunks.map(|hunks| hunks.touch(&resolved.path, lines)),
    }
}

fn lines(finding: &ReviewFinding) -> Option<RangeInclusive<u64>> {
    let line = finding.line?;
    Some(line..=finding.end_line.unwrap_or(line))
}

/// The report over a review by `reviewer`. Findings that were not accepted are evidence, and no
/// records.
pub fn report(review: &Review, reviewer: &str, roots: &Roots, sources: &dyn Sources) -> Report {
    let records = match review.accepted {
        true => records(&review.findings, reviewer, roots, sources),
        false => Vec::new(),
    };
    let mut set = RecordSet::default();
    set.add(run(review, reviewer), records, &[]);
    set.report(Vec::new(), Vec::new())
}

fn records(
    findings: &[ReviewFinding],
    reviewer: &str,
    roots: &Roots,
    sources: &dyn Sources,
) -> Vec<Diagnostic> {
    let severities = SeverityMap::default();
    let positions = Positions::one_based(Unit::CodePoints);
    let mut normaliser = Normaliser::new(reviewer, &severities, positions, roots, sources);
    for finding in findings {
        let mut record = Finding::new(finding.severity, words(finding));
        record.code = finding.code.as_deref().filter(|code| !code.is_empty()).map(Into::into);
        record.path = Some(finding.path.as_str().into());
        record.span = span(finding);
        normaliser.finding(record);
    }
    normaliser.finish().diagnostics
}

fn span(finding: &ReviewFinding) -> Span {
    // A record has no room for a line that no file has.
    let position = |line| Some(Position { line: u32::try_from(line).ok()?, column: None });
    match finding.line.and_then(position) {
        Some(start) => Span::Lines { start, end: finding.end_line.and_then(position) },
        None => Span::None,
    }
}

/// What a reviewer suggests are words, and no edit that could be applied.
fn words(finding: &ReviewFinding) -> String {
    let mut text = match finding.title.as_deref().filter(|title| !title.is_empty()) {
        Some(title) if !finding.message.starts_with(title) => {
            format!("{title}: {}", finding.message)
        }
        _ => finding.message.clone(),
    };
    if let Some(suggestion) = finding.suggestion.as_deref().filter(|words| !words.is_empty()) {
        text = format!("{text}\nsuggested: {suggestion}");
    }
    text
}

fn run(review: &Review, reviewer: &str) -> Run {
    let made = review.run.as_deref();
    let termination = made.map_or(Termination::Unknown, |made| made.termination.clone());
    let (exit, signal) = match termination {
        Termination::Exited { code } | Termination::Undrained { code } => (Some(code), None),
        Termination::Signaled { signal } => (None, Some(signal)),
        _ => (None, None),
    };
    let mut notes = made.map(|made| made.notes.clone()).unwrap_or_default();
    if !review.accepted && !review.findings.is_empty() {
        notes.push(format!(
            "{} of a run that is not accepted stand in its artifact alone",
            counted(review.findings.len() as u64)
        ));
    }
    Run {
        checker: reviewer.to_owned(),
        tool: reviewer.to_owned(),
        format: review.protocol.clone(),
        project: None,
        version: made.and_then(|made| made.program.version.clone()),
        argv: made.map(|made| made.argv.clone()).unwrap_or_default(),
        cwd: String::new(),
        exit,
        signal,
        termination,
        outcome: match review.outcome {
            ReviewOutcome::Findings if review.accepted => Outcome::Fail,
            ReviewOutcome::NoFindings if review.accepted => Outcome::Pass,
            _ => Outcome::HarnessError,
        },
        reason: review.reason.clone(),
        fault: fault(review),
        partial: false,
        unrecognised: Unrecognised::default(),
        notes,
        out_of_scope: 0,
        duration_ms: made.map_or(0, |made| made.duration_ms),
    }
}

fn fault(review: &Review) -> Option<Fault> {
    Some(Fault {
        stream: Stream::Stdout,
        line: review.line?,
        kind: match review.kind? {
            StreamFaultKind::InvalidJson => FaultKind::InvalidJson,
            StreamFaultKind::NotAnObject => FaultKind::NotAnObject,
        },
        snippet: review.snippet.clone().unwrap_or_default(),
        detail: String::new(),
    })
}
