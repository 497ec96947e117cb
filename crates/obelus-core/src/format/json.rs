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
}

/// So many bytes show whether a stream can be a document.
const HEAD: u64 = 64 << 10;

/// Whether what begins with `head` can be an array or an object.
fn may_be_document(head: &[u8]) -> bool {
    let mut plain = Vec::new();
    strip_escapes(head, &mut plain);
    let text = plain.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&plain).trim_ascii_start();
    matches!(text.first(), None | Some(b'[' | b'{'))
}

impl Document {
    /// Reads all of `reader`. A byte order mark and colour sequences around a document are removed.
    /// Of what can't be a document, as a log that somebody handed over, no more is read than shows it.
    pub fn read(mut reader: &mut dyn BufRead, stream: Stream) -> Result<Self, Fault> {
        let mut bytes = Vec::new();
        let failed = |error| unreadable(stream, 1, &error);
        (&mut reader).take(HEAD).read_to_end(&mut bytes).map_err(failed)?;
        if may_be_document(&bytes) {
            reader.read_to_end(&mut bytes).map_err(failed)?;
        }
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        // JSON itself never holds a raw escape character.
        if memchr::memchr(0x1B, &bytes).is_some() {
            let mut plain = Vec::with_capacity(bytes.len());
            strip_escapes(&bytes, &mut plain);
            bytes = plain;
        }
        Ok(Document { stream, bytes })
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

    /// Hands each element of the document, which is an array, to `each` as it is parsed, so that
    /// they never stand in memory together.
    pub fn each<'de, T: Deserialize<'de>>(&'de self, each: impl FnMut(T)) -> Result<(), Fault> {
        self.reject_blank()?;
        let elements = Elements { each, element: PhantomData };
        let read = match std::str::from_utf8(&self.bytes) {
            Ok(text) => elements.read(serde_json::Deserializer::from_str(text)),
            Err(_) => elements.read(serde_json::Deserializer::from_slice(&self.bytes)),
        };
        read.map_err(|error| self.fault(&error))
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
        let number = error.line().max(1);
        let line = self.bytes.split(|&b| b == b'\n').nth(number - 1).unwrap_or_default();
        let kind = match error.classify() {
            serde_json::error::Category::Eof => FaultKind::CutOff,
            serde_json::error::Category::Data => FaultKind::WrongShape,
            _ if std::str::from_utf8(line).is_err() => FaultKind::NotUtf8,
            _ => FaultKind::InvalidJson,
        };
        // A document is often one long line: show the part at which it went wrong.
        let from = error.column().saturating_sub(80).min(line.len());
        let shown = if line.len() > 160 { &line[from..] } else { line };
        Fault {
            stream: self.stream,
            line: number as u64,
            kind,
            snippet: snippet(shown),
            detail: without_place(&error.to_string()),
        }
    }
}

struct Elements<F, T> {
    each: F,
    element: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>, F: FnMut(T)> Elements<F, T> {
    fn read<R: serde_json::de::Read<'de>>(
        self,
        mut deserializer: serde_json::Deserializer<R>,
    ) -> serde_json::Result<()> {
        deserializer.deserialize_seq(self)?;
        deserializer.end()
    }
}

impl<'de, T: Deserialize<'de>, F: FnMut(T)> Visitor<'de> for Elements<F, T> {
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

/// The words of `error` without serde_json's " at line L column C", which counts within what was
/// handed to it and not in the stream.
fn without_place(error: &str) -> String {
    match error.rfind(" at line ") {
        Some(at) => error[..at].to_owned(),
        None => error.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::Lines;

    #[derive(serde::Deserialize, Debug)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Shape {
        a: u32,
    }

    fn line_fault(text: &[u8]) -> (FaultKind, String, String) {
        let mut reader = text;
        let mut lines = Lines::new(&mut reader, Stream::Stdout, false);
        let fault = lines.next().unwrap().unwrap().json::<Shape>().unwrap_err();
        (fault.kind, fault.snippet, fault.detail)
    }

    #[test]
    fn a_line_is_told_by_what_is_wrong_with_it() {
        assert_eq!(line_fault(b"Using OTLP\n").0, FaultKind::InvalidJson);
        assert_eq!(line_fault(b"[1]\n").0, FaultKind::NotAnObject);
        assert_eq!(line_fault(b"{\"a\":\n").0, FaultKind::InvalidJson);
        assert_eq!(line_fault(b"{\"a\":").0, FaultKind::CutOff);
        assert_eq!(line_fault(b"{\"a\":\"\xE9\"}\n").0, FaultKind::NotUtf8);
        assert_eq!(
            line_fault(b"{\"b\":1}\n"),
            (FaultKind::WrongShape, "{\"b\":1}".into(), "missing field `a`".into())
        );
    }

    fn document_fault(text: &[u8]) -> (FaultKind, u64) {
        let mut reader = text;
        let document = Document::read(&mut reader, Stream::Stdout).unwrap();
        let fault = document.each(|_: Shape| ()).unwrap_err();
        (fault.kind, fault.line)
    }

    #[test]
    fn of_what_is_no_document_only_the_head_is_read() {
        let log = "a line of a log\n".repeat(100_000);
        let mut reader = log.as_bytes();
        let document = Document::read(&mut reader, Stream::Stdout).unwrap();
        assert_eq!(document.bytes.len(), 64 << 10);
        let fault = document.each(|_: Shape| ()).unwrap_err();
        assert_eq!((fault.kind, fault.line), (FaultKind::InvalidJson, 1));
        assert_eq!(fault.snippet, "a line of a log");
    }

    #[test]
    fn a_document_is_told_by_what_is_wrong_with_it_and_where() {
        assert_eq!(document_fault(b"\n> npm run lint\n\n[]"), (FaultKind::InvalidJson, 2));
        assert_eq!(document_fault(b"[]\ndone\n"), (FaultKind::InvalidJson, 2));
        assert_eq!(document_fault(b"[{\"a\":1},\n{\"a\""), (FaultKind::CutOff, 2));
        assert_eq!(document_fault(b" \n"), (FaultKind::Empty, 1));
        assert_eq!(document_fault(b"{}"), (FaultKind::WrongShape, 1));
    }

    #[test]
    fn a_byte_order_mark_before_a_document_is_no_part_of_it() {
        let mut reader: &[u8] = b"\xEF\xBB\xBF[]";
        let document = Document::read(&mut reader, Stream::Stdout).unwrap();
        assert_eq!(document.each(|_: Shape| ()), Ok(()));
    }

    #[test]
    fn optional_text_is_borrowed() {
        #[derive(serde::Deserialize)]
        struct Optional<'a> {
            #[serde(borrow)]
            a: Option<Text<'a>>,
        }
        let mut reader: &[u8] = br#"{"a":"plain"}"#;
        let document = Document::read(&mut reader, Stream::Stdout).unwrap();
        let parsed: Optional<'_> = document.parse().unwrap();
        assert!(matches!(parsed.a, Some(Text(Cow::Borrowed("plain")))));
    }
}
