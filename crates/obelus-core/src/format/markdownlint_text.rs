//! markdownlint-cli2: `path:line[:column] severity RULE/alias message` on standard error.
//!
//! The banner stands on standard output. Versions before 0.19 print no severity, and findings as
//! here (<https://github.com/DavidAnson/markdownlint-cli2/blob/main/CHANGELOG.md>).

use obelus_record::{Fault, Severity, Stream};

use super::node::Stderr;
use super::text::{Head, each_line};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Unit};

/// The format `markdownlint-text`.
pub struct MarkdownlintText;

/// UTF-16 units from 1 (seen with 0.24.1).
pub(super) const POSITIONS: Positions = Positions::one_based(Unit::Utf16);

impl Format for MarkdownlintText {
    fn name(&self) -> &'static str {
        "markdownlint-text"
    }

    fn summary(&self) -> &'static str {
        "text of markdownlint-cli2"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut node = Stderr::default();
        each_line(input, sink, |line, sink| match finding(line) {
            Some(finding) => {
                sink.finding(finding);
                true
            }
            None => is_banner(line) || node.is_chatter(line),
        })?;
        if input.primary == Stream::Stdout {
            return Ok(());
        }
        let mut lines = input.lines(Stream::Stdout);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if !is_banner(&text) && !line.is_blank() {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        Ok(())
    }
}

/// The place ends at the first blank that numbers precede and a rule follows.
fn finding(line: &str) -> Option<Finding<'_>> {
    line.match_indices(' ').find_map(|(at, _)| {
        let head = Head::whole(&line[..at])?;
        let rest = &line[at + 1..];
        let (severity, rest) = match rest.split_once(' ')? {
            ("error", rest) => (Severity::Error, rest),
            ("warning", rest) => (Severity::Warning, rest),
            _ => (Severity::Error, rest),
        };
        let (names, message) = rest.split_once(' ')?;
        let code = names.split('/').next().filter(|code| is_rule(code))?;
        Some(Finding {
            code: Some(code.into()),
            path: Some(head.path.into()),
            span: head.span(),
            ..Finding::new(severity, message)
        })
    })
}

/// `MD040`, or the name of a rule of one's own.
fn is_rule(code: &str) -> bool {
    !code.is_empty()
        && code.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '@'))
}

fn is_banner(line: &str) -> bool {
    let heads = ["markdownlint-cli2 v", "Finding: ", "Found:", "Linting: ", "Summary: "];
    heads.iter().any(|head| line.starts_with(head))
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn with_and_without_severity_column_and_alias() {
        let stderr = "a b.md:3 MD040/fenced-code-language Fenced: 1:2 x\nc: (1).md:1:2 warning my-rule Own words\nAggregateError: Unable to import\n";
        let taken = read_run(&MarkdownlintText, "Finding: .\nhello\n", stderr, &[], false);
        assert_eq!(
            findings(&taken),
            ["error MD040 a b.md 3 Fenced: 1:2 x", "warning my-rule c: (1).md 1:2 Own words"]
        );
        assert_eq!(taken.unrecognised.len(), 2);
    }
}
