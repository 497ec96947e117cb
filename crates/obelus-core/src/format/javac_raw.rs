//! `javac-raw`: what javac prints with `-XDrawDiagnostics`: base names, places and keys of messages.

use obelus_record::{Fault, Severity, Stream};

use super::gnu::split_place;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit, Width};

/// See the module.
pub struct JavacRaw;

impl Format for JavacRaw {
    fn name(&self) -> &'static str {
        "javac-raw"
    }

    fn summary(&self) -> &'static str {
        "javac -XDrawDiagnostics"
    }

    /// UTF-16 units, tabs drawn to stops of 8 (seen with 17).
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Drawn { width: Width::Utf16, tab: 8 })
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut pending: Option<Finding<'static>> = None;
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if let Some((place, key, message)) = parse(&text) {
                if let Some(finding) = pending.take() {
                    sink.finding(finding);
                }
                pending = finding(place, key, message, sink);
            } else if text.starts_with([' ', '\t', '{'])
                && let Some(finding) = &mut pending
            {
                finding.message.to_mut().push('\n');
                finding.message.to_mut().push_str(&text);
            } else if !line.is_blank() && !is_chatter(&text) {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        if let Some(finding) = pending {
            sink.finding(finding);
        }
        Ok(())
    }
}

/// Splits `place: compiler.err.key: message`; the message may be absent.
fn parse(line: &str) -> Option<(&str, &str, &str)> {
    let at = line.find(": compiler.").map(|at| (at, at + 2));
    let (end, start) = at.or_else(|| line.starts_with("- compiler.").then_some((1, 2)))?;
    let (key, message) = line[start..].split_once(": ").unwrap_or((&line[start..], ""));
    (!key.contains(' ')).then_some((&line[..end], key, message))
}

fn finding(place: &str, key: &str, message: &str, sink: &mut dyn Sink) -> Option<Finding<'static>> {
    let severity = match key {
        _ if key.starts_with("compiler.err.") => Severity::Error,
        _ if key.starts_with("compiler.warn.") => Severity::Warning,
        // Notes sum up.
        _ => return None,
    };
    let (path, line, column) = split_place(place);
    if line.is_none() && severity == Severity::Error {
        if key != "compiler.err.warnings.and.werror" {
            sink.tool_failed(format!("javac: {key}: {message}"));
        }
        return None;
    }
    let message = if message.is_empty() { key } else { message };
    Some(Finding {
        code: Some(key.to_owned().into()),
        path: line.map(|_| path.to_owned().into()),
        span: line.map_or(Span::None, |line| Span::at(line, column)),
        ..Finding::new(severity, message.to_owned())
    })
}

fn is_chatter(text: &str) -> bool {
    let count = text.split_once(' ').is_some_and(|(count, what)| {
        count.bytes().all(|b| b.is_ascii_digit())
            && matches!(what, "error" | "errors" | "warning" | "warnings")
    });
    count || text.starts_with("Picked up ") || text.starts_with("NOTE: Picked up ")
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn keys_alone_and_complaints_without_a_place() {
        let text = "- compiler.warn.option.obsolete.source: 7\nA.java:1:2: compiler.err.premature.eof\n- compiler.note.deprecated.filename: A.java\n- compiler.err.warnings.and.werror\n- compiler.err.file.not.found: B.java\n1 error\n";
        let got = read_run(&JavacRaw, "", text, &[], false);
        assert_eq!(
            findings(&got),
            [
                "warning compiler.warn.option.obsolete.source - - 7",
                "error compiler.err.premature.eof A.java 1:2 compiler.err.premature.eof"
            ]
        );
        assert_eq!(got.tool_failed, ["javac: compiler.err.file.not.found: B.java"]);
    }
}
