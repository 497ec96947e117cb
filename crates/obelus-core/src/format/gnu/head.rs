//! The line that begins a finding or a note.

use std::borrow::Cow;

use obelus_record::Severity;

use crate::Span;

/// How severe a line calls itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// An error, also a fatal one.
    Error,
    /// A warning.
    Warning,
    /// A note, or a remark.
    Note,
    /// The compiler itself failed.
    Crash,
}

impl Word {
    /// The severity of a finding so called.
    pub fn severity(self) -> Severity {
        match self {
            Word::Error | Word::Crash => Severity::Error,
            Word::Warning => Severity::Warning,
            Word::Note => Severity::Info,
        }
    }
}

/// The words as printed. "sorry, unimplemented" is what gcc says of what it can't compile.
const WORDS: &[(&str, Word)] = &[
    (": error: ", Word::Error),
    (": fatal error: ", Word::Error),
    (": sorry, unimplemented: ", Word::Error),
    (": warning: ", Word::Warning),
    (": note: ", Word::Note),
    (": remark: ", Word::Note),
    (": internal compiler error: ", Word::Crash),
];

/// A place in a source as printed: its line and its column.
type Point = (u32, u32);

/// A line that begins a finding or a note.
#[derive(Debug, PartialEq, Eq)]
pub struct Head<'t> {
    /// What stands first: the file, or the program that complains.
    pub path: &'t str,
    /// The line; a program that complains has none.
    pub line: Option<u32>,
    /// The column.
    pub column: Option<u32>,
    /// Ranges of the source, ends exclusive, as `-fdiagnostics-print-source-range-info` prints them.
    pub ranges: Vec<(Point, Point)>,
    /// How severe it calls itself.
    pub word: Word,
    /// The rest of the line.
    pub message: &'t str,
}

impl Head<'_> {
    /// The place without an end.
    pub fn start(&self) -> Span {
        self.line.map_or(Span::None, |line| Span::at(line, self.column))
    }

    /// The place, with the end of the range that holds it.
    pub fn span(&self) -> Span {
        let (Some(line), Some(column)) = (self.line, self.column) else { return self.start() };
        let at = (line, column);
        match self.ranges.iter().find(|(start, end)| *start <= at && at < *end) {
            Some((_, end)) => Span::between(at, *end),
            None => self.start(),
        }
    }
}

/// Reads a line that begins a finding, a note, or a complaint without a place.
pub fn parse(line: &str) -> Option<Head<'_>> {
    // Drawn sources are indented, and hold such words too.
    if line.starts_with([' ', '\t']) {
        return None;
    }
    let (at, mark, word) = WORDS
        .iter()
        .filter_map(|(mark, word)| Some((line.find(mark)?, *mark, *word)))
        .min_by_key(|(at, ..)| *at)?;
    let message = &line[at + mark.len()..];
    let (front, ranges) = split_ranges(&line[..at]);
    let (path, number, column) = split_place(front);
    (!path.is_empty()).then_some(Head { path, line: number, column, ranges, word, message })
}

/// Splits `path:1:2:{1:1-1:3}{1:5-1:6}` at the ranges.
fn split_ranges(text: &str) -> (&str, Vec<(Point, Point)>) {
    let Some(at) = text.find(":{").filter(|_| text.ends_with('}')) else {
        return (text, Vec::new());
    };
    let ranges: Option<Vec<_>> = text[at + 2..text.len() - 1].split("}{").map(range).collect();
    match ranges {
        Some(ranges) => (&text[..at], ranges),
        None => (text, Vec::new()),
    }
}

/// Reads `1:2-3:4`.
pub(super) fn range(text: &str) -> Option<(Point, Point)> {
    let (start, end) = text.split_once('-')?;
    let point = |text: &str| {
        let (line, column) = text.split_once(':')?;
        Some((line.parse().ok()?, column.parse().ok()?))
    };
    Some((point(start)?, point(end)?))
}

