//! pylint's text: `path:line:column: ID: message (symbol)`, columns from 0.

use obelus_record::Fault;

use super::pylint::{POSITIONS, of_text};
use super::text::{Head, each_line, split_last};
use super::{Format, Input, Sink};
use crate::{Finding, Positions};

/// The format `pylint-text`.
pub struct PylintText;

impl Format for PylintText {
    fn name(&self) -> &'static str {
        "pylint-text"
    }

    fn summary(&self) -> &'static str {
        "pylint, its default text"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut open: Option<Finding<'static>> = None;
        let outcome = each_line(input, sink, |line, sink| take(line, &mut open, sink));
        open.into_iter().for_each(|finding| sink.finding(finding));
        outcome
    }
}

/// Takes a line; says whether it is known. `open` is a finding whose message goes on: the symbol
/// ends it (duplicate-code quotes source lines).
fn take(line: &str, open: &mut Option<Finding<'static>>, sink: &mut dyn Sink) -> bool {
    if let Some(finding) = head(line) {
        open.take().into_iter().for_each(|before| sink.finding(before));
        close(finding, open, sink);
        return true;
    }
    if let Some(mut finding) = open.take() {
        finding.message.to_mut().push('\n');
        finding.message.to_mut().push_str(line);
        close(finding, open, sink);
        return true;
    }
    line.starts_with("************* Module ")
        || line.starts_with("Your code has been rated at ")
        || (line.len() > 2 && line.bytes().all(|b| b == b'-'))
}

fn head(line: &str) -> Option<Finding<'static>> {
    let (head, said) = Head::parse(line)?;
    let (id, message) = said.split_once(": ")?;
    of_text(id, head.path, head.span(), message)
}

/// Hands the finding out if its symbol is there, else keeps it open.
fn close(mut finding: Finding<'static>, open: &mut Option<Finding<'static>>, sink: &mut dyn Sink) {
    let message = split_last(&finding.message, ('(', ')')).map(|(message, _)| message.to_owned());
    match message {
        Some(message) => {
            finding.message = message.into();
            sink.finding(finding);
        }
        None => *open = Some(finding),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn a_message_goes_on_to_its_symbol() {
        let text = "\
************* Module dup2
dup2.py:1:0: R0801: Similar lines in 2 files
==dup1:[5:11]
==dup2:[5:11]
    return call(x) (duplicate-code)
dup2.py:3:4: C0103: Bad (name) (invalid-name)
";
        let got = read(&PylintText, text, "");
        assert_eq!(unrecognised(&got), []);
        assert_eq!(
            all_shown(&got),
            [
                "info R0801 dup2.py:1:1--:- Similar lines in 2 files\n==dup1:[5:11]\n==dup2:[5:11]\n    return call(x)",
                "info C0103 dup2.py:3:5--:- Bad (name)",
            ]
        );
    }

    #[test]
    fn foreign_lines_are_named() {
        let got = read(&PylintText, "hello\na.py:1:2: note: x (y)\n", "");
        assert_eq!(unrecognised(&got), [(1, "hello"), (2, "a.py:1:2: note: x (y)")]);
    }
}
