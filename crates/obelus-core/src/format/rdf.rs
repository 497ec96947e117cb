//! The Reviewdog Diagnostic Format, of which `rdjson` is a document and `rdjsonl` a line each.
//!
//! <https://github.com/reviewdog/reviewdog/blob/master/proto/rdf/reviewdog.proto>; read as protobuf's
//! JSON is: names in either spelling, enumerations as words or numbers.

use std::borrow::Cow;

use obelus_record::{Applicability, Severity};
use serde::Deserialize;

use super::json::Text;
use crate::{Finding, Place, Position, Positions, Proposal, Replacement, Span, Unit};

/// Columns are UTF-8 bytes from 1, ends exclusive (`Position` in the definition).
pub(super) const POSITIONS: Positions = Positions::one_based(Unit::Bytes);

#[derive(Deserialize)]
pub(super) struct Document<'a> {
    #[serde(borrow)]
    pub(super) diagnostics: Vec<Diagnostic<'a>>,
    #[serde(borrow, default)]
    pub(super) source: Option<Source<'a>>,
    #[serde(default)]
    pub(super) severity: Option<Level>,
}

#[derive(Deserialize)]
pub(super) struct Diagnostic<'a> {
    #[serde(borrow)]
    pub(super) message: Cow<'a, str>,
    #[serde(borrow, default)]
    location: Option<Location<'a>>,
    #[serde(default)]
    severity: Option<Level>,
    #[serde(borrow, default)]
    source: Option<Source<'a>>,
    #[serde(borrow, default)]
    code: Option<Code<'a>>,
    #[serde(borrow, default)]
    suggestions: Vec<Suggested<'a>>,
    #[serde(borrow, default, alias = "relatedLocations")]
    related_locations: Vec<RelatedLocation<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Source<'a> {
    #[serde(borrow, default)]
    name: Option<Text<'a>>,
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

#[derive(Deserialize)]
struct RelatedLocation<'a> {
    #[serde(borrow, default)]
    message: Option<Text<'a>>,
    #[serde(borrow)]
    location: Location<'a>,
}

#[derive(Clone, Copy, Deserialize)]
struct Range {
    start: Point,
    #[serde(default)]
    end: Option<Point>,
}

#[derive(Clone, Copy, Deserialize)]
struct Point {
    #[serde(default)]
    line: u32,
    #[serde(default)]
    column: Option<u32>,
}

/// A word, or the number that it has in the definition.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Word")]
pub(super) enum Level {
    Unknown,
    Known(Severity),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Word {
    Word(Box<str>),
    Number(u8),
}

impl TryFrom<Word> for Level {
    type Error = String;

    fn try_from(word: Word) -> Result<Self, String> {
        match word {
            Word::Number(0) => Ok(Level::Unknown),
            Word::Number(1) => Ok(Level::Known(Severity::Error)),
            Word::Number(2) => Ok(Level::Known(Severity::Warning)),
            Word::Number(3) => Ok(Level::Known(Severity::Info)),
            Word::Number(number) => Err(format!("there is no severity {number}")),
            Word::Word(word) => match &*word {
                "UNKNOWN_SEVERITY" => Ok(Level::Unknown),
                "ERROR" => Ok(Level::Known(Severity::Error)),
                "WARNING" => Ok(Level::Known(Severity::Warning)),
                "INFO" => Ok(Level::Known(Severity::Info)),
                _ => Err(format!("there is no severity {word:?}")),
            },
        }
    }
}

/// What a document says of all its diagnostics that don't say it themselves.
#[derive(Clone, Copy, Default)]
pub(super) struct Defaults<'d> {
    pub(super) source: Option<&'d str>,
    pub(super) severity: Option<Level>,
}

impl Document<'_> {
    pub(super) fn defaults(&self) -> Defaults<'_> {
        Defaults {
            source: self
                .source
                .as_ref()
                .and_then(|source| source.name.as_ref())
                .map(|name| &*name.0),
            severity: self.severity,
        }
    }
}

impl<'a> Diagnostic<'a> {
    /// What identifies the kind of finding.
    pub(super) fn code(&self) -> Option<&str> {
        self.code.as_ref()?.value.as_ref().map(|value| &*value.0)
    }

    /// The finding; one without a severity is an error, as reviewdog's own reporters have it.
    pub(super) fn finding<'f>(self, defaults: Defaults<'f>) -> Finding<'f>
    where
        'a: 'f,
    {
        let severity = [self.severity, defaults.severity].into_iter().flatten();
        let severity = severity.into_iter().find_map(|level| match level {
            Level::Known(severity) => Some(severity),
            Level::Unknown => None,
        });
        let tool = self.source.and_then(|source| source.name).map(|name| name.0);
        let (path, span) = place(self.location);
        let related = self.related_locations.into_iter().map(|related| {
            let (path, span) = place(Some(related.location));
            let message = related.message.map(|message| message.0).unwrap_or_default();
            Place { path, span, message }
        });
        let (code, url) = self.code.map_or((None, None), |code| (code.value, code.url));
        Finding {
            tool: tool.or(defaults.source.map(Cow::Borrowed)),
            code: code.map(|value| value.0),
            help: url.map(|url| url.0),
            path,
            span,
            related: related.collect(),
            // Each is a whole of its own, and how safe it is nobody says.
            proposals: self.suggestions.into_iter().map(Suggested::proposal).collect(),
            ..Finding::new(severity.unwrap_or(Severity::Error), self.message)
        }
    }
}

/// A path that is empty names no file, and then no line either.
fn place(location: Option<Location<'_>>) -> (Option<Cow<'_, str>>, Span) {
    let Some(location) = location else { return (None, Span::None) };
    match location.path.map(|path| path.0).filter(|path| !path.is_empty()) {
        Some(path) => (Some(path), location.range.map_or(Span::None, Range::span)),
        None => (None, Span::None),
    }
}

impl<'a> Suggested<'a> {
    fn proposal(self) -> Proposal<'a> {
        let span = match self.range.span() {
            // Without an end it is an insertion (`Range` in the definition).
            Span::Lines { start, end: None } => Span::Lines { start, end: Some(start) },
            span => span,
        };
        let piece = Replacement { path: None, span, positions: None, text: self.text };
        Proposal { applicability: Applicability::Unsafe, message: None, replacements: vec![piece] }
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
