//! What the text forms of the TypeScript compiler have in common: the line by which a diagnostic
//! begins, its chain, and the lines that are no diagnostics.
//!
//! tsc, tsgo and programs that print through the compiler (vue-tsc, next) share these forms. None
//! of them gives an end.

pub(super) mod chatter;
mod head;

use obelus_record::{Severity, Stream};

use super::node::Stderr;
use super::{Input, Sink};
use crate::{Finding, LineEnds, Place, Positions, Span, Unit};

pub(super) use head::{Head, Style, head, place};

/// UTF-16 units, counted from 1; lines end as ECMAScript has it (a lone CR, U+2028 and U+2029 too).
pub(super) const POSITIONS: Positions =
    Positions { line_ends: LineEnds::EcmaScript, ..Positions::one_based(Unit::Utf16) };

/// A diagnostic whose lines are still coming in.
#[derive(Default)]
pub(super) struct Open {
    severity: Option<Severity>,
    code: String,
    place: Option<Spot>,
    message: String,
    related: Vec<(Option<Spot>, String)>,
}

/// A place as it is printed: path, line, column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Open {
    /// Hands out what is open and opens the diagnostic that `head` begins.
    pub(super) fn begin(&mut self, head: &Head<'_>, sink: &mut dyn Sink) {
        self.close(sink);
        self.severity = Some(head.severity);
        self.code.push_str(head.code);
        self.message.push_str(head.message);
        self.place = head.place.map(Into::into);
    }

    /// Takes a line of the diagnostic's chain.
    pub(super) fn add_line(&mut self, text: &str) {
        self.message.push('\n');
        self.message.push_str(text);
    }

    /// Takes a place that belongs to the diagnostic, with what is said of it.
    pub(super) fn add_related(&mut self, spot: Option<Spot>, message: &str) {
        self.related.push((spot, message.to_owned()));
    }

    /// What is said of the last place that belongs to the diagnostic.
    pub(super) fn last_related(&mut self) -> Option<&mut String> {
        self.related.last_mut().map(|(_, message)| message)
    }

    /// Hands out what is open.
    pub(super) fn close(&mut self, sink: &mut dyn Sink) {
        let Some(severity) = self.severity.take() else { return };
        let mut finding = Finding::new(severity, self.message.as_str());
        finding.code = Some(self.code.as_str().into());
        if let Some(spot) = &self.place {
            finding.path = Some(spot.path.as_str().into());
            finding.span = Span::at(spot.line, spot.column);
        }
        finding.related = self
            .related
            .iter()
            .map(|(spot, message)| Place {
                path: spot.as_ref().map(|spot| spot.path.as_str().into()),
                span: spot.as_ref().map_or(Span::None, |spot| Span::at(spot.line, spot.column)),
                message: message.as_str().into(),
            })
            .collect();
        sink.finding(finding);
        self.code.clear();
        self.place = None;
        self.message.clear();
        self.related.clear();
    }
}

/// Takes note of a line that is no part of a diagnostic and no chatter.
pub(super) fn unknown(line: &super::lines::Line<'_>, text: &str, sink: &mut dyn Sink) {
    if let Some(reason) = chatter::answered_instead(text) {
        sink.tool_failed(format!("{reason}: {:?}", text.trim()));
    }
    sink.unrecognised(line.stream, line.number, text);
}

/// Reads the stream beside the diagnostics: the compiler prints nothing there, Node.js and npm do.
pub(super) fn read_stderr(
    input: &mut Input<'_>,
    sink: &mut dyn Sink,
) -> Result<(), obelus_record::Fault> {
    if input.primary == Stream::Stderr {
        return Ok(());
    }
    let mut node = Stderr::default();
    let mut lines = input.lines(Stream::Stderr);
    while let Some(line) = lines.next()? {
        let text = line.text();
        if !node.is_chatter(&text) {
            sink.unrecognised(line.stream, line.number, &text);
        }
    }
    Ok(())
}
