//! `javac-text`: what javac prints for people. The caret line gives the column; lines of a message
//! stand before the source line or behind the caret.

use obelus_record::{Fault, Severity, Stream};

use super::gnu::{Word, parse};
use super::lines::Line;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// See the module.
pub struct JavacText;

impl Format for JavacText {
    fn name(&self) -> &'static str {
        "javac-text"
    }

    fn summary(&self) -> &'static str {
        "javac without flags"
    }

    /// The caret stands behind as many UTF-16 units as the place, tabs kept (seen with 17).
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Utf16)
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut reader = Reader { sink, stream: input.primary, pending: None };
        let mut lines = input.lines(input.primary);
        let outcome = loop {
            match lines.next() {
                Ok(Some(line)) => reader.line(&line),
                Ok(None) => break Ok(()),
                Err(fault) => break Err(fault),
            }
        };
        reader.end();
        outcome
    }
}

struct Reader<'s> {
    sink: &'s mut dyn Sink,
    stream: Stream,
    pending: Option<Pending>,
}

struct Pending {
    finding: Finding<'static>,
    line: Option<u32>,
    /// Lines of which the last turns out to be the source, once a caret follows.
    before: Vec<(u64, String)>,
    caret: bool,
}

impl Reader<'_> {
    fn line(&mut self, line: &Line<'_>) {
        let text = line.text();
        let head = parse(&text).filter(|head| head.line.is_some() && head.word != Word::Note);
        if let Some(head) = head {
            self.end();
            let (code, message) = split_code(head.message);
            let finding = Finding {
                code: code.map(|code| code.to_owned().into()),
                path: Some(head.path.to_owned().into()),
                span: head.start(),
                ..Finding::new(head.word.severity(), message.to_owned())
            };
            let (line, before) = (head.line, Vec::new());
            self.pending = Some(Pending { finding, line, before, caret: false });
            return;
        }
        if is_chatter(&text) || self.complaint(&text) {
            self.end();
            return;
        }
        let Some(pending) = &mut self.pending else {
            if !line.is_blank() {
                self.sink.unrecognised(line.stream, line.number, &text);
            }
            return;
        };
        let caret = text.trim() == "^";
        if pending.caret && text.starts_with([' ', '\t']) {
            pending.more(&text);
        } else if !pending.caret && caret {
            pending.caret = true;
            pending.before.pop();
            for (_, text) in std::mem::take(&mut pending.before) {
                pending.more(&text);
            }
            let column = text.chars().take_while(|c| *c != '^').map(char::len_utf16).sum::<usize>();
            if let Some(line) = pending.line {
                pending.finding.span = Span::at(line, u32::try_from(column + 1).ok());
            }
        } else if !pending.caret {
            pending.before.push((line.number, text.into_owned()));
        } else if !line.is_blank() {
            self.sink.unrecognised(line.stream, line.number, &text);
        }
    }

    /// Takes what javac says of its command line, or of itself.
    fn complaint(&mut self, text: &str) -> bool {
        if let Some(message) = text.strip_prefix("error: ") {
            if message != "warnings found and -Werror specified" {
                self.sink.tool_failed(format!("javac: {message}"));
            }
        } else if let Some(message) = text.strip_prefix("warning: ") {
            let (code, message) = split_code(message);
            self.sink.finding(Finding {
                code: code.map(|code| code.to_owned().into()),
                ..Finding::new(Severity::Warning, message.to_owned())
            });
        } else if text.starts_with("An exception has occurred in the compiler") {
            self.sink.tool_failed(text.to_owned());
        } else {
            return false;
        }
        true
    }

    fn end(&mut self) {
        let Some(mut pending) = self.pending.take() else { return };
        for (number, text) in std::mem::take(&mut pending.before) {
            match text.starts_with([' ', '\t']) {
                true => pending.more(&text),
                false if text.trim().is_empty() => {}
                false => self.sink.unrecognised(self.stream, number, &text),
            }
        }
        self.sink.finding(pending.finding);
    }
}

impl Pending {
    fn more(&mut self, text: &str) {
        let message = self.finding.message.to_mut();
        message.push('\n');
        message.push_str(text);
    }
}

/// Splits `[rawtypes] message`.
fn split_code(message: &str) -> (Option<&str>, &str) {
    match message.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((code, rest)) if !code.contains(' ') => (Some(code), rest),
        _ => (None, message),
    }
}

fn is_chatter(text: &str) -> bool {
    const BEGIN: &[&str] =
        &["Note: ", "Picked up ", "NOTE: Picked up ", "Usage: javac", "use --help", "use -help"];
    let count = text.split_once(' ').is_some_and(|(count, what)| {
        count.bytes().all(|b| b.is_ascii_digit())
            && matches!(what, "error" | "errors" | "warning" | "warnings")
    });
    let capped = text.starts_with("only showing the first ");
    count || capped || BEGIN.iter().any(|begin| text.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn details_before_the_source_and_warnings_without_a_place() {
        let text = "warning: [options] no bootstrap path\nA.java:3: error: no method found\n  method A is not applicable\n\tf(x);\n\t ^\n  where T is a type\nerror: warnings found and -Werror specified\n1 error\nhello\n";
        let got = read_run(&JavacText, "", text, &[], false);
        assert_eq!(
            findings(&got),
            [
                "warning options - - no bootstrap path",
                "error - A.java 3:3 no method found\n  method A is not applicable\n  where T is a type"
            ]
        );
        assert_eq!(got.unrecognised, [(9, "hello".to_owned())]);
        assert!(got.tool_failed.is_empty());
    }
}
