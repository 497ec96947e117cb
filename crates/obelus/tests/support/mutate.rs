//! Bytes made of other bytes, in the ways in which streams break and parsers are fooled.

use std::ops::Range;

use super::random::Random;

/// Bytes that mean something in most grammars, and some that mean nothing in any.
const PIECES: &[&[u8]] = &[
    b"\"",
    b"'",
    b"`",
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b")",
    b"<",
    b">",
    b"</",
    b"/>",
    b"&",
    b"&#0;",
    b"<![CDATA[",
    b"]]>",
    b"<!--",
    b":",
    b"::",
    b",",
    b";",
    b"|",
    b"\\",
    b"\\u0000",
    b"\\uD800",
    b"\n",
    b"\r",
    b"\r\n",
    b"\t",
    b" ",
    b"    ",
    b"^",
    b"~",
    b"-->",
    b"@@",
    b"---",
    b"+++",
    b"\0",
    b"\x1B[31m",
    b"\x1B[",
    b"\xFF",
    b"\xC3",
    b"\xF0\x9F",
    b"\xEF\xBB\xBF",
    b"\xED\xA0\x80",
    "\u{E9}".as_bytes(),
    "\u{1F642}".as_bytes(),
    "\u{6F22}".as_bytes(),
    "e\u{301}".as_bytes(),
    "\u{2028}".as_bytes(),
    b"null",
    b"true",
    b"{}",
    b"[]",
    b"\"\"",
    b"error",
    b"warning",
    b"/repo/",
    b"../",
    b"file://",
    b"%00",
    b"%C3",
    b"C:\\",
    b".",
    b"..",
    b"",
];

/// Numbers at which counting goes wrong.
const NUMBERS: &[&[u8]] = &[
    b"0",
    b"00",
    b"-0",
    b"1",
    b"-1",
    b"2",
    b"255",
    b"256",
    b"65535",
    b"65536",
    b"2147483647",
    b"2147483648",
    b"4294967294",
    b"4294967295",
    b"4294967296",
    b"9223372036854775807",
    b"9223372036854775808",
    b"18446744073709551615",
    b"18446744073709551616",
    b"1e9",
    b"1e400",
    b"1.5",
    b"99999999999999999999999999999999",
];

/// Makes inputs; the same ones for the same word.
pub struct Mutator {
    random: Random,
    longest: usize,
}

impl Mutator {
    pub fn new(word: &str, longest: usize) -> Self {
        Mutator { random: Random::new(word), longest }
    }

    /// `bytes` after up to four changes; `other` picks what is spliced with it.
    pub fn mutated<'s>(
        &mut self,
        bytes: &[u8],
        mut other: impl FnMut(&mut Random) -> &'s Vec<u8>,
    ) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.random.below(4) {
            match self.random.below(14) {
                0 => bytes.truncate(self.random.below(bytes.len() + 1)),
                1 => drop(bytes.drain(self.range(bytes.len()))),
                2 => drop(bytes.drain(self.lines(&bytes))),
                3 => self.repeat(&mut bytes),
                4 => self.flip(&mut bytes),
                5 | 6 => self.put(&mut bytes, PIECES),
                7..=9 => self.count(&mut bytes),
                10 => self.nest(&mut bytes),
                11 => self.swap_lines(&mut bytes),
                _ => {
                    let other = other(&mut self.random);
                    self.splice(&mut bytes, other);
                }
            }
        }
        bytes.truncate(self.longest);
        bytes
    }

    /// Some part of what is `len` long, mostly a short one.
    fn range(&mut self, len: usize) -> Range<usize> {
        let start = self.random.below(len + 1);
        let most = if self.random.once_in(4) { len - start } else { (len - start).min(16) };
        start..start + self.random.below(most + 1)
    }

    /// Some whole lines.
    fn lines(&mut self, bytes: &[u8]) -> Range<usize> {
        let at = self.random.below(bytes.len() + 1);
        let newline = |byte: &u8| *byte == b'\n';
        let start = bytes[..at].iter().rposition(newline).map_or(0, |before| before + 1);
        let mut end = start;
        for _ in 0..=self.random.below(3) {
            end += bytes[end..].iter().position(newline).map_or(bytes.len() - end, |n| n + 1);
        }
        start..end
    }

    fn repeat(&mut self, bytes: &mut Vec<u8>) {
        let range = match self.random.once_in(2) {
            true => self.lines(bytes),
            false => self.range(bytes.len()),
        };
        let room = self.longest.saturating_sub(bytes.len()) / range.len().max(1);
        let times = match self.random.once_in(8) {
            true => room,
            false => self.random.below(room.min(20) + 1),
        };
        let part = bytes[range.clone()].repeat(times);
        bytes.splice(range.end..range.end, part);
    }

    fn flip(&mut self, bytes: &mut [u8]) {
        for _ in 0..=self.random.below(8) {
            let at = self.random.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << self.random.below(8);
            }
        }
    }

    fn put(&mut self, bytes: &mut Vec<u8>, pieces: &[&[u8]]) {
        let range = self.range(bytes.len());
        let piece = *self.random.pick(pieces);
        bytes.splice(range, piece.iter().copied());
    }

    /// Replaces a number.
    fn count(&mut self, bytes: &mut Vec<u8>) {
        let at = self.random.below(bytes.len() + 1);
        let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit) else { return };
        let start = at + start;
        let digits = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = *self.random.pick(NUMBERS);
        bytes.splice(start..start + digits, number.iter().copied());
    }

    /// Opens the same thing very often.
    fn nest(&mut self, bytes: &mut Vec<u8>) {
        const OPENED: &[&[u8]] =
            &[b"[", b"{\"a\":", b"<a>", b"(", b"  ", b"> ", b"{\"children\":[", b"\""];
        let at = self.random.below(bytes.len() + 1);
        let opened = *self.random.pick(OPENED);
        let times = self.random.below(self.longest / opened.len());
        bytes.splice(at..at, opened.repeat(times));
    }

    fn swap_lines(&mut self, bytes: &mut Vec<u8>) {
        let taken = self.lines(bytes);
        let lines: Vec<u8> = bytes.drain(taken).collect();
        let at = self.lines(bytes).start;
        bytes.splice(at..at, lines);
    }

    fn splice(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let range = self.range(bytes.len());
        let part = match self.random.once_in(2) {
            true => self.lines(other),
            false => self.range(other.len()),
        };
        bytes.splice(range, other[part].iter().copied());
    }
}
