//! `ruff check --output-format full`, its default: `CODE [*] message`, then `--> path:line:column`,
//! then an excerpt with its fix, up to an empty line.

use obelus_record::{Fault, Severity};

use super::lines::Line;
use super::ruff::{POSITIONS, Spot, is_summary};
use super::{Format, Input, Sink};
use crate::{Finding, Positions};

/// The format `ruff-full`.
pub struct RuffFull;

impl Format for RuffFull {
    fn name(&self) -> &'static str {
        "ruff-full"
    }

    fn summary(&self) -> &'static str {
        "ruff check, its default text"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut state = State::Between;
        let mut lines = input.lines(input.primary);
        let outcome = loop {
            match lines.next() {
                Ok(Some(line)) => state = state.next(&line, sink),
                Ok(None) => break Ok(()),
                Err(fault) => break Err(fault),
            }
        };
        state.end(input.primary, sink);
        outcome
    }
}

/// Where in the text the reader is.
enum State {
    /// Before a finding.
    Between,
    /// Behind a line that is the head of a finding, if a place follows.
    Head { number: u64, text: String },
    /// In the excerpt of a finding.
    Excerpt,
}

impl State {
    fn next(self, line: &Line<'_>, sink: &mut dyn Sink) -> State {
        let text = line.text();
        if let State::Head { number, text: head } = self {
            let place = text.trim_start().strip_prefix("--> ");
            if let Some(spot) = place.and_then(Spot::parse) {
                sink.finding(spot.finding(&head));
                return State::Excerpt;
            }
            sink.unrecognised(line.stream, number, &head);
            return State::Between.next(line, sink);
        }
        if line.is_blank() {
            return State::Between;
        }
        if matches!(self, State::Excerpt) && is_excerpt(&text) {
            return State::Excerpt;
        }
        if is_summary(&text) {
            return State::Between;
        }
        // `ruff format --check` of older versions says no more than this.
        if let Some(path) = text.strip_prefix("Would reformat: ") {
            sink.finding(Finding {
                code: Some("unformatted".into()),
                path: Some(path.into()),
                ..Finding::new(Severity::Error, "Would reformat")
            });
            return State::Between;
        }
        // In older versions the head is that of the concise form.
        if let Some((spot, said)) = Spot::parse_head(&text) {
            sink.finding(spot.finding(said));
            return State::Excerpt;
        }
        State::Head { number: line.number, text: text.into_owned() }
    }

    fn end(self, stream: obelus_record::Stream, sink: &mut dyn Sink) {
        if let State::Head { number, text } = self {
            sink.unrecognised(stream, number, &text);
        }
    }
}

/// A line below a finding: source beside `|`, lines taken away and added by a fix, help and notes.
fn is_excerpt(text: &str) -> bool {
    let margin = text.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
    let drawn = ["|", "+", "-", ":", "=", "."].iter().any(|mark| margin.starts_with(mark));
    drawn || ["help: ", "note: ", "info: "].iter().any(|word| text.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn findings_without_an_excerpt_and_with_a_second_label() {
        // Printed by 0.17.6.
        let text = "\
D100 Missing docstring in public module
--> b.py:1:1

redefined-while-unused: Redefinition of unused `f` from line 1
 --> c.py:2:5
  |
1 | def f(): pass
  |     - previous definition of `f` here
2 | def f(): pass
  |     ^ `f` redefined here
help: Remove definition: `f`

Found 2 errors.
";
        let got = read(&RuffFull, text, "");
        assert_eq!(unrecognised(&got), []);
        assert_eq!(
            all_shown(&got),
            [
                "error D100 b.py:1:1--:- Missing docstring in public module",
                "error redefined-while-unused c.py:2:5--:- Redefinition of unused `f` from line 1"
            ]
        );
    }

    #[test]
    fn the_head_of_older_versions() {
        let text = "a.py:1:8: F401 [*] `os` imported but unused\n  |\n1 | import os\n  |        ^^ F401\n  |\n  = help: Remove unused import: `os`\n\nFound 1 error.\n";
        let got = read(&RuffFull, text, "");
        assert_eq!(unrecognised(&got), []);
        assert_eq!(all_shown(&got), ["error F401 a.py:1:8--:- `os` imported but unused"]);
    }

    #[test]
    fn foreign_lines_are_named() {
        let got = read(&RuffFull, "hello\n\nF401 x\n --> a.py:1:8\nworld\n", "");
        assert_eq!(unrecognised(&got), [(1, "hello"), (5, "world")]);
        assert_eq!(all_shown(&got), ["error F401 a.py:1:8--:- x"]);
    }
}
