//! `go-vet-json`: what `go vet -json` prints, on standard output since go 1.27 and on standard error
//! before, a document a package; packages that do not type-check are told as text.
//!
//! `golang.org/x/tools/go/analysis/unitchecker` and `internal/analysisflags` (`JSONTree`) have its shape.

use std::borrow::Cow;
use std::collections::BTreeMap;

use obelus_record::{Applicability, Fault, FaultKind, Severity, Stream};
use serde::Deserialize;

use super::gnu::split_place;
use super::json::Document;
use super::lines::snippet;
use super::{Format, Input, Sink, go};
use crate::{Finding, Place, Positions, Proposal, Replacement, Span};

/// See the module.
pub struct GoVetJson;

/// Packages, analysers, findings.
type Tree = BTreeMap<String, BTreeMap<String, Outcome>>;

/// What one analyser says of one package.
#[derive(Deserialize)]
#[serde(untagged)]
enum Outcome {
    Found(Vec<Diagnostic>),
    Failed { error: String },
}

#[derive(Deserialize)]
struct Diagnostic {
    posn: String,
    #[serde(default)]
    end: Option<String>,
    message: String,
    #[serde(default)]
    suggested_fixes: Vec<Fix>,
    #[serde(default)]
    related: Vec<Related>,
}

#[derive(Deserialize)]
struct Related {
    posn: String,
    message: String,
}

#[derive(Deserialize)]
struct Fix {
    message: String,
    #[serde(default)]
    edits: Vec<Edit>,
}

/// Offsets in bytes from the start of the file, from 0; the end is exclusive.
#[derive(Deserialize)]
struct Edit {
    filename: String,
    start: u64,
    end: u64,
    #[serde(rename = "new")]
    text: String,
}

impl Format for GoVetJson {
    fn name(&self) -> &'static str {
        "go-vet-json"
    }

    fn summary(&self) -> &'static str {
        "go vet -json"
    }

    fn positions(&self) -> Positions {
        go::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (cut, primary) = (input.cut, input.primary);
        let mut seen = Seen::default();
        for stream in [Stream::Stdout, Stream::Stderr] {
            let document = Document::read(input.stream(stream), stream)?;
            seen.stream(document.bytes(), stream, cut, sink)?;
        }
        // Even a clean run prints an empty object.
        if seen.documents > 0 || seen.text > 0 || cut {
            return Ok(());
        }
        let empty = (FaultKind::Empty, String::new(), String::new());
        let (kind, snippet, detail) = empty;
        Err(Fault { stream: primary, line: 1, kind, snippet, detail })
    }
}

#[derive(Default)]
struct Seen {
    documents: u64,
    /// Findings told as text.
    text: u64,
}

impl Seen {
    fn stream(
        &mut self,
        bytes: &[u8],
        stream: Stream,
        cut: bool,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        let mut text = go::Reader::default();
        let (mut at, mut number) = (0, 1);
        while at < bytes.len() {
            let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n + 1);
            if bytes[at] != b'{' {
                let line = String::from_utf8_lossy(&bytes[at..end]);
                let line = line.trim_end_matches(['\r', '\n']);
                if !text.line(line, sink) {
                    sink.unrecognised(stream, number, line);
                }
                at = end;
                number += 1;
                continue;
            }
            let mut trees = serde_json::Deserializer::from_slice(&bytes[at..]).into_iter::<Tree>();
            match trees.next() {
                Some(Ok(tree)) => {
                    let used = trees.byte_offset();
                    report(tree, sink);
                    self.documents += 1;
                    number += memchr::memchr_iter(b'\n', &bytes[at..at + used]).count() as u64;
                    at += used;
                }
                Some(Err(error)) if error.is_eof() && cut => break,
                Some(Err(error)) => return Err(fault(stream, number, &bytes[at..], &error)),
                None => break,
            }
        }
        text.end(sink);
        self.text += text.findings;
        Ok(())
    }
}

