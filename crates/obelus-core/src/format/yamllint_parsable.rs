//! `yamllint -f parsable`: `path:line:column: [level] message (rule)`.

use obelus_record::{Fault, Severity};

use super::text::{Head, each_line, split_last};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Unit};

/// The format `yamllint-parsable`.
pub struct YamllintParsable;

impl Format for YamllintParsable {
    fn name(&self) -> &'static str {
        "yamllint-parsable"
    }

    fn summary(&self) -> &'static str {
        "yamllint -f parsable"
    }

    /// Code points from 1; no end.
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
    let (level, said) = said.strip_prefix('[')?.split_once("] ")?;
    let severity = match level {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => return None,
    };
    let (message, rule) = split_last(said, ('(', ')')).map_or((said, None), |(m, r)| (m, Some(r)));
    Some(Finding {
        code: rule.map(Into::into),
        path: Some(head.path.into()),
        span: head.span(),
        ..Finding::new(severity, message)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn foreign_lines_are_named() {
        let got = read(&YamllintParsable, "a.yml\na.yml:1:2: [error] x (y z)\n", "");
        assert_eq!(unrecognised(&got), [(1, "a.yml")]);
        assert_eq!(all_shown(&got), ["error - a.yml:1:2--:- x (y z)"]);
    }
}
