//! Source lines for excerpts: read once, decoded so that a character is a column, cut where a
//! line is too long to be printed.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::text;
use crate::notebook::Notebook;
use crate::{LineEnds, SourceText, Sources};

/// How many bytes of sources are kept before they are read anew.
const KEPT: usize = 32 << 20;

/// A file, or a cell of it, and how its lines end.
type Key = (Arc<str>, Option<u32>, LineEnds);

/// The files of a repository, cut into lines, each read once.
pub struct Texts<'a> {
    sources: &'a dyn Sources,
    known: FxHashMap<Key, Option<Rc<SourceText>>>,
    kept: usize,
    /// The notebook that was read last.
    notebook: Option<(Arc<str>, Option<Notebook>)>,
}

impl<'a> Texts<'a> {
    /// The files of `sources`.
    pub fn new(sources: &'a dyn Sources) -> Self {
        Texts { sources, known: FxHashMap::default(), kept: 0, notebook: None }
    }

    /// The lines of `path`, or of a cell of it, if it is a notebook; nothing if it can't be read or
    /// lies outside the repository.
    pub fn of(
        &mut self,
        path: &Arc<str>,
        cell: Option<u32>,
        ends: LineEnds,
    ) -> Option<Rc<SourceText>> {
        if is_outside(path) {
            return None;
        }
        let key = (Arc::clone(path), cell, ends);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if self.kept > KEPT {
            self.known.clear();
            self.kept = 0;
        }
        let bytes = match cell {
            None => self.sources.read(path),
            Some(cell) => self.cell(path, cell),
        };
        self.kept += bytes.as_ref().map_or(0, |bytes| bytes.len());
        let text = bytes.map(|bytes| Rc::new(SourceText::new(bytes, ends)));
        self.known.insert(key, text.clone());
        text
    }

    /// What a cell of a notebook holds.
    fn cell(&mut self, path: &Arc<str>, number: u32) -> Option<Arc<[u8]>> {
        let known = self.notebook.take().filter(|(known, _)| known == path);
        let read = || self.sources.read(path).and_then(|bytes| Notebook::read(&bytes));
        let (_, notebook) =
            self.notebook.insert(known.unwrap_or_else(|| (Arc::clone(path), read())));
        let cell = notebook.as_ref()?.cell(number)?;
        Some(Arc::from(cell.text().as_bytes()))
    }
}

/// Whether a record's path leads out of the repository: such a path is absolute.
pub fn is_outside(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.as_bytes().get(1) == Some(&b':')
}

/// A source line whose characters are counted once, however many findings lie on it.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    bytes: &'a [u8],
    /// How many code points it has; bytes that are not UTF-8 count one each, as in normalising.
    length: usize,
}

impl<'a> Line<'a> {
    /// The line that `bytes` are, without its end.
    pub fn new(bytes: &'a [u8]) -> Self {
        let of_chunk =
            |chunk: std::str::Utf8Chunk<'_>| chunk.valid().chars().count() + chunk.invalid().len();
        let length = match bytes.is_ascii() {
            true => bytes.len(),
            false => bytes.utf8_chunks().map(of_chunk).sum(),
        };
        Line { bytes, length }
    }

    /// The characters from `column` on: up to `end_column`, else to the end of the word that
    /// starts there; at most `limit`.
    pub fn pointed_at(self, column: u32, end_column: Option<u32>, limit: usize) -> String {
        let from = column.saturating_sub(1) as usize;
        let to = end_column.map_or(usize::MAX, |end| end.saturating_sub(1) as usize);
        let mut pointed = String::new();
        self.push(&mut pointed, from..to.min(from + limit));
        if end_column.is_none() {
            pointed.truncate(word_length(&pointed));
        }
        pointed
    }

    /// Appends the code points `range` to `text`, made visible; tabs stay.
    fn push(self, text: &mut String, range: Range<usize>) {
        let shown = |c| if c == '\t' { c } else { text::visible(c) };
        let range = range.start.min(self.length)..range.end.min(self.length);
        if self.length == self.bytes.len() && self.bytes[range.clone()].is_ascii() {
            // As many bytes as code points: each byte is one, be it ASCII or no UTF-8.
            text.extend(self.bytes[range].iter().map(|&byte| shown(char::from(byte))));
            return;
        }
        let points = self.bytes.utf8_chunks().flat_map(|chunk| {
            let invalid = chunk.invalid().iter().map(|_| '\u{FFFD}');
            chunk.valid().chars().chain(invalid)
        });
        text.extend(points.skip(range.start).take(range.len()).map(shown));
    }
}

