//! clang's edits: `fix-it:"path":{1:2-3:4}:"text"`, texts escaped as in C
//! (<https://clang.llvm.org/docs/UsersManual.html#cmdoption-fdiagnostics-parseable-fixits>).

use super::{EDITS, head};
use crate::{Replacement, Span};

pub(super) fn parse(line: &str) -> Option<Replacement<'static>> {
    let rest = line.strip_prefix("fix-it:")?;
    let (path, rest) = quoted(rest)?;
    let (range, rest) = rest.strip_prefix(":{")?.split_once("}:")?;
    let (start, end) = head::range(range)?;
    let (text, rest) = quoted(rest)?;
    rest.is_empty().then(|| Replacement {
        path: Some(path.into()),
        span: Span::between(start, end),
        positions: Some(EDITS),
        text: text.into(),
    })
}

/// Reads a quoted text, and gives what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'"') {
        return None;
    }
    let mut out = Vec::new();
    let mut at = 1;
    loop {
        match (*bytes.get(at)?, bytes.get(at + 1)) {
            (b'"', _) => {
                let text_after = text.get(at + 1..)?;
                return Some((String::from_utf8_lossy(&out).into_owned(), text_after));
            }
            (b'\\', Some(b'0'..=b'7')) => {
                // Bytes that can't be printed, as three octal digits.
                let digits = bytes.get(at + 1..at + 4)?;
                let digits = std::str::from_utf8(digits).ok()?;
                out.push(u8::from_str_radix(digits, 8).ok()?);
                at += 4;
            }
            (b'\\', Some(escaped)) => {
                out.push(match escaped {
                    b'n' => b'\n',
                    b't' => b'\t',
                    other => *other,
                });
                at += 2;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone() {
        let edit = parse(r#"fix-it:"caf\303\251 \"x\".c":{1:2-3:4}:"#).is_none();
        assert!(edit, "without a text it is no edit");
        let edit = parse(r#"fix-it:"caf\303\251.c":{1:2-3:4}:"a\\\"b\n\t\303\251""#).unwrap();
        assert_eq!(edit.path.as_deref(), Some("café.c"));
        assert_eq!(edit.text, "a\\\"b\n\té");
        assert_eq!(edit.span, Span::between((1, 2), (3, 4)));
    }
}
