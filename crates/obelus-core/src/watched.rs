//! What a tool says beside its findings, noted while somebody else reads the stream.

use std::io::BufRead;

use obelus_record::{Fault, FaultKind, Stream};

use crate::checker::Fatal;
use crate::format::lines::snippet;

/// A stream that is watched while it is read: for the words by which a tool says that it failed,
/// and for its last line.
pub struct Watched<'a> {
    inner: &'a mut dyn BufRead,
    stream: Stream,
    rules: Vec<&'a Fatal>,
    line: Vec<u8>,
    /// What the first of the words that were looked for means, with the line.
    pub fatal: Option<String>,
    /// The first line.
    pub first: Option<String>,
    /// How many lines there are; blank ones don't count.
    pub count: u64,
    /// The first line that calls itself an error.
    pub telling: Option<String>,
    /// The last line.
    pub last: Option<String>,
}

/// More of a line than this is not watched.
const WATCHED_LINE: usize = 64 << 10;

impl<'a> Watched<'a> {
    /// Watches `inner`, which is `stream`, for the words of `rules`.
    pub fn new(inner: &'a mut dyn BufRead, stream: Stream, rules: &'a [Fatal]) -> Self {
        let rules = rules.iter().filter(|rule| rule.stream == stream).collect();
        Watched {
            inner,
            stream,
            rules,
            line: Vec::new(),
            fatal: None,
            first: None,
            count: 0,
            telling: None,
            last: None,
        }
    }

    /// Whether anything is to be learnt here, so that looking at each line is worth its time.
    fn watching(&self) -> bool {
        self.stream == Stream::Stderr || !self.rules.is_empty()
    }

    /// Reads what is left, for its words alone.
    pub fn finish(&mut self) -> Option<Fault> {
        while self.watching() {
            match self.fill_buf().map(<[u8]>::len) {
                Ok(0) => {
                    self.end_of_line();
                    return None;
                }
                Ok(n) => self.consume(n),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Some(Fault {
                        stream: self.stream,
                        line: 1,
                        kind: FaultKind::Unreadable,
                        snippet: String::new(),
                        detail: error.to_string(),
                    });
                }
            }
        }
        None
    }

    fn watch(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.keep(&bytes[..end]);
            self.end_of_line();
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = WATCHED_LINE.saturating_sub(self.line.len());
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end_of_line(&mut self) {
        if self.fatal.is_none() {
            let hit = self
                .rules
                .iter()
                .find(|rule| memchr::memmem::find(&self.line, rule.text.as_bytes()).is_some());
            self.fatal = hit.map(|rule| format!("{}: {:?}", rule.reason, plain(&self.line)));
        }
        if !self.line.trim_ascii().is_empty() {
            let line = plain(&self.line);
            self.count += 1;
            self.first.get_or_insert_with(|| line.clone());
            if self.telling.is_none() && calls_itself_an_error(&line) {
                self.telling = Some(line.clone());
            }
            self.last = Some(line);
        }
        self.line.clear();
    }
}

/// Whether a line begins as programs begin to say why they fail: `error: …`, `TypeError: …`,
/// `fatal: …`, `mypy: error: …`.
fn calls_itself_an_error(line: &str) -> bool {
    line.split(": ").take(2).any(|word| {
        let name = word.split(['[', '(']).next().unwrap_or_default();
        !name.contains(' ')
            && ["rror", "fatal", "Exception", "panic"].iter().any(|end| name.ends_with(end))
    })
}

/// A line for people: short, without colours.
fn plain(line: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(line.len());
    crate::format::lines::strip_escapes(line, &mut bytes);
    snippet(bytes.trim_ascii())
}

impl std::io::Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let available = self.fill_buf()?;
        let n = available.len().min(buffer.len());
        buffer[..n].copy_from_slice(&available[..n]);
        self.consume(n);
        Ok(n)
    }

    /// What nobody watches goes where it is wanted without a copy.
    fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> std::io::Result<usize> {
        if !self.watching() {
            return self.inner.read_to_end(buffer);
        }
        let before = buffer.len();
        loop {
            let n = match self.fill_buf() {
                Ok([]) => return Ok(buffer.len() - before),
                Ok(available) => {
                    buffer.extend_from_slice(available);
                    available.len()
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => 0,
                Err(error) => return Err(error),
            };
            self.consume(n);
        }
    }
}

impl BufRead for Watched<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        if n > 0 && self.watching() {
            // What is consumed was filled before, so this reads nothing.
            if let Ok(bytes) = self.inner.fill_buf() {
                let seen = bytes[..n.min(bytes.len())].to_vec();
                self.watch(&seen);
            }
        }
        self.inner.consume(n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_tells_most_is_the_first_that_calls_itself_an_error() {
        for line in [
            "error: failed to load manifest",
            "error[E0308]: mismatched types",
            "TypeError: x is not a function",
            "fatal: not a git repository",
            "mypy: error: unrecognized arguments",
            "json.decoder.JSONDecodeError: Expecting value",
        ] {
            assert!(calls_itself_an_error(line), "{line}");
        }
        for line in ["warning: 2 errors", "    at Error (x.js)", "an error: here", "done"] {
            assert!(!calls_itself_an_error(line), "{line}");
        }
    }

    #[test]
    fn what_a_stream_says_is_noted_while_somebody_else_reads_it() {
        let rules = [Fatal {
            stream: Stream::Stderr,
            text: "INTERNAL".to_owned(),
            reason: "it crashed".to_owned(),
        }];
        let mut bytes: &[u8] = b"one\n\x1b[31merror\x1b[0m: two\nINTERNAL: three\n\nfour";
        let mut watched = Watched::new(&mut bytes, Stream::Stderr, &rules);
        let mut first = String::new();
        watched.read_line(&mut first).unwrap();
        assert_eq!(first, "one\n");
        assert!(watched.finish().is_none());
        assert_eq!(watched.telling.as_deref(), Some("error: two"));
        assert_eq!(watched.last.as_deref(), Some("four"));
        assert_eq!(watched.fatal.as_deref(), Some("it crashed: \"INTERNAL: three\""));
    }
}