/// A source line, or the part of it around a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    text: String,
    /// The code points of the line that are shown.
    shown: Range<usize>,
    /// How many code points the line has.
    length: usize,
}

impl Piece {
    /// The whole of `line` if it has at most `limit` characters, else `limit` of them, of which a
    /// third stands before `column`.
    pub fn around(line: Line<'_>, column: Option<u32>, limit: usize) -> Piece {
        let length = line.length;
        let shown = if length <= limit {
            0..length
        } else {
            let column = column.map_or(0, |column| column.saturating_sub(1) as usize);
            let from = column.saturating_sub(limit / 3).min(length - limit);
            from..from + limit
        };
        let mut text = String::new();
        if shown.start > 0 {
            text.push('…');
        }
        line.push(&mut text, shown.clone());
        if shown.end < length {
            text.push('…');
        }
        Piece { text, shown, length }
    }

    /// What is printed, with `…` where something is left out.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether something is left out.
    pub fn is_cut(&self) -> bool {
        self.shown.len() < self.length
    }

    /// How many characters the line itself has.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether the character at `column` is among what is shown.
    pub fn shows(&self, column: u32) -> bool {
        self.shown.contains(&(column.saturating_sub(1) as usize))
    }

    /// The byte of [`Piece::text`] at which `column` lies, which may be just behind the line's end;
    /// the nearest shown one, if it is left out. Nothing if the line is shorter.
    pub fn offset(&self, column: u32) -> Option<usize> {
        let point = column.checked_sub(1)? as usize;
        if point > self.length {
            return None;
        }
        let ellipsis = usize::from(self.shown.start > 0);
        let steps = point.clamp(self.shown.start, self.shown.end) - self.shown.start + ellipsis;
        Some(self.text.char_indices().nth(steps).map_or(self.text.len(), |(at, _)| at))
    }
}

/// The length in bytes of the word, or else of the one character, that `text` starts with.
pub fn word_length(text: &str) -> usize {
    let in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    match text.find(|c| !in_word(c)) {
        Some(0) => text.chars().next().map_or(0, char::len_utf8),
        Some(end) => end,
        None => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_line_is_whole() {
        let piece = Piece::around(Line::new("\té🙂x".as_bytes()), Some(4), 10);
        assert_eq!((piece.text(), piece.is_cut()), ("\té🙂x", false));
        assert_eq!(piece.offset(4), Some(7));
        assert_eq!((piece.offset(5), piece.offset(6)), (Some(8), None));
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides() {
        let line = "é".repeat(500) + "X" + &"ü".repeat(500);
        let piece = Piece::around(Line::new(line.as_bytes()), Some(501), 9);
        assert_eq!(piece.text(), "…éééXüüüüü…");
        let at = piece.offset(501).unwrap();
        assert!(piece.text()[at..].starts_with('X'));
        assert_eq!(&piece.text()[piece.offset(1).unwrap()..][..2], "é");
        assert!(piece.text()[piece.offset(1001).unwrap()..].starts_with('…'));
    }

    #[test]
    fn a_byte_that_is_not_utf_8_is_one_column() {
        let piece = Piece::around(Line::new(b"a\xFF\xFEb"), None, 10);
        assert_eq!(piece.text(), "a\u{FFFD}\u{FFFD}b");
        assert_eq!(piece.offset(4), Some(7));
    }

    #[test]
    fn what_is_pointed_at() {
        assert_eq!(Line::new(b"let total = 1;").pointed_at(5, None, 40), "total");
        assert_eq!(Line::new(b"let total = 1;").pointed_at(5, Some(12), 40), "total =");
        assert_eq!(Line::new(b"(x)").pointed_at(1, None, 40), "(");
        assert_eq!(Line::new(b"(x)").pointed_at(9, None, 40), "");
    }

    #[test]
    fn an_absolute_path_is_outside() {
        assert!(is_outside("/usr/include/stdio.h") && is_outside("C:/a.h"));
        assert!(!is_outside("src/a.h"));
    }
}
