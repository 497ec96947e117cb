//! The files of the repository, as far as core may know them.

use std::sync::Arc;

use crate::LineEnds;

/// Read access to the files of a repository; paths are relative to its root, with forward slashes.
pub trait Sources {
    /// The bytes of a file, or nothing if it can't be read.
    fn read(&self, path: &str) -> Option<Arc<[u8]>>;

    /// Whether there is such a file.
    fn exists(&self, path: &str) -> bool;

    /// The one file whose path ends in `/` and `tail`; nothing if there are none or several.
    fn ending_in(&self, tail: &str) -> Option<String>;

    /// Every file of the repository that is not ignored, in no order; nothing where there are more
    /// than `most` of them, or where they can't be told.
    fn paths(&self, _most: usize) -> Option<Vec<String>> {
        None
    }

    /// Where the files lie, as an absolute path, for outputs that name files by whole addresses.
    fn root(&self) -> Option<String> {
        None
    }
}

/// No files at all.
pub struct NoSources;

impl Sources for NoSources {
    fn read(&self, _path: &str) -> Option<Arc<[u8]>> {
        None
    }

    fn exists(&self, _path: &str) -> bool {
        false
    }

    fn ending_in(&self, _tail: &str) -> Option<String> {
        None
    }
}

/// A text cut into lines, for looking up places. A byte order mark at its start is left out.
#[derive(Clone, Debug)]
pub struct SourceText {
    bytes: Arc<[u8]>,
    /// Offset of the first byte that counts: 3 behind a byte order mark, else 0.
    start: usize,
    /// Offsets of the lines' first bytes.
    lines: Vec<usize>,
}

/// Bytes of a usual line, for knowing how many there may be.
const USUAL_LINE: usize = 32;

impl SourceText {
    /// Cuts `bytes` into lines.
    pub fn new(bytes: Arc<[u8]>, ends: LineEnds) -> Self {
        let start = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let mut lines = Vec::with_capacity(bytes.len() / USUAL_LINE + 1);
        lines.push(start);
        match ends {
            LineEnds::Usual => {
                lines.extend(memchr::memchr_iter(b'\n', &bytes[start..]).map(|i| start + i + 1));
            }
            LineEnds::EcmaScript => {
                let mut at = start;
                // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
                while let Some(i) = memchr::memchr3(b'\n', b'\r', 0xE2, &bytes[at..]) {
                    let rest = &bytes[at + i..];
                    let width = match rest {
                        [b'\r', b'\n', ..] => 2,
                        [b'\n' | b'\r', ..] => 1,
                        [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
                        _ => 0,
                    };
                    if width > 0 {
                        lines.push(at + i + width);
                    }
                    at += i + width.max(1);
                }
            }
        }
        SourceText { bytes, start, lines }
    }

    /// How many lines there are; a text that ends with a line end has an empty last line.
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// The bytes of line `number`, counted from 1, without its line end.
    pub fn line(&self, number: u32) -> Option<&[u8]> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        let (_, mut line) = self.line_with_end(index)?;
        for end in [&b"\r\n"[..], b"\n", b"\r", b"\xE2\x80\xA8", b"\xE2\x80\xA9"] {
            // Only the last line has no end of its own.
            if index + 1 < self.lines.len() && line.ends_with(end) {
                line = &line[..line.len() - end.len()];
                break;
            }
        }
        Some(line)
    }

    /// The bytes of the line with an index, from 0, with its line end, and the offset (without byte
    /// order mark) of the first of them.
    pub fn line_with_end(&self, index: usize) -> Option<(usize, &[u8])> {
        let from = *self.lines.get(index)?;
        let to = self.lines.get(index + 1).copied().unwrap_or(self.bytes.len());
        Some((from - self.start, &self.bytes[from..to]))
    }

    /// The text without its byte order mark.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// The line, from 1, in which the byte at `offset` (without byte order mark) lies, and the
    /// offset of that line's first byte.
    pub fn line_at(&self, offset: usize) -> Option<(u32, usize)> {
        if offset > self.bytes().len() {
            return None;
        }
        let index =
            self.lines.partition_point(|&first| first <= self.start + offset).checked_sub(1)?;
        Some((u32::try_from(index + 1).ok()?, self.lines[index] - self.start))
    }
}
