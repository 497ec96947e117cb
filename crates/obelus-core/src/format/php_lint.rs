//! `php-lint`: what `php -l` prints. Which stream holds an error is a matter of php.ini: the log goes
//! to standard error, the display to standard output, and both may be on.

use obelus_record::{Fault, Severity, Stream};

use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// See the module.
pub struct PhpLint;

impl Format for PhpLint {
    fn name(&self) -> &'static str {
        "php-lint"
    }

    fn summary(&self) -> &'static str {
        "php -l"
    }

    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Bytes)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut answered = input.cut;
        // Both may hold the same error.
        let mut seen: Vec<(String, u32, String)> = Vec::new();
        for stream in [Stream::Stdout, Stream::Stderr] {
            let mut lines = input.lines(stream);
            while let Some(line) = lines.next()? {
                let text = line.text();
                if let Some((severity, message, path, number)) = parse(&text) {
                    answered = true;
                    let key = (path.to_owned(), number, message.to_owned());
                    if !seen.contains(&key) {
                        seen.push(key);
                        sink.finding(Finding {
                            path: Some(path.to_owned().into()),
                            span: Span::at(number, None),
                            ..Finding::new(severity, message.to_owned())
                        });
                    }
                } else if text.starts_with("No syntax errors detected in ") {
                    answered = true;
                } else if text.starts_with("Could not open input file: ") {
                    answered = true;
                    sink.tool_failed(text.into_owned());
                } else if !line.is_blank() && !text.starts_with("Errors parsing ") {
                    sink.unrecognised(line.stream, line.number, &text);
                }
            }
        }
        if !answered {
            sink.tool_failed("php did not say that it detected no syntax errors".to_owned());
        }
        Ok(())
    }
}

/// Reads `PHP Parse error:  message in path on line 3`, with or without `PHP`.
fn parse(line: &str) -> Option<(Severity, &str, &str, u32)> {
    let rest = line.strip_prefix("PHP ").unwrap_or(line);
    let (kind, rest) = rest.split_once(": ")?;
    let severity = match kind {
        "Parse error" | "Fatal error" | "Compile error" | "Core error" => Severity::Error,
        "Warning" | "Deprecated" | "Strict Standards" => Severity::Warning,
        "Notice" => Severity::Info,
        _ => return None,
    };
    let (rest, number) = rest.trim_start().rsplit_once(" on line ")?;
    let (message, path) = rest.rsplit_once(" in ")?;
    Some((severity, message, path, number.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn the_same_error_on_both_streams_is_one() {
        let got = read_run(
            &PhpLint,
            "\nParse error: unexpected end of file in a b.php on line 3\nErrors parsing a b.php\n",
            "PHP Parse error:  unexpected end of file in a b.php on line 3\n",
            &[],
            false,
        );
        assert_eq!(findings(&got), ["error - a b.php 3 unexpected end of file"]);
        assert_eq!(read_run(&PhpLint, "", "", &[], false).tool_failed.len(), 1);
    }
}
