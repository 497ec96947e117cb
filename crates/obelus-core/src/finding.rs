//! What a format reads: one finding, in the tool's own units.

use std::borrow::Cow;

use obelus_record::{Applicability, Severity};

/// One finding as its tool stated it; nothing is converted yet.
///
/// Text is borrowed from the stream where it can be: a finding lives only until the
/// [`Sink`](crate::format::Sink) has taken it.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The program that made the finding, where the stream names one that differs from the run's tool.
    pub tool: Option<Cow<'a, str>>,
    /// How severe the tool says it is.
    pub severity: Severity,
    /// The tool's stable identifier of the kind of finding.
    pub code: Option<Cow<'a, str>>,
    /// The file as the tool named it: relative to its working folder, absolute, or a `file://` URI.
    pub path: Option<Cow<'a, str>>,
    /// Where in the file.
    pub span: Span,
    /// The units of this finding's places, where they differ from those of its format.
    pub positions: Option<Positions>,
    /// The human text alone.
    pub message: Cow<'a, str>,
    /// Places that the tool attached.
    pub related: Vec<Place<'a>>,
    /// Edits that the tool proposes; the first is the suggestion, the others are its alternatives.
    pub proposals: Vec<Proposal<'a>>,
    /// The cell of a notebook, from 1.
    pub cell: Option<u32>,
    /// The address of a page about this kind of finding.
    pub help: Option<Cow<'a, str>>,
}

impl<'a> Finding<'a> {
    /// A finding with a severity and a message; everything else is absent.
    pub fn new(severity: Severity, message: impl Into<Cow<'a, str>>) -> Self {
        Finding {
            tool: None,
            severity,
            code: None,
            path: None,
            span: Span::None,
            positions: None,
            message: message.into(),
            related: Vec::new(),
            proposals: Vec::new(),
            cell: None,
            help: None,
        }
    }

    /// The finding with text of its own, for one that outlives the line it was read from.
    pub fn into_owned(self) -> Finding<'static> {
        Finding {
            tool: self.tool.map(owned),
            severity: self.severity,
            code: self.code.map(owned),
            path: self.path.map(owned),
            span: self.span,
            positions: self.positions,
            message: owned(self.message),
            related: self.related.into_iter().map(Place::into_owned).collect(),
            proposals: self.proposals.into_iter().map(Proposal::into_owned).collect(),
            cell: self.cell,
            help: self.help.map(owned),
        }
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

/// A place that a tool attached to a finding.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// As in [`Finding::path`].
    pub path: Option<Cow<'a, str>>,
    /// Where in the file.
    pub span: Span,
    /// What the tool says about it; may be empty.
    pub message: Cow<'a, str>,
}

impl Place<'_> {
    fn into_owned(self) -> Place<'static> {
        Place { path: self.path.map(owned), span: self.span, message: owned(self.message) }
    }
}

/// An edit that a tool proposes.
#[derive(Clone, Debug)]
pub struct Proposal<'a> {
    /// How far the tool vouches for it.
    pub applicability: Applicability,
    /// What the tool says that it does.
    pub message: Option<Cow<'a, str>>,
    /// Its pieces.
    pub replacements: Vec<Replacement<'a>>,
}

impl Proposal<'_> {
    fn into_owned(self) -> Proposal<'static> {
        let piece = |piece: Replacement<'_>| Replacement {
            path: piece.path.map(owned),
            span: piece.span,
            positions: piece.positions,
            text: owned(piece.text),
        };
        Proposal {
            applicability: self.applicability,
            message: self.message.map(owned),
            replacements: self.replacements.into_iter().map(piece).collect(),
        }
    }
}

/// One piece of a [`Proposal`].
#[derive(Clone, Debug)]
pub struct Replacement<'a> {
    /// The file; absent where it is that of the finding.
    pub path: Option<Cow<'a, str>>,
    /// What is replaced. A piece whose span can't be converted makes its whole proposal void.
    pub span: Span,
    /// The units of `span`, where they differ from those of the finding.
    pub positions: Option<Positions>,
    /// The text that stands there afterwards.
    pub text: Cow<'a, str>,
}

/// Where in a file, in a tool's own units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Span {
    /// No line is given.
    #[default]
    None,
    /// Lines and columns.
    Lines {
        /// The start.
        start: Position,
        /// The end, where the tool gives one.
        end: Option<Position>,
    },
    /// Offsets from the start of the file, counted from 0 in the unit of the [`Positions`], a byte
    /// order mark not counted; the end is exclusive.
    Offsets {
        /// The start.
        start: u64,
        /// Just behind the end.
        end: u64,
    },
    /// An offset as in [`Span::Offsets`], of a start whose end is not known.
    Offset(u64),
}

impl Span {
    /// A start without an end.
    pub fn at(line: u32, column: impl Into<Option<u32>>) -> Self {
        Span::Lines { start: Position { line, column: column.into() }, end: None }
    }

    /// A start and an end, both with columns.
    pub fn between(start: (u32, u32), end: (u32, u32)) -> Self {
        Span::Lines {
            start: Position { line: start.0, column: Some(start.1) },
            end: Some(Position { line: end.0, column: Some(end.1) }),
        }
    }
}

/// A line and perhaps a column, in a tool's own base and unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, where the tool gives one.
    pub column: Option<u32>,
}

/// The units in which a format states places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Positions {
    /// What a column counts.
    pub unit: Unit,
    /// The number of the first line, 0 or 1.
    pub line_base: u8,
    /// The number of the first column, 0 or 1.
    pub column_base: u8,
    /// Whether an end column is that of the last character or the one behind it.
    pub end: End,
    /// What ends a line.
    pub line_ends: LineEnds,
}

impl Positions {
    /// Lines and columns from 1, ends exclusive, lines ended as usual.
    pub const fn one_based(unit: Unit) -> Self {
        Positions {
            unit,
            line_base: 1,
            column_base: 1,
            end: End::Exclusive,
            line_ends: LineEnds::Usual,
        }
    }
}

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// UTF-8 bytes.
    Bytes,
    /// UTF-16 code units.
    Utf16,
    /// Unicode code points, the unit of records.
    CodePoints,
    /// Columns as they are drawn: a tab reaches to the next multiple of `tab`, every other
    /// character is as wide as `width` says.
    Drawn {
        /// What a character that is no tab counts.
        width: Width,
        /// The distance of tab stops, at least 1.
        tab: u8,
    },
}

impl Unit {
    /// Cells of a terminal: wide characters take two, combining ones none.
    pub const fn display_cells(tab: u8) -> Self {
        Unit::Drawn { width: Width::Cells, tab }
    }
}

/// What a character that is no tab counts, where tabs reach to stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Its UTF-8 bytes.
    Bytes,
    /// Its UTF-16 code units.
    Utf16,
    /// One.
    CodePoints,
    /// The cells of a terminal that it takes: two where it is wide, none where it combines.
    Cells,
}

/// What an end column names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The column behind the last character.
    Exclusive,
    /// The column of the last character.
    Inclusive,
}

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnds {
    /// LF or CRLF.
    Usual,
    /// As ECMAScript has it: also a lone CR, U+2028 and U+2029 (TypeScript and ESLint count so).
    EcmaScript,
}
