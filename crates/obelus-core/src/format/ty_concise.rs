//! `ty check --output-format concise`: `path:line:column: level[rule] message`.

use obelus_record::Fault;

use super::text::{Head, each_line};
use super::ty::{POSITIONS, finding, is_summary, level};
use super::{Format, Input, Sink};
use crate::{Finding, Positions};

/// The format `ty-concise`.
pub struct TyConcise;

impl Format for TyConcise {
    fn name(&self) -> &'static str {
        "ty-concise"
    }

    fn summary(&self) -> &'static str {
        "ty check --output-format concise"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        each_line(input, sink, |line, sink| match read_line(line) {
            Some(finding) => {
                sink.finding(finding);
                true
            }
            None => is_summary(line),
        })
    }
}

/// What is about no file (a path that is not there) has no place.
fn read_line(line: &str) -> Option<Finding<'static>> {
    let (head, said) = match Head::parse(line) {
        Some((head, said)) => (Some(head), said),
        None => (None, line),
    };
    let (severity, rule, message) = level(said)?;
    let finding = finding(severity, rule, message.trim_start_matches(':').trim_start());
    Some(match head {
        Some(head) => {
            Finding { path: Some(head.path.to_owned().into()), span: head.span(), ..finding }
        }
        None => finding,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn foreign_lines_are_named() {
        let text =
            "hello\na.py:1:2: note[x] y\nerror[io] `/x.py`: No such file\nFound 2 diagnostics\n";
        let got = read(&TyConcise, text, "");
        assert_eq!(unrecognised(&got), [(1, "hello"), (2, "a.py:1:2: note[x] y")]);
        assert_eq!(all_shown(&got), ["error io -:-:---:- `/x.py`: No such file"]);
    }
}
