//! `gcc-json`: what gcc 9 to 15 print with `-fdiagnostics-format=json` on standard error.
//!
//! One array for each source, each on a line
//! (<https://gcc.gnu.org/onlinedocs/gcc-14.2.0/gcc/Diagnostic-Message-Formatting-Options.html>).
//! The driver and the linker print text between them all the same.

use obelus_record::{Fault, FaultKind, Stream};

use super::gnu::{Complaint, Word, complaint, is_known, is_summary, parse};
use super::lines::{Line, snippet};
use super::{Format, Input, Sink, json};
use crate::{End, Finding, Positions, Unit};

mod model;

use model::Diagnostic;

/// See the module.
pub struct GccJson;

impl Format for GccJson {
    fn name(&self) -> &'static str {
        "gcc-json"
    }

    fn summary(&self) -> &'static str {
        "gcc and g++ with -fdiagnostics-format=json"
    }

    /// `byte-column`, UTF-8 bytes from 1; `finish` is the last byte.
    fn positions(&self) -> Positions {
        Positions { end: End::Inclusive, ..Positions::one_based(Unit::Bytes) }
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (stream, cut) = (input.primary, input.cut);
        let mut lines = input.lines(stream);
        let mut said_something = cut;
        while let Some(line) = lines.next()? {
            if line.is_blank() {
                continue;
            }
            said_something = true;
            if line.bytes.trim_ascii_start().starts_with(b"[") {
                array(&line, sink)?;
            } else {
                text(&line, sink)?;
            }
        }
        // Even a clean run prints an empty array.
        if said_something {
            return Ok(());
        }
        Err(Fault {
            stream,
            line: 1,
            kind: FaultKind::Empty,
            snippet: String::new(),
            detail: String::new(),
        })
    }
}

/// Reads the findings of one source.
fn array(line: &Line<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
    let document = json::Document::of_line(line);
    // A note that stands alone belongs to the finding before it.
    let mut pending: Option<Finding<'_>> = None;
    document
        .each(|diagnostic: Diagnostic<'_>| match diagnostic.read() {
            model::Read::Finding(finding) => {
                if let Some(finding) = pending.replace(*finding) {
                    sink.finding(finding);
                }
            }
            model::Read::Note(place) => {
                if let (Some(finding), Some(place)) = (&mut pending, place) {
                    finding.related.push(place);
                }
            }
            model::Read::Failed(words) => sink.tool_failed(words),
        })
        .map_err(|fault| Fault { line: line.number, ..fault })?;
    if let Some(finding) = pending {
        sink.finding(finding);
    }
    Ok(())
}

/// Reads a line that is no JSON: of the driver, of the linker, or none of both.
fn text(line: &Line<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
    let text = line.text();
    if let Some(complaint) = complaint(&text) {
        if let Complaint::Finding(finding) = complaint {
            sink.finding(*finding);
        }
        return Ok(());
    }
    match parse(&text) {
        Some(head) if is_summary(&head) => Ok(()),
        // The driver: without a place, so its complaint is about the command line.
        Some(head) if head.line.is_none() && head.word != Word::Note => {
            match head.word {
                Word::Warning => {
                    sink.finding(Finding::new(head.word.severity(), head.message.to_owned()));
                }
                _ => sink.tool_failed(format!("{}: {}", head.path, head.message)),
            }
            Ok(())
        }
        _ if is_known(&text) => Ok(()),
        _ => Err(Fault {
            stream: line.stream,
            line: line.number,
            kind: FaultKind::InvalidJson,
            snippet: snippet(line.bytes),
            detail: String::new(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{Taken, findings, read_run};
    use super::*;

    fn read(stderr: &str) -> Taken {
        read_run(&GccJson, "", stderr, &[], false)
    }

    #[test]
    fn older_versions_have_no_byte_columns() {
        let got = read(
            r#"[{"kind":"error","message":"m","children":[],"locations":[{"caret":{"file":"a.c","line":1,"column":2},"finish":{"file":"a.c","line":1,"column":4}}]}]"#,
        );
        assert_eq!(findings(&got), ["error - a.c 1:2-1:4 m"]);
    }

    #[test]
    fn events_of_the_analyzer_are_related_and_a_crash_is_none() {
        let got = read(
            r#"[{"kind":"warning","option":"-Wanalyzer-x","message":"m","children":[],"locations":[],"path":[{"location":{"file":"a.c","line":1,"column":2},"description":"here","depth":1}]}]
[{"kind":"internal compiler error","message":"in f","children":[],"locations":[{"caret":{"file":"a.c","line":1,"column":2}}]}]
"#,
        );
        assert_eq!(findings(&got), ["warning -Wanalyzer-x - - m [a.c 1:2 here]"]);
        assert_eq!(got.tool_failed.len(), 1);
    }

    #[test]
    fn text_of_others_rejects_the_stream() {
        let got = read("[]\nhello\n");
        assert_eq!(
            got.fault.map(|fault| (fault.kind, fault.line)),
            Some((FaultKind::InvalidJson, 2))
        );
        assert_eq!(read("").fault.map(|fault| fault.kind), Some(FaultKind::Empty));
        assert_eq!(read("[]\n[{\"kind\"").fault.map(|fault| fault.kind), Some(FaultKind::CutOff));
    }
}
