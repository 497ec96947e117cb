//! What the forms of ruff's output share: the message of its JSON, and the lines of its text.

use std::borrow::Cow;

use obelus_record::{Applicability, Severity};
use serde::Deserialize;

use super::json::Text;
use crate::{Finding, Positions, Proposal, Replacement, Span, Unit};

/// Columns of every form count code points from 1, ends exclusive; a tab is one, a byte order
/// mark none. In a notebook both count within the cell.
pub(super) const POSITIONS: Positions = Positions::one_based(Unit::CodePoints);

/// One message of `--output-format json` and `json-lines`.
#[derive(Deserialize)]
pub(super) struct Message<'a> {
    cell: Option<u32>,
    /// Absent for a syntax error in versions that give these no code.
    #[serde(borrow)]
    code: Option<Text<'a>>,
    location: Option<Point>,
    end_location: Option<Point>,
    #[serde(borrow)]
    filename: Cow<'a, str>,
    #[serde(borrow)]
    fix: Option<Fix<'a>>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    /// Absent in older versions, in which every message is an error.
    #[serde(borrow)]
    severity: Option<Text<'a>>,
    /// The page of the rule.
    #[serde(borrow, default)]
    url: Option<Text<'a>>,
}

#[derive(Clone, Copy, Deserialize)]
struct Point {
    row: u32,
    column: u32,
}

#[derive(Deserialize)]
struct Fix<'a> {
    #[serde(borrow)]
    applicability: Cow<'a, str>,
    #[serde(borrow)]
    message: Option<Text<'a>>,
    #[serde(borrow)]
    edits: Vec<Edit<'a>>,
}

#[derive(Deserialize)]
struct Edit<'a> {
    #[serde(borrow)]
    content: Option<Text<'a>>,
    location: Point,
    end_location: Point,
}

impl<'a> Message<'a> {
    /// The message as a finding.
    pub(super) fn finding(self) -> Finding<'a> {
        let severity = match self.severity.as_ref().map(|word| &*word.0) {
            Some("warning") => Severity::Warning,
            Some("info") => Severity::Info,
            _ => Severity::Error,
        };
        let span = match (self.location, self.end_location) {
            (Some(start), Some(end)) => between(start, end),
            (Some(start), None) => Span::at(start.row, start.column),
            (None, _) => Span::None,
        };
        Finding {
            code: self.code.map(|code| code.0),
            path: Some(self.filename),
            span,
            proposals: self.fix.map(Fix::proposal).into_iter().collect(),
            cell: self.cell,
            help: self.url.map(|url| url.0),
            ..Finding::new(severity, self.message)
        }
    }
}

impl<'a> Fix<'a> {
    fn proposal(self) -> Proposal<'a> {
        Proposal {
            // The others are `unsafe` and `displayonly`, which ruff itself never applies.
            applicability: match &*self.applicability {
                "safe" => Applicability::Safe,
                _ => Applicability::Unsafe,
            },
            message: self.message.map(|text| text.0),
            replacements: self
                .edits
                .into_iter()
                .map(|edit| Replacement {
                    path: None,
                    span: between(edit.location, edit.end_location),
                    positions: None,
                    text: edit.content.map(|text| text.0).unwrap_or_default(),
                })
                .collect(),
        }
    }
}

fn between(start: Point, end: Point) -> Span {
    Span::between((start.row, start.column), (end.row, end.column))
}

/// A place of the text forms: `path:line:column` or `path:cell N:line:column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot<'t> {
    path: &'t str,
    cell: Option<u32>,
    line: u32,
    column: u32,
}

