//! `ocaml-text`: what ocamlc and ocamlopt print: a line `File "…", line …, characters …:`, the source,
//! then the message, which goes on until the next place.

use obelus_record::{Fault, Severity, Stream};

use super::{Format, Input, Sink};
use crate::{End, Finding, LineEnds, Position, Positions, Span, Unit};

/// See the module.
pub struct OcamlText;

impl Format for OcamlText {
    fn name(&self) -> &'static str {
        "ocaml-text"
    }

    fn summary(&self) -> &'static str {
        "ocamlc, ocamlopt, dune's output of them"
    }

    /// UTF-8 bytes from 0, ends exclusive; over several lines the second number belongs to the last
    /// of them (seen with 4.13.1).
    fn positions(&self) -> Positions {
        Positions {
            unit: Unit::Bytes,
            line_base: 1,
            column_base: 0,
            end: End::Exclusive,
            line_ends: LineEnds::Usual,
        }
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut place: Option<(String, Span)> = None;
        let mut pending: Option<Finding<'static>> = None;
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if let Some(found) = parse_place(&text) {
                pending.take().into_iter().for_each(|finding| sink.finding(finding));
                place = Some(found);
            } else if let Some((severity, code, message)) = headline(&text) {
                pending.take().into_iter().for_each(|finding| sink.finding(finding));
                let finding = Finding {
                    code: code.map(|code| code.to_owned().into()),
                    ..Finding::new(severity, message.to_owned())
                };
                match place.take() {
                    // It says again that warnings were errors.
                    _ if message.starts_with("Some fatal warnings were triggered") => {}
                    Some((path, span)) => {
                        pending = Some(Finding { path: Some(path.into()), span, ..finding });
                    }
                    None if severity == Severity::Error => sink.tool_failed(text.into_owned()),
                    None => pending = Some(finding),
                }
            } else if let Some(finding) = &mut pending {
                if !line.is_blank() {
                    let message = finding.message.to_mut();
                    message.push('\n');
                    message.push_str(&text);
                }
            } else if place.is_none() && !line.is_blank() {
                sink.unrecognised(line.stream, line.number, &text);
            }
            // Between a place and its message stands the source.
        }
        pending.into_iter().for_each(|finding| sink.finding(finding));
        Ok(())
    }
}

/// Reads `File "a.ml", line 3, characters 50-58:`, `lines 3-4`, and a place without characters.
fn parse_place(line: &str) -> Option<(String, Span)> {
    let rest = line.strip_prefix("File \"")?.strip_suffix(':')?;
    let (path, rest) = rest.split_once("\", line")?;
    let (lines, characters) = match rest.split_once(", characters ") {
        Some((lines, characters)) => (lines, Some(characters)),
        None => (rest, None),
    };
    let lines = lines.trim_start_matches('s').trim_start();
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    let span = match characters {
        Some(characters) => {
            let (start, end) = characters.split_once('-')?;
            Span::Lines {
                start: Position { line: first, column: Some(start.parse().ok()?) },
                end: Some(Position { line: last, column: Some(end.parse().ok()?) }),
            }
        }
        None => Span::at(first, None),
    };
    Some((path.to_owned(), span))
}

/// Reads `Error: …`, `Warning 26 [unused-var]: …`, `Error (warning 26 [unused-var]): …`,
/// `Alert deprecated: …`.
fn headline(line: &str) -> Option<(Severity, Option<&str>, &str)> {
    if let Some(message) = line.strip_prefix("Error: ") {
        return Some((Severity::Error, None, message));
    }
    let (severity, rest, end) = if let Some(rest) = line.strip_prefix("Error (warning ") {
        (Severity::Error, rest, "): ")
    } else if let Some(rest) = line.strip_prefix("Error (alert ") {
        (Severity::Error, rest, "): ")
    } else if let Some(rest) = line.strip_prefix("Warning ") {
        (Severity::Warning, rest, ": ")
    } else {
        (Severity::Warning, line.strip_prefix("Alert ")?, ": ")
    };
    let (name, message) = rest.split_once(end)?;
    // Before 4.12 a warning has a number alone.
    let code = match name.split_once(" [") {
        Some((_, name)) => name.strip_suffix(']')?,
        None if !name.contains(' ') => name,
        None => return None,
    };
    Some((severity, Some(code), message))
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn warnings_alerts_and_places_over_several_lines() {
        let text = "File \"a b.ml\", lines 3-4, characters 5-10:\n3 | let x =\n4 |   y\nWarning 26 [unused-var]: unused variable x.\nFile \"c.ml\", line 1, characters 0-1:\nError (warning 32 [unused-value]): unused value f.\nFile \"c.ml\", line 1:\nError: Some fatal warnings were triggered (1 occurrences)\nFile \"d.ml\", line 2, characters 1-2:\nAlert deprecated: f\nuse g\n";
        let got = read_run(&OcamlText, "", text, &[], false);
        assert_eq!(
            findings(&got),
            [
                "warning unused-var a b.ml 3:5-4:10 unused variable x.",
                "error unused-value c.ml 1:0-1:1 unused value f.",
                "warning deprecated d.ml 2:1-2:2 f\nuse g"
            ]
        );
        let got =
            read_run(&OcamlText, "", "Error: I/O error: x.ml: No such file\nhello\n", &[], false);
        assert_eq!((got.tool_failed.len(), got.unrecognised.len()), (1, 1));
    }
}
