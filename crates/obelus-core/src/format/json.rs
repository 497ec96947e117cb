//! Strict JSON: a stream is a document, or one object a line, or it is rejected with its place.

use std::borrow::Cow;
use std::io::{BufRead, Read};
use std::marker::PhantomData;

use obelus_record::{Fault, FaultKind, Stream};
use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};

use super::lines::{Line, snippet, strip_escapes, unreadable};

/// Reads `bytes` as a `T`. Where they are text as a whole, which is quickly seen, serde_json need not
/// ask that of each key and each string again; where they are not, it finds the place.
pub(super) fn from_bytes<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> serde_json::Result<T> {
    match std::str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(bytes),
    }
}

/// The fault of a line that could not be read as an object of the wanted type.
pub(super) fn fault_of_line(line: &Line<'_>, error: &str) -> Fault {
    let kind = if std::str::from_utf8(line.bytes).is_err() {
        FaultKind::NotUtf8
    } else {
        match serde_json::from_slice::<IgnoredAny>(line.bytes) {
            Err(error) if error.is_eof() && !line.ended => FaultKind::CutOff,
            Err(_) => FaultKind::InvalidJson,
            Ok(_) if !line.bytes.trim_ascii_start().starts_with(b"{") => FaultKind::NotAnObject,
            Ok(_) => FaultKind::WrongShape,
        }
    };
    Fault {
        stream: line.stream,
        line: line.number,
        kind,
        snippet: snippet(line.bytes),
        detail: match kind {
            FaultKind::WrongShape => without_place(error),
            _ => String::new(),
        },
    }
}

/// Text that borrows from the document unless it holds escapes. serde borrows a plain `Cow`
/// field, but not one inside an `Option` or a `Vec`.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(transparent)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// A whole stream that is one JSON document.
pub struct Document {
    stream: Stream,
    bytes: Vec<u8>,
    /// Up to here elements were taken, the last of them an object.
    taken: usize,
    /// What stood before `bytes` and is no longer held: lines, and bytes of the line that goes on.
    lines: usize,
    columns: usize,
}

/// So many bytes show whether a stream can be a document.
const HEAD: u64 = 64 << 10;

/// So much of an array is held at once, unless an element is longer.
const WINDOW: usize = 256 << 10;

/// So much of what was taken is still held, to be shown before a place.
const SHOWN: usize = 160;

/// Stands for the elements that were taken, where the rest of an array is read.
const TAKEN: &[u8] = b"[\"\"";

/// Whether what begins with `head` can be an array or an object.
fn may_be_document(head: &[u8]) -> bool {
    let mut plain = Vec::new();
    strip_escapes(head, &mut plain);
    let text = plain.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&plain).trim_ascii_start();
    matches!(text.first(), None | Some(b'[' | b'{'))
}

/// Takes the elements of an array.
pub trait Each {
    /// What an element is; it may borrow from the document.
    type Element<'de>: Deserialize<'de>;

    /// Takes the next element.
    fn take(&mut self, element: Self::Element<'_>);
}

/// Hands each element of `reader`'s document, which is an array, to `each` as it is read: neither
/// the text nor the elements stand in memory as a whole. Where there is a fault, elements before it
/// may have been taken.
pub fn elements(
    reader: &mut dyn BufRead,
    stream: Stream,
    each: &mut impl Each,
) -> Result<(), Fault> {
    elements_by(WINDOW, HEAD, reader, stream, each)
}

fn elements_by(
    mut window: usize,
    head: u64,
    mut reader: &mut dyn BufRead,
    stream: Stream,
    each: &mut impl Each,
) -> Result<(), Fault> {
    let (mut document, goes_on) = Document::begin(reader, stream, head)?;
    if goes_on {
        while document.take_whole(each) {
            document.forget_taken();
            while document.bytes.len() > window / 2 {
                window *= 2;
            }
            let room = (window - document.bytes.len()) as u64;
            let read = (&mut reader).take(room).read_to_end(&mut document.bytes);
            if read.map_err(|error| unreadable(stream, 1, &error))? == 0 {
                break;
            }
        }
        document.read_rest(reader)?;
    }
    document.strip();
    document.take_rest(each)
}

impl Document {
    /// Reads all of `reader`. A byte order mark and colour sequences around a document are removed.
    /// Of what can't be a document, as a log that somebody handed over, no more is read than shows it.
    pub fn read(reader: &mut dyn BufRead, stream: Stream) -> Result<Self, Fault> {
        let (mut document, goes_on) = Self::begin(reader, stream, HEAD)?;
        if goes_on {
            document.read_rest(reader)?;
        }
        document.strip();
        Ok(document)
    }

