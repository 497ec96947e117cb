//! Messages without what they quote.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

/// A message with each number as `#` and each quotation as `''`, so that two that differ in
/// nothing else are equal.
pub(super) fn skeleton(message: &str) -> Cow<'_, str> {
    let quotes = |c: char| closing(c).is_some();
    if !message.contains(|c: char| c.is_ascii_digit() || quotes(c)) {
        return Cow::Borrowed(message);
    }
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    let mut last = ' ';
    while let Some(c) = rest.chars().next() {
        let quoted = closing(c).filter(|_| !last.is_alphanumeric());
        if let Some(end) = quoted.and_then(|close| end_of_quotation(rest, c, close)) {
            out.push_str("''");
            (rest, last) = (&rest[end..], '\'');
        } else if c.is_ascii_digit() {
            if !last.is_ascii_digit() {
                out.push('#');
            }
            (rest, last) = (&rest[1..], c);
        } else {
            out.push(c);
            (rest, last) = (&rest[c.len_utf8()..], c);
        }
    }
    Cow::Owned(out)
}

/// The sign that ends a quotation that starts with `c`.
fn closing(c: char) -> Option<char> {
    Some(match c {
        '\'' | '"' | '`' => c,
        '‘' => '’',
        '“' => '”',
        '«' => '»',
        _ => return None,
    })
}

/// The byte behind the quotation at the start of `text`. An apostrophe within a word ends none.
fn end_of_quotation(text: &str, open: char, close: char) -> Option<usize> {
    let from = open.len_utf8();
    let mut ends = text[from..].match_indices(close).map(|(at, _)| from + at + close.len_utf8());
    ends.find(|&end| !text[end..].starts_with(char::is_alphanumeric))
}

/// Whether two messages name different things of the code: `os` on the one line, `sys` on the
/// other. A name that only one of the messages has, on the line that this one is about, says so,
/// if the other message has such a name as well.
pub(super) fn name_different_things(before: (&str, &[u8]), after: (&str, &[u8])) -> bool {
    if before.0 == after.0 {
        return false;
    }
    let old: FxHashSet<&str> = words(before.0).collect();
    let new: FxHashSet<&str> = words(after.0).collect();
    let names = |one: &FxHashSet<&str>, other: &FxHashSet<&str>, line: &[u8]| {
        let line = String::from_utf8_lossy(line).into_owned();
        words(&line).any(|word| one.contains(word) && !other.contains(word))
    };
    names(&old, &new, before.1) && names(&new, &old, after.1)
}

/// The words of a text that could be names in code.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    parts.filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_message_quotes_is_left_out() {
        for (a, b) in [
            ("Name \"text\" already defined on line 6", "Name \"text\" already defined on line 10"),
            ("Type '{ a: \"x\"; }' isn't 'T'", "Type '{ a: \"x\"; b: 1 }' isn't 'U'"),
            ("`a` is never read", "`b` is never read"),
            ("got ‘it’s’ here", "got ‘x’ here"),
        ] {
            assert_eq!(skeleton(a), skeleton(b));
        }
        for (a, b) in [("can't read", "can't write"), ("a 'x' b", "a 'x' c"), ("'a", "'b")] {
            assert_ne!(skeleton(a), skeleton(b));
        }
    }

    #[test]
    fn other_names_of_the_line_are_other_things() {
        let unused = |name: &str| format!("`{name}` imported but unused");
        let (os, sys) = (unused("os"), unused("sys"));
        assert!(name_different_things((&os, b"import os"), (&sys, b"import sys")));
        assert!(name_different_things((&os, b"import os, sys"), (&sys, b"import os, sys")));
        assert!(!name_different_things((&os, b"import os"), (&os, b"import os")));
        let (old, new) = ("not assignable to '{ a }'", "not assignable to '{ a, b }'");
        assert!(!name_different_things((old, b"x = { a }"), (new, b"x = { a }")));
        let (old, new) = ("defined on line 3", "defined on line 4");
        assert!(!name_different_things((old, b"x3 = 3"), (new, b"x3 = 4")));
    }
}
