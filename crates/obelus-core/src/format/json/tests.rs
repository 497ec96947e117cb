//! Strict JSON, in streams that are whole, cut, and broken at every place.

use std::marker::PhantomData;

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

/// Collects elements, as they look.
#[derive(Debug, PartialEq)]
struct Looks<T>(Vec<String>, PhantomData<T>);

impl<T> Looks<T> {
    fn new() -> Self {
        Looks(Vec::new(), PhantomData)
    }
}

impl<T: serde::de::DeserializeOwned + std::fmt::Debug> Each for Looks<T> {
    type Element<'de> = T;

    fn take(&mut self, element: T) {
        self.0.push(format!("{element:?}"));
    }
}

fn document_fault(text: &[u8]) -> (FaultKind, u64) {
    let mut reader = text;
    let fault = elements(&mut reader, Stream::Stdout, &mut Looks::<Shape>::new()).unwrap_err();
    (fault.kind, fault.line)
}

#[test]
fn of_what_is_no_document_only_the_head_is_read() {
    let log = "a line of a log\n".repeat(100_000);
    let mut reader = log.as_bytes();
    let fault = elements(&mut reader, Stream::Stdout, &mut Looks::<Shape>::new()).unwrap_err();
    assert_eq!(log.len() - reader.len(), 64 << 10);
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
    assert_eq!(elements(&mut reader, Stream::Stdout, &mut Looks::<Shape>::new()), Ok(()));
}

/// Each answer in windows is that of the document as a whole.
fn same_in_windows<T: serde::de::DeserializeOwned + std::fmt::Debug>(text: &[u8]) {
    for window in [2, 7, 16, 64, 200] {
        // Reads all at once, unless the head shows that it need not.
        let head = window as u64 + 4;
        let mut whole = Looks::<T>::new();
        let mut reader = text;
        let (mut document, goes_on) = Document::begin(&mut reader, Stream::Stdout, head).unwrap();
        if goes_on {
            document.read_rest(&mut reader).unwrap();
        }
        document.strip();
        let expected = document.take_rest(&mut whole);

        let mut looks = Looks::<T>::new();
        let read = elements_by(window, head, &mut &*text, Stream::Stdout, &mut looks);
        let shown = String::from_utf8_lossy(text);
        assert_eq!(read, expected, "{window}: {shown}");
        assert_eq!(looks.0, whole.0, "{window}: {shown}");
    }
}

#[test]
fn in_windows_an_array_reads_as_one_does_that_is_held_as_a_whole() {
    let long = r#"{"a":1,"é":"→ 𝄞 \u00e9\ud834\udd1e","b":[null,true,-1.5e3]},"#.repeat(8);
    let lines = long.replace(",", " ,\r\n ");
    for text in [&long, &lines] {
        for last in [
            r#"{"a":-12,"b":1}"#,
            r#"{"a":"x"}"#,
            r#"{"b":1}"#,
            "[5]",
            "[]",
            "5",
            "",
            "{",
            "\u{1b}[0m{\"a\":2}",
        ] {
            for end in ["]", "]\n", ",]", "}", "] []", "]\n\ndone\n", "] \u{1b}[0m\n", "\u{c}]"] {
                same_in_windows::<Shape>(format!(" [{text}{last}{end}").as_bytes());
                same_in_windows::<Shape>(format!("\u{feff}[{text} {last} {end}{text}").as_bytes());
            }
        }
        // Cut and broken at each byte.
        let text = format!("\u{1b}[m\u{feff}\n[{text}{{\"a\":2}}]\n")[3..].to_owned();
        let mut bytes = text.into_bytes();
        for at in 0..bytes.len() {
            same_in_windows::<Shape>(&bytes[..at]);
            for broken in [b"\xFF", b"\n", b"\x1B", b"}", b"]"] {
                let kept = std::mem::replace(&mut bytes[at], broken[0]);
                same_in_windows::<Shape>(&bytes);
                bytes[at] = kept;
            }
        }
    }
}

#[test]
fn in_windows_real_documents_cut_anywhere_have_the_faults_they_have_as_a_whole() {
    for text in [
        &include_bytes!("../../../../../corpus/eslint/paths-odd/stdout")[..],
        &include_bytes!("../../../../../corpus/eslint/unicode/stdout")[..],
        &include_bytes!("../../../../../corpus/ruff/json-notebook/stdout")[..],
    ] {
        for at in 0..=text.len() {
            same_in_windows::<serde_json::Value>(&text[..at]);
        }
    }
}

#[test]
fn what_was_taken_is_held_no_longer() {
    let text = format!("[{}]", "{\"a\":1},".repeat(1000));
    let (mut document, _) = Document::begin(&mut text.as_bytes(), Stream::Stdout, 4004).unwrap();
    let mut looks = Looks::<Shape>::new();
    assert!(document.take_whole(&mut looks));
    document.forget_taken();
    assert_eq!(looks.0.len(), 500);
    assert_eq!((document.bytes.len(), document.columns), (SHOWN + 4, 4000 - SHOWN));
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
