//! What the forms of pylint's output share.

use std::borrow::Cow;

use obelus_record::Severity;
use serde::Deserialize;

use crate::{End, Finding, LineEnds, Position, Positions, Span, Unit};

/// Lines from 1, columns from 0 in UTF-8 bytes (those of Python's `ast`), ends exclusive. Text
/// prints the same columns.
pub(super) const POSITIONS: Positions = Positions {
    unit: Unit::Bytes,
    line_base: 1,
    column_base: 0,
    end: End::Exclusive,
    line_ends: LineEnds::Usual,
};

/// What stands for the path in complaints about the configuration.
const NO_FILE: &str = "Command line or configuration file";

/// One message of `json` (`message-id`) and of `json2` (`messageId`).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Message<'a> {
    #[serde(rename = "type")]
    kind: Kind,
    #[serde(borrow)]
    path: Cow<'a, str>,
    line: u32,
    column: u32,
    end_line: Option<u32>,
    end_column: Option<u32>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow, alias = "message-id")]
    message_id: Cow<'a, str>,
}

/// The categories of messages.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Fatal,
    Error,
    Warning,
    Refactor,
    Convention,
    Info,
}

impl Kind {
    /// The category of message `id`, which is its first letter.
    fn of(id: &str) -> Option<Self> {
        let digits = id.get(1..)?;
        let is_id = digits.len() >= 4 && digits.bytes().all(|b| b.is_ascii_digit());
        let kind = match id.as_bytes()[0] {
            b'F' => Kind::Fatal,
            b'E' => Kind::Error,
            b'W' => Kind::Warning,
            b'R' => Kind::Refactor,
            b'C' => Kind::Convention,
            b'I' => Kind::Info,
            _ => return None,
        };
        is_id.then_some(kind)
    }

    fn severity(self) -> Severity {
        match self {
            Kind::Fatal | Kind::Error => Severity::Error,
            Kind::Warning => Severity::Warning,
            Kind::Refactor | Kind::Convention | Kind::Info => Severity::Info,
        }
    }
}

impl<'a> Message<'a> {
    pub(super) fn finding(self) -> Finding<'a> {
        let end = self.end_line.zip(self.end_column);
        let end = end.map(|(line, column)| Position { line, column: Some(column) });
        let start = Position { line: self.line, column: Some(self.column) };
        Finding {
            code: Some(self.message_id),
            ..placed(self.kind, self.path, Span::Lines { start, end }, self.message)
        }
    }
}

fn placed<'a>(
    kind: Kind,
    path: Cow<'a, str>,
    span: Span,
    message: impl Into<Cow<'a, str>>,
) -> Finding<'a> {
    let (path, span) = match path.as_ref() {
        NO_FILE => (None, Span::None),
        _ => (Some(path), span),
    };
    Finding { path, span, ..Finding::new(kind.severity(), message) }
}

/// A finding of the text form whose message is known so far; nothing if `id` is none of pylint's.
pub(super) fn of_text(id: &str, path: &str, span: Span, message: &str) -> Option<Finding<'static>> {
    let message: Cow<'static, str> = message.to_owned().into();
    Some(Finding {
        code: Some(id.to_owned().into()),
        ..placed(Kind::of(id)?, path.to_owned().into(), span, message)
    })
}
