//! `biome --reporter=rdjson`: the Reviewdog Diagnostic Format, with edits and without a mark of how
//! safe they are.
//!
//! <https://github.com/reviewdog/reviewdog/tree/master/proto/rdf> is the shape; its columns are said
//! to be UTF-8 bytes, Biome's are code points (seen with 2.6.8).

use std::borrow::Cow;

use obelus_record::{Applicability, Fault, Severity};
use serde::Deserialize;

use super::biome_json::POSITIONS;
use super::json::{Document, Text};
use super::{Format, Input, Sink};
use crate::{Finding, Position, Positions, Proposal, Replacement, Span};

/// The format `biome-rdjson`.
pub struct BiomeRdjson;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    diagnostics: Vec<Diagnostic<'a>>,
}

#[derive(Deserialize)]
struct Diagnostic<'a> {
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow, default)]
    location: Option<Location<'a>>,
    #[serde(default)]
    severity: Option<Level>,
    #[serde(borrow, default)]
    code: Option<Code<'a>>,
    #[serde(borrow, default)]
    suggestions: Vec<Suggested<'a>>,
}

#[derive(Deserialize)]
struct Location<'a> {
    #[serde(borrow, default)]
    path: Option<Text<'a>>,
    #[serde(default)]
    range: Option<Range>,
}

#[derive(Deserialize)]
struct Code<'a> {
    #[serde(borrow, default)]
    value: Option<Text<'a>>,
    #[serde(borrow, default)]
    url: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Suggested<'a> {
    range: Range,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Clone, Copy, Deserialize)]
struct Range {
    start: Point,
    #[serde(default)]
    end: Option<Point>,
}

#[derive(Clone, Copy, Deserialize)]
struct Point {
    line: u32,
    #[serde(default)]
    column: Option<u32>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Level {
    #[serde(alias = "UNKNOWN_SEVERITY")]
    Error,
    Warning,
    Info,
}

impl Format for BiomeRdjson {
    fn name(&self) -> &'static str {
        "biome-rdjson"
    }

    fn summary(&self) -> &'static str {
        "JSON of Biome with edits: biome check --reporter=rdjson"
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
        let (path, range) = match self.location {
            Some(location) => (location.path.map(|path| path.0), location.range),
            None => (None, None),
        };
        let severity = match self.severity {
            Some(Level::Warning) => Severity::Warning,
            Some(Level::Info) => Severity::Info,
            Some(Level::Error) | None => Severity::Error,
        };
        let replacements: Vec<_> = self.suggestions.into_iter().map(Suggested::piece).collect();
        let proposal = (!replacements.is_empty()).then_some(Proposal {
            applicability: Applicability::Unsafe,
            message: None,
            replacements,
        });
        let (code, url) = self.code.map_or((None, None), |code| (code.value, code.url));
        Finding {
            code: code.map(|value| value.0),
            help: url.map(|url| url.0),
            path,
            span: range.map_or(Span::None, Range::span),
            proposals: proposal.into_iter().collect(),
            ..Finding::new(severity, self.message)
        }
    }
}

impl<'a> Suggested<'a> {
    fn piece(self) -> Replacement<'a> {
        Replacement { path: None, span: self.range.span(), positions: None, text: self.text }
    }
}

impl Range {
    fn span(self) -> Span {
        let position = |point: Point| Position { line: point.line, column: point.column };
        match self.start.line {
            0 => Span::None,
            _ => Span::Lines { start: position(self.start), end: self.end.map(position) },
        }
    }
}
