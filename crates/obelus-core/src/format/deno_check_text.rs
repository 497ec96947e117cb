//! `deno check`: `TS2322 [ERROR]: message`, the source with a line below it that marks a part, and
//! `    at file:///path:line:column`. On standard error.
//!
//! What is said about another place follows in the same way, indented and behind an empty line
//! (`cli/tools/check.rs` and `cli/tsc/diagnostics.rs` in Deno's sources).

use obelus_record::{Fault, Severity, Stream};

use super::text::Head;
use super::{Format, Input, Sink};
use crate::{Finding, LineEnds, Place, Positions, Span, Unit};

/// The format `deno-check-text`.
pub struct DenoCheckText;

impl Format for DenoCheckText {
    fn name(&self) -> &'static str {
        "deno-check-text"
    }

    fn summary(&self) -> &'static str {
        "text of Deno's check of types: deno check"
    }

    /// UTF-16 units from 1 (seen with 2.9.6).
    fn positions(&self) -> Positions {
        Positions { line_ends: LineEnds::EcmaScript, ..Positions::one_based(Unit::Utf16) }
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut open: Option<Open> = None;
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if let Some(begun) = Open::begin(&text) {
                Open::close(open.replace(begun), sink);
                continue;
            }
            if open.as_mut().is_some_and(|open| open.go_on(&text)) || line.is_blank() {
                continue;
            }
            Open::close(open.take(), sink);
            if !is_chatter(&text) {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        Open::close(open, sink);
        Ok(())
    }
}

/// A diagnostic whose lines are still coming in.
struct Open {
    finding: Finding<'static>,
    /// The lines since the last place: words, then source and mark.
    lines: Vec<String>,
    placed: bool,
}

impl Open {
    fn begin(line: &str) -> Option<Self> {
        // The mark of a file that is not found: `error: Module not found "…".`
        let (code, severity, message) = match line.strip_prefix("error: ") {
            Some(message) if is_about_module(message) => (None, Severity::Error, message),
            _ => {
                let (code, rest) = line.split_once(" [")?;
                let digits = code.strip_prefix("TS")?;
                let (word, message) = rest.split_once("]: ")?;
                let severity = match word {
                    "ERROR" => Severity::Error,
                    "WARN" => Severity::Warning,
                    "INFO" => Severity::Info,
                    _ => return None,
                };
                digits.bytes().all(|b| b.is_ascii_digit()).then_some(())?;
                (Some(code), severity, message)
            }
        };
        let finding = Finding {
            code: code.map(|code| code.to_owned().into()),
            ..Finding::new(severity, message.to_owned())
        };
        Some(Open { finding, lines: Vec::new(), placed: false })
    }

    /// Takes a line that belongs to it: all up to the place; behind it what is indented.
    fn go_on(&mut self, line: &str) -> bool {
        let place = line.trim_start().strip_prefix("at ").and_then(Head::whole);
        if let Some(place) = place.filter(|place| place.column.is_some() && line.starts_with(' ')) {
            let words = self.words();
            if self.placed {
                self.finding.related.push(Place {
                    path: Some(place.path.to_owned().into()),
                    span: place.span(),
                    message: words.trim().to_owned().into(),
                });
            } else {
                self.placed = true;
                self.finding.path = Some(place.path.to_owned().into());
                self.finding.span = place.span();
                self.add(&words);
            }
            return true;
        }
        let belongs = match self.placed {
            true => line.starts_with(' ') || line.trim().is_empty(),
            false => !line.trim().is_empty(),
        };
        let is_end = is_chatter(line);
        if belongs && !is_end && !line.trim().is_empty() {
            self.lines.push(line.to_owned());
        }
        belongs && !is_end
    }

    /// The lines since the last place, without the source and the mark below it.
    fn words(&mut self) -> String {
        let mut lines = std::mem::take(&mut self.lines);
        if lines.last().is_some_and(|line| is_mark(line)) {
            lines.truncate(lines.len().saturating_sub(2));
        }
        lines.join("\n")
    }

    fn add(&mut self, words: &str) {
        if !words.is_empty() {
            let message = self.finding.message.to_mut();
            message.push('\n');
            message.push_str(words);
        }
    }

    fn close(open: Option<Self>, sink: &mut dyn Sink) {
        let Some(mut open) = open else { return };
        let words = open.words();
        if !open.placed {
            open.finding.span = Span::None;
            open.add(&words);
        }
        sink.finding(open.finding);
    }
}

/// Whether an error that is no diagnostic of the compiler is one of the program: a module that it
/// imports can't be found or parsed.
fn is_about_module(message: &str) -> bool {
    let heads = ["Module not found ", "The module's source code could not be parsed"];
    heads.iter().any(|head| message.starts_with(head))
}

fn is_mark(line: &str) -> bool {
    let text = line.trim();
    !text.is_empty() && text.chars().all(|c| matches!(c, '^' | '~'))
}

/// Lines about the run: what is checked and fetched, and the count at the end.
fn is_chatter(line: &str) -> bool {
    let heads = ["Check ", "Download ", "Initialize ", "Install ", "Found "];
    heads.iter().any(|head| line.starts_with(head)) || line == "error: Type checking failed."
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn chains_other_places_and_modules_that_are_not_there() {
        let stderr = "Check a.ts\nTS2322 [ERROR]: one\n  two\n  three\nconst x = 1;\n      ^\n    at file:///repo/a.ts:1:7\n\n    said here\n    b: string;\n    ~\n        at file:///repo/b.ts:3:5\n\nTS1 [ERROR]: bare\n\nerror: Module not found \"file:///repo/c.ts\".\n    at file:///repo/a.ts:4:8\n\nFound 2 errors.\n\nerror: Type checking failed.\nhello\n";
        let taken = read_run(&DenoCheckText, "", stderr, &[], false);
        assert_eq!(
            findings(&taken),
            [
                "error TS2322 file:///repo/a.ts 1:7 one\n  two\n  three [file:///repo/b.ts 3:5 said here]",
                "error TS1 - - bare",
                "error - file:///repo/a.ts 4:8 Module not found \"file:///repo/c.ts\".",
            ]
        );
        assert_eq!(taken.unrecognised.len(), 1);
    }
}
