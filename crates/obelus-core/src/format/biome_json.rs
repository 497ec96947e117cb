//! `biome --reporter=json`: one object with the diagnostics, marked experimental.
//!
//! Lines and columns are there since <https://github.com/biomejs/biome/pull/8324>; 0:0 is no place.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::json::{Document, Text};
use super::{Format, Input, Sink};
use crate::{Finding, Place, Positions, Span, Unit};

/// The format `biome-json`.
pub struct BiomeJson;

/// Code points from 1, ends exclusive (seen with 2.6.8).
pub(super) const POSITIONS: Positions = Positions::one_based(Unit::CodePoints);

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    diagnostics: Vec<Diagnostic<'a>>,
}

#[derive(Deserialize)]
struct Diagnostic<'a> {
    severity: Level,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow, default)]
    category: Option<Text<'a>>,
    #[serde(borrow, default)]
    location: Option<Location<'a>>,
    #[serde(borrow, default)]
    advices: Vec<Advice<'a>>,
}

#[derive(Deserialize)]
struct Location<'a> {
    #[serde(borrow, default)]
    path: Option<Text<'a>>,
    #[serde(default)]
    start: Point,
    #[serde(default)]
    end: Point,
}

#[derive(Deserialize)]
struct Advice<'a> {
    start: Point,
    end: Point,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Point {
    line: u32,
    column: u32,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    Hint,
    #[serde(alias = "information")]
    Info,
    #[serde(alias = "warn")]
    Warning,
    Error,
    Fatal,
}

impl Level {
    pub(super) fn severity(self) -> Severity {
        match self {
            Level::Hint => Severity::Hint,
            Level::Info => Severity::Info,
            Level::Warning => Severity::Warning,
            Level::Error | Level::Fatal => Severity::Error,
        }
    }
}

impl Format for BiomeJson {
    fn name(&self) -> &'static str {
        "biome-json"
    }

    fn summary(&self) -> &'static str {
        "JSON of Biome: biome check --reporter=json"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let report: Report<'_> = document.parse()?;
        report.diagnostics.into_iter().for_each(|diagnostic| sink.finding(diagnostic.finding()));
        Ok(())
    }
}

impl<'a> Diagnostic<'a> {
    fn finding(self) -> Finding<'a> {
        let (path, place) = match self.location {
            Some(location) => {
                (location.path.map(|path| path.0), span(location.start, location.end))
            }
            None => (None, Span::None),
        };
        // The place of a fix is that of another frame, and its edits are not told.
        let is_fix = |text: &str| text.starts_with("Safe fix:") || text.starts_with("Unsafe fix:");
        let advices = self.advices.into_iter().filter(|advice| !is_fix(&advice.text));
        Finding {
            code: self.category.map(|category| category.0),
            related: advices
                .map(|advice| Place {
                    path: path.clone(),
                    span: span(advice.start, advice.end),
                    message: advice.text,
                })
                .collect(),
            path: path.clone(),
            span: place,
            ..Finding::new(self.severity.severity(), self.message)
        }
    }
}

fn span(start: Point, end: Point) -> Span {
    match (start.line, end.line) {
        (0, _) => Span::None,
        (_, 0) => Span::at(start.line, start.column),
        _ => Span::between((start.line, start.column), (end.line, end.column)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn places_that_there_are_not_and_advices() {
        let text = r#"{"summary":{},"diagnostics":[
            {"severity":"hint","message":"m","category":"format","location":{"path":"a.js","start":{"line":0,"column":0},"end":{"line":0,"column":0}},"advices":[]},
            {"severity":"fatal","message":"n","category":null,"location":{"path":null},"advices":[
              {"start":{"line":1,"column":2},"end":{"line":1,"column":3},"text":"Unsafe fix: x"},
              {"start":{"line":0,"column":0},"end":{"line":0,"column":0},"text":"why"}]}],"command":"check"}"#;
        let taken = read(&BiomeJson, text, &[]);
        assert_eq!(taken.fault, None);
        assert_eq!(findings(&taken), ["hint format a.js - m", "error - - - n [- - why]"]);
    }
}
