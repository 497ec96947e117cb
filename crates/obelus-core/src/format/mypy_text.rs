//! mypy's text: `path:line:column:end_line:end_column: error: message  [code]`, each number after
//! the path optional, also with `--pretty`.

use obelus_record::{Fault, Severity};

use super::mypy::{attach, is_summary, severity};
use super::{Format, Input, Sink};
use crate::{End, Finding, LineEnds, Position, Positions, Span, Unit};

/// The format `mypy-text`.
pub struct MypyText;

impl Format for MypyText {
    fn name(&self) -> &'static str {
        "mypy-text"
    }

    fn summary(&self) -> &'static str {
        "mypy, with or without --show-column-numbers, --show-error-end, --pretty"
    }

    /// Columns from 1 in UTF-8 bytes; an end is that of the last character.
    fn positions(&self) -> Positions {
        Positions {
            unit: Unit::Bytes,
            line_base: 1,
            column_base: 1,
            end: End::Inclusive,
            line_ends: LineEnds::Usual,
        }
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut reader = Reader { sink, pending: None };
        let mut lines = input.lines(input.primary);
        let outcome = loop {
            match lines.next() {
                Ok(Some(line)) => {
                    let text = line.text();
                    if !reader.take(&text) {
                        reader.sink.unrecognised(line.stream, line.number, &text);
                    }
                }
                Ok(None) => break Ok(()),
                Err(fault) => break Err(fault),
            }
        };
        reader.flush();
        outcome
    }
}

struct Reader<'s> {
    sink: &'s mut dyn Sink,
    pending: Option<Pending>,
}

/// A finding whose further lines may follow.
struct Pending {
    finding: Finding<'static>,
    /// How many lines of its source excerpt were seen: `--pretty` prints the source line and a
    /// line of markers, both indented by four blanks.
    excerpt: u8,
}

impl Reader<'_> {
    /// Takes a line; says whether it is known.
    fn take(&mut self, line: &str) -> bool {
        if line.trim().is_empty() || is_summary(line) {
            return true;
        }
        if let Some(head) = Head::parse(line) {
            self.head(&head);
            return true;
        }
        let Some(pending) = &mut self.pending else {
            // dmypy says so on stdout when it has to start its daemon.
            return line == "Daemon started";
        };
        if line.starts_with("    ") && pending.excerpt < 2 {
            pending.excerpt += 1;
            return true;
        }
        // `--pretty` wraps errors, not notes, at the width of the terminal; the code stands last.
        let finding = &mut pending.finding;
        if pending.excerpt == 0 && finding.severity == Severity::Error && finding.code.is_none() {
            let (text, code) = split_code(line);
            if !text.is_empty() {
                finding.message.to_mut().push(' ');
                finding.message.to_mut().push_str(text);
            }
            finding.code = code.map(|code| code.to_owned().into());
            return true;
        }
        false
    }

    fn head(&mut self, head: &Head<'_>) {
        let (message, code) = split_code(head.message);
        if let Some(Pending { finding, .. }) = &mut self.pending
            && head.severity == Severity::Info
            && finding.severity != Severity::Info
            && finding.path.as_deref() == Some(head.path)
            && start(finding.span) == start(head.span)
        {
            attach(finding, message.to_owned());
            return;
        }
        self.flush();
        let finding = Finding {
            code: code.map(|code| code.to_owned().into()),
            path: Some(head.path.to_owned().into()),
            span: head.span,
            ..Finding::new(head.severity, message.to_owned())
        };
        self.pending = Some(Pending { finding, excerpt: 0 });
    }

    fn flush(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.sink.finding(pending.finding);
        }
    }
}

fn start(span: Span) -> Option<Position> {
    match span {
        Span::Lines { start, .. } => Some(start),
        _ => None,
    }
}

/// A line that begins a finding.
struct Head<'t> {
    path: &'t str,
    span: Span,
    severity: Severity,
    message: &'t str,
}

