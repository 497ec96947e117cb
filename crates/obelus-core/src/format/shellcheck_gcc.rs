//! `shellcheck -f gcc`: `path:line:column: level: message [SCnumber]`.

use obelus_record::Fault;

use super::shellcheck::severity;
use super::text::{Head, each_line, split_last};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Unit};

/// The format `shellcheck-gcc`.
pub struct ShellcheckGcc;

impl Format for ShellcheckGcc {
    fn name(&self) -> &'static str {
        "shellcheck-gcc"
    }

    fn summary(&self) -> &'static str {
        "shellcheck -f gcc"
    }

    /// Code points from 1, a tab is one; no end.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
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
    let (head, said) = Head::parse(line)?;
    let (level, message) = said.split_once(": ")?;
    let (message, code) = split_last(message, ('[', ']'))?;
    matches!(level, "error" | "warning" | "note").then(|| Finding {
        code: Some(code.into()),
        path: Some(head.path.into()),
        span: head.span(),
        ..Finding::new(severity(level), message)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn foreign_lines_are_named() {
        let text = "a.sh:1:2: note: Use [ x ] [SC1]\na.sh:1:2: hint: x [SC1]\n\nIn a.sh line 1:\n";
        let got = read(&ShellcheckGcc, text, "");
        assert_eq!(unrecognised(&got), [(2, "a.sh:1:2: hint: x [SC1]"), (4, "In a.sh line 1:")]);
        assert_eq!(all_shown(&got), ["info SC1 a.sh:1:2--:- Use [ x ]"]);
    }
}
