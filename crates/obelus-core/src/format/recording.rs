//! For tests of formats: a sink that keeps what it is handed, in the tool's own units, and places
//! that know which files exist.

use obelus_record::{Fault, Stream};

use super::{Format, Input, Places, Sink};
use crate::{Finding, Span};

/// What one reading handed out.
#[derive(Default)]
pub(crate) struct Taken {
    pub(crate) findings: Vec<Finding<'static>>,
    pub(crate) sources: Vec<(String, String)>,
    pub(crate) unrecognised: Vec<(u64, String)>,
    pub(crate) tool_failed: Vec<String>,
    pub(crate) fault: Option<Fault>,
}

impl Sink for Taken {
    fn source(&mut self, path: &str, text: &str) {
        self.sources.push((path.to_owned(), text.to_owned()));
    }

    fn finding(&mut self, finding: Finding<'_>) {
        self.findings.push(finding.into_owned());
    }

    fn unrecognised(&mut self, _stream: Stream, line: u64, text: &str) {
        self.unrecognised.push((line, text.to_owned()));
    }

    fn tool_failed(&mut self, reason: String) {
        self.tool_failed.push(reason);
    }

    fn discard(&mut self) {
        *self = Taken::default();
    }
}

struct Files<'a>(&'a [&'a str]);

impl Places for Files<'_> {
    fn inside(&self, path: &str) -> bool {
        !path.starts_with('/')
    }

    fn exists(&self, path: &str) -> bool {
        self.0.contains(&path)
    }
}

/// Reads a run that printed `stdout` (or wrote it as its report, where the format reads that), in a
/// repository that holds `files`.
pub(crate) fn read(format: &dyn Format, stdout: &str, files: &[&str]) -> Taken {
    read_run(format, stdout, "", files, false)
}

/// As [`read`], with a standard error, for a run that was perhaps `cut` off.
pub(crate) fn read_run(
    format: &dyn Format,
    stdout: &str,
    stderr: &str,
    files: &[&str],
    cut: bool,
) -> Taken {
    let (mut stdout, mut stderr, mut report) = (stdout.as_bytes(), stderr.as_bytes(), &b""[..]);
    if format.stream() == Stream::Report {
        std::mem::swap(&mut stdout, &mut report);
    }
    let mut input = Input {
        stdout: &mut stdout,
        stderr: &mut stderr,
        report: &mut report,
        primary: format.stream(),
        cut,
        places: &Files(files),
    };
    let mut taken = Taken::default();
    let fault = format.read(&mut input, &mut taken).err();
    taken.fault = fault;
    taken
}

/// One line a finding: severity, code, path, place, message, related places in brackets.
pub(crate) fn findings(taken: &Taken) -> Vec<String> {
    taken.findings.iter().map(line).collect()
}

fn line(finding: &Finding<'_>) -> String {
    let mut text = format!(
        "{} {} {} {} {}",
        finding.severity.as_str(),
        finding.code.as_deref().unwrap_or("-"),
        finding.path.as_deref().unwrap_or("-"),
        place(finding.span),
        finding.message
    );
    for related in &finding.related {
        let path = related.path.as_deref().unwrap_or("-");
        text += &format!(" [{path} {} {}]", place(related.span), related.message);
    }
    text
}

fn place(span: Span) -> String {
    let point = |at: crate::Position| match at.column {
        Some(column) => format!("{}:{column}", at.line),
        None => at.line.to_string(),
    };
    match span {
        Span::None => "-".to_owned(),
        Span::Lines { start, end: None } => point(start),
        Span::Lines { start, end: Some(end) } => format!("{}-{}", point(start), point(end)),
        Span::Offsets { start, end } => format!("@{start}-{end}"),
        Span::Offset(start) => format!("@{start}"),
    }
}
