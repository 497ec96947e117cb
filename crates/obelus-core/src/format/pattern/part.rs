//! Expressions whose groups are the parts of a finding.

use regex::{Captures, Regex};

use super::super::text::number;
use crate::{Position, Positions, Span};

/// A part of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The file.
    Path,
    /// The folder of a relative file is that of the file named here.
    Beside,
    /// The line.
    Line,
    /// The column.
    Column,
    /// The line of the end.
    EndLine,
    /// The column of the end.
    EndColumn,
    /// `line`, `line,column`, or `line,column,end line,end column`.
    Location,
    /// A word for the severity.
    Severity,
    /// The code.
    Code,
    /// The message, or a further line of it.
    Message,
    /// What is said of a further place, which is then that of the other groups of its line.
    Related,
}

impl Part {
    /// The part that a named group is.
    pub fn named(name: &str) -> Option<Self> {
        NAMED.iter().find(|(known, _)| *known == name).map(|(_, part)| *part)
    }
}

const NAMED: [(&str, Part); 9] = [
    ("path", Part::Path),
    ("line", Part::Line),
    ("column", Part::Column),
    ("end_line", Part::EndLine),
    ("end_column", Part::EndColumn),
    ("severity", Part::Severity),
    ("code", Part::Code),
    ("message", Part::Message),
    ("related", Part::Related),
];

/// The names that groups may have.
pub const GROUPS: [&str; 9] = {
    let mut names = [""; 9];
    let mut at = 0;
    while at < names.len() {
        names[at] = NAMED[at].0;
        at += 1;
    }
    names
};

/// An expression, and which of its groups is which part.
#[derive(Clone, Debug)]
pub struct Expression {
    regex: Regex,
    parts: Vec<(Part, usize)>,
}

impl PartialEq for Expression {
    /// Expressions are alike where their texts are.
    fn eq(&self, other: &Self) -> bool {
        self.regex.as_str() == other.regex.as_str() && self.parts == other.parts
    }
}

impl Expression {
    /// An expression whose groups are named.
    pub fn named(regex: Regex) -> Self {
        let named = regex.capture_names().enumerate();
        let parts = named.filter_map(|(at, name)| Some((Part::named(name?)?, at))).collect();
        Expression { regex, parts }
    }

    /// An expression whose groups are counted; the number 0 is the whole match.
    pub fn numbered(regex: Regex, parts: Vec<(Part, usize)>) -> Self {
        Expression { regex, parts }
    }

    /// Whether a group is this part.
    pub fn has(&self, part: Part) -> bool {
        self.parts.iter().any(|(known, _)| *known == part)
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    pub(super) fn find<'t>(&self, text: &'t str) -> Option<Found<'_, 't>> {
        let captures = self.regex.captures(text)?;
        Some(Found { captures, parts: &self.parts })
    }
}

/// What an expression found in a line.
pub(super) struct Found<'p, 't> {
    captures: Captures<'t>,
    parts: &'p [(Part, usize)],
}

impl<'t> Found<'_, 't> {
    /// The text of a part that took part in the match and is not empty.
    pub(super) fn part(&self, part: Part) -> Option<&'t str> {
        let groups = self.parts.iter().filter(|(known, _)| *known == part);
        let mut texts = groups.filter_map(|(_, group)| self.captures.get(*group));
        texts.next().map(|text| text.as_str()).filter(|text| !text.is_empty())
    }

    /// The place that the line states. A number below the base says that there is none.
    pub(super) fn span(&self, base: Positions) -> Span {
        let from = |base: u8, text: &str| number(text).filter(|number| *number >= base.into());
        let line = |text: &str| from(base.line_base, text);
        let column = |text: &str| from(base.column_base, text);
        let location: Vec<&str> =
            self.part(Part::Location).unwrap_or_default().split(',').collect();
        let at = |index: usize| location.get(index).map(|text| text.trim());
        let stated = |part: Part, index: usize| self.part(part).or(at(index));
        let Some(start) = stated(Part::Line, 0).and_then(line) else { return Span::None };
        let end_line = stated(Part::EndLine, 2).and_then(line);
        let end_column = stated(Part::EndColumn, 3).and_then(column);
        let end = (end_line.is_some() || end_column.is_some())
            .then(|| Position { line: end_line.unwrap_or(start), column: end_column });
        let start = Position { line: start, column: stated(Part::Column, 1).and_then(column) };
        Span::Lines { start, end }
    }
}
