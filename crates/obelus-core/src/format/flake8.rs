//! What the forms of flake8's output share.

use obelus_record::Severity;

use crate::{Finding, Positions, Span, Unit};

/// Lines and columns from 1; the column's unit depends on the code.
pub(super) const POSITIONS: Positions = Positions::one_based(Unit::CodePoints);

/// A finding. flake8 states no severity, and every finding fails the run. Line 0 means that the
/// file could not be read.
pub(super) fn finding<'a>(
    path: &'a str,
    span: Span,
    code: &'a str,
    message: &'a str,
) -> Option<Finding<'a>> {
    let letters = code.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_code = !letters.is_empty()
        && letters.len() < code.len()
        && letters.bytes().all(|b| b.is_ascii_uppercase());
    // pycodestyle (E and W) counts characters; pyflakes and plugins take the column of Python's
    // `ast`, which counts UTF-8 bytes (seen with 7.5.0, both on one line).
    let unit = if matches!(letters, "E" | "W") { Unit::CodePoints } else { Unit::Bytes };
    is_code.then(|| Finding {
        code: Some(code.into()),
        path: Some(path.into()),
        span,
        positions: Some(Positions { unit, ..POSITIONS }),
        ..Finding::new(Severity::Error, message)
    })
}

/// Whether `line` is what `--count` and `--statistics` add: a number, or a number, a code and an
/// example of its message.
pub(super) fn is_statistics(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let counted = words.next().is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()));
    counted && words.next().is_none_or(|code| finding("a", Span::None, code, "").is_some())
}