    /// Reads the head, and tells whether it can be that of a document.
    fn begin(reader: &mut dyn BufRead, stream: Stream, head: u64) -> Result<(Self, bool), Fault> {
        let mut bytes = Vec::new();
        reader.take(head).read_to_end(&mut bytes).map_err(|error| unreadable(stream, 1, &error))?;
        let goes_on = may_be_document(&bytes);
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        Ok((Document { stream, bytes, taken: 0, lines: 0, columns: 0 }, goes_on))
    }

    fn read_rest(&mut self, reader: &mut dyn BufRead) -> Result<(), Fault> {
        let read = reader.read_to_end(&mut self.bytes);
        read.map(drop).map_err(|error| unreadable(self.stream, 1, &error))
    }

    /// Removes escape sequences: JSON itself never holds a raw escape character.
    fn strip(&mut self) {
        if memchr::memchr(0x1B, &self.bytes).is_some() {
            let mut plain = Vec::with_capacity(self.bytes.len());
            strip_escapes(&self.bytes, &mut plain);
            self.bytes = plain;
        }
    }

    /// A line that is a document by itself.
    pub fn of_line(line: &Line<'_>) -> Self {
        Document { stream: line.stream, bytes: line.bytes.to_vec(), taken: 0, lines: 0, columns: 0 }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether there is nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }

    /// The document as a `T`.
    pub fn parse<'de, T: Deserialize<'de>>(&'de self) -> Result<T, Fault> {
        self.reject_blank()?;
        from_bytes(&self.bytes).map_err(|error| self.fault(&error))
    }

    /// Hands each element of the document, which is an array, to `each` as it is parsed. Where a
    /// document may be large, [`elements`] does so without holding all of it.
    pub fn each<'de, T: Deserialize<'de>>(&'de self, each: impl FnMut(T)) -> Result<(), Fault> {
        self.reject_blank()?;
        let every = Every { each, element: PhantomData };
        let read = match std::str::from_utf8(&self.bytes) {
            Ok(text) => every.read(serde_json::Deserializer::from_str(text)),
            Err(_) => every.read(serde_json::Deserializer::from_slice(&self.bytes)),
        };
        read.map_err(|error| self.fault(&error))
    }

    /// Takes the objects that are whole in what was read, and tells whether more of the same may
    /// follow. All else, be it the end or a fault, is left to [`Document::take_rest`].
    fn take_whole<E: Each>(&mut self, each: &mut E) -> bool {
        let rest = &self.bytes[self.taken..];
        let text = match std::str::from_utf8(rest) {
            Ok(text) => text,
            // What was read ends within a character.
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => return false,
        };
        if memchr::memchr(0x1B, rest).is_some() {
            return false;
        }
        let (mut at, trim) = (0, |text| str::trim_start_matches(text, [' ', '\t', '\r', '\n']));
        let goes_on = loop {
            let before = if self.taken + at == 0 { '[' } else { ',' };
            let next = trim(&text[at..]);
            let Some(next) = next.strip_prefix(before).map(trim) else { break next.is_empty() };
            if !next.starts_with('{') {
                break next.is_empty();
            }
            let mut elements = serde_json::Deserializer::from_str(next).into_iter();
            match elements.next() {
                Some(Ok(element)) => each.take(element),
                Some(Err(error)) => break error.is_eof(),
                None => break true,
            }
            at = text.len() - next.len() + elements.byte_offset();
        };
        self.taken += at;
        goes_on
    }

    /// Takes the rest of the elements, where all is read.
    fn take_rest<E: Each>(&mut self, each: &mut E) -> Result<(), Fault> {
        if self.taken == 0 {
            self.reject_blank()?;
        }
        // At least `[{}` was taken, if anything.
        let from = self.taken.saturating_sub(TAKEN.len());
        let covered = self.bytes[from..self.taken].to_vec();
        self.bytes[from..self.taken].copy_from_slice(&TAKEN[..covered.len()]);
        let elements = Elements { each, first_is_taken: self.taken > 0 };
        let read = match std::str::from_utf8(&self.bytes[from..]) {
            Ok(text) => elements.read(serde_json::Deserializer::from_str(text)),
            Err(_) => elements.read(serde_json::Deserializer::from_slice(&self.bytes[from..])),
        };
        self.bytes[from..self.taken].copy_from_slice(&covered);
        read.map_err(|error| self.fault(&error))
    }

