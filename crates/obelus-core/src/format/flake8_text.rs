//! flake8's default text: `path:line:column: CODE message`, perhaps with the source line and a
//! caret below (`--show-source`).

use obelus_record::Fault;

use super::flake8::{POSITIONS, finding, is_statistics};
use super::text::Head;
use super::{Format, Input, Sink};
use crate::Positions;

/// The format `flake8-text`.
pub struct Flake8Text;

impl Format for Flake8Text {
    fn name(&self) -> &'static str {
        "flake8-text"
    }

    fn summary(&self) -> &'static str {
        "flake8, its default text"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        // A line behind a finding that is its source line if a caret follows.
        let mut held: Option<(u64, String)> = None;
        let mut behind_finding = false;
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if held.is_some() && text.trim() == "^" {
                held = None;
                continue;
            }
            if let Some((number, text)) = held.take() {
                sink.unrecognised(line.stream, number, &text);
            }
            let head = Head::parse(&text);
            let found = head.and_then(|(head, said)| {
                let (code, message) = said.split_once(' ').unwrap_or((said, ""));
                finding(head.path, head.span(), code, message)
            });
            match found {
                Some(finding) => {
                    sink.finding(finding);
                    behind_finding = true;
                    continue;
                }
                None if line.is_blank() || is_statistics(&text) => {}
                None if behind_finding => held = Some((line.number, text.into_owned())),
                None => sink.unrecognised(line.stream, line.number, &text),
            }
            behind_finding = false;
        }
        let stream = input.primary;
        held.into_iter().for_each(|(number, text)| sink.unrecognised(stream, number, &text));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn sources_counts_and_statistics_are_no_findings() {
        let text = "\
./a.py:2:8: F401 'os' imported but unused
import os
       ^
./a.py:3:1: WPS432 Found magic number: 7
1     F401 'os' imported but unused
2
";
        let got = read(&Flake8Text, text, "");
        assert_eq!(unrecognised(&got), []);
        assert_eq!(
            all_shown(&got),
            [
                "error F401 a.py:2:8--:- 'os' imported but unused",
                "error WPS432 a.py:3:1--:- Found magic number: 7"
            ]
        );
    }

    #[test]
    fn foreign_lines_are_named() {
        let got = read(&Flake8Text, "hello\na.py:1:1: E1 x\nworld\na.py:1:1: note y\nend", "");
        assert_eq!(
            unrecognised(&got),
            [(1, "hello"), (3, "world"), (4, "a.py:1:1: note y"), (5, "end")]
        );
    }
}
