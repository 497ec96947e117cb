//! `black --check`: text on standard error.

use obelus_record::{Fault, Severity, Stream};

use super::python::{exception, is_warning};
use super::text::{Head, each_line, number};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Unit};

/// The format `black-text`.
pub struct BlackText;

impl Format for BlackText {
    fn name(&self) -> &'static str {
        "black-text"
    }

    fn summary(&self) -> &'static str {
        "black --check"
    }

    /// Places of files that can't be parsed alone: lines and columns from 1.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut open = None;
        let outcome = each_line(input, sink, |line, sink| take(line, &mut open, sink));
        open.into_iter().for_each(|finding| sink.finding(finding));
        outcome
    }
}

const UNPARSED: &str = "cannot parse";

/// Takes a line; says whether it is known. `open` is a file that can't be parsed, whose excerpt
/// and message follow.
fn take(line: &str, open: &mut Option<Finding<'static>>, sink: &mut dyn Sink) -> bool {
    if let Some(path) = line.strip_prefix("would reformat ") {
        sink.finding(at(path, "would reformat"));
        return true;
    }
    if let Some(rest) = line.strip_prefix("error: ") {
        open.take().into_iter().for_each(|finding| sink.finding(finding));
        return failed(rest, open, sink);
    }
    if let Some(finding) = open {
        if line.starts_with(' ') || line.is_empty() {
            return true;
        }
        if let Some((_, message)) = exception(line) {
            finding.message = message.to_owned().into();
            open.take().into_iter().for_each(|finding| sink.finding(finding));
            return true;
        }
    }
    is_chatter(line)
}

/// What follows `error: `: `cannot parse: path:line:column`, or, in versions before 26,
/// `cannot format path: Cannot parse: line:column: source`, or another reason.
fn failed(rest: &str, open: &mut Option<Finding<'static>>, sink: &mut dyn Sink) -> bool {
    if let Some(head) = rest.strip_prefix("cannot parse: ").and_then(Head::whole) {
        *open = Some(Finding { span: head.span(), ..at(head.path, UNPARSED) });
        return true;
    }
    let Some(said) = rest.strip_prefix("cannot format ") else { return false };
    let Some((path, why)) = said.split_once(": ") else { return false };
    let mut finding = at(path, why);
    let place = why.split_once("annot parse").and_then(|(_, rest)| rest.split_once(": "));
    if let Some((_, place)) = place {
        let mut parts = place.splitn(3, ':');
        if let (Some(line), Some(column)) =
            (parts.next().and_then(number), parts.next().and_then(number))
        {
            finding.span = crate::Span::at(line, column);
        }
    }
    sink.finding(finding);
    true
}

fn at(path: &str, message: &str) -> Finding<'static> {
    Finding {
        path: Some(path.to_owned().into()),
        ..Finding::new(Severity::Error, message.to_owned())
    }
}

/// What black prints about a run as a whole, and with `--verbose` about files that stay.
fn is_chatter(line: &str) -> bool {
    let counted = line.split_once(" file").is_some_and(|(count, rest)| {
        number(count).is_some() && (rest.contains("would ") || rest.contains("left unchanged"))
    });
    const HEADS: &[&str] = &[
        "Oh no!",
        "All done!",
        "Identified `",
        "Sources to be formatted: ",
        "Found input source ",
        "Using configuration ",
    ];
    counted
        || is_warning(line)
        || HEADS.iter().any(|head| line.starts_with(head))
        || line.ends_with(" already well formatted, good job.")
        || line.ends_with(" wasn't modified on disk since last run.")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, unrecognised};
    use super::*;

    fn read(stderr: &str) -> crate::normalise::Records {
        super::super::testing::read(&BlackText, "", stderr)
    }

    #[test]
    fn a_file_that_cannot_be_parsed() {
        // Printed by 26.10.1.
        let got = read(
            "would reformat /repo/c (old).py\nerror: cannot parse: /repo/bad.py:2:1\n    z=2\n    ^\nParseError: bad input\n\nOh no! 💥 💔 💥\n1 file would be reformatted, 1 file would fail to reformat.\n",
        );
        assert_eq!(unrecognised(&got), []);
        assert_eq!(
            all_shown(&got),
            ["error - c (old).py:-:---:- would reformat", "error - bad.py:2:1--:- bad input"]
        );
        // Printed by 24.
        let got = read(
            "error: cannot format a.py: Cannot parse for target version Python 3.13: 1:7: def f(:\n",
        );
        assert_eq!(
            all_shown(&got),
            ["error - a.py:1:7--:- Cannot parse for target version Python 3.13: 1:7: def f(:"]
        );
    }

    #[test]
    fn foreign_lines_are_named() {
        let got = read("hello\nerror: x\nAll done! ✨ 🍰 ✨\n2 files would be left unchanged.\n");
        assert_eq!(unrecognised(&got), [(1, "hello"), (2, "error: x")]);
    }
}
