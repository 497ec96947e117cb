//! `zizmor --format json`: one array.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::json::{Document, Text};
use super::{Format, Input, Sink};
use crate::{End, Finding, LineEnds, Place, Positions, Span, Unit};

/// The format `zizmor-json`.
pub struct ZizmorJson;

#[derive(Deserialize)]
struct Audit<'a> {
    #[serde(borrow)]
    ident: Cow<'a, str>,
    #[serde(borrow)]
    desc: Cow<'a, str>,
    /// The page of the audit.
    #[serde(borrow, default)]
    url: Option<Text<'a>>,
    #[serde(borrow)]
    determinations: Determinations<'a>,
    #[serde(borrow)]
    locations: Vec<Location<'a>>,
    /// Switched off by a comment or by the configuration.
    #[serde(default)]
    ignored: bool,
}

#[derive(Deserialize)]
struct Determinations<'a> {
    #[serde(borrow)]
    severity: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Location<'a> {
    #[serde(borrow)]
    symbolic: Symbolic<'a>,
    concrete: Concrete,
}

#[derive(Deserialize)]
struct Symbolic<'a> {
    #[serde(borrow)]
    key: Key<'a>,
    #[serde(borrow)]
    annotation: Cow<'a, str>,
    kind: Kind,
}

#[derive(Deserialize)]
enum Key<'a> {
    #[serde(borrow)]
    Local(Local<'a>),
    #[serde(borrow)]
    Remote(Remote<'a>),
    /// A file on standard input.
    Stdin(serde::de::IgnoredAny),
}

/// The path as found, or, in versions before 1.20, as given.
#[derive(Deserialize)]
struct Local<'a> {
    #[serde(borrow, alias = "given_path")]
    verbatim_path: Cow<'a, str>,
}

/// A file of a repository that zizmor fetched.
#[derive(Deserialize)]
struct Remote<'a> {
    #[serde(borrow)]
    path: Cow<'a, str>,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
enum Kind {
    Primary,
    Related,
    Hidden,
}

#[derive(Clone, Copy, Deserialize)]
struct Concrete {
    location: Range,
}

#[derive(Clone, Copy, Deserialize)]
struct Range {
    start_point: Point,
    end_point: Point,
}

#[derive(Clone, Copy, Deserialize)]
struct Point {
    row: u32,
    column: u32,
}

impl Format for ZizmorJson {
    fn name(&self) -> &'static str {
        "zizmor-json"
    }

    fn summary(&self) -> &'static str {
        "zizmor --format json"
    }

    /// Rows from 0, columns from 0 in UTF-8 bytes, ends exclusive.
    fn positions(&self) -> Positions {
        Positions {
            unit: Unit::Bytes,
            line_base: 0,
            column_base: 0,
            end: End::Exclusive,
            line_ends: LineEnds::Usual,
        }
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let read = document.each(|audit: Audit<'_>| {
            if !audit.ignored {
                sink.finding(audit.finding());
            }
        });
        if read.is_err() {
            sink.discard();
        }
        read
    }
}

impl<'a> Audit<'a> {
    /// A fix has a title and no edits, so there is no proposal.
    fn finding(self) -> Finding<'a> {
        let severity = match &*self.determinations.severity {
            "High" => Severity::Error,
            "Medium" => Severity::Warning,
            // Low, Informational, Unknown.
            _ => Severity::Info,
        };
        let mut finding = Finding {
            code: Some(self.ident),
            help: self.url.map(|url| url.0),
            ..Finding::new(severity, self.desc)
        };
        let mut placed = false;
        for location in self.locations {
            let kind = location.symbolic.kind;
            if kind == Kind::Hidden {
                continue;
            }
            let place = location.place();
            if kind == Kind::Primary && !placed {
                (finding.path, finding.span, placed) = (place.path, place.span, true);
            } else {
                finding.related.push(place);
            }
        }
        finding
    }
}

impl<'a> Location<'a> {
    fn place(self) -> Place<'a> {
        let Range { start_point: start, end_point: end } = self.concrete.location;
        Place {
            path: match self.symbolic.key {
                Key::Local(local) => Some(local.verbatim_path),
                Key::Remote(remote) => Some(remote.path),
                Key::Stdin(_) => None,
            },
            span: Span::between((start.row, start.column), (end.row, end.column)),
            message: self.symbolic.annotation,
        }
    }
}
