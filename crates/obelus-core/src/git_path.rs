//! Paths as git writes them.

/// A path as git quotes it: in quotes, with C's escapes, where it holds unusual characters.
pub(crate) fn unquoted(name: &[u8]) -> String {
    let inner = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\""));
    let Some(inner) = inner else { return String::from_utf8_lossy(name).into_owned() };
    let mut bytes = Vec::with_capacity(inner.len());
    let mut at = 0;
    while at < inner.len() {
        let octal = inner.get(at + 1..at + 4).and_then(|digits| std::str::from_utf8(digits).ok());
        let octal = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match (inner[at], octal, inner.get(at + 1)) {
            (b'\\', Some(byte), _) => {
                bytes.push(byte);
                at += 4;
            }
            (b'\\', None, Some(&escape)) => {
                bytes.push(match escape {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    other => other,
                });
                at += 2;
            }
            (byte, ..) => {
                bytes.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_escapes_are_taken_off() {
        for (written, path) in [
            ("src/a.rs", "src/a.rs"),
            (r#""caf\303\251.ts""#, "café.ts"),
            (r#""tab\tquote\"back\\slash""#, "tab\tquote\"back\\slash"),
            ("\"", "\""),
        ] {
            assert_eq!(unquoted(written.as_bytes()), path);
        }
    }
}