    /// Holds what was taken no longer.
    fn forget_taken(&mut self) {
        let mut from = self.taken.saturating_sub(SHOWN);
        // Not within a character, which would make the line no text.
        while matches!(self.bytes.get(from), Some(0x80..=0xBF)) {
            from += 1;
        }
        let gone = &self.bytes[..from];
        self.lines += memchr::memchr_iter(b'\n', gone).count();
        self.columns = match memchr::memrchr(b'\n', gone) {
            Some(end) => from - end - 1,
            None => self.columns + from,
        };
        self.bytes.drain(..from);
        self.taken -= from;
    }

    fn reject_blank(&self) -> Result<(), Fault> {
        if !self.is_blank() {
            return Ok(());
        }
        Err(Fault {
            stream: self.stream,
            line: 1,
            kind: FaultKind::Empty,
            snippet: String::new(),
            detail: String::new(),
        })
    }

    fn fault(&self, error: &serde_json::Error) -> Fault {
        // serde_json counts from where it began, which is within the line that was taken last.
        let taken = &self.bytes[..self.taken];
        let (mut number, mut column) = (error.line().max(1), error.column());
        if number == 1 {
            let begun = memchr::memrchr(b'\n', taken).map_or(0, |end| end + 1);
            column = (column + taken.len() - begun).saturating_sub(taken.len().min(TAKEN.len()));
        }
        number += memchr::memchr_iter(b'\n', taken).count();
        let line = self.bytes.split(|&b| b == b'\n').nth(number - 1).unwrap_or_default();
        let kind = match error.classify() {
            serde_json::error::Category::Eof => FaultKind::CutOff,
            serde_json::error::Category::Data => FaultKind::WrongShape,
            _ if std::str::from_utf8(line).is_err() => FaultKind::NotUtf8,
            _ => FaultKind::InvalidJson,
        };
        // A document is often one long line: show the part at which it went wrong.
        let from = column.saturating_sub(80).min(line.len());
        let is_long = line.len() > 160 || (number == 1 && self.columns > 0);
        Fault {
            stream: self.stream,
            line: (self.lines + number) as u64,
            kind,
            snippet: snippet(if is_long { &line[from..] } else { line }),
            detail: without_place(&error.to_string()),
        }
    }
}

/// Hands every element of an array to a closure.
struct Every<F, T> {
    each: F,
    element: PhantomData<T>,
}

impl<F, T> Every<F, T> {
    fn read<'de, R>(self, mut deserializer: serde_json::Deserializer<R>) -> serde_json::Result<()>
    where
        R: serde_json::de::Read<'de>,
        T: Deserialize<'de>,
        F: FnMut(T),
    {
        deserializer.deserialize_seq(self)?;
        deserializer.end()
    }
}

impl<'de, T: Deserialize<'de>, F: FnMut(T)> Visitor<'de> for Every<F, T> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        while let Some(element) = seq.next_element()? {
            (self.each)(element);
        }
        Ok(())
    }
}

struct Elements<'e, E> {
    each: &'e mut E,
    first_is_taken: bool,
}

impl<E: Each> Elements<'_, E> {
    fn read<'de, R: serde_json::de::Read<'de>>(
        self,
        mut deserializer: serde_json::Deserializer<R>,
    ) -> serde_json::Result<()> {
        deserializer.deserialize_seq(self)?;
        deserializer.end()
    }
}

impl<'de, E: Each> Visitor<'de> for Elements<'_, E> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        if self.first_is_taken {
            seq.next_element::<IgnoredAny>()?;
        }
        while let Some(element) = seq.next_element()? {
            self.each.take(element);
        }
        Ok(())
    }
}

/// The words of `error` without serde_json's " at line L column C", which counts within what was
/// handed to it and not in the stream.
fn without_place(error: &str) -> String {
    match error.rfind(" at line ") {
        Some(at) => error[..at].to_owned(),
        None => error.to_owned(),
    }
}

#[cfg(test)]
mod tests;