/// Splits `path:line:column` from its end: a path may hold colons, and numbers between them.
pub fn split_place(text: &str) -> (&str, Option<u32>, Option<u32>) {
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| !text.starts_with('+'));
    let Some((head, last)) = text.rsplit_once(':') else { return (text, None, None) };
    let Some(last) = number(last) else { return (text, None, None) };
    match head.rsplit_once(':') {
        Some((path, line)) if !path.is_empty() && number(line).is_some() => {
            (path, number(line), Some(last))
        }
        _ => (head, Some(last), None),
    }
}

/// Splits `message [-Wname]`, also where other brackets stand before (`[CWE-476]` of gcc's analyzer).
pub fn split_code(message: &str) -> (&str, Option<Cow<'_, str>>) {
    let Some((text, name)) = message.strip_suffix(']').and_then(|rest| rest.rsplit_once(" ["))
    else {
        return (message, None);
    };
    if !is_name(name) {
        return (message, None);
    }
    let text = match text.strip_suffix(']').and_then(|rest| rest.rsplit_once(" [CWE-")) {
        Some((text, number)) if number.bytes().all(|b| b.is_ascii_digit()) => text,
        _ => text,
    };
    (text, warning_name(name))
}

/// Names of warnings and checks hold no blanks, and either begin with a dash or are words joined by
/// dashes and dots.
fn is_name(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.=+,*<>".contains(c);
    text.chars().all(plain)
        && text.starts_with(|c: char| c == '-' || c.is_ascii_lowercase())
        && text.contains('-')
}

/// The name of a warning, whatever made an error of it: `-Werror=unused`, `-Werror,-Wunused` and
/// `unused,-warnings-as-errors` are `-Wunused`, `-Wunused` and `unused`.
pub fn warning_name(name: &str) -> Option<Cow<'_, str>> {
    let name = name.strip_suffix(",-warnings-as-errors").unwrap_or(name);
    let name = name.strip_prefix("-Werror,").unwrap_or(name);
    match name.strip_prefix("-Werror=") {
        Some(rest) => Some(format!("-W{rest}").into()),
        None => (name != "-Werror").then_some(name.into()),
    }
}

/// Whether a note stands for itself and belongs to no finding before it.
pub fn is_own_note(message: &str) -> bool {
    message.trim_start_matches(['\'', '\u{2018}']).starts_with("#pragma message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_split_from_the_end() {
        assert_eq!(split_place("a:b.c:1:2"), ("a:b.c", Some(1), Some(2)));
        assert_eq!(split_place("a.c:7"), ("a.c", Some(7), None));
        assert_eq!(split_place(r"C:\a.c:7:1"), (r"C:\a.c", Some(7), Some(1)));
        assert_eq!(split_place("cc1plus"), ("cc1plus", None, None));
    }

    #[test]
    fn ranges_are_kept_and_the_one_that_holds_the_place_gives_the_end() {
        let head = parse("a b.c:8:28:{8:16-8:23}{8:28-9:2}: error: no: error: x").unwrap();
        assert_eq!((head.path, head.message), ("a b.c", "no: error: x"));
        assert_eq!(head.span(), Span::between((8, 28), (9, 2)));
        let outside = parse("a.c:8:28:{8:16-8:23}: warning: x").unwrap();
        assert_eq!(outside.span(), Span::at(8, 28));
        assert_eq!(parse("    a.c:1:2: error: x"), None);
    }

    #[test]
    fn names_of_warnings_are_those_of_the_warning() {
        for (text, name) in [
            ("x [-Wunused]", Some("-Wunused")),
            ("x [-Werror=format=]", Some("-Wformat=")),
            ("x [-Werror,-Wunused]", Some("-Wunused")),
            ("x [-Werror]", None),
            ("x [-fpermissive]", Some("-fpermissive")),
            ("x [modernize-use-nullptr,-warnings-as-errors]", Some("modernize-use-nullptr")),
            ("x [CWE-476] [-Wanalyzer-null-dereference]", Some("-Wanalyzer-null-dereference")),
            ("no match for operator[]", None),
            ("type int [3]", None),
        ] {
            assert_eq!(split_code(text).1.as_deref(), name, "{text}");
        }
        assert_eq!(split_code("x [CWE-476] [-Wa-b]").0, "x");
        assert_eq!(split_code("type int [3]").0, "type int [3]");
    }
}
