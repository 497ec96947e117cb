//! `bandit -f json`: one object.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::json::{Document, Text};
use super::{Format, Input, Sink};
use crate::{End, Finding, LineEnds, Position, Positions, Span, Unit};

/// The format `bandit-json`.
pub struct BanditJson;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    errors: Vec<Skipped<'a>>,
    #[serde(borrow)]
    results: Vec<Issue<'a>>,
}

/// A file that was not checked; the exit status says nothing of it.
#[derive(Deserialize)]
struct Skipped<'a> {
    #[serde(borrow)]
    filename: Cow<'a, str>,
    #[serde(borrow)]
    reason: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Issue<'a> {
    #[serde(borrow)]
    filename: Cow<'a, str>,
    line_number: u32,
    /// The lines of the whole statement, of which the first may lie before `line_number`.
    #[serde(default)]
    line_range: Vec<u32>,
    /// Absent before 1.7, as is the end; -1 where it is not known.
    col_offset: Option<i64>,
    end_col_offset: Option<i64>,
    #[serde(borrow)]
    issue_severity: Cow<'a, str>,
    #[serde(borrow)]
    issue_text: Cow<'a, str>,
    #[serde(borrow)]
    test_id: Cow<'a, str>,
    /// The page of the test.
    #[serde(borrow, default)]
    more_info: Option<Text<'a>>,
}

impl Format for BanditJson {
    fn name(&self) -> &'static str {
        "bandit-json"
    }

    fn summary(&self) -> &'static str {
        "bandit -f json"
    }

    /// Lines from 1, columns from 0 in UTF-8 bytes (those of Python's `ast`), ends exclusive.
    fn positions(&self) -> Positions {
        Positions {
            unit: Unit::Bytes,
            line_base: 1,
            column_base: 0,
            end: End::Exclusive,
            line_ends: LineEnds::Usual,
        }
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let report: Report<'_> = document.parse()?;
        for skipped in report.errors {
            sink.finding(Finding {
                path: Some(skipped.filename),
                ..Finding::new(Severity::Error, skipped.reason)
            });
        }
        report.results.into_iter().for_each(|issue| sink.finding(issue.finding()));
        Ok(())
    }
}

impl<'a> Issue<'a> {
    fn finding(self) -> Finding<'a> {
        let severity = match &*self.issue_severity {
            "HIGH" => Severity::Error,
            "MEDIUM" => Severity::Warning,
            // LOW and UNDEFINED.
            _ => Severity::Info,
        };
        let column = |offset: Option<i64>| offset.and_then(|offset| u32::try_from(offset).ok());
        let end = column(self.end_col_offset).filter(|&end| end > 0).map(|column| Position {
            line: self.line_range.iter().copied().max().unwrap_or(self.line_number),
            column: Some(column),
        });
        let start = Position { line: self.line_number, column: column(self.col_offset) };
        Finding {
            code: Some(self.test_id),
            path: Some(self.filename),
            span: Span::Lines { start, end: end.filter(|_| start.column.is_some()) },
            help: self.more_info.map(|url| url.0),
            ..Finding::new(severity, self.issue_text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read};
    use super::*;

    #[test]
    fn a_place_without_columns() {
        let text = r#"{"errors": [], "results": [{"filename": "a.py", "line_number": 3,
            "line_range": [3, 4], "issue_severity": "HIGH", "issue_text": "x", "test_id": "B1"}]}"#;
        assert_eq!(all_shown(&read(&BanditJson, text, "")), ["error B1 a.py:3:---:- x"]);
    }
}
