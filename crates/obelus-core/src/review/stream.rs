//! The strict reader of events: one JSON object a physical line, or the stream is rejected.
//!
//! A line ends at the byte 0x0A and nowhere else. Memory is bounded by the longest line.

use std::io::BufRead;

use obelus_record::StreamFaultKind;

use super::json::{NotObject, Object};

/// A line of more bytes ends the reading: there is no telling what a producer means that never
/// ends its line, and it would fill memory.
pub const LONGEST_LINE: usize = 64 << 20;

/// How many characters (Unicode scalar values) of a line are shown.
const SNIPPET: usize = 160;

/// Why nothing more is taken from a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// A line is not one JSON object: the stream is rejected.
    Rejected(StreamFault),
    /// A line is longer than [`LONGEST_LINE`].
    LineTooLong {
        /// Its physical number, from 1.
        line: u64,
    },
    /// The bytes can't be read.
    Unreadable {
        /// The physical line, from 1.
        line: u64,
        /// Why.
        error: String,
    },
}

/// The first line that is not one JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamFault {
    /// Its physical number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub kind: StreamFaultKind,
    /// At most 160 characters of it.
    pub snippet: String,
}

/// Reads a stream of events.
pub struct Events<R> {
    lines: Lines<R>,
}

impl<R: BufRead> Events<R> {
    /// Events of `reader`.
    pub fn new(reader: R) -> Self {
        Events { lines: Lines::new(reader) }
    }

    /// Hands the next event to `take`; false at the end of the stream.
    pub fn next(&mut self, take: impl FnOnce(&Object<'_>)) -> Result<bool, Broken> {
        loop {
            let Some(line) = self.lines.next()? else { return Ok(false) };
            if is_blank(line.bytes) {
                continue;
            }
            let object = match std::str::from_utf8(line.bytes) {
                Ok(text) => Object::parse(text),
                Err(_) => Err(NotObject::Invalid),
            };
            let kind = match object {
                Ok(object) => {
                    take(&object);
                    return Ok(true);
                }
                Err(NotObject::Invalid) => StreamFaultKind::InvalidJson,
                Err(NotObject::Other) => StreamFaultKind::NotAnObject,
            };
            let snippet = snippet(line.bytes);
            return Err(Broken::Rejected(StreamFault { line: line.number, kind, snippet }));
        }
    }
}

/// Reads physical lines.
pub struct Lines<R> {
    reader: R,
    number: u64,
    /// How much of the reader's own buffer the last line took.
    used: usize,
    /// A line that does not lie in the reader's own buffer as a whole.
    long: Vec<u8>,
}

/// A physical line without its LF.
#[derive(Clone, Copy, Debug)]
pub struct Line<'b> {
    /// Its number, from 1.
    pub number: u64,
    /// Its bytes; of the first line without a byte order mark.
    pub bytes: &'b [u8],
}

impl<R: BufRead> Lines<R> {
    /// Lines of `reader`.
    pub fn new(reader: R) -> Self {
        Lines { reader, number: 0, used: 0, long: Vec::new() }
    }

    /// The next line.
    #[expect(
        clippy::should_implement_trait,
        reason = "a line borrows from the reader, which an Iterator can't say"
    )]
    pub fn next(&mut self) -> Result<Option<Line<'_>>, Broken> {
        self.reader.consume(std::mem::take(&mut self.used));
        self.long.clear();
        let number = self.number + 1;
        let in_buffer = loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Err(Broken::Unreadable { line: number, error: error.to_string() });
                }
            };
            let end = memchr::memchr(b'\n', available);
            let length = end.unwrap_or(available.len());
            if self.long.len() + length > LONGEST_LINE {
                return Err(Broken::LineTooLong { line: number });
            }
            match end {
                Some(at) if self.long.is_empty() => {
                    self.used = at + 1;
                    break Some(at);
                }
                _ => {}
            }
            let at_end = available.is_empty();
            self.long.extend_from_slice(&available[..length]);
            self.reader.consume(length + usize::from(end.is_some()));
            if at_end && self.long.is_empty() {
                return Ok(None);
            }
            if at_end || end.is_some() {
                break None;
            }
        };
        self.number = number;
        let bytes = match in_buffer {
            // What was filled is still there: nothing was consumed since.
            Some(at) => match self.reader.fill_buf() {
                Ok(available) => &available[..at],
                Err(error) => {
                    return Err(Broken::Unreadable { line: number, error: error.to_string() });
                }
            },
            None => &self.long,
        };
        let bytes = match number {
            1 => bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes),
            _ => bytes,
        };
        Ok(Some(Line { number, bytes }))
    }
}

/// Whether a line is one of those that are skipped: nothing but space, tab and CR.
pub fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// At most 160 characters of a line, without one CR at its end and otherwise untouched.
pub fn snippet(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    // A character takes at most four bytes; one more keeps the cut behind the last that is shown.
    let head = &line[..line.len().min(4 * SNIPPET + 4)];
    String::from_utf8_lossy(head).chars().take(SNIPPET).collect()
}

#[cfg(test)]
mod tests;
