//! `rustfmt-check`: what `rustfmt --check` and `cargo fmt --check` print, hunks below `Diff in path:line:`.

use obelus_record::{Fault, Severity, Stream};

use super::rustfmt::{MESSAGE, errors};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// See the module.
pub struct RustfmtCheck;

impl Format for RustfmtCheck {
    fn name(&self) -> &'static str {
        "rustfmt-check"
    }

    fn summary(&self) -> &'static str {
        "rustfmt --check, cargo fmt --check"
    }

    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let stream = input.primary;
        if stream != Stream::Stderr {
            errors(input, sink)?;
        }
        let mut in_hunk = false;
        let mut lines = input.lines(stream);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if let Some((path, number)) = hunk(&text) {
                in_hunk = true;
                sink.finding(Finding {
                    path: Some(path.to_owned().into()),
                    span: Span::at(number, None),
                    ..Finding::new(Severity::Error, MESSAGE)
                });
            } else if !(line.is_blank() || in_hunk && text.starts_with([' ', '+', '-'])) {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        Ok(())
    }
}

/// Splits `Diff in path:7:`, before 1.7 `Diff in path at line 7:`.
fn hunk(text: &str) -> Option<(&str, u32)> {
    let rest = text.strip_prefix("Diff in ")?.strip_suffix(':')?;
    let (path, number) = rest.rsplit_once(" at line ").or_else(|| rest.rsplit_once(':'))?;
    Some((path, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn both_forms_of_a_hunk_and_syntax_errors() {
        let stderr = "error: expected one of `!` or `::`, found `x`\n --> /r/a.rs:1:4\n  |\n1 | fn x\n  |    ^\n\n";
        let got = read_run(
            &RustfmtCheck,
            "Diff in /r/b c.rs at line 7:\n-a\n+b\nDiff in /r/d.rs:3:\n x\nhello\n",
            stderr,
            &[],
            false,
        );
        assert_eq!(
            findings(&got),
            [
                "error - /r/a.rs 1:4 expected one of `!` or `::`, found `x`",
                "error - /r/b c.rs 7 file is not formatted",
                "error - /r/d.rs 3 file is not formatted"
            ]
        );
        assert_eq!(got.unrecognised, [(6, "hello".to_owned())]);
    }
}