impl<'t> Spot<'t> {
    /// Reads a place that is all of `text`.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let (rest, column) = text.rsplit_once(':')?;
        let (path, line) = rest.rsplit_once(':')?;
        let (line, column) = (line.parse().ok()?, column.parse().ok()?);
        let in_cell = path.rsplit_once(":cell ").and_then(|(p, n)| Some((p, n.parse().ok()?)));
        let (path, cell) = in_cell.map_or((path, None), |(path, cell)| (path, Some(cell)));
        (!path.is_empty()).then_some(Spot { path, cell, line, column })
    }

    /// Reads a place that begins `text` and ends at `: `; gives what follows too.
    pub(super) fn parse_head(text: &'t str) -> Option<(Self, &'t str)> {
        text.match_indices(": ")
            .find_map(|(at, mark)| Some((Spot::parse(&text[..at])?, &text[at + mark.len()..])))
    }

    /// A finding here, as `said` has it: `CODE [*] message`, or `name: message` for syntax errors
    /// and, with `--preview`, for every rule. Text states no severity, and every finding fails
    /// the run.
    pub(super) fn finding<'a>(&self, said: &'a str) -> Finding<'a>
    where
        't: 'a,
    {
        let (code, message) = split_code(said);
        let message = message.strip_prefix("[*] ").unwrap_or(message);
        Finding {
            code: code.map(Cow::Borrowed),
            path: Some(Cow::Borrowed(self.path)),
            span: Span::at(self.line, self.column),
            cell: self.cell,
            ..Finding::new(Severity::Error, message)
        }
    }
}

fn split_code(said: &str) -> (Option<&str>, &str) {
    let Some((word, rest)) = said.split_once(' ') else { return (None, said) };
    if let Some(name) = word.strip_suffix(':') {
        let is_name = !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        return if is_name { (Some(name), rest) } else { (None, said) };
    }
    let digits = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let is_code = digits.len() < word.len()
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit());
    if is_code { (Some(word), rest) } else { (None, said) }
}

/// Whether `line` is what the text forms print about a run as a whole.
pub(super) fn is_summary(line: &str) -> bool {
    let line = line.strip_prefix("[*] ").unwrap_or(line);
    let counted = line.strip_prefix("Found ").unwrap_or(line);
    let counted = counted.starts_with(|c: char| c.is_ascii_digit()) && line.ends_with('.');
    line == "All checks passed!"
        || (line.starts_with("Found ") && counted && line.contains(" error"))
        || (counted && (line.contains(" fixable with ") || line.contains(" available with ")))
        || line.starts_with("No fixes available (")
        || line.starts_with("No errors fixed")
        || is_format_summary(line)
}

/// `2 files would be reformatted, 1 file already formatted`.
fn is_format_summary(line: &str) -> bool {
    line.split(", ").all(|part| {
        part.split_once(' ').is_some_and(|(count, rest)| {
            let rest = rest.strip_prefix("files").or(rest.strip_prefix("file"));
            count.bytes().all(|b| b.is_ascii_digit())
                && matches!(
                    rest,
                    Some(" would be reformatted" | " already formatted" | " left unchanged")
                )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_text() {
        let spot = |path, cell, line, column| Some(Spot { path, cell, line, column });
        assert_eq!(Spot::parse("a b/c:d.py:7:19"), spot("a b/c:d.py", None, 7, 19));
        assert_eq!(Spot::parse("x (1).ipynb:cell 3:1:8"), spot("x (1).ipynb", Some(3), 1, 8));
        assert_eq!(Spot::parse("a.py:7"), None);
        assert_eq!(
            Spot::parse_head("odd: name.py:1:2: F401 [*] `a: b`"),
            spot("odd: name.py", None, 1, 2).map(|spot| (spot, "F401 [*] `a: b`"))
        );
    }

    #[test]
    fn codes_of_text() {
        assert_eq!(split_code("F401 [*] `os`"), (Some("F401"), "[*] `os`"));
        assert_eq!(split_code("invalid-syntax: Expected"), (Some("invalid-syntax"), "Expected"));
        assert_eq!(split_code("SyntaxError: Expected"), (None, "SyntaxError: Expected"));
        assert_eq!(split_code("Undefined name"), (None, "Undefined name"));
    }

    #[test]
    fn summaries_are_known() {
        // All printed by 0.17.6.
        for line in [
            "All checks passed!",
            "Found 1 error.",
            "Found 3 errors (1 fixed, 2 remaining).",
            "[*] 7 fixable with `--fix` (4 unsafe fixes available with `--fix --unsafe-fixes`).",
            "1 unsafe fix available with `--fix --unsafe-fixes`.",
            "No errors fixed (1 fix available with `--unsafe-fixes`).",
            "2 files would be reformatted, 1 file already formatted",
        ] {
            assert!(is_summary(line), "{line}");
        }
        assert!(!is_summary("Found a.py"));
        assert!(!is_summary("2\tF401\t[*] unused-import"));
    }
}
