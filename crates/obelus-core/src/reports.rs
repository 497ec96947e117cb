//! Reading reports and bare records back: what another run of Obelus, or another program, wrote.

use std::sync::Arc;

use obelus_record::{
    Diagnostic, Fault, NotRun, Origin, Outcome, REPORT_VERSION, Report, Run, Severity, Shard,
    Termination, Unrecognised,
};
use serde::Deserialize;
use thiserror::Error;

mod merge;
mod quick;
mod record;

use crate::assemble::report_of;
use crate::reason::attribute::BARE_LIST;
pub use merge::{Misfit, Named, merge, merge_named};
use record::Names;

/// Why bytes are neither a report nor records.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {line}: {what}")]
pub struct NotAReport {
    /// The physical line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

/// Reads a report, or bare records as JSON lines.
///
/// Of a report, a run needs its tool and its outcome, and a record its tool, severity and message;
/// everything else has a default. Verdict and counts are made anew. Bare records become a report
/// with a single run that stands for all checkers; an empty list of them is a harness error, as
/// nothing says whether anybody looked.
pub fn read(bytes: &[u8]) -> Result<Report, NotAReport> {
    Reader::default().read(bytes)
}

/// Reads reports as [`read`] does; the names that several of them have are kept in memory once.
#[derive(Default)]
pub struct Reader {
    names: Names,
}

impl Reader {
    /// Reads one report.
    ///
    /// # Errors
    ///
    /// As for [`read`].
    pub fn read(&mut self, bytes: &[u8]) -> Result<Report, NotAReport> {
        read_with(bytes, &mut self.names)
    }
}

fn read_with(bytes: &[u8], names: &mut Names) -> Result<Report, NotAReport> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        NotAReport { line, what: "it is not UTF-8".to_owned() }
    })?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    match first_key(text) {
        None if text.trim().is_empty() => Ok(bare(Vec::new())),
        // A report has none of a record's keys.
        Some(key) if quick::KEYS.contains(&key) => lines(text, names).map(bare),
        Some(_) => given(text, names),
        None => {
            let line = 1 + text.len() - text.trim_start().len();
            let before = &text[..line - 1];
            let line = before.matches('\n').count() + 1;
            let what = "neither a report nor a record starts here: both are JSON objects";
            Err(NotAReport { line, what: what.to_owned() })
        }
    }
}

/// The first key of the object that `text` starts with.
fn first_key(text: &str) -> Option<&str> {
    let inside = text.trim_start().strip_prefix('{')?.trim_start();
    let key = inside.strip_prefix('"').and_then(|key| key.split_once('"'));
    Some(key.map_or("", |(key, _)| key))
}

fn lines(text: &str, names: &mut Names) -> Result<Vec<Diagnostic>, NotAReport> {
    let mut records = Vec::new();
    for (index, line) in text.split('\n').enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        if let Some(record) = quick::record(line, names) {
            records.push(record);
            continue;
        }
        let record = serde_json::from_str(line).map_err(|error| NotAReport {
            line: index + 1,
            what: format!("not a record: {}", without_line(&error)),
        })?;
        records.push(names.record(record));
    }
    Ok(records)
}

/// What serde_json says, with the column alone: the line is that of the one line it was given.
fn without_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or(&text).to_owned();
    match error.column() {
        0 => what,
        column => format!("{what} (column {column})"),
    }
}

fn bare(records: Vec<Diagnostic>) -> Report {
    let errors = records.iter().filter(|record| record.severity == Severity::Error).count();
    let (outcome, reason) = match (records.len(), errors) {
        (0, _) => (
            Outcome::HarnessError,
            "an empty list without a run: nothing tells whether anybody looked".to_owned(),
        ),
        (_, 0) => (Outcome::Pass, "records without a run, none of them an error".to_owned()),
        (_, errors) => {
            (Outcome::Fail, format!("records without a run, errors among them: {errors}"))
        }
    };
    let run = Run {
        checker: BARE_LIST.to_owned(),
        tool: BARE_LIST.to_owned(),
        format: BARE_LIST.to_owned(),
        ..run_with(outcome, reason)
    };
    let origins = vec![Origin { runs: [0].into(), count: 1 }; records.len()];
    report_of(vec![run], records, origins, Vec::new(), Vec::new())
}

fn run_with(outcome: Outcome, reason: String) -> Run {
    Run {
        checker: String::new(),
        tool: String::new(),
        format: String::new(),
        project: None,
        version: None,
        argv: Vec::new(),
        cwd: String::new(),
        exit: None,
        signal: None,
        termination: Termination::Unknown,
        outcome,
        reason,
        fault: None,
        partial: false,
        unrecognised: Unrecognised::default(),
        notes: Vec::new(),
        out_of_scope: 0,
        duration_ms: 0,
    }
}

/// A report as another program may write it.
#[derive(Deserialize)]
struct GivenReport {
    #[serde(default)]
    version: Option<u32>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    scope: Vec<String>,
    runs: Vec<GivenRun>,
    #[serde(default)]
    not_run: Vec<NotRun>,
    #[serde(deserialize_with = "record::list")]
    records: Vec<Diagnostic>,
    #[serde(default)]
    origins: Vec<Origin>,
    #[serde(default)]
    shard: Option<Box<Shard>>,
    #[serde(default)]
    duration_ms: u64,
}

