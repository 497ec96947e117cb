use std::io::{BufReader, Cursor, Read};

use super::*;

/// All events' `n` and what ended the reading, through a buffer of so many bytes.
fn read(bytes: &[u8], capacity: usize) -> (Vec<String>, Option<Broken>) {
    let mut events = Events::new(BufReader::with_capacity(capacity, Cursor::new(bytes)));
    let mut seen = Vec::new();
    loop {
        let next = events.next(|event| {
            seen.push(event.get("n").map_or_else(String::new, |n| n.written().to_owned()));
        });
        match next {
            Ok(true) => {}
            Ok(false) => return (seen, None),
            Err(broken) => return (seen, Some(broken)),
        }
    }
}

fn fault(bytes: &[u8]) -> (u64, StreamFaultKind, String) {
    let first = read(bytes, 64 << 10).1;
    for capacity in [1, 2, 3, 7] {
        assert_eq!(read(bytes, capacity).1, first, "capacity {capacity}");
    }
    match first {
        Some(Broken::Rejected(StreamFault { line, kind, snippet })) => (line, kind, snippet),
        other => panic!("not rejected: {other:?}"),
    }
}

#[test]
fn lines_end_at_lf_alone_and_blank_ones_count() {
    let text = "\u{FEFF}{\"n\":1}\r\n\r\n \t\r\n\n{\"n\":\"a\u{2028}b\u{85}c\"}\n{\"n\":3}";
    for capacity in [1, 2, 5, 64 << 10] {
        let (seen, broken) = read(text.as_bytes(), capacity);
        assert_eq!(seen, ["1", "\"a\u{2028}b\u{85}c\"", "3"]);
        assert_eq!(broken, None);
    }
    assert_eq!(read(b"", 8), (vec![], None));
    assert_eq!(read(b"\n \r\n", 8), (vec![], None));
    // A lone CR is white space within a line, and ends none.
    assert_eq!(read(b"{\"n\":\r1}\r", 8), (vec!["1".to_owned()], None));
}

#[test]
fn the_first_line_that_fails_is_named() {
    use StreamFaultKind::{InvalidJson, NotAnObject};
    let cases: [(&[u8], u64, StreamFaultKind, &str); 11] = [
        (b"\n\r\n{}\nbanner\r\n{}", 4, InvalidJson, "banner"),
        (b"banner\r\r\n", 1, InvalidJson, "banner\r"),
        (b"{}\n[1]\n", 2, NotAnObject, "[1]"),
        (b"{}\n{}{}\n", 2, InvalidJson, "{}{}"),
        (b"{\"a\":\"\xE9\"}\n", 1, InvalidJson, "{\"a\":\"\u{FFFD}\"}"),
        (b"{}\n\xEF\xBB\xBF{}\n", 2, InvalidJson, "\u{FEFF}{}"),
        (b"\xEF\xBB\xBFx\n", 1, InvalidJson, "x"),
        (b"\0{}\n", 1, InvalidJson, "\0{}"),
        (b"\x1b[?2004h{}\n", 1, InvalidJson, "\x1b[?2004h{}"),
        (b"{}\n{\"a\":1", 2, InvalidJson, "{\"a\":1"),
        (b"\x0b\n", 1, InvalidJson, "\x0b"),
    ];
    for (bytes, line, kind, snippet) in cases {
        assert_eq!(fault(bytes), (line, kind, snippet.to_owned()));
    }
}

#[test]
fn a_snippet_has_160_characters_whatever_their_size() {
    for character in ["a", "é", "漢", "🙂"] {
        let (_, _, snippet) = fault(character.repeat(400).as_bytes());
        assert_eq!(snippet, character.repeat(160));
    }
    assert_eq!(fault(&[0xFF; 700]).2, "\u{FFFD}".repeat(160));
}

#[test]
fn a_line_up_to_the_cap_is_read_and_a_longer_one_is_not() {
    let line = |length: usize| {
        let frame = "{\"n\":\"\"}".len();
        let filler = std::io::repeat(b'x').take((length - frame) as u64);
        let mut events =
            Events::new(BufReader::new(b"{}\n{\"n\":\"".chain(filler).chain(&b"\"}\n{}"[..])));
        let mut count = 0;
        loop {
            match events.next(|_| count += 1) {
                Ok(true) => {}
                Ok(false) => return (count, None),
                Err(broken) => return (count, Some(broken)),
            }
        }
    };
    assert_eq!(line(LONGEST_LINE), (3, None));
    assert_eq!(line(LONGEST_LINE + 1), (1, Some(Broken::LineTooLong { line: 2 })));
}
