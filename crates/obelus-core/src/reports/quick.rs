//! A quick reader for records that are written plainly, as Obelus itself writes them.
//!
//! What is right is said by serde (`record.rs`): whatever is not plain here is left to it, be it a
//! string with escapes, a number that is no whole one, or a fault. Comparing two reports is mostly
//! reading them, and this takes a third of the time.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use obelus_record::{Diagnostic, Related, Severity};
use serde::de::DeserializeOwned;

use super::record::{GivenRecord, Names, Text};
use crate::json::plain_length;

/// So many digits a number has at most that is read here.
const LONGEST_NUMBER: usize = 10;

/// The records of a report, and the report without them.
pub(super) struct Parted {
    pub records: Vec<Diagnostic>,
    /// The text with an empty list of records.
    pub rest: String,
}

/// Takes the records out of a report; nothing where it is not plain.
pub(super) fn part(text: &str, names: &mut Names) -> Option<Parted> {
    let mut at = Cursor::new(text);
    let mut parted = None;
    at.expect(b'{')?;
    loop {
        let key = at.string()?;
        at.expect(b':')?;
        if key == "records" && parted.is_none() {
            at.space();
            let from = text.len() - at.rest.len();
            let records = at.records(names)?;
            let rest = [text.get(..from)?, "[]", at.rest].concat();
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
    let mut at = Cursor::new(text);
    let record = names.record(at.record()?);
    at.space();
    at.rest.is_empty().then_some(record)
}

macro_rules! fields {
    ($($number:literal $name:literal),+) => {
        /// The fields of a record, by the numbers that [`Cursor::read`] knows them by.
        pub(super) const KEYS: [&str; 13] = [$($name),+];

        /// The length of the key of a field with its colon, if the bytes begin with it.
        fn key_length(field: usize, bytes: &[u8]) -> Option<usize> {
            // Texts of known lengths are compared without a call.
            match field {
                $($number => {
                    let written = concat!("\"", $name, "\":");
                    bytes.starts_with(written.as_bytes()).then_some(written.len())
                })+
                _ => None,
            }
        }
    };
}
fields!(
    0 "tool",
    1 "severity",
    2 "code",
    3 "path",
    4 "line",
    5 "column",
    6 "end_line",
    7 "end_column",
    8 "message",
    9 "related",
    10 "suggestion",
    11 "cell",
    12 "help"
);
/// The fields that every record has, as bits: tool, severity, message.
const REQUIRED: u16 = 1 | 1 << 1 | 1 << 8;
/// The length of a record that has only these, with a comma: no text holds more than so many.
const SHORTEST: usize = r#"{"tool":"","severity":"hint","message":""},"#.len();

/// A place in a text.
struct Cursor<'a> {
    /// What is not read yet.
    rest: &'a str,
    /// The fields of the last record, in their order.
    order: [usize; KEYS.len()],
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Cursor { rest: text, order: [0; KEYS.len()] }
    }

    /// Passes over so many bytes.
    fn pass(&mut self, bytes: usize) -> Option<()> {
        self.rest = self.rest.get(bytes..)?;
        Some(())
    }

    fn space(&mut self) {
        if self.rest.as_bytes().first().is_some_and(|&byte| byte > b' ') {
            return;
        }
        self.rest = self.rest.trim_start_matches([' ', '\n', '\r', '\t']);
    }

    /// The next byte that is not white space; it stays where it is.
    fn peek(&mut self) -> Option<u8> {
        self.space();
        self.rest.as_bytes().first().copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.pass(1)?;
        Some(byte)
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    /// A string without escapes.
    fn string(&mut self) -> Option<&'a str> {
        self.expect(b'"')?;
        let length = plain_length(self.rest.as_bytes());
        let (string, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest.strip_prefix('"')?;
        Some(string)
    }

    /// A string, with escapes or without.
    fn text(&mut self) -> Option<Cow<'a, str>> {
        let from = self.rest;
        if let Some(string) = self.string() {
            return Some(Cow::Borrowed(string));
        }
        self.rest = from;
        self.value().map(Cow::Owned)
    }

    fn null(&mut self) -> Option<()> {
        self.space();
        self.rest = self.rest.strip_prefix("null")?;
        Some(())
    }

    fn optional_string(&mut self) -> Option<Option<Text<'a>>> {
        match self.peek()? {
            b'"' => Some(Some(Text(self.text()?))),
            _ => self.null().map(|()| None),
        }
    }

    /// A whole number, or none.
    fn number(&mut self) -> Option<Option<u32>> {
        self.space();
        let bytes = self.rest.as_bytes();
        let (mut number, mut digits) = (0_u64, 0);
        while let Some(digit) = bytes.get(digits).map(|byte| byte.wrapping_sub(b'0'))
            && digit < 10
            && digits <= LONGEST_NUMBER
        {
            number = number * 10 + u64::from(digit);
            digits += 1;
        }
        if digits == 0 {
            return self.null().map(|()| None);
        }
        let is_plain = digits == 1 || bytes[0] != b'0';
        let ends = matches!(bytes.get(digits), Some(b',' | b'}' | b' ' | b'\n' | b'\r' | b'\t'));
        self.pass(digits)?;
        let number = u32::try_from(number).ok()?;
        (is_plain && ends).then_some(Some(number))
    }

    /// Passes over a value, without asking whether it is a sound one.
    fn skip(&mut self) -> Option<&'a str> {
        self.space();
        let from = self.rest;
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                b'"' => self.skip_string()?,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.checked_sub(1)?,
                _ if depth == 0 => {
                    let ends = |byte: &u8| b",}] \n\r\t".contains(byte);
                    let length = self.rest.bytes().position(|byte| ends(&byte));
                    self.pass(length.unwrap_or(self.rest.len()))?;
                }
                _ => {}
            }
            if depth == 0 {
                return from.get(..from.len() - self.rest.len());
            }
        }
    }

    /// Passes over a string behind its first quote.
    fn skip_string(&mut self) -> Option<()> {
        loop {
            let bytes = self.rest.as_bytes();
            let at = memchr2(b'"', b'\\', bytes)?;
            if bytes[at] == b'"' {
                return self.pass(at + 1);
            }
            // What is escaped may be longer than a byte, and is no quote then.
            let escaped = self.rest.get(at + 1..)?.chars().next()?;
            self.pass(at + 1 + escaped.len_utf8())?;
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
            self.pass(1)?;
            return Some(records);
        }
        // One that is as long as the first tells about how many there are.
        let length = memchr(b'}', self.rest.as_bytes())? + 2;
        records.reserve(self.rest.len() / length.max(SHORTEST));
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
        let (mut record, mut seen) = (GivenRecord::empty(), 0_u16);
        self.expect(b'{')?;
        for nth in 0.. {
            let field = self.field(nth)?;
            self.read(field, &mut record)?;
            // A field that stands twice is a fault.
            if seen & 1 << field != 0 {
                return None;
            }
            seen |= 1 << field;
            match self.next()? {
                b',' => {}
                b'}' => return (seen & REQUIRED == REQUIRED).then_some(record),
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
            && let Some(length) = key_length(field, self.rest.as_bytes())
        {
            self.pass(length)?;
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

    /// Reads the value of a field of `record`, by its number.
    fn read(&mut self, field: usize, record: &mut GivenRecord<'a>) -> Option<()> {
        match field {
            0 => record.tool = self.text()?,
            1 => record.severity = severity_of(self.string()?)?,
            2 => record.code = self.optional_string()?,
            3 => record.path = self.optional_string()?,
            4 => record.line = self.number()?,
            5 => record.column = self.number()?,
            6 => record.end_line = self.number()?,
            7 => record.end_column = self.number()?,
            8 => record.message = self.text()?,
            9 => record.related = self.list()?,
            10 => record.suggestion = if self.null().is_some() { None } else { self.value()? },
            11 => record.cell = self.number()?,
            _ => record.help = self.optional_string()?,
        }
        Some(())
    }

    /// A list, mostly an empty one.
    fn list(&mut self) -> Option<Vec<Related>> {
        self.space();
        if let Some(rest) = self.rest.strip_prefix("[]") {
            self.rest = rest;
            return Some(Vec::new());
        }
        self.value()
    }
}

fn severity_of(word: &str) -> Option<Severity> {
    [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint]
        .into_iter()
        .find(|severity| severity.as_str() == word)
}

#[cfg(test)]
mod tests;
