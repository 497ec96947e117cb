//! Lines of a stream, with their physical numbers, read forward in bounded memory.

use std::borrow::Cow;
use std::io::BufRead;

use obelus_record::{Fault, FaultKind, Stream};
use serde::Deserialize;

/// A line longer than this rejects the stream: no checker prints one, and it would fill memory.
const LONGEST_LINE: usize = 256 << 20;

/// How many characters of a line are shown to people.
const SNIPPET: usize = 160;

/// The first 160 characters of `bytes`, as text, without line ends and control characters.
pub fn snippet(bytes: &[u8]) -> String {
    // A code point takes at most four bytes; one more shows that there is more.
    let head = &bytes[..bytes.len().min(4 * SNIPPET)];
    String::from_utf8_lossy(head)
        .trim_end_matches(['\r', '\n'])
        .chars()
        .map(|c| if c.is_control() { '\u{FFFD}' } else { c })
        .take(SNIPPET)
        .collect()
}

/// The fault of a stream that could not be read.
pub fn unreadable(stream: Stream, line: u64, error: &std::io::Error) -> Fault {
    Fault {
        stream,
        line,
        kind: FaultKind::Unreadable,
        snippet: String::new(),
        detail: error.to_string(),
    }
}

/// Reads a stream line by line.
pub struct Lines<'a> {
    reader: &'a mut dyn BufRead,
    stream: Stream,
    cut: bool,
    number: u64,
    buffer: Vec<u8>,
    plain: Vec<u8>,
}

impl<'a> Lines<'a> {
    /// Lines of `reader`, which is `stream`. Where the run was `cut` off, a last line without a
    /// line end is not read.
    pub fn new(reader: &'a mut dyn BufRead, stream: Stream, cut: bool) -> Self {
        Lines { reader, stream, cut, number: 0, buffer: Vec::new(), plain: Vec::new() }
    }

    /// The next line, without its line end (LF or CRLF) and without colour sequences.
    #[expect(
        clippy::should_implement_trait,
        reason = "a line borrows from the reader, which an Iterator can't say"
    )]
    pub fn next(&mut self) -> Result<Option<Line<'_>>, Fault> {
        self.buffer.clear();
        self.read_line()?;
        if self.buffer.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let ended = self.buffer.last() == Some(&b'\n');
        if ended {
            self.buffer.pop();
            if self.buffer.last() == Some(&b'\r') {
                self.buffer.pop();
            }
        } else if self.cut {
            return Ok(None);
        }
        let bytes = if memchr::memchr(0x1B, &self.buffer).is_some() {
            self.plain.clear();
            strip_escapes(&self.buffer, &mut self.plain);
            &self.plain
        } else {
            &self.buffer
        };
        Ok(Some(Line { stream: self.stream, number: self.number, bytes, ended }))
    }

    fn read_line(&mut self) -> Result<(), Fault> {
        loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(unreadable(self.stream, self.number + 1, &error)),
            };
            let (used, ended) = match memchr::memchr(b'\n', available) {
                Some(at) => (at + 1, true),
                None => (available.len(), available.is_empty()),
            };
            self.buffer.extend_from_slice(&available[..used]);
            self.reader.consume(used);
            if ended {
                return Ok(());
            }
            if self.buffer.len() > LONGEST_LINE {
                return Err(Fault {
                    stream: self.stream,
                    line: self.number + 1,
                    kind: FaultKind::WrongShape,
                    snippet: snippet(&self.buffer),
                    detail: format!("the line is longer than {} MB", LONGEST_LINE >> 20),
                });
            }
        }
    }
}

/// One line of a stream.
#[derive(Clone, Copy, Debug)]
pub struct Line<'b> {
    /// The stream.
    pub stream: Stream,
    /// The physical number, from 1.
    pub number: u64,
    /// The bytes, without line end and colour sequences.
    pub bytes: &'b [u8],
    /// Whether a line end follows; only a stream's last line has none.
    pub ended: bool,
}

impl<'b> Line<'b> {
    /// The line as text; what is not UTF-8 becomes replacement characters.
    pub fn text(&self) -> Cow<'b, str> {
        String::from_utf8_lossy(self.bytes)
    }

    /// Whether there is nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }

    /// The line as one JSON object of type `T`, strictly.
    pub fn json<T: Deserialize<'b>>(&self) -> Result<T, Fault> {
        // A derived struct would also take an array; an object begins with a brace.
        if self.bytes.trim_ascii_start().first() != Some(&b'{') {
            return Err(super::json::fault_of_line(self, ""));
        }
        super::json::from_bytes(self.bytes)
            .map_err(|error| super::json::fault_of_line(self, &error.to_string()))
    }
}

/// Copies `bytes` to `plain` without terminal escape sequences: CSI (`ESC [ … letter`), OSC
/// (`ESC ] … BEL` or `ESC ] … ESC \`, as in hyperlinks), charset selection (`ESC ( B`, which mypy
/// prints) and reset (`ESC c`, by which a watching tsc clears the screen).
pub fn strip_escapes(bytes: &[u8], plain: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(0x1B, rest) {
        plain.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        rest = match rest {
            [b'[', tail @ ..] => {
                let end = tail.iter().position(|b| (0x40..=0x7E).contains(b));
                &tail[end.map_or(tail.len(), |end| end + 1)..]
            }
            [b']', tail @ ..] => match memchr::memchr2(0x07, 0x1B, tail) {
                Some(end) if tail[end] == 0x07 => &tail[end + 1..],
                Some(end) => &tail[(end + 2).min(tail.len())..],
                None => &[],
            },
            [b'(' | b')', _, tail @ ..] => tail,
            [b'c', tail @ ..] => tail,
            tail => tail,
        };
    }
    plain.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8], cut: bool) -> Vec<(u64, String, bool)> {
        let mut reader = text;
        let mut lines = Lines::new(&mut reader, Stream::Stdout, cut);
        let mut out = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            out.push((line.number, line.text().into_owned(), line.ended));
        }
        out
    }

    #[test]
    fn line_ends_are_removed_and_lines_numbered() {
        assert_eq!(
            all(b"a\r\n\nb", false),
            [(1, "a".into(), true), (2, String::new(), true), (3, "b".into(), false)]
        );
    }

    #[test]
    fn the_last_line_of_a_cut_stream_is_not_read_without_its_end() {
        assert_eq!(all(b"a\nb", true), [(1, "a".into(), true)]);
        assert_eq!(all(b"a\nb\n", true).len(), 2);
    }

    #[test]
    fn colours_links_and_charsets_are_removed() {
        assert_eq!(
            all(b"\x1b[1m\x1b[31merror\x1b(B\x1b[m \x1b]8;;http://x\x1b\\E1\x1b]8;;\x07!\n", false)
                [0]
            .1,
            "error E1!"
        );
    }

    #[test]
    fn a_snippet_is_short_and_has_no_control_characters() {
        assert_eq!(snippet("é\x07\n".as_bytes()), "é\u{FFFD}");
        assert_eq!(snippet("é".repeat(500).as_bytes()).chars().count(), 160);
    }
}
