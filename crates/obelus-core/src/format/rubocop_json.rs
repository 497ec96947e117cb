//! `rubocop-json`: what `rubocop --format json` prints
//! (<https://docs.rubocop.org/rubocop/formatters.html#json-formatter>).

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::json::Document;
use super::{Format, Input, Sink};
use crate::{End, Finding, Positions, Span, Unit};

/// See the module.
pub struct RubocopJson;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    files: Vec<File<'a>>,
}

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    path: Cow<'a, str>,
    #[serde(borrow)]
    offenses: Vec<Offense<'a>>,
}

#[derive(Deserialize)]
struct Offense<'a> {
    #[serde(borrow)]
    severity: Cow<'a, str>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow)]
    cop_name: Cow<'a, str>,
    location: Location,
}

#[derive(Deserialize)]
struct Location {
    line: u32,
    column: u32,
    /// Since 0.59, as is `last_column`.
    #[serde(default)]
    last_line: Option<u32>,
    #[serde(default)]
    last_column: Option<u32>,
}

impl Format for RubocopJson {
    fn name(&self) -> &'static str {
        "rubocop-json"
    }

    fn summary(&self) -> &'static str {
        "rubocop --format json"
    }

    /// Code points; the end is that of the last character (seen with 1.39.0).
    fn positions(&self) -> Positions {
        Positions { end: End::Inclusive, ..Positions::one_based(Unit::CodePoints) }
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let stream = input.primary;
        let document = Document::read(input.stream(stream), stream)?;
        let report: Report<'_> = document.parse()?;
        for file in report.files {
            for offense in file.offenses {
                let severity = match &*offense.severity {
                    "error" | "fatal" => Severity::Error,
                    "warning" => Severity::Warning,
                    // info, refactor, convention.
                    _ => Severity::Info,
                };
                let at = &offense.location;
                let span = match (at.last_line, at.last_column) {
                    (Some(line), Some(column)) => {
                        Span::between((at.line, at.column), (line, column))
                    }
                    _ => Span::at(at.line, at.column),
                };
                sink.finding(Finding {
                    code: Some(offense.cop_name),
                    path: Some(file.path.clone()),
                    span,
                    ..Finding::new(severity, offense.message)
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn old_reports_have_no_ends() {
        let text = r#"{"files":[{"path":"a.rb","offenses":[{"severity":"fatal","message":"m","cop_name":"Lint/Syntax","location":{"line":1,"column":2,"length":3}}]}]}"#;
        assert_eq!(findings(&read(&RubocopJson, text, &[])), ["error Lint/Syntax a.rb 1:2 m"]);
        assert!(read(&RubocopJson, "{}", &[]).fault.is_some());
    }
}
