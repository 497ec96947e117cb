//! codespell: `path:line: word ==> words`.

use obelus_record::{Fault, Severity};

use super::text::{Head, each_line};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Unit};

/// The format `codespell-text`.
pub struct CodespellText;

impl Format for CodespellText {
    fn name(&self) -> &'static str {
        "codespell-text"
    }

    fn summary(&self) -> &'static str {
        "codespell"
    }

    /// Lines from 1; there are no columns.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        each_line(input, sink, |line, sink| match finding(line) {
            Some(finding) => {
                sink.finding(finding);
                true
            }
            None => is_chatter(line),
        })
    }
}

/// A misspelt file name (`--check-filenames`) has no line.
fn finding(line: &str) -> Option<Finding<'_>> {
    let head = Head::parse(line).filter(|(_, said)| said.contains(" ==> "));
    let (path, span, said) = match head {
        Some((head, said)) => (head.path, head.span(), said),
        None => {
            let (path, said) = line.split_once(": ").filter(|(_, said)| said.contains(" ==> "))?;
            (path, crate::Span::None, said)
        }
    };
    Some(Finding { path: Some(path.into()), span, ..Finding::new(Severity::Error, said) })
}

/// The names of configuration files that it uses, and the summary of `--summary`.
fn is_chatter(line: &str) -> bool {
    line == "Used config files:"
        || line.trim_start().split_once(": ").is_some_and(|(number, file)| {
            line.starts_with(' ') && number.bytes().all(|b| b.is_ascii_digit()) && !file.is_empty()
        })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn names_configurations_and_foreign_lines() {
        let text = "Used config files:\n    1: setup.cfg\nteh.md: teh ==> the\na.md:3: teh ==> the | fix it\nWARNING: x\n";
        let got = read(&CodespellText, text, "");
        assert_eq!(unrecognised(&got), [(5, "WARNING: x")]);
        assert_eq!(
            all_shown(&got),
            ["error - teh.md:-:---:- teh ==> the", "error - a.md:3:---:- teh ==> the | fix it"]
        );
    }
}
