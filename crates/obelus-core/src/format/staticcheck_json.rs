//! `staticcheck-json`: what `staticcheck -f json` prints, an object a line
//! (<https://staticcheck.dev/docs/running-staticcheck/cli/formatters/#json>).

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::{Format, Input, Sink, go};
use crate::{Finding, Place, Positions, Span};

/// See the module.
pub struct StaticcheckJson;

#[derive(Deserialize)]
struct Problem<'a> {
    #[serde(borrow)]
    code: Cow<'a, str>,
    #[serde(borrow)]
    severity: Cow<'a, str>,
    #[serde(borrow)]
    location: Location<'a>,
    #[serde(borrow, default)]
    end: Location<'a>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow, default)]
    related: Vec<Related<'a>>,
}

/// A line of 0 is none.
#[derive(Default, Deserialize)]
struct Location<'a> {
    #[serde(borrow)]
    file: Cow<'a, str>,
    line: u32,
    column: u32,
}

#[derive(Deserialize)]
struct Related<'a> {
    #[serde(borrow)]
    location: Location<'a>,
    #[serde(borrow, default)]
    message: Cow<'a, str>,
}

impl Format for StaticcheckJson {
    fn name(&self) -> &'static str {
        "staticcheck-json"
    }

    fn summary(&self) -> &'static str {
        "staticcheck -f json"
    }

    fn positions(&self) -> Positions {
        go::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            if line.is_blank() {
                continue;
            }
            let problem: Problem<'_> = line.json()?;
            let severity = match &*problem.severity {
                // A comment in the source asks for silence.
                "ignored" => continue,
                "warning" => Severity::Warning,
                _ => Severity::Error,
            };
            let end = problem.end;
            let mut span = problem.location.span();
            if let Span::Lines { start, .. } = span
                && end.line > 0
                && end.file == problem.location.file
            {
                span =
                    Span::between((start.line, start.column.unwrap_or(1)), (end.line, end.column));
            }
            sink.finding(Finding {
                code: Some(problem.code),
                span,
                path: problem.location.path(),
                related: problem.related.into_iter().map(Related::place).collect(),
                ..Finding::new(severity, problem.message)
            });
        }
        Ok(())
    }
}

impl<'a> Location<'a> {
    fn span(&self) -> Span {
        match self.line {
            0 => Span::None,
            line => Span::at(line, (self.column > 0).then_some(self.column)),
        }
    }

    fn path(self) -> Option<Cow<'a, str>> {
        (!self.file.is_empty()).then_some(self.file)
    }
}

impl<'a> Related<'a> {
    fn place(self) -> Place<'a> {
        Place { span: self.location.span(), path: self.location.path(), message: self.message }
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn related_places_and_ignored_problems() {
        let text = r#"{"code":"SA1","severity":"warning","location":{"file":"a.go","line":1,"column":2},"end":{"file":"","line":0,"column":0},"message":"m","related":[{"location":{"file":"b.go","line":3,"column":4},"end":{"file":"","line":0,"column":0},"message":"there"}]}
{"code":"SA2","severity":"ignored","location":{"file":"a.go","line":1,"column":2},"message":"m"}
"#;
        let got = read(&StaticcheckJson, text, &[]);
        assert_eq!(got.fault, None);
        assert_eq!(findings(&got), ["warning SA1 a.go 1:2 m [b.go 3:4 there]"]);
    }
}
