//! `pyrefly check --output-format min-text`: `LEVEL path:line:column-end: message [rule]`.

use obelus_record::Fault;

use super::pyrefly::{POSITIONS, severity};
use super::text::{each_line, number, split_last};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span};

/// The format `pyrefly-min-text`.
pub struct PyreflyMinText;

impl Format for PyreflyMinText {
    fn name(&self) -> &'static str {
        "pyrefly-min-text"
    }

    fn summary(&self) -> &'static str {
        "pyrefly check --output-format min-text"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        each_line(input, sink, |line, sink| match finding(line) {
            Some(finding) => {
                sink.finding(finding);
                true
            }
            None => false,
        })
    }
}

fn finding(line: &str) -> Option<Finding<'_>> {
    // The levels are aligned to the right.
    let (level, rest) = line.trim_start().split_once(' ')?;
    let severity = severity(level)?;
    let (path, span, said) = rest.match_indices(": ").find_map(|(at, mark)| {
        let (path, span) = place(&rest[..at])?;
        Some((path, span, &rest[at + mark.len()..]))
    })?;
    let (message, rule) = split_last(said, ('[', ']'))?;
    Some(Finding {
        code: Some(rule.into()),
        path: Some(path.into()),
        span,
        ..Finding::new(severity, message)
    })
}

/// `path:2:8-19`, or `path:2:8-3:1` where the end lies on another line.
fn place(text: &str) -> Option<(&str, Span)> {
    let (head, end) = text.rsplit_once('-')?;
    let (rest, column) = head.rsplit_once(':')?;
    let (path, line) = rest.rsplit_once(':')?;
    let start = (number(line)?, number(column)?);
    let end = match end.split_once(':') {
        Some((line, column)) => (number(line)?, number(column)?),
        None => (start.0, number(end)?),
    };
    Some((path, Span::between(start, end)))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn ends_on_other_lines_and_foreign_lines() {
        let text = "ERROR a-b c.py:2:4-3:1: Parse error: x [y] [parse-error]\n WARN a.py:1:2-3: z [w]\nINFO 2 errors\n";
        let got = read(&PyreflyMinText, text, "");
        assert_eq!(unrecognised(&got), [(3, "INFO 2 errors")]);
        assert_eq!(
            all_shown(&got),
            ["error parse-error a-b c.py:2:4-3:1 Parse error: x [y]", "warning w a.py:1:2-1:3 z"]
        );
    }
}
