//! `bash-n`: what `bash -n` prints: `file: line N: message`, and below it the line at fault, quoted.

use obelus_record::{Fault, Severity, Stream};

use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// See the module.
pub struct BashN;

impl Format for BashN {
    fn name(&self) -> &'static str {
        "bash-n"
    }

    fn summary(&self) -> &'static str {
        "bash -n"
    }

    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Bytes)
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            match parse(&text) {
                Some((_, _, said)) if said.starts_with('`') && said.ends_with('\'') => {}
                Some((path, number, said)) => {
                    let (severity, message) = match said.strip_prefix("warning: ") {
                        Some(rest) => (Severity::Warning, rest),
                        None => (Severity::Error, said),
                    };
                    sink.finding(Finding {
                        path: Some(path.to_owned().into()),
                        span: Span::at(number, None),
                        ..Finding::new(severity, message.to_owned())
                    });
                }
                None if text.starts_with("bash: ") => sink.tool_failed(text.into_owned()),
                None if line.is_blank() => {}
                None => sink.unrecognised(line.stream, line.number, &text),
            }
        }
        Ok(())
    }
}

/// Splits `file: line 4: message`.
fn parse(text: &str) -> Option<(&str, u32, &str)> {
    text.match_indices(": line ").find_map(|(at, mark)| {
        let (number, message) = text[at + mark.len()..].split_once(": ")?;
        Some((&text[..at], number.parse().ok()?, message))
    })
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn warnings_and_foreign_lines() {
        let text = "a: b.sh: line 9: warning: here-document at line 2 delimited by end-of-file (wanted `E')\na.sh: line 3: `x'\nhello\n";
        let got = read_run(&BashN, "", text, &[], false);
        assert_eq!(
            findings(&got),
            ["warning - a: b.sh 9 here-document at line 2 delimited by end-of-file (wanted `E')"]
        );
        assert_eq!(got.unrecognised, [(3, "hello".to_owned())]);
    }
}
