//! A quick reader for records that are written plainly, as Obelus itself writes them.
//!
//! What is right is said by serde (`record.rs`): whatever is not plain here, be it an escape, a number
//! that is no whole one, or a fault, is left to it. Comparing two reports is mostly reading them, and
//! this takes a third of the time.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use obelus_record::{Diagnostic, Related, Severity, Suggestion};
use serde::de::DeserializeOwned;

use super::record::{GivenRecord, Names, Text};

/// The records of a report, and the report without them.
pub(super) struct Parted {
    pub records: Vec<Diagnostic>,
    /// The text with an empty list of records.
    pub rest: String,
}

/// Takes the records out of a report; nothing where it is not plain.
pub(super) fn part(text: &str, names: &mut Names) -> Option<Parted> {
    let mut at = Cursor { text, at: 0, order: [0; KEYS.len()] };
    let mut parted = None;
    at.expect(b'{')?;
    loop {
        let key = at.string()?;
        at.expect(b':')?;
        if key == "records" && parted.is_none() {
            at.space();
            let from = at.at;
            let records = at.records(names)?;
            let rest = [text.get(..from)?, "[]", text.get(at.at..)?].concat();
            parted = Some(Parted { records, rest });
        } else if key == "records" {
            return None;
        } else {
            at.skip()?;
        }
        match at.next()? {
            b',' => {}
            b'}' => return parted,
            _ => return None,
        }
    }
}

/// A record that is all of `text`; nothing where it is not plain.
pub(super) fn record(text: &str, names: &mut Names) -> Option<Diagnostic> {
    let mut at = Cursor { text, at: 0, order: [0; KEYS.len()] };
    let record = names.record(at.record()?);
    at.space();
    (at.at == text.len()).then_some(record)
}

macro_rules! fields {
    ($($name:literal),+) => {
        /// The fields of a record, by the numbers that [`Fields::read`] knows them by.
        pub(super) const KEYS: [&str; 13] = [$($name),+];
        /// The same as they are written.
        const WRITTEN: [&str; 13] = [$(concat!("\"", $name, "\":")),+];
    };
}
fields!(
    "tool",
    "severity",
    "code",
    "path",
    "line",
    "column",
    "end_line",
    "end_column",
    "message",
    "related",
    "suggestion",
    "cell",
    "help"
);

/// A place in a text.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// The fields of the last record, in their order.
    order: [usize; KEYS.len()],
}

impl<'a> Cursor<'a> {
    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        if self.bytes().first().is_some_and(|&byte| byte > b' ') {
            return;
        }
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        self.at += self.bytes().iter().take_while(blank).count();
    }

    /// The next byte that is not white space; it stays where it is.
    fn peek(&mut self) -> Option<u8> {
        self.space();
        self.bytes().first().copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    /// A string without escapes.
    fn string(&mut self) -> Option<&'a str> {
        self.expect(b'"')?;
        let bytes = self.bytes();
        let length = plain_length(bytes);
        let string = self.text.get(self.at..self.at + length)?;
        self.at += length + 1;
        (bytes.get(length) == Some(&b'"')).then_some(string)
    }

    fn null(&mut self) -> bool {
        self.space();
        let is_null = matches!(self.bytes(), [b'n', b'u', b'l', b'l', ..]);
        self.at += if is_null { 4 } else { 0 };
        is_null
    }

    fn optional_string(&mut self) -> Option<Option<&'a str>> {
        if self.null() { Some(None) } else { self.string().map(Some) }
    }

    /// A whole number, or none.
    fn number(&mut self) -> Option<Option<u32>> {
        if self.null() {
            return Some(None);
        }
        let (mut number, mut digits) = (0_u32, 0);
        let bytes = self.bytes();
        while let Some(digit) = bytes.get(digits).filter(|byte| byte.is_ascii_digit()) {
            number = number.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?;
            digits += 1;
        }
        let is_plain = digits == 1 || digits > 1 && bytes[0] != b'0';
        let ends = matches!(bytes.get(digits), Some(b',' | b'}' | b' ' | b'\n' | b'\r' | b'\t'));
        self.at += digits;
        (is_plain && ends).then_some(Some(number))
    }

    /// Passes over a value, without asking whether it is a sound one.
    fn skip(&mut self) -> Option<&'a str> {
        self.space();
        let from = self.at;
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                b'"' => self.skip_string()?,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.checked_sub(1)?,
                _ if depth == 0 => {
                    let more = self.bytes().iter().take_while(|byte| !b",}] \n\r\t".contains(byte));
                    self.at += more.count();
                }
                _ => {}
            }
            if depth == 0 {
                return self.text.get(from..self.at);
            }
        }
    }

    /// Passes over a string behind its first quote.
    fn skip_string(&mut self) -> Option<()> {
        loop {
            let at = memchr2(b'"', b'\\', self.bytes())?;
            let quote = self.bytes()[at] == b'"';
            self.at += at + if quote { 1 } else { 2 };
            if quote {
                return Some(());
            }
        }
    }

    /// A value of another kind, as serde reads it.
    fn value<T: DeserializeOwned>(&mut self) -> Option<T> {
        serde_json::from_str(self.skip()?).ok()
    }

    fn records(&mut self, names: &mut Names) -> Option<Vec<Diagnostic>> {
        self.expect(b'[')?;
        let mut records = Vec::new();
        if self.peek()? == b']' {
            self.at += 1;
            return Some(records);
        }
        // One that is as long as the first tells about how many there are.
        let length = memchr(b'}', self.bytes())? + 2;
        records.reserve(self.bytes().len() / length);
        loop {
            records.push(names.record(self.record()?));
            match self.next()? {
                b',' => {}
                b']' => return Some(records),
                _ => return None,
            }
        }
    }

    fn record(&mut self) -> Option<GivenRecord<'a>> {
        let (mut fields, mut seen) = (Fields::default(), 0_u16);
        self.expect(b'{')?;
        for nth in 0.. {
            let field = self.field(nth)?;
            fields.read(field, self)?;
            // A field that stands twice is a fault.
            if seen & 1 << field != 0 {
                return None;
            }
            seen |= 1 << field;
            match self.next()? {
                b',' => {}
                b'}' => return fields.record(),
                _ => return None,
            }
        }
        None
    }

    /// Passes over a key; gives the number of its field, which is the `nth` of its record. Mostly it
    /// is the one that stood there in the last.
    fn field(&mut self, nth: usize) -> Option<usize> {
        self.space();
        if let Some(&field) = self.order.get(nth)
            && self.bytes().starts_with(WRITTEN[field].as_bytes())
        {
            self.at += WRITTEN[field].len();
            return Some(field);
        }
        let key = self.string()?;
        self.expect(b':')?;
        let field = KEYS.iter().position(|known| *known == key)?;
        if let Some(order) = self.order.get_mut(nth) {
            *order = field;
        }
        Some(field)
    }

    /// A list, mostly an empty one.
    fn list(&mut self) -> Option<Vec<Related>> {
        self.space();
        if self.bytes().starts_with(b"[]") {
            self.at += 2;
            return Some(Vec::new());
        }
        self.value()
    }
}

