//! The Reviewdog Diagnostic Format, as one document (`rdjson`) and as lines (`rdjsonl`).
//!
//! <https://github.com/reviewdog/reviewdog/tree/master/proto/rdf> (its JSON Schema at reviewdog 0.21):
//! columns are UTF-8 bytes from 1, ends exclusive; each suggestion is a whole of its own, so that one
//! of several edits, or in another file, can't be told.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;

use obelus_record::{Diagnostic, Report, Severity};
use serde::Serialize;

use super::places::{Places, Range};
use super::remarks::{Remark, remarks};
use super::{Output, Style, listed};
use crate::json::Lines;
use crate::{Sources, Unit};

/// One document.
pub struct Rdjson;

/// One diagnostic a line.
pub struct Rdjsonl;

impl Output for Rdjson {
    fn name(&self) -> &'static str {
        "rdjson"
    }

    fn summary(&self) -> &'static str {
        "one document for reviewdog; columns in UTF-8 bytes"
    }

    fn write(
        &self,
        report: &Report,
        sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let document = Document {
            source: Source { name: "obelus" },
            severity: level(Severity::Error),
            diagnostics: diagnostics(report, sources).collect(),
        };
        let mut lines = Lines::new(out);
        lines.write(&document)?;
        lines.finish()
    }
}

impl Output for Rdjsonl {
    fn name(&self) -> &'static str {
        "rdjsonl"
    }

    fn summary(&self) -> &'static str {
        "one line a finding for reviewdog; columns in UTF-8 bytes"
    }

    fn write(
        &self,
        report: &Report,
        sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut lines = Lines::new(out);
        for diagnostic in diagnostics(report, sources) {
            lines.write(&diagnostic)?;
        }
        lines.finish()
    }
}

#[derive(Serialize)]
struct Document<'r> {
    source: Source<'r>,
    severity: &'static str,
    diagnostics: Vec<Entry<'r>>,
}

#[derive(Serialize)]
struct Source<'r> {
    name: &'r str,
}

#[derive(Serialize)]
struct Entry<'r> {
    message: Cow<'r, str>,
    location: Location<'r>,
    severity: &'static str,
    source: Source<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Code<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestions: Option<[Suggestion<'r>; 1]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<RelatedLocation<'r>>,
}

#[derive(Serialize)]
struct Code<'r> {
    value: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'r str>,
}

/// What has no file has an empty path: the key is required.
#[derive(Serialize)]
struct Location<'r> {
    path: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Span>,
}

#[derive(Serialize)]
struct Span {
    start: Point,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Point>,
}

#[derive(Serialize)]
struct Point {
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
}

#[derive(Serialize)]
struct Suggestion<'r> {
    range: Span,
    text: &'r str,
}

#[derive(Serialize)]
struct RelatedLocation<'r> {
    #[serde(skip_serializing_if = "str::is_empty")]
    message: &'r str,
    location: Location<'r>,
}

/// The remarks about the whole, then the findings.
fn diagnostics<'r>(
    report: &'r Report,
    sources: &'r dyn Sources,
) -> impl Iterator<Item = Entry<'r>> {
    let mut places = Places::new(report, sources, Unit::Bytes);
    let remarks = remarks(report).into_iter().map(remark);
    remarks.chain(listed(report).into_iter().map(move |index| entry(report, index, &mut places)))
}

fn remark<'r>(remark: Remark) -> Entry<'r> {
    Entry {
        message: remark.text.into(),
        location: Location { path: "", range: None },
        severity: level(remark.severity),
        source: Source { name: "obelus" },
        code: Some(Code { value: remark.code, url: None }),
        suggestions: None,
        related_locations: Vec::new(),
    }
}

fn entry<'r>(report: &'r Report, index: usize, places: &mut Places<'r>) -> Entry<'r> {
    let record = &report.records[index];
    let related = record.related.iter().map(|related| {
        let range = places.near(index, related.path.as_ref(), Range::of_related(related));
        RelatedLocation {
            message: &related.message,
            location: Location::of(related.path.as_ref(), range),
        }
    });
    let related_locations = related.collect();
    Entry {
        message: (&*record.message).into(),
        location: Location::of(record.path.as_ref(), places.of(index)),
        severity: level(record.severity),
        source: Source { name: &record.tool },
        code: record.code.as_deref().map(|value| Code { value, url: record.help.as_deref() }),
        related_locations,
        suggestions: suggestion(record, index, places).map(|one| [one]),
    }
}

/// The one edit of a suggestion, where it has no more and lies in the file of its finding.
fn suggestion<'r>(
    record: &'r Diagnostic,
    index: usize,
    places: &mut Places<'r>,
) -> Option<Suggestion<'r>> {
    let [edit] = &*record.suggestion.as_deref()?.edits else { return None };
    if record.path.as_ref() != Some(&edit.path) {
        return None;
    }
    let range = places.near(index, Some(&edit.path), Range::of_edit(edit));
    Some(Suggestion { range: Span::of(range)?, text: &edit.text })
}

impl<'r> Location<'r> {
    fn of(path: Option<&'r Arc<str>>, range: Range) -> Self {
        Location { path: path.map(|path| &**path).unwrap_or_default(), range: Span::of(range) }
    }
}

impl Span {
    fn of(range: Range) -> Option<Self> {
        let start = Point { line: range.line?, column: range.column };
        let end = range.end_line.map(|line| Point { line, column: range.end_column });
        Some(Span { start, end })
    }
}

/// The format has nothing below its lowest word.
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
        Severity::Info | Severity::Hint => "INFO",
    }
}
