//! GitLab's Code Quality report: one array of issues, written by ty, ruff and others.
//!
//! <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::json::{Document, Text};
use super::{Format, Input, Sink, own};
use crate::{Finding, Position, Positions, Span, Unit};

/// The format `gitlab-codequality`.
pub struct GitlabCodequality;

#[derive(Deserialize)]
struct Issue<'a> {
    #[serde(borrow)]
    check_name: Option<Text<'a>>,
    #[serde(borrow)]
    description: Cow<'a, str>,
    severity: Word,
    #[serde(borrow)]
    location: Location<'a>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Blocker,
    Critical,
    Major,
    Minor,
    Info,
}

/// Lines alone, or places.
#[derive(Deserialize)]
struct Location<'a> {
    #[serde(borrow)]
    path: Cow<'a, str>,
    lines: Option<Range<u32>>,
    positions: Option<Range<Point>>,
}

#[derive(Clone, Copy, Deserialize)]
struct Range<T> {
    begin: T,
    end: Option<T>,
}

#[derive(Clone, Copy, Deserialize)]
struct Point {
    line: u32,
    column: Option<u32>,
}

impl Format for GitlabCodequality {
    fn name(&self) -> &'static str {
        "gitlab-codequality"
    }

    fn summary(&self) -> &'static str {
        "GitLab Code Quality reports: ty check --output-format gitlab, and others"
    }

    /// The report's definition names no unit; ty and ruff count code points from 1, ends exclusive.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let read = document.each(|issue: Issue<'_>| {
            let code = issue.check_name.as_ref().map(|name| &*name.0);
            if !own::take(code, &issue.description, sink) {
                sink.finding(issue.finding());
            }
        });
        if read.is_err() {
            sink.discard();
        }
        read
    }
}

impl<'a> Issue<'a> {
    fn finding(self) -> Finding<'a> {
        let severity = match self.severity {
            Word::Blocker | Word::Critical | Word::Major => Severity::Error,
            Word::Minor => Severity::Warning,
            Word::Info => Severity::Info,
        };
        let code = self.check_name.map(|name| name.0);
        let message = without_code(self.description, code.as_deref());
        let span = self.location.span();
        let finding = Finding { code, ..Finding::new(severity, message) };
        // What is about no file has an empty path.
        match self.location.path.is_empty() {
            true => finding,
            false => Finding { path: Some(self.location.path), span, ..finding },
        }
    }
}

impl Location<'_> {
    fn span(&self) -> Span {
        let lines = |range: Range<u32>| {
            let point = |line| Point { line, column: None };
            Range { begin: point(range.begin), end: range.end.map(point) }
        };
        let position = |point: Point| Position { line: point.line, column: point.column };
        self.positions.or(self.lines.map(lines)).map_or(Span::None, |range| Span::Lines {
            start: position(range.begin),
            end: range.end.map(position),
        })
    }
}

/// The description without the code, which ty and ruff put before it (`code: …`).
fn without_code<'a>(description: Cow<'a, str>, code: Option<&str>) -> Cow<'a, str> {
    let rest = |text: &str| {
        let rest = text.strip_prefix(code?)?.strip_prefix(": ")?;
        Some(text.len() - rest.len())
    };
    match (rest(&description), description) {
        (None, description) => description,
        (Some(at), Cow::Borrowed(text)) => Cow::Borrowed(&text[at..]),
        (Some(at), Cow::Owned(text)) => Cow::Owned(text[at..].to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read};
    use super::*;

    #[test]
    fn lines_alone_and_no_name() {
        // The example of GitLab's documentation.
        let text = r#"[{"description": "'unused' is assigned a value but never used.",
            "check_name": "no-unused-vars", "fingerprint": "7815696ecbf1c96e6894b779456d330e",
            "severity": "minor", "location": {"path": "lib/index.js", "lines": {"begin": 42}}},
            {"description": "a: b", "severity": "blocker", "fingerprint": "1",
            "location": {"path": "", "lines": {"begin": 1, "end": 2}}}]"#;
        assert_eq!(
            all_shown(&read(&GitlabCodequality, text, "")),
            [
                "warning no-unused-vars lib/index.js:42:---:- 'unused' is assigned a value but never used.",
                "error - -:-:---:- a: b",
            ]
        );
    }
}
