//! The text that defines matchers, and the places in it that are wrong.

use serde::Deserialize;
use serde_json::value::RawValue;
use thiserror::Error;

/// What is wrong with a problem matcher.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}, line {line}, column {column}: {message}")]
pub struct MatcherError {
    /// The file.
    file: String,
    /// The line, from 1.
    line: usize,
    /// The column, from 1, in code points.
    column: usize,
    /// What is wrong there.
    message: String,
}

/// A text that defines matchers.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub file: &'t str,
    pub text: &'t str,
}

impl<'t> Source<'t> {
    /// The one value of the text.
    pub(super) fn whole(&self) -> Result<&'t RawValue, MatcherError> {
        serde_json::from_str(self.text).map_err(|error| self.not_read(0, &error))
    }

    /// A part of the text as a `T`.
    pub(super) fn read<'r, T: Deserialize<'r>>(
        &self,
        raw: &'r RawValue,
    ) -> Result<T, MatcherError> {
        serde_json::from_str(raw.get()).map_err(|error| self.not_read(self.start(raw), &error))
    }

    fn not_read(&self, start: usize, error: &serde_json::Error) -> MatcherError {
        let inside = self.text.get(start..).unwrap_or_default();
        let before: usize =
            inside.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let text = error.to_string();
        let message = text.split(" at line ").next().unwrap_or(&text).to_owned();
        self.at(start + before + error.column().saturating_sub(1), message)
    }

    /// What is wrong `offset` bytes behind the start of `raw`.
    pub(super) fn error(&self, raw: &RawValue, offset: usize, message: String) -> MatcherError {
        self.at(self.start(raw) + offset, message)
    }

    /// Where in the text `raw` starts, which is a part of it.
    fn start(&self, raw: &RawValue) -> usize {
        let start = (raw.get().as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        if start <= self.text.len() { start } else { 0 }
    }

    fn at(&self, offset: usize, message: String) -> MatcherError {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        MatcherError {
            file: self.file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            message,
        }
    }
}

/// Whether a value is written with this character first: `{`, `[` or `"`.
pub(super) fn starts_with(raw: &RawValue, c: char) -> bool {
    raw.get().starts_with(c)
}

/// The byte of a written string (`"…"`) at which the byte `offset` of its value is written.
pub(super) fn raw_offset(raw: &str, offset: usize) -> usize {
    let (mut value, mut written) = (0, 1);
    while value < offset {
        let rest = raw.get(written..).unwrap_or_default();
        let Some(c) = rest.chars().next() else { break };
        let length = match (c, rest.as_bytes().get(1)) {
            ('\\', Some(b'u')) => 6,
            ('\\', _) => 2,
            (c, _) => c.len_utf8(),
        };
        value += if length == 6 { decoded(rest) } else { c.len_utf8() };
        written += length;
    }
    written
}

/// The length of the character that `\uXXXX` stands for; a half of a pair counts as half.
fn decoded(escape: &str) -> usize {
    let code = escape.get(2..6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match code {
        Some(0xD800..=0xDFFF) => 2,
        Some(code) => char::from_u32(code).map_or(1, char::len_utf8),
        None => 1,
    }
}