#[derive(Deserialize)]
struct GivenRun {
    #[serde(default)]
    checker: Option<String>,
    tool: String,
    #[serde(default)]
    format: String,
    #[serde(default)]
    project: Option<String>,
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    argv: Vec<String>,
    #[serde(default)]
    cwd: String,
    #[serde(default)]
    exit: Option<i32>,
    #[serde(default)]
    signal: Option<i32>,
    #[serde(default)]
    termination: Option<Termination>,
    outcome: Outcome,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    fault: Option<Fault>,
    #[serde(default)]
    partial: bool,
    #[serde(default)]
    unrecognised: Unrecognised,
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default)]
    out_of_scope: u64,
    #[serde(default)]
    duration_ms: u64,
}

fn given(text: &str, names: &mut Names) -> Result<Report, NotAReport> {
    let parted = quick::part(text, names).and_then(|parted| {
        let mut report: GivenReport = serde_json::from_str(&parted.rest).ok()?;
        report.records = parted.records;
        Some(report)
    });
    // A fault is told by its place in the whole text.
    let whole = || {
        serde_json::from_str(text).map_err(|error| NotAReport {
            line: error.line().max(1),
            what: format!("not a report: {}", without_line(&error)),
        })
    };
    let report = parted.map_or_else(whole, Ok)?;
    let fault = |what: String| NotAReport { line: 1, what };
    if let Some(version) = report.version.filter(|&version| version != REPORT_VERSION) {
        return Err(fault(format!(
            "a report of version {version}; this Obelus reads version {REPORT_VERSION}"
        )));
    }
    let runs: Vec<Run> = report.runs.into_iter().map(GivenRun::into_run).collect();
    let origins = match report.origins.is_empty() {
        true => origins(&report.records, &runs),
        false => report.origins,
    };
    if origins.len() != report.records.len() {
        let (origins, records) = (origins.len(), report.records.len());
        return Err(fault(format!("not a report: {origins} origins beside {records} records")));
    }
    let unknown = |origin: &Origin| origin.runs.iter().any(|&run| run as usize >= runs.len());
    if let Some(at) = origins.iter().position(unknown) {
        return Err(fault(format!("not a report: record {at} is of a run that is not there")));
    }
    if !report.records.is_empty() && runs.is_empty() {
        return Err(fault("not a report: it has records, and no run that they are of".to_owned()));
    }
    let mut made = report_of(runs, report.records, origins, report.not_run, report.scope);
    made.id = report.id;
    made.shard = report.shard;
    made.duration_ms = report.duration_ms;
    Ok(made)
}

/// The origins of records about which the report says nothing. Neighbours are mostly of the same runs,
/// of which there is one list then.
fn origins(records: &[Diagnostic], runs: &[Run]) -> Vec<Origin> {
    let mut origins: Vec<Origin> = Vec::with_capacity(records.len());
    let mut of: Vec<u32> = Vec::new();
    for record in records {
        of.clear();
        of.extend(runs_of(record, runs));
        let runs = match origins.last() {
            Some(last) if *last.runs == *of => Arc::clone(&last.runs),
            _ => Arc::from(&*of),
        };
        origins.push(Origin { runs, count: 1 });
    }
    origins
}

/// The runs that a record may be of where the report does not say: those of its tool, else all; of
/// several those of the innermost project that its file is in.
fn runs_of(record: &Diagnostic, runs: &[Run]) -> impl Iterator<Item = u32> {
    let of_tool = |run: &Run| run.tool == *record.tool || run.checker == *record.tool;
    let any = runs.iter().any(of_tool);
    let depth = |run: &Run| {
        let Some(project) = run.project.as_deref() else { return 0 };
        let inside = record.path.as_deref().and_then(|path| path.strip_prefix(project));
        inside.filter(|rest| rest.starts_with('/')).map_or(0, |_| project.len())
    };
    let own = move || (0..).zip(runs).filter(move |(_, run)| !any || of_tool(run));
    let deepest = own().map(|(_, run)| depth(run)).max().unwrap_or(0);
    own().filter(move |(_, run)| depth(run) == deepest).map(|(index, _)| index)
}

impl GivenRun {
    fn into_run(self) -> Run {
        let termination = match (self.termination, self.exit, self.signal) {
            (Some(termination), ..) => termination,
            (None, Some(code), _) => Termination::Exited { code },
            (None, None, Some(signal)) => Termination::Signaled { signal },
            (None, None, None) => Termination::Unknown,
        };
        let reason = self.reason.unwrap_or_else(|| match self.exit {
            Some(code) => format!("exit status {code}"),
            None => "the report does not say why".to_owned(),
        });
        Run {
            checker: self.checker.unwrap_or_else(|| self.tool.clone()),
            tool: self.tool,
            format: self.format,
            project: self.project,
            version: self.version,
            argv: self.argv,
            cwd: self.cwd,
            exit: self.exit,
            signal: self.signal,
            termination,
            fault: self.fault,
            partial: self.partial,
            unrecognised: self.unrecognised,
            notes: self.notes,
            out_of_scope: self.out_of_scope,
            duration_ms: self.duration_ms,
            ..run_with(self.outcome, reason)
        }
    }
}

#[cfg(test)]
mod tests;
