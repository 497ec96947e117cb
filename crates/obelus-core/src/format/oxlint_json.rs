//! `oxlint --format json`: one object with the diagnostics.
//!
//! The first label of a diagnostic is its place. Lines count from 1; columns, offsets and lengths are
//! UTF-8 bytes, offsets and columns of the first line count a byte order mark (seen with 1.94.0).
//! There is no end beside the length (<https://github.com/oxc-project/oxc/issues/21855>).

use std::borrow::Cow;
use std::sync::Arc;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::json::{Document, Text};
use super::{Format, Input, Sink};
use crate::{Finding, Place, Positions, Span, Unit};

/// The format `oxlint-json`.
pub struct OxlintJson;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    diagnostics: Vec<Diagnostic<'a>>,
    /// How many files were linted.
    #[serde(default)]
    number_of_files: Option<u64>,
}

#[derive(Deserialize)]
struct Diagnostic<'a> {
    #[serde(borrow)]
    message: Cow<'a, str>,
    /// Absent where the parser speaks.
    #[serde(borrow, default)]
    code: Option<Text<'a>>,
    severity: Level,
    #[serde(borrow, default)]
    filename: Option<Text<'a>>,
    /// The page of the rule.
    #[serde(borrow, default)]
    url: Option<Text<'a>>,
    #[serde(borrow, default)]
    labels: Vec<Label<'a>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    Error,
    Warning,
    Advice,
}

#[derive(Deserialize)]
struct Label<'a> {
    #[serde(borrow, default)]
    label: Option<Text<'a>>,
    span: Bytes,
}

#[derive(Clone, Copy, Deserialize)]
struct Bytes {
    offset: u64,
    length: u64,
    #[serde(default)]
    line: u32,
    #[serde(default)]
    column: u32,
}

/// A byte order mark.
const MARK: &[u8] = b"\xEF\xBB\xBF";

pub(super) const POSITIONS: Positions = Positions::one_based(Unit::Bytes);

impl Format for OxlintJson {
    fn name(&self) -> &'static str {
        "oxlint-json"
    }

    fn summary(&self) -> &'static str {
        "JSON of oxlint: oxlint --format json"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let places = input.places;
        let document = Document::read(input.stream(primary), primary)?;
        let report: Report<'_> = document.parse()?;
        if report.number_of_files == Some(0) && report.diagnostics.is_empty() {
            sink.tool_failed("it found no file to lint".to_owned());
        }
        let mut text: (Option<Cow<'_, str>>, Option<Arc<[u8]>>) = (None, None);
        for diagnostic in report.diagnostics {
            let path = diagnostic.filename.as_ref().map(|name| &name.0);
            if path != text.0.as_ref() {
                text = (path.cloned(), path.and_then(|path| places.bytes(path)));
            }
            sink.finding(diagnostic.finding(text.1.as_deref()));
        }
        Ok(())
    }
}

impl Level {
    pub(super) fn severity(self) -> Severity {
        match self {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Advice => Severity::Info,
        }
    }
}

impl<'a> Diagnostic<'a> {
    /// The finding, in a file that holds `text`.
    fn finding(self, text: Option<&[u8]>) -> Finding<'a> {
        let path = self.filename.map(|name| name.0);
        let mut labels = self.labels.into_iter();
        let span = labels.next().map_or(Span::None, |label| label.span.span(text));
        let related = labels.map(|label| Place {
            path: path.clone(),
            span: label.span.span(text),
            message: label.label.map_or(Cow::Borrowed(""), |label| label.0),
        });
        Finding {
            code: self.code.map(|code| code.0),
            related: related.collect(),
            path: path.clone(),
            span,
            help: self.url.map(|url| url.0),
            ..Finding::new(self.severity.severity(), self.message)
        }
    }
}

impl Bytes {
    /// Where it is in `text`. Without the text nobody knows on which line the end is.
    fn span(self, text: Option<&[u8]>) -> Span {
        if self.line == 0 {
            return Span::None;
        }
        let mark =
            if self.line == 1 && text.is_some_and(|text| text.starts_with(MARK)) { 3 } else { 0 };
        let column = self.column.saturating_sub(mark);
        match text.and_then(|text| self.end(column, text)) {
            Some(end) => Span::between((self.line, column), end),
            None => Span::at(self.line, column),
        }
    }

    fn end(self, column: u32, text: &[u8]) -> Option<(u32, u32)> {
        let start = usize::try_from(self.offset).ok()?;
        let length = usize::try_from(self.length).ok()?;
        let covered = text.get(start..start.checked_add(length)?)?;
        let number = |n: usize| u32::try_from(n).ok();
        Some(match memchr::memrchr(b'\n', covered) {
            None => (self.line, column.checked_add(number(length)?)?),
            Some(last) => {
                let lines = memchr::memchr_iter(b'\n', covered).count();
                (self.line.checked_add(number(lines)?)?, number(length - last)?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn ends_are_counted_in_the_text_and_a_mark_is_no_column() {
        let text = "\u{FEFF}é = {\n  a;\r\n}".as_bytes();
        let at =
            |offset, length, line, column| Bytes { offset, length, line, column }.span(Some(text));
        // Both count the mark of three bytes.
        assert_eq!(at(3, 2, 1, 4), Span::between((1, 1), (1, 3)));
        assert_eq!(at(8, 9, 1, 9), Span::between((1, 6), (3, 2)));
        assert_eq!(at(12, 2, 2, 3), Span::between((2, 3), (2, 5)));
        assert_eq!(at(90, 2, 2, 3), Span::at(2, 3));
        assert_eq!(Bytes { offset: 3, length: 2, line: 1, column: 4 }.span(None), Span::at(1, 4));
    }

    #[test]
    fn a_diagnostic_without_a_place_and_a_run_without_files() {
        let text = r#"{"diagnostics":[{"message":"m","severity":"advice"}],"number_of_files":0}"#;
        let taken = read(&OxlintJson, text, &[]);
        assert_eq!(findings(&taken), ["info - - - m"]);
        let taken = read(&OxlintJson, r#"{"diagnostics":[],"number_of_files":0}"#, &[]);
        assert_eq!(taken.tool_failed.len(), 1);
    }
}
