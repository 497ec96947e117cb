//! esbuild's messages as text, on standard error.
//!
//! `✘ [ERROR] message [id]`, then the place on a line of its own with an excerpt; notes follow in the
//! same way, behind two blanks.

use obelus_record::{Fault, Severity, Stream};

use super::esbuild::{POSITIONS, is_about_options};
use super::text::{Head, number, split_last};
use super::{Format, Input, Sink};
use crate::{Finding, Place, Positions, Span};

/// The format `esbuild-text`.
pub struct EsbuildText;

impl Format for EsbuildText {
    fn name(&self) -> &'static str {
        "esbuild-text"
    }

    fn summary(&self) -> &'static str {
        "text of esbuild"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut open: Option<Finding<'static>> = None;
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if let Some(finding) = begin(&text) {
                close(open.replace(finding), sink);
                continue;
            }
            if line.is_blank() || open.as_mut().is_some_and(|open| go_on(open, &text)) {
                continue;
            }
            close(open.take(), sink);
            if !is_chatter(&text) {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        close(open, sink);
        Ok(())
    }
}

fn close(open: Option<Finding<'static>>, sink: &mut dyn Sink) {
    let Some(finding) = open else { return };
    if is_about_options(&finding.message) {
        sink.tool_failed(format!("it could not begin: {:?}", finding.message));
    }
    sink.finding(finding);
}

/// `✘ [ERROR] message`, `▲ [WARNING] message [id]`; the mark is `X` where a terminal lacks it.
fn begin(line: &str) -> Option<Finding<'static>> {
    let (mark, rest) = line.split_once(" [")?;
    if mark.chars().count() != 1 {
        return None;
    }
    let (word, message) = rest.split_once("] ")?;
    let severity = match word {
        "ERROR" => Severity::Error,
        "WARNING" => Severity::Warning,
        "INFO" => Severity::Info,
        "DEBUG" | "VERBOSE" => Severity::Hint,
        _ => return None,
    };
    // `[plugin name]` is who says it, not what kind of message it is.
    let is_id =
        |id: &str| id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let split = split_last(message, ('[', ']')).filter(|(_, id)| is_id(id));
    let (message, id) = split.map_or((message, None), |(message, id)| (message, Some(id)));
    Some(Finding {
        code: id.map(|id| id.to_owned().into()),
        ..Finding::new(severity, message.to_owned())
    })
}

/// Takes an indented line: a place (four blanks), its excerpt (more), or a note (two).
fn go_on(open: &mut Finding<'static>, line: &str) -> bool {
    let text = line.trim_start_matches(' ');
    let indent = line.len() - text.len();
    match indent {
        0 | 1 => false,
        2 | 3 if is_file(text) => false,
        2 | 3 => {
            let message = text.to_owned().into();
            open.related.push(Place { path: None, span: Span::None, message });
            true
        }
        4 => {
            let place = text.strip_suffix(':').and_then(Head::whole);
            let Some(place) = place else {
                return go_on_message(open, text);
            };
            let (path, span) = match open.related.last_mut() {
                Some(note) => (&mut note.path, &mut note.span),
                None => (&mut open.path, &mut open.span),
            };
            *path = Some(place.path.to_owned().into());
            *span = place.span();
            true
        }
        _ => true,
    }
}

/// A further line of a message, which esbuild indents by four.
fn go_on_message(open: &mut Finding<'static>, text: &str) -> bool {
    let is_drawn = text.starts_with(['│', '╵', '|']);
    if !is_drawn && open.path.is_none() && open.related.is_empty() {
        let message = open.message.to_mut();
        message.push('\n');
        message.push_str(text);
    }
    true
}

/// Lines about what was written: `dist/o.js  45b`, `⚡ Done in 17ms`, `1 error`, `...and 2 more output files...`.
fn is_chatter(line: &str) -> bool {
    let text = line.trim();
    let counts = text.split(" and ").all(|part| {
        let words = part.split_once(' ');
        words.is_some_and(|(count, what)| {
            number(count).is_some()
                && ["error", "errors", "warning", "warnings"]
                    .iter()
                    .any(|known| what == *known || what.starts_with(&format!("{known} (")))
        })
    });
    counts
        || is_file(text)
        || text.contains(" Done in ")
        || text.starts_with("Done in ")
        || (text.starts_with("...and ") && text.contains(" more output file"))
        || text.starts_with("[watch] ")
        || (text.contains(" of ") && text.contains(" shown (disable the message limit"))
}

/// `dist/o.js  45b`, `dist/o.js  1.2mb ⚠️`.
fn is_file(text: &str) -> bool {
    let text = text.trim_end().trim_end_matches(['⚠', '\u{FE0F}']).trim_end();
    text.rsplit_once("  ").is_some_and(|(_, size)| {
        let amount = size.trim().trim_end_matches(['b', 'k', 'm', 'g']);
        amount.len() < size.trim().len() && amount.parse::<f64>().is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn plugins_several_lines_and_what_was_written() {
        let stderr = "✘ [ERROR] one [plugin x]\n    two\n\n    a (1).js:2:3:\n      2 │ f\n        ╵ ^\n\n  a note\n\nX [WARNING] w [some-id]\n\n1 warning and 1 error (2 of 9 shown)\n\n  dist/o.js      1.2mb ⚠️\n  dist/o.js.map  45b \n\n⚡ Done in 9ms\nhello\n";
        let taken = read_run(&EsbuildText, "", stderr, &[], false);
        assert_eq!(
            findings(&taken),
            ["error - a (1).js 2:3 one [plugin x]\ntwo [- - a note]", "warning some-id - - w"]
        );
        assert_eq!(taken.unrecognised, [(18, "hello".to_owned())]);
    }
}
