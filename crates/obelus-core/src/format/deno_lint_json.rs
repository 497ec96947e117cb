//! `deno lint --json`: one object.
//!
//! Lines count from 1, columns from 0 in code points (seen with 2.9.6). It states no severity: what
//! it prints fails the run.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::json::Document;
use super::text::Head;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// The format `deno-lint-json`.
pub struct DenoLintJson;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    diagnostics: Vec<Diagnostic<'a>>,
    /// Files that it could not read or parse.
    #[serde(borrow, default)]
    errors: Vec<Failure<'a>>,
}

#[derive(Deserialize)]
struct Diagnostic<'a> {
    #[serde(borrow)]
    filename: Cow<'a, str>,
    /// Absent for what is about a file as a whole.
    #[serde(default)]
    range: Option<Range>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow)]
    code: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Failure<'a> {
    #[serde(borrow)]
    file_path: Cow<'a, str>,
    #[serde(borrow)]
    message: Cow<'a, str>,
}

#[derive(Clone, Copy, Deserialize)]
struct Range {
    start: Point,
    end: Point,
}

#[derive(Clone, Copy, Deserialize)]
struct Point {
    line: u32,
    col: u32,
}

impl Format for DenoLintJson {
    fn name(&self) -> &'static str {
        "deno-lint-json"
    }

    fn summary(&self) -> &'static str {
        "JSON of Deno's linter: deno lint --json"
    }

    fn positions(&self) -> Positions {
        Positions { column_base: 0, ..Positions::one_based(Unit::CodePoints) }
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let report: Report<'_> = document.parse()?;
        for Diagnostic { filename, range, message, code } in report.diagnostics {
            let span =
                |Range { start, end }| Span::between((start.line, start.col), (end.line, end.col));
            sink.finding(Finding {
                code: Some(code),
                path: Some(filename),
                span: range.map_or(Span::None, span),
                ..Finding::new(Severity::Error, message)
            });
        }
        report.errors.iter().for_each(|failure| sink.finding(failure.finding()));
        Ok(())
    }
}

impl Failure<'_> {
    /// `words at file:///path:line:column`, with an excerpt below, where it can't be parsed.
    fn finding(&self) -> Finding<'_> {
        let first = self.message.lines().next().unwrap_or_default();
        let place = first.rsplit_once(" at ").and_then(|(words, place)| {
            Some((words, Head::whole(place).filter(|place| place.column.is_some())?))
        });
        let path = Some(self.file_path.as_ref().into());
        match place {
            // Printed for people, these count from 1.
            Some((words, place)) => Finding {
                path,
                span: place.span(),
                positions: Some(Positions::one_based(Unit::CodePoints)),
                ..Finding::new(Severity::Error, words)
            },
            None => Finding { path, ..Finding::new(Severity::Error, self.message.as_ref()) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn files_that_it_could_not_parse() {
        let text = r#"{"version":1,"diagnostics":[{"filename":"file:///r/a.ts","message":"m","code":"c"}],
            "errors":[{"file_path":"b.ts","message":"Expected ';' at file:///r/b.ts:2:3\n\n  x y\n    ~"},
            {"file_path":"c.ts","message":"no such file"}]}"#;
        let taken = read(&DenoLintJson, text, &[]);
        assert_eq!(taken.fault, None);
        assert_eq!(
            findings(&taken),
            [
                "error c file:///r/a.ts - m",
                "error - b.ts 2:3 Expected ';'",
                "error - c.ts - no such file"
            ]
        );
    }
}
