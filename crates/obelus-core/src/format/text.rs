//! What text formats share: reading a stream line by line, and the place that most tools print
//! before a message.

use obelus_record::{Fault, Severity, Stream};

use super::{Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// Hands each line of the primary stream to `take`; a line that it does not know is unrecognised.
pub(super) fn each_line(
    input: &mut Input<'_>,
    sink: &mut dyn Sink,
    mut take: impl FnMut(&str, &mut dyn Sink) -> bool,
) -> Result<(), Fault> {
    let mut lines = input.lines(input.primary);
    while let Some(line) = lines.next()? {
        let text = line.text();
        if !take(&text, sink) && !line.is_blank() {
            sink.unrecognised(line.stream, line.number, &text);
        }
    }
    Ok(())
}

/// What stands before a message: `path:line:column: `, or `path:line: `.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head<'t> {
    pub(super) path: &'t str,
    pub(super) line: u32,
    pub(super) column: Option<u32>,
}

impl<'t> Head<'t> {
    /// Reads the head of `line`, and gives what follows it.
    ///
    /// A path may hold colons and blanks, so the head ends at the first `: ` that numbers precede.
    pub(super) fn parse(line: &'t str) -> Option<(Self, &'t str)> {
        let ends = line.match_indices(": ").map(|(at, mark)| (at, at + mark.len()));
        ends.chain(line.ends_with(':').then(|| (line.len() - 1, line.len())))
            .find_map(|(at, behind)| Some((Head::whole(&line[..at])?, &line[behind..])))
    }

    /// Reads a place that is all of `text`: `path:line:column` or `path:line`.
    pub(super) fn whole(text: &'t str) -> Option<Self> {
        let (rest, last) = text.rsplit_once(':')?;
        let last = number(last)?;
        let two = rest.rsplit_once(':').and_then(|(path, line)| Some((path, number(line)?)));
        let (path, line, column) = match two {
            Some((path, line)) => (path, line, Some(last)),
            None => (rest, last, None),
        };
        let is_path = !path.is_empty() && !path.starts_with(char::is_whitespace);
        is_path.then_some(Head { path, line, column })
    }

    /// The place. Line 0 says that there is none.
    pub(super) fn span(&self) -> Span {
        match self.line {
            0 => Span::None,
            line => Span::at(line, self.column),
        }
    }
}

/// Hands out what a formatter says on standard error of files that it can't parse:
/// `path:line:column: message` (shfmt, gofmt; the column counts UTF-8 bytes), or
/// `error: Failed to parse path:line:column: message` (ruff; code points). Other lines there are
/// warnings and counts.
pub(super) fn unparsed_files(input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
    let mut lines = input.lines(Stream::Stderr);
    while let Some(line) = lines.next()? {
        let text = line.text();
        let ruff = text.strip_prefix("error: Failed to parse ");
        let Some((head, message)) = Head::parse(ruff.unwrap_or(&text)) else { continue };
        let unit = if ruff.is_some() { Unit::CodePoints } else { Unit::Bytes };
        if head.column.is_some() {
            sink.finding(Finding {
                code: ruff.map(|_| "invalid-syntax".into()),
                path: Some(head.path.into()),
                span: head.span(),
                positions: Some(Positions::one_based(unit)),
                ..Finding::new(Severity::Error, message)
            });
        }
    }
    Ok(())
}

/// A number, digits alone (a sign would parse too).
pub(super) fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

/// Splits `message (word)` or, with other brackets, `message [word]`, where the word holds neither
/// blanks nor brackets.
pub(super) fn split_last(text: &str, brackets: (char, char)) -> Option<(&str, &str)> {
    let (message, word) = text.strip_suffix(brackets.1)?.rsplit_once(brackets.0)?;
    let is_word = !word.is_empty() && !word.contains([' ', brackets.1]);
    Some((message.strip_suffix(' ')?, word)).filter(|_| is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(line: &str) -> Option<(&str, u32, Option<u32>, &str)> {
        Head::parse(line).map(|(head, rest)| (head.path, head.line, head.column, rest))
    }

    #[test]
    fn a_head_ends_where_numbers_precede() {
        assert_eq!(head("a.py:1:2: m: n"), Some(("a.py", 1, Some(2), "m: n")));
        assert_eq!(head("a.py:7: m:1: n"), Some(("a.py", 7, None, "m:1: n")));
        assert_eq!(head("my: dir/a:b.py:1:2: m"), Some(("my: dir/a:b.py", 1, Some(2), "m")));
        assert_eq!(head(r"C:\x\a.py:1: m"), Some((r"C:\x\a.py", 1, None, "m")));
        assert_eq!(head("a.py:3:"), Some(("a.py", 3, None, "")));
        assert_eq!(head("  a.py:1:2: m"), None);
        assert_eq!(head("a.py:+1: m"), None);
        assert_eq!(head("Traceback: none"), None);
    }

    #[test]
    fn a_word_in_brackets_is_split_off() {
        assert_eq!(split_last("a (b) (c-d)", ('(', ')')), Some(("a (b)", "c-d")));
        assert_eq!(split_last("f(x)", ('(', ')')), None);
        assert_eq!(split_last("a (b c)", ('(', ')')), None);
        assert_eq!(split_last("a [SC1]", ('[', ']')), Some(("a", "SC1")));
    }
}