impl<'t> Head<'t> {
    fn parse(line: &'t str) -> Option<Self> {
        let (at, word) = [": error: ", ": note: ", ": warning: "]
            .into_iter()
            .filter_map(|mark| Some((line.find(mark)?, mark)))
            .min()?;
        let message = &line[at + word.len()..];
        let (path, numbers) = split_numbers(&line[..at]);
        // Source lines of `--pretty` and sentences hold such words too; a path begins a line.
        if path.is_empty() || path.starts_with(' ') {
            return None;
        }
        let position = |line, column| Position { line, column };
        let span = match numbers[..] {
            [] => Span::None,
            [line] => Span::Lines { start: position(line, None), end: None },
            [line, column] => Span::at(line, column),
            [line, column, end_line, end_column] => {
                Span::between((line, column), (end_line, end_column))
            }
            _ => return None,
        };
        Some(Head { path, span, severity: severity(word.trim_matches([':', ' '])), message })
    }
}

/// Splits `path:1:2:3:4` into the path and its numbers: four, two, one or none. The path itself
/// may hold colons, so the numbers are taken from the end.
fn split_numbers(text: &str) -> (&str, Vec<u32>) {
    let mut ends = vec![text];
    let mut numbers = Vec::new();
    while let Some((head, tail)) = ends[ends.len() - 1].rsplit_once(':')
        && numbers.len() < 4
        && let Ok(number) = tail.parse()
    {
        ends.push(head);
        numbers.push(number);
    }
    if numbers.len() == 3 {
        // No form prints three: the first belongs to the path.
        ends.pop();
        numbers.pop();
    }
    numbers.reverse();
    (ends[ends.len() - 1], numbers)
}

/// Splits `message  [code]`.
fn split_code(message: &str) -> (&str, Option<&str>) {
    let code = message.strip_suffix(']').and_then(|rest| rest.rsplit_once(" ["));
    match code {
        Some((text, code)) if is_code(code) && (text.ends_with(' ') || text.is_empty()) => {
            (text.trim_end(), Some(code))
        }
        _ => (message, None),
    }
}

fn is_code(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, messages, read, unrecognised};
    use super::*;

    #[test]
    fn paths_with_colons_and_drives_keep_them() {
        assert_eq!(split_numbers("src (old)/a:b.py:1:2"), ("src (old)/a:b.py", vec![1, 2]));
        assert_eq!(split_numbers(r"C:\x\a.py:7"), (r"C:\x\a.py", vec![7]));
        assert_eq!(split_numbers("a:9:1:2"), ("a:9", vec![1, 2]));
        assert_eq!(split_numbers("a.py:1:2:3:4"), ("a.py", vec![1, 2, 3, 4]));
        assert_eq!(split_numbers("a.py"), ("a.py", vec![]));
    }

    #[test]
    fn codes_are_split_off_and_brackets_of_types_are_not() {
        assert_eq!(split_code("Missing return  [return]"), ("Missing return", Some("return")));
        assert_eq!(split_code("got \"list[int]\""), ("got \"list[int]\"", None));
        assert_eq!(split_code("use list [int]"), ("use list [int]", None));
    }

    #[test]
    fn a_code_may_stand_alone_on_a_wrapped_line() {
        let text = "a.py:1:5:1:9: error: Item of type has no\nattribute\n [union-attr]\n    a.x\n    ^~~\n";
        let got = read(&MypyText, text, "");
        assert_eq!(unrecognised(&got), []);
        assert_eq!(
            all_shown(&got),
            ["error union-attr a.py:1:5-1:10 Item of type has no attribute"]
        );
    }

    #[test]
    fn foreign_lines_are_named() {
        let text = "plugin: hello\na.py:1: error: x  [misc]\n    code\n    ^\n    more\nDone.\n";
        let got = read(&MypyText, text, "");
        assert_eq!(unrecognised(&got), [(1, "plugin: hello"), (5, "    more"), (6, "Done.")]);
        assert_eq!(all_shown(&got), ["error misc a.py:1:---:- x"]);
    }

    #[test]
    fn a_note_elsewhere_is_a_finding() {
        let text = "a.py:1:2: error: x  [misc]\na.py:1:2: note: why\na.py:1:3: note: other\na.py:1:3: note: more\n";
        let got = read(&MypyText, text, "");
        assert_eq!(
            all_shown(&got),
            ["error misc a.py:1:2--:- x", "info - a.py:1:3--:- other", "info - a.py:1:3--:- more"]
        );
        assert_eq!(messages(&got.diagnostics[0].related), ["why"]);
    }
}