/// The fields of a record, as far as they were read.
#[derive(Default)]
struct Fields<'a> {
    tool: Option<&'a str>,
    severity: Option<Severity>,
    code: Option<&'a str>,
    path: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
    message: Option<&'a str>,
    related: Vec<Related>,
    suggestion: Option<Box<Suggestion>>,
    cell: Option<u32>,
    help: Option<&'a str>,
}

impl<'a> Fields<'a> {
    /// Reads the value of a field, by its number.
    fn read(&mut self, field: usize, at: &mut Cursor<'a>) -> Option<()> {
        match field {
            0 => self.tool = Some(at.string()?),
            1 => self.severity = Some(severity_of(at.string()?)?),
            2 => self.code = at.optional_string()?,
            3 => self.path = at.optional_string()?,
            4 => self.line = at.number()?,
            5 => self.column = at.number()?,
            6 => self.end_line = at.number()?,
            7 => self.end_column = at.number()?,
            8 => self.message = Some(at.string()?),
            9 => self.related = at.list()?,
            10 => self.suggestion = if at.null() { None } else { at.value()? },
            11 => self.cell = at.number()?,
            _ => self.help = at.optional_string()?,
        }
        Some(())
    }

    /// The record, if it has all that one must have.
    fn record(self) -> Option<GivenRecord<'a>> {
        let text = |text: Option<&'a str>| text.map(|text| Text(Cow::Borrowed(text)));
        Some(GivenRecord {
            tool: Cow::Borrowed(self.tool?),
            severity: self.severity?,
            code: text(self.code),
            path: text(self.path),
            line: self.line,
            column: self.column,
            end_line: self.end_line,
            end_column: self.end_column,
            message: Box::from(self.message?),
            related: self.related,
            suggestion: self.suggestion,
            cell: self.cell,
            help: text(self.help),
        })
    }
}

/// How many bytes come before the first that is a quote, a backslash or a control character.
fn plain_length(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    // The highest bit of each byte that is zero, and perhaps of bytes above the first of these.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let mut length = 0;
    for chunk in bytes.chunks_exact(8) {
        let Ok(eight) = <[u8; 8]>::try_from(chunk) else { break };
        let word = u64::from_le_bytes(eight);
        let quotes = zeros(word ^ (ONES * u64::from(b'"')));
        let escapes = zeros(word ^ (ONES * u64::from(b'\\')));
        let controls = word.wrapping_sub(ONES * 0x20) & !word;
        let found = (quotes | escapes | controls) & (ONES * 0x80);
        if found != 0 {
            return length + found.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let is_plain = |byte: &&u8| !matches!(byte, b'"' | b'\\' | 0..0x20);
    length + bytes[length..].iter().take_while(is_plain).count()
}

fn severity_of(word: &str) -> Option<Severity> {
    [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint]
        .into_iter()
        .find(|severity| severity.as_str() == word)
}

#[cfg(test)]
mod tests;
