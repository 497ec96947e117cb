//! `isort --check-only`: text on standard error.

use obelus_record::{Fault, Severity, Stream};

use super::python::is_warning;
use super::text::each_line;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Unit};

/// The format `isort-text`.
pub struct IsortText;

/// What isort says of a file whose imports it would change.
const UNSORTED: &str = "Imports are incorrectly sorted and/or formatted.";

impl Format for IsortText {
    fn name(&self) -> &'static str {
        "isort-text"
    }

    fn summary(&self) -> &'static str {
        "isort --check-only"
    }

    /// There are no lines.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        each_line(input, sink, |line, sink| {
            let said = line.strip_prefix("ERROR: ").and_then(|said| said.strip_suffix(UNSORTED));
            let Some(path) = said.and_then(|path| path.strip_suffix(' ')) else {
                return is_chatter(line);
            };
            sink.finding(Finding {
                path: Some(path.into()),
                ..Finding::new(Severity::Error, UNSORTED)
            });
            true
        })
    }
}

/// What isort prints about a run as a whole, and with `--verbose` about files in order.
fn is_chatter(line: &str) -> bool {
    (line.starts_with("Skipped ") && line.ends_with(" files"))
        || is_warning(line)
        || (line.starts_with("SUCCESS: ") && line.ends_with(" Everything Looks Good!"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn foreign_lines_are_named() {
        let text = "ERROR: /repo/a b.py Imports are incorrectly sorted and/or formatted.\nSkipped 2 files\nERROR: x\n";
        let got = read(&IsortText, "", text);
        assert_eq!(unrecognised(&got), [(3, "ERROR: x")]);
        assert_eq!(
            all_shown(&got),
            ["error - a b.py:-:---:- Imports are incorrectly sorted and/or formatted."]
        );
    }
}
