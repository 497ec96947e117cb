//! `oxlint --format unix`: `path:line:column: message [Severity/code]`, then a count.

use obelus_record::{Fault, Severity};

use super::oxlint_json::POSITIONS;
use super::text::{Head, each_line, number};
use super::{Format, Input, Sink};
use crate::{Finding, Positions};

/// The format `oxlint-unix`.
pub struct OxlintUnix;

impl Format for OxlintUnix {
    fn name(&self) -> &'static str {
        "oxlint-unix"
    }

    fn summary(&self) -> &'static str {
        "text of oxlint: oxlint --format unix"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        // A message may have more than one line; what ends it is the bracket.
        let mut open = None;
        each_line(input, sink, |line, sink| {
            if let Some((place, message)) = open.take() {
                return go_on(place, message, line, &mut open, sink);
            }
            match begin(line) {
                Some((place, message)) => go_on(place, String::new(), message, &mut open, sink),
                None => is_count(line),
            }
        })
    }
}

/// A place, and the lines of the message so far.
type Open = Option<((String, u32, u32), String)>;

fn begin(line: &str) -> Option<((String, u32, u32), &str)> {
    let (head, message) = Head::parse(line)?;
    Some(((head.path.to_owned(), head.line, head.column?), message))
}

fn go_on(
    place: (String, u32, u32),
    mut message: String,
    line: &str,
    open: &mut Open,
    sink: &mut dyn Sink,
) -> bool {
    if !message.is_empty() {
        message.push('\n');
    }
    message.push_str(line);
    let Some((text, severity, code)) = ended(&message) else {
        *open = Some((place, message));
        return true;
    };
    sink.finding(Finding {
        code: code.map(Into::into),
        path: Some(place.0.as_str().into()),
        span: crate::Span::at(place.1, place.2),
        ..Finding::new(severity, text)
    });
    true
}

/// `message [Error/eslint(no-debugger)]`, or `message [Error]` where the parser speaks.
fn ended(message: &str) -> Option<(&str, Severity, Option<&str>)> {
    let (text, inside) = message.strip_suffix(']')?.rsplit_once(" [")?;
    let (word, code) = match inside.split_once('/') {
        Some((word, code)) => (word, Some(code).filter(|code| !code.is_empty())),
        None => (inside, None),
    };
    let severity = match word {
        "Error" => Severity::Error,
        "Warning" => Severity::Warning,
        "Advice" => Severity::Info,
        _ => return None,
    };
    Some((text, severity, code))
}

/// `9 problems`.
fn is_count(line: &str) -> bool {
    let count = line.strip_suffix(" problems").or_else(|| line.strip_suffix(" problem"));
    count.and_then(number).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn messages_of_two_lines_and_without_a_code() {
        let text = "a b.js:1:2: one [x]\ntwo [Warning/unicorn(a/b)]\nc.js:3:4: Unexpected token [Error]\n\n2 problems\nFailed\n";
        let taken = read(&OxlintUnix, text, &[]);
        assert_eq!(
            findings(&taken),
            ["warning unicorn(a/b) a b.js 1:2 one [x]\ntwo", "error - c.js 3:4 Unexpected token"]
        );
        assert_eq!(taken.unrecognised, [(6, "Failed".to_owned())]);
    }
}