fn fault(stream: Stream, first: u64, bytes: &[u8], error: &serde_json::Error) -> Fault {
    let within = error.line().max(1);
    let line = bytes.split(|&byte| byte == b'\n').nth(within - 1).unwrap_or_default();
    Fault {
        stream,
        line: first + within as u64 - 1,
        kind: match error.classify() {
            serde_json::error::Category::Eof => FaultKind::CutOff,
            serde_json::error::Category::Data => FaultKind::WrongShape,
            _ => FaultKind::InvalidJson,
        },
        snippet: snippet(line),
        detail: String::new(),
    }
}

fn report(tree: Tree, sink: &mut dyn Sink) {
    for (package, analysers) in tree {
        for (analyser, outcome) in analysers {
            match outcome {
                Outcome::Failed { error } => {
                    sink.tool_failed(format!("{analyser} failed in {package}: {error}"));
                }
                Outcome::Found(found) => {
                    found.into_iter().for_each(|it| sink.finding(it.finding(&analyser)));
                }
            }
        }
    }
}

impl Diagnostic {
    fn finding(self, analyser: &str) -> Finding<'static> {
        let (path, line, column) = split_place(&self.posn);
        let span = match (line, column, self.end.as_deref().map(split_place)) {
            (Some(line), Some(column), Some((file, Some(end_line), Some(end_column))))
                if file == path =>
            {
                Span::between((line, column), (end_line, end_column))
            }
            (Some(line), column, _) => Span::at(line, column),
            (None, ..) => Span::None,
        };
        Finding {
            code: Some(analyser.to_owned().into()),
            path: owned(path),
            span,
            related: self.related.into_iter().map(Related::place).collect(),
            proposals: self.suggested_fixes.into_iter().map(Fix::proposal).collect(),
            ..Finding::new(Severity::Error, self.message)
        }
    }
}

/// A place that is not known is `-`.
fn owned(path: &str) -> Option<Cow<'static, str>> {
    (!path.is_empty() && path != "-").then(|| path.to_owned().into())
}

impl Related {
    fn place(self) -> Place<'static> {
        let (path, line, column) = split_place(&self.posn);
        let span = line.map_or(Span::None, |line| Span::at(line, column));
        Place { path: owned(path), span, message: self.message.into() }
    }
}

impl Fix {
    /// vet does not say how far it vouches for an edit.
    fn proposal(self) -> Proposal<'static> {
        let replacement = |edit: Edit| Replacement {
            path: Some(edit.filename.into()),
            span: Span::Offsets { start: edit.start, end: edit.end },
            positions: None,
            text: edit.text.into(),
        };
        Proposal {
            applicability: Applicability::Unsafe,
            message: Some(self.message.into()),
            replacements: self.edits.into_iter().map(replacement).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read, read_run};
    use super::*;

    #[test]
    fn a_document_may_be_cut_and_text_may_stand_between() {
        let text = "# a\n{\n\t\"a\": {\"x\": [{\"posn\": \"/r/a.go:1:2\", \"message\": \"m\"}]}\n}\n# b\n{\n\t\"b\": {\n";
        let got = read_run(&GoVetJson, text, "", &[], true);
        assert_eq!(findings(&got), ["error x /r/a.go 1:2 m"]);
        assert_eq!(got.fault, None);
        let fault = read(&GoVetJson, text, &[]).fault.map(|fault| (fault.kind, fault.line));
        assert_eq!(fault, Some((FaultKind::CutOff, 8)));
    }

    #[test]
    fn an_analyser_may_fail_and_nothing_at_all_is_no_answer() {
        let got = read(&GoVetJson, "{\"a\": {\"x\": {\"error\": \"no\"}}}\n", &[]);
        assert_eq!(got.tool_failed, ["x failed in a: no"]);
        assert_eq!(read(&GoVetJson, "", &[]).fault.map(|f| f.kind), Some(FaultKind::Empty));
        let got = read(&GoVetJson, "{\"a\": 3}\n", &[]);
        assert_eq!(got.fault.map(|f| f.kind), Some(FaultKind::WrongShape));
    }
}
