//! The shape of gcc's JSON, and what it means.

use std::borrow::Cow;

use obelus_record::{Applicability, Severity};
use serde::Deserialize;

use crate::format::gnu::{EDITS, is_own_note, warning_name};
use crate::format::json::Text;
use crate::{Finding, Place, Position, Proposal, Replacement, Span};

/// One diagnostic, or a note below one.
#[derive(Deserialize)]
pub struct Diagnostic<'a> {
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow, default)]
    option: Option<Text<'a>>,
    /// The page about that option.
    #[serde(borrow, default)]
    option_url: Option<Text<'a>>,
    #[serde(borrow, default)]
    locations: Vec<Location<'a>>,
    #[serde(borrow, default)]
    fixits: Vec<Fixit<'a>>,
    #[serde(borrow, default)]
    children: Vec<Diagnostic<'a>>,
    /// The events of the static analyzer.
    #[serde(borrow, default)]
    path: Vec<Event<'a>>,
}

#[derive(Deserialize)]
struct Location<'a> {
    #[serde(borrow)]
    caret: Point<'a>,
    /// Absent where it is the caret.
    #[serde(borrow, default)]
    start: Option<Point<'a>>,
    /// Absent where it is the caret.
    #[serde(borrow, default)]
    finish: Option<Point<'a>>,
    #[serde(borrow, default)]
    label: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Point<'a> {
    #[serde(borrow)]
    file: Cow<'a, str>,
    line: u32,
    /// In cells of a terminal since gcc 11, in bytes before.
    #[serde(default)]
    column: Option<u32>,
    /// Since gcc 11.
    #[serde(default, rename = "byte-column")]
    byte_column: Option<u32>,
}

#[derive(Deserialize)]
struct Fixit<'a> {
    #[serde(borrow)]
    start: Point<'a>,
    /// Just behind what is replaced.
    #[serde(borrow)]
    next: Point<'a>,
    #[serde(borrow)]
    string: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default)]
    location: Option<Point<'a>>,
    #[serde(borrow)]
    description: Cow<'a, str>,
}

/// What an object of the array comes to.
pub enum Read<'a> {
    Finding(Box<Finding<'a>>),
    Note(Option<Place<'a>>),
    Failed(String),
}

impl<'a> Diagnostic<'a> {
    /// What it comes to.
    pub fn read(mut self) -> Read<'a> {
        let severity = match &*self.kind {
            "note" if !is_own_note(&self.message) => {
                let place = self.locations.into_iter().next();
                return Read::Note(place.map(|location| location.place(self.message)));
            }
            "note" | "debug" => Severity::Info,
            "warning" | "pedwarn" => Severity::Warning,
            "internal compiler error" => {
                return Read::Failed(format!("the compiler itself failed: {}", self.message));
            }
            // It could not begin: a source that is missing, an option that it does not know.
            "fatal error" if self.locations.is_empty() => {
                return Read::Failed(self.message.into_owned());
            }
            _ => Severity::Error,
        };
        let mut finding = Finding::new(severity, self.message);
        finding.tool = Some("gcc".into());
        finding.code =
            self.option.and_then(|name| warning_name(&name.0).map(Cow::into_owned)).map(Cow::Owned);
        finding.help = self.option_url.map(|url| url.0);
        finding.proposals.extend(proposal(None, self.fixits));
        let mut related = Vec::new();
        let mut locations = self.locations.drain(..);
        if let Some(primary) = locations.next() {
            finding.path = Some(primary.caret.file.clone());
            finding.span = primary.span();
            if primary.label.is_some() {
                related.push(primary.labelled());
            }
        }
        related.extend(locations.map(Location::labelled));
        for child in self.children {
            child.attach(&mut related, &mut finding.proposals);
        }
        for event in self.path {
            let Some(at) = event.location else { continue };
            related.push(Place {
                span: at.span(),
                path: Some(at.file),
                message: event.description,
            });
        }
        for place in related {
            let equal = |known: &Place<'_>| {
                (&known.path, known.span, &known.message)
                    == (&place.path, place.span, &place.message)
            };
            if !finding.related.iter().any(equal) {
                finding.related.push(place);
            }
        }
        Read::Finding(Box::new(finding))
    }

    /// Adds a child: an edit with its message, or places. A child without a place says nothing
    /// that has a place, and is left out.
    fn attach(self, related: &mut Vec<Place<'a>>, proposals: &mut Vec<Proposal<'a>>) {
        if !self.fixits.is_empty() {
            proposals.extend(proposal(Some(self.message), self.fixits));
        } else {
            let mut locations = self.locations.into_iter();
            related.extend(locations.next().map(|primary| primary.place(self.message)));
            related.extend(locations.map(Location::labelled));
        }
        for child in self.children {
            child.attach(related, proposals);
        }
    }
}

impl<'a> Location<'a> {
    /// The caret, and the last byte where it is known.
    fn span(&self) -> Span {
        let last = match (&self.finish, &self.start) {
            (Some(finish), _) => Some(finish),
            // What ends at the caret.
            (None, Some(_)) => Some(&self.caret),
            (None, None) => None,
        };
        let end = last.filter(|last| last.file == self.caret.file).map(Point::position);
        Span::Lines { start: self.caret.position(), end }
    }

    fn place(self, message: Cow<'a, str>) -> Place<'a> {
        Place { span: self.caret.span(), path: Some(self.caret.file), message }
    }

    fn labelled(self) -> Place<'a> {
        let label = self.label.map_or(Cow::Borrowed(""), |label| label.0);
        Place { span: self.caret.span(), path: Some(self.caret.file), message: label }
    }
}

impl Point<'_> {
    fn position(&self) -> Position {
        Position { line: self.line, column: self.byte_column.or(self.column) }
    }

    fn span(&self) -> Span {
        Span::Lines { start: self.position(), end: None }
    }
}

/// gcc does not say how far it vouches for an edit.
fn proposal<'a>(message: Option<Cow<'a, str>>, fixits: Vec<Fixit<'a>>) -> Option<Proposal<'a>> {
    let replacements: Vec<_> = fixits
        .into_iter()
        .map(|fixit| Replacement {
            span: Span::Lines { start: fixit.start.position(), end: Some(fixit.next.position()) },
            path: Some(fixit.start.file),
            positions: Some(EDITS),
            text: fixit.string,
        })
        .collect();
    (!replacements.is_empty()).then_some(Proposal {
        applicability: Applicability::Unsafe,
        message,
        replacements,
    })
}
