//! Whether what a change wrote may silence anything: a search for words, which is a thousand times
//! cheaper than a syntax tree, and tells most files from those that must be parsed.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};

use super::files::File;
use super::syntax::Language;
use super::{code, directive, testing};
use crate::reason::text::Text;

/// Lines around an edit in which the word of a construct may stand that the edit wrote in part.
const NEAR: u32 = 3;

/// Whether the lines of `after` that the change wrote may hold a construct of `language`; `true`
/// where that takes a syntax tree to tell.
pub(super) fn may_silence(language: Language, file: &File<'_>, after: &Text) -> bool {
    let written = |(_, lines): &(Range<u32>, Range<u32>)| {
        !lines.is_empty() && has_word(language, near(after, lines))
    };
    file.edits().iter().any(written)
}

/// The bytes of lines, with those near them.
pub(super) fn near<'t>(text: &'t Text, lines: &Range<u32>) -> &'t [u8] {
    text.lines(lines.start.saturating_sub(NEAR)..lines.end.saturating_add(NEAR))
}

/// Whether one of the words of `language` stands in `bytes`, in whatever case.
fn has_word(language: Language, bytes: &[u8]) -> bool {
    static SEARCHES: LazyLock<Vec<(Language, Option<AhoCorasick>)>> =
        LazyLock::new(|| Language::ALL.into_iter().map(|one| (one, search(one))).collect());
    let search = SEARCHES.iter().find(|(one, _)| *one == language).map(|(_, search)| search);
    // Without a search nothing is known, so that the file is parsed.
    let Some(Some(search)) = search else { return true };
    search.find_overlapping_iter(bytes).any(|found| stands(bytes, found.range()))
}

fn search(language: Language) -> Option<AhoCorasick> {
    let mut words = directive::words(language);
    words.extend(code::words(language));
    words.extend(testing::words(language));
    let mut builder = AhoCorasickBuilder::new();
    builder.ascii_case_insensitive(true).match_kind(MatchKind::Standard).build(words).ok()
}

/// Whether what stands at `span` is a word, and no part of a longer one.
fn stands(bytes: &[u8], span: Range<usize>) -> bool {
    let in_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let (first, last) = (bytes.get(span.start), bytes.get(span.end - 1));
    let before = span.start.checked_sub(1).and_then(|at| bytes.get(at));
    let after = bytes.get(span.end);
    if first == Some(&b'!') {
        // Behind a value; elsewhere it means `not`.
        let value = bytes[..span.start].trim_ascii_end().last();
        let ends_value = in_word(value)
            || value.is_none_or(|byte| {
                matches!(byte, b')' | b']' | b'}' | b'"' | b'\'' | b'`' | b'$' | b'>' | b'!')
            })
            || value.is_some_and(|byte| !byte.is_ascii());
        return ends_value && after != Some(&b'=');
    }
    !(in_word(first) && in_word(before) || in_word(last) && last != Some(&b'_') && in_word(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_no_part_of_another() {
        for (language, code, may) in [
            (Language::TypeScript, "const a = b as any;", true),
            (Language::TypeScript, "const company = many;", false),
            (Language::TypeScript, "// @ts-ignore", true),
            (Language::TypeScript, "/* ESLint-disable */", true),
            (Language::TypeScript, "a = b !== c && !d || e!=f;", false),
            (Language::TypeScript, "a = b!.c", true),
            (Language::TypeScript, "a = list[0]!;", true),
            (Language::Python, "x = 1  # NoQA", true),
            (Language::Python, "def ignore(kind): broadcast(kind)", false),
            (Language::C, "TEST(A, DISABLED_B) {", true),
            (Language::C, "// NOLINTNEXTLINE(x)", true),
            (Language::Rust, "#[allow(dead_code)]", true),
            (Language::Rust, "shallow(1)", false),
            (Language::Shell, "echo $a", false),
        ] {
            assert_eq!(has_word(language, code.as_bytes()), may, "{code}");
        }
    }

    /// Each line that the cases call silencing holds a word of its language by itself.
    #[test]
    fn no_labelled_line_is_without_a_word() {
        const CASES: [&str; 9] = [
            include_str!("../../../../../tests/cases/silence/typescript.txt"),
            include_str!("../../../../../tests/cases/silence/javascript.txt"),
            include_str!("../../../../../tests/cases/silence/python.txt"),
            include_str!("../../../../../tests/cases/silence/rust.txt"),
            include_str!("../../../../../tests/cases/silence/go.txt"),
            include_str!("../../../../../tests/cases/silence/java.txt"),
            include_str!("../../../../../tests/cases/silence/c.txt"),
            include_str!("../../../../../tests/cases/silence/shell.txt"),
            include_str!("../../../../../tests/cases/silence/tests.txt"),
        ];
        let (mut language, mut without) = (None, Vec::new());
        for row in CASES.iter().flat_map(|case| case.lines()) {
            if let Some(path) = row.strip_prefix("# ") {
                language = Language::of(path, b"#!/bin/sh");
            }
            let code = row.strip_prefix('!').and_then(|row| row.split_once('|'));
            if let Some(((kinds, code), language)) = code.zip(language) {
                // What became less is found by what was there before.
                let compared = ["assertions-removed", "emptied-function"].contains(&kinds);
                if !compared && !has_word(language, code.as_bytes()) {
                    without.push((kinds, code));
                }
            }
        }
        assert_eq!(without, []);
    }
}
