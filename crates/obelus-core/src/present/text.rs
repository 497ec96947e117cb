//! Text of strangers made fit to be printed, and the small words that outputs share.

use std::fmt::Write as _;

/// What stands for a character that must not reach a terminal or a model as it is; one for one,
/// so that columns stay what they were. A tab and a line feed are the caller's to keep.
pub fn visible(c: char) -> char {
    match c {
        // The pictures of the control characters, in the order of these.
        '\0'..='\x1F' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{FFFD}'),
        '\x7F' => '\u{2421}',
        // Line and paragraph separator: they end a line for some readers.
        '\u{2028}' | '\u{2029}' => '\u{2424}',
        // The second set of control characters; what turns the writing direction, so that text
        // reads otherwise than it stands; what shows nothing at all and may hide a message.
        '\u{80}'..='\u{9F}'
        | '\u{61C}'
        | '\u{200B}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'
        | '\u{2066}'..='\u{2069}'
        | '\u{FEFF}'
        | '\u{E0000}'..='\u{E007F}' => '\u{FFFD}',
        _ => c,
    }
}

/// A text of several lines: its line feeds stay, all other control characters are made visible.
pub fn lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    text.trim_end().chars().map(|c| if c == '\n' || c == '\t' { c } else { visible(c) }).collect()
}

/// A text on one line: its lines are joined with ` / `.
pub fn line(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for part in text.lines().map(str::trim).filter(|part| !part.is_empty()) {
        if !joined.is_empty() {
            joined += " / ";
        }
        joined.extend(part.chars().map(|c| if c == '\t' { ' ' } else { visible(c) }));
    }
    joined
}

/// A path or another name: each character that would move the cursor is made visible.
pub fn name(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// Source text on one line, its line feeds and tabs written as a language would.
pub fn code(text: &str) -> String {
    name(&text.replace("\r\n", "\n").replace('\n', "\\n").replace('\t', "\\t"))
}

/// A text as XML 1.0 may hold it: characters that it can't even name are made visible.
pub fn xml(text: &str) -> String {
    let shown = |c| match c {
        '\u{FFFE}' | '\u{FFFF}' => '\u{FFFD}',
        '\t' | '\n' | '\r' | ' '.. => c,
        _ => visible(c),
    };
    text.chars().map(shown).collect()
}

/// At most `limit` characters of `text`, and how many are missing.
pub fn at_most(text: String, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text,
        Some((end, _)) => {
            let missing = text[end..].chars().count();
            let what = plural(missing as u64, "more character", "more characters");
            format!("{}… ({what})", &text[..end])
        }
    }
}

/// `1 error`, `2 errors`.
pub fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `320 ms`, `3.2 s`, `2 min 5 s`.
pub fn duration(milliseconds: u64) -> String {
    match milliseconds {
        ..1_000 => format!("{milliseconds} ms"),
        // From here on a tenth would round up to a whole minute.
        1_000..59_950 => {
            let tenths = (milliseconds + 50) / 100;
            format!("{}.{} s", tenths / 10, tenths % 10)
        }
        _ => {
            let seconds = (milliseconds + 500) / 1_000;
            format!("{} min {} s", seconds / 60, seconds % 60)
        }
    }
}

/// `src/a.ts:39:10`, as far as it is known.
pub fn place(path: &str, cell: Option<u32>, line: Option<u32>, column: Option<u32>) -> String {
    let mut place = name(path);
    if let Some(cell) = cell {
        let _ = write!(place, ":cell {cell}");
    }
    if let Some(line) = line {
        let _ = write!(place, ":{line}");
        if let Some(column) = column {
            let _ = write!(place, ":{column}");
        }
    }
    place
}

/// A command line as it could be typed into a shell.
pub fn command(argv: &[String]) -> String {
    let words: Vec<String> = argv.iter().map(|word| name(&quoted(word))).collect();
    words.join(" ")
}

/// A word as a POSIX shell reads it back.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_passes() {
        let all: String = (0..0x3000).filter_map(char::from_u32).collect();
        for shown in [line(&all), name(&all)] {
            assert!(!shown.contains(|c: char| c.is_control()));
        }
        assert!(!lines(&all).contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
        assert_eq!(name("\x1b[31m\u{202E}x\n"), "␛[31m\u{FFFD}x␊");
    }

    #[test]
    fn several_lines_become_one() {
        assert_eq!(line("a\r\n  b\n\n\tc\td\n"), "a / b / c d");
        assert_eq!(lines("a\r\n  b\n"), "a\n  b");
    }

    #[test]
    fn what_is_cut_is_counted() {
        assert_eq!(at_most("abc".to_owned(), 3), "abc");
        assert_eq!(at_most("abcd".to_owned(), 3), "abc… (1 more character)");
    }

    #[test]
    fn times_are_rounded_once() {
        let shown: Vec<String> =
            [999, 1_000, 3_249, 59_949, 59_950, 125_000].map(duration).to_vec();
        assert_eq!(shown, ["999 ms", "1.0 s", "3.2 s", "59.9 s", "1 min 0 s", "2 min 5 s"]);
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(
            command(&["a b".to_owned(), "it's".to_owned(), "-x=1".to_owned()]),
            r"'a b' 'it'\''s' -x=1"
        );
    }
}
