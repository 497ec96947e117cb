//! A file as lines and tokens that can be compared whatever their white space.

use std::cell::{Cell, OnceCell};
use std::hash::Hasher;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHasher;

use crate::{LineEnds, SourceText};

/// A file of one side. Lines count from 1.
pub(crate) struct Text {
    source: SourceText,
    /// By line: the hash of the line without its white space at both ends, inner runs of it as one;
    /// [`UNKNOWN`] where nobody has asked. Of most files few are asked for.
    hashes: OnceCell<Box<[Cell<u64>]>>,
}

const UNKNOWN: u64 = u64::MAX;

/// Towards the start of a file, or towards its end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Direction {
    Up,
    Down,
}

/// A word, or one other visible character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// Column of its first code point, from 1.
    pub column: u32,
    /// How many code points it has.
    pub width: u32,
    /// Equal for equal tokens.
    pub hash: u64,
    /// Whether it is a word and not a sign.
    pub is_word: bool,
}

impl Text {
    pub fn new(bytes: Arc<[u8]>) -> Self {
        Text { source: SourceText::new(bytes, LineEnds::Usual), hashes: OnceCell::new() }
    }

    pub fn bytes(&self) -> &[u8] {
        self.source.bytes()
    }

    pub fn line_count(&self) -> u32 {
        self.source.line_count()
    }

    /// A line without its end; empty where there is no such line.
    pub fn line(&self, number: u32) -> &[u8] {
        self.source.line(number).unwrap_or_default()
    }

    /// Lines with their ends, from the first to before the last of `numbers`.
    pub fn lines(&self, numbers: Range<u32>) -> &[u8] {
        let start = |number: u32| {
            let index = (number as usize).saturating_sub(1);
            self.source.line_with_end(index).map_or(self.bytes().len(), |(at, _)| at)
        };
        self.bytes().get(start(numbers.start)..start(numbers.end)).unwrap_or_default()
    }

    /// The number of the line in which the byte at `offset` lies, from 1.
    pub fn line_at(&self, offset: usize) -> u32 {
        self.source.line_at(offset).map_or(1, |(line, _)| line)
    }

    /// The hash of a line without regard to white space; 0 for a blank one.
    pub fn hash(&self, number: u32) -> u64 {
        let hashes =
            self.hashes.get_or_init(|| vec![Cell::new(UNKNOWN); self.line_count() as usize].into());
        let Some(known) = hashes.get((number as usize).wrapping_sub(1)) else { return 0 };
        if known.get() == UNKNOWN {
            known.set(line_hash(self.line(number)));
        }
        known.get()
    }

    /// The same of a line for which nobody asks again: nothing is remembered.
    pub fn hash_once(&self, number: u32) -> u64 {
        line_hash(self.line(number))
    }

    /// How much a line says: its letters and digits.
    pub fn weight(&self, number: u32) -> u32 {
        let says = |&&byte: &&u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        u32::try_from(self.line(number).iter().filter(says).count()).unwrap_or(u32::MAX)
    }

    /// Whether a line says at least so much.
    pub fn says(&self, number: u32, least: u32) -> bool {
        let says = |&&byte: &&u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        self.line(number).iter().filter(says).take(least as usize).count() == least as usize
    }

    /// How far a line is indented: its leading white space, in bytes.
    fn indent(&self, number: u32) -> usize {
        self.line(number).iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    /// The line that opens the block in which line `number` stands: the nearest above that is
    /// indented less and says something.
    pub fn header(&self, number: u32) -> Option<u32> {
        let indent = self.indent(number);
        let above = (1..number).rev().take(LONGEST_BLOCK);
        above.into_iter().find(|&line| self.says(line, 3) && self.indent(line) < indent)
    }

    /// The lines of the block that line `header` opens: those below it that are indented more.
    pub fn block(&self, header: u32) -> Range<u32> {
        let indent = self.indent(header);
        let outside =
            |&line: &u32| self.indent(line) <= indent && !self.line(line).trim_ascii().is_empty();
        let last = self.line_count().min(header.saturating_add(LONGEST_BLOCK as u32));
        let end = (header + 1..=last).find(outside).unwrap_or(last + 1);
        header..end
    }

    /// The next line that is not blank.
    pub fn next(&self, number: u32, direction: Direction) -> Option<u32> {
        let mut at = number;
        loop {
            at = match direction {
                Direction::Up => at.checked_sub(1).filter(|&at| at > 0)?,
                Direction::Down => Some(at + 1).filter(|&at| at <= self.line_count())?,
            };
            if !self.line(at).trim_ascii().is_empty() {
                return Some(at);
            }
        }
    }

    pub fn tokens(&self, number: u32) -> Vec<Token> {
        tokens(self.line(number))
    }
}

/// Lines above a line among which its block is looked for.
const LONGEST_BLOCK: usize = 400;

/// The hash of a line without regard to white space; 0 if there is nothing else.
fn line_hash(line: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    let mut any = false;
    let words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    for word in words {
        hasher.write(word);
        hasher.write_u8(0xFF);
        any = true;
    }
    if any { hasher.finish().max(1) } else { 0 }
}

/// The tokens of a line.
pub(super) fn tokens(line: &[u8]) -> Vec<Token> {
    let text = String::from_utf8_lossy(line);
    let mut tokens: Vec<Token> = Vec::new();
    let mut word: Option<(u32, usize)> = None;
    let mut column = 0;
    let of = |text: &str| {
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        hasher.finish()
    };
    for (at, c) in text.char_indices() {
        column += 1;
        let in_word = c.is_alphanumeric() || c == '_' || c == '$';
        if in_word {
            word.get_or_insert((column, at));
            continue;
        }
        if let Some((first, from)) = word.take() {
            let hash = of(&text[from..at]);
            tokens.push(Token { column: first, width: column - first, hash, is_word: true });
        }
        if !c.is_whitespace() {
            let hash = of(&text[at..at + c.len_utf8()]);
            tokens.push(Token { column, width: 1, hash, is_word: false });
        }
    }
    if let Some((first, from)) = word {
        let hash = of(&text[from..]);
        tokens.push(Token { column: first, width: column + 1 - first, hash, is_word: true });
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_words_and_signs() {
        let shown: Vec<(u32, u32, bool)> = tokens("  été = f(x_1);".as_bytes())
            .iter()
            .map(|token| (token.column, token.width, token.is_word))
            .collect();
        let want = [
            (3, 3, true),
            (7, 1, false),
            (9, 1, true),
            (10, 1, false),
            (11, 3, true),
            (14, 1, false),
            (15, 1, false),
        ];
        assert_eq!(shown, want);
    }

    #[test]
    fn white_space_makes_no_difference() {
        let text = Text::new(Arc::from(&b"a  b\n\ta b\r\nab\n   \n"[..]));
        assert_eq!(text.hash(1), text.hash(2));
        assert_ne!(text.hash(1), text.hash(3));
        assert_eq!((text.hash(4), text.hash(9)), (0, 0));
    }
}
