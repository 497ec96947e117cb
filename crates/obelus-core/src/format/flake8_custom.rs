//! flake8 with `--format='%(path)s|%(row)d|%(col)d|%(code)s|%(text)s'`.

use obelus_record::Fault;

use super::flake8::{POSITIONS, finding, is_statistics};
use super::text::{each_line, number};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span};

/// The format `flake8-custom`.
pub struct Flake8Custom;

impl Format for Flake8Custom {
    fn name(&self) -> &'static str {
        "flake8-custom"
    }

    fn summary(&self) -> &'static str {
        "flake8 --format='%(path)s|%(row)d|%(col)d|%(code)s|%(text)s'"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        each_line(input, sink, |line, sink| match split(line) {
            Some(finding) => {
                sink.finding(finding);
                true
            }
            None => is_statistics(line),
        })
    }
}

/// Path and text may hold bars, so the numbers and the code between them are looked for.
fn split(line: &str) -> Option<Finding<'_>> {
    line.match_indices('|').find_map(|(at, _)| {
        let mut parts = line[at + 1..].splitn(4, '|');
        let (row, column) = (number(parts.next()?)?, number(parts.next()?)?);
        let span = if row == 0 { Span::None } else { Span::at(row, column) };
        finding(&line[..at], span, parts.next()?, parts.next()?)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn bars_in_paths_and_texts_part_nothing() {
        let got = read(&Flake8Custom, "a|1|b.py|3|4|F821|undefined name 'x|y'\n7\nx|y\n", "");
        assert_eq!(unrecognised(&got), [(3, "x|y")]);
        assert_eq!(all_shown(&got), ["error F821 a|1|b.py:3:4--:- undefined name 'x|y'"]);
    }
}
