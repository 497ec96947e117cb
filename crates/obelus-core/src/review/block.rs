//! The block of findings in the text of one message.
//!
//! A marker at the start of a line, outside code fences, then one JSON value. Where the value ends
//! the grammar of JSON says, never a fence: findings quote fences.

use obelus_record::ReviewFinding;

use super::finding;
use super::json::Value;

/// The marker where the caller chose none.
pub const DEFAULT_MARKER: &str = "FINDINGS:";

/// What became of the block of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// There is none.
    Absent,
    /// There is one that is broken, or there are several that differ; why.
    Malformed(String),
    /// There is one, perhaps repeated.
    Complete(Vec<ReviewFinding>),
}

/// Reads the block of a message.
pub fn read(text: &str, marker: &str) -> Block {
    let mut scan = Scan { text, marker, at: 0, fence: Fence::None };
    let mut found: Option<Vec<ReviewFinding>> = None;
    while let Some(behind) = scan.next_marker() {
        let findings = match scan.take_value(behind) {
            Some(value) => finding::list(value),
            None => Err("no whole JSON value follows the marker".to_owned()),
        };
        match (findings, &found) {
            (Err(why), _) => return Block::Malformed(why),
            (Ok(findings), None) => found = Some(findings),
            (Ok(findings), Some(first)) if findings == *first => {}
            (Ok(_), Some(_)) => {
                return Block::Malformed("one message holds blocks that differ".to_owned());
            }
        }
    }
    found.map_or(Block::Absent, Block::Complete)
}

/// Whether the first line of `part` is a marker's.
pub fn begins_with_marker(part: &str, marker: &str) -> bool {
    part.starts_with(marker)
        && behind_marker(part.split('\n').next().unwrap_or(part), marker).is_some()
}

/// What stands behind the marker in a line that is the marker's: white space, and perhaps the start
/// of the value or of a fence around it.
fn behind_marker<'t>(line: &'t str, marker: &str) -> Option<&'t str> {
    let rest = line.strip_prefix(marker)?;
    let value = rest.trim();
    let begins_value = value.is_empty()
        || value.starts_with(['[', '{'])
        || value.starts_with("```")
        || is_scalar(value);
    begins_value.then_some(rest)
}

/// Whether the text is a JSON value that is no list, as in `FINDINGS: null`.
fn is_scalar(text: &str) -> bool {
    Value::prefix(text).is_some_and(|(_, length)| length == text.len())
}

/// A code fence around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fence {
    None,
    /// What stands in it is quoted.
    Quoted {
        character: u8,
        length: usize,
    },
    /// The one around a block's value, which should have ended with it. Until it does, a line may
    /// be another marker's: no block is overlooked because a fence was left open.
    Block {
        length: usize,
    },
}

struct Scan<'t> {
    text: &'t str,
    marker: &'t str,
    at: usize,
    fence: Fence,
}

impl<'t> Scan<'t> {
    /// Just behind the next marker.
    fn next_marker(&mut self) -> Option<usize> {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let line = match memchr::memchr(b'\n', rest.as_bytes()) {
                Some(end) => &rest[..end],
                None => rest,
            };
            let start = self.at;
            self.at = (start + line.len() + 1).min(self.text.len());
            match self.fence {
                Fence::Quoted { character, length } => {
                    if closes(line, character, length) {
                        self.fence = Fence::None;
                    }
                    continue;
                }
                Fence::Block { length } if closes(line, b'`', length) => {
                    self.fence = Fence::None;
                    continue;
                }
                Fence::Block { .. } | Fence::None => {}
            }
            if behind_marker(line, self.marker).is_some() {
                return Some(start + self.marker.len());
            }
            if self.fence == Fence::None {
                self.fence = opening(line);
            }
        }
        None
    }

    /// The value behind a marker; the scan goes on behind it.
    fn take_value(&mut self, behind: usize) -> Option<Value<'t>> {
        let text = self.text;
        let mut rest = text[behind..].trim_start();
        let ticks = run(rest, b'`');
        if ticks >= 3 {
            rest = rest[ticks..].trim_start_matches([' ', '\t']);
            rest = rest.strip_prefix("json").unwrap_or(rest).trim_start();
        }
        let (value, length) = Value::prefix(rest)?;
        let rest = &rest[length..];
        self.fence = Fence::None;
        let mut next = rest;
        if ticks >= 3 {
            let closing = rest.trim_start();
            match run(closing, b'`') >= ticks {
                true => next = closing,
                false => self.fence = Fence::Block { length: ticks },
            }
        }
        // What is left of the line is behind the block, and no marker's line.
        let line_end = memchr::memchr(b'\n', next.as_bytes()).map_or(next.len(), |end| end + 1);
        self.at = text.len() - next.len() + line_end;
        Some(value)
    }
}

/// How often `character` stands at the start of `text`.
fn run(text: &str, character: u8) -> usize {
    text.bytes().take_while(|&byte| byte == character).count()
}

/// The line without at most three spaces before it.
fn outdented(line: &str) -> Option<&str> {
    let spaces = run(line, b' ');
    (spaces <= 3).then(|| &line[spaces..])
}

/// The fence that a line opens. As in Markdown, a line with more backticks behind them is code
/// within a line.
fn opening(line: &str) -> Fence {
    let Some(line) = outdented(line) else { return Fence::None };
    for character in [b'`', b'~'] {
        let length = run(line, character);
        if length >= 3 && (character == b'~' || !line[length..].contains('`')) {
            return Fence::Quoted { character, length };
        }
    }
    Fence::None
}

/// Whether a line closes a fence of `length` times `character`.
fn closes(line: &str, character: u8, length: usize) -> bool {
    outdented(line).is_some_and(|line| {
        let closing = run(line, character);
        closing >= length && line[closing..].trim().is_empty()
    })
}

#[cfg(test)]
mod tests;
