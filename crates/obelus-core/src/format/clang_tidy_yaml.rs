//! `clang-tidy-yaml`: what clang-tidy writes with `--export-fixes=FILE`, the only form that holds its
//! edits.
//!
//! Its shape is that of `clang/include/clang/Tooling/DiagnosticsYaml.h`. Where nothing was found
//! clang-tidy writes no file.

use std::borrow::Cow;

use obelus_record::{Applicability, Fault, FaultKind, Severity, Stream};
use serde::Deserialize;

use super::gnu::{EDITS, warning_name};
use super::json::Document;
use super::{Format, Input, Sink};
use crate::{Finding, Place, Positions, Proposal, Replacement, Span};

/// See the module.
pub struct ClangTidyYaml;

impl Format for ClangTidyYaml {
    fn name(&self) -> &'static str {
        "clang-tidy-yaml"
    }

    fn summary(&self) -> &'static str {
        "clang-tidy --export-fixes"
    }

    /// Offsets in UTF-8 bytes.
    fn positions(&self) -> Positions {
        EDITS
    }

    fn stream(&self) -> Stream {
        Stream::Report
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let stream = input.primary;
        let document = Document::read(input.stream(stream), stream)?;
        if document.is_blank() {
            return Ok(());
        }
        let fault = |kind, detail| Fault { stream, line: 1, kind, snippet: String::new(), detail };
        let text = std::str::from_utf8(document.bytes())
            .map_err(|error| fault(FaultKind::NotUtf8, error.to_string()))?;
        // Several runs may write into one stream, a document each.
        let files: Vec<File> = serde_saphyr::from_multiple(text)
            .map_err(|error| fault(FaultKind::WrongShape, first_line(&error.to_string())))?;
        // The last line of a document ends it.
        if !input.cut && text.trim_end().ends_with("...") || files.is_empty() {
            files.into_iter().flat_map(|file| file.diagnostics).for_each(|it| it.report(sink));
            return Ok(());
        }
        Err(fault(FaultKind::CutOff, String::new()))
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct File {
    #[serde(default)]
    diagnostics: Vec<Diagnostic>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Diagnostic {
    diagnostic_name: String,
    diagnostic_message: Message,
    #[serde(default)]
    notes: Vec<Message>,
    #[serde(default)]
    level: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Message {
    message: String,
    /// Empty where there is no place.
    #[serde(default)]
    file_path: String,
    #[serde(default)]
    file_offset: u64,
    #[serde(default)]
    replacements: Vec<Edit>,
    #[serde(default)]
    ranges: Vec<Range>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Edit {
    file_path: String,
    offset: u64,
    length: u64,
    replacement_text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Range {
    file_path: String,
    file_offset: u64,
    length: u64,
}

impl Diagnostic {
    fn report(mut self, sink: &mut dyn Sink) {
        let severity = match self.level.as_deref() {
            Some("Error") => Severity::Error,
            Some("Remark") => Severity::Info,
            _ => Severity::Warning,
        };
        let edits = std::mem::take(&mut self.diagnostic_message.replacements);
        let mut finding = Finding {
            code: warning_name(&self.diagnostic_name).map(Cow::into_owned).map(Cow::Owned),
            path: self.diagnostic_message.path(),
            span: self.diagnostic_message.span(),
            proposals: proposal(None, edits).into_iter().collect(),
            ..Finding::new(severity, self.diagnostic_message.message)
        };
        for mut note in self.notes {
            let edits = std::mem::take(&mut note.replacements);
            match edits.is_empty() {
                true => finding.related.push(Place {
                    path: note.path(),
                    span: note.start(),
                    message: note.message.into(),
                }),
                false => finding.proposals.extend(proposal(Some(note.message), edits)),
            }
        }
        sink.finding(finding);
    }
}

impl Message {
    fn path(&self) -> Option<Cow<'static, str>> {
        (!self.file_path.is_empty()).then(|| self.file_path.clone().into())
    }

    fn start(&self) -> Span {
        if self.file_path.is_empty() { Span::None } else { Span::Offset(self.file_offset) }
    }

    /// The place, to the end of the range that holds it.
    fn span(&self) -> Span {
        let at = self.file_offset;
        let holds = |range: &&Range| {
            range.file_path == self.file_path
                && range.file_offset <= at
                && at < range.file_offset.saturating_add(range.length)
        };
        match self.ranges.iter().find(holds) {
            Some(range) => Span::Offsets { start: at, end: range.file_offset + range.length },
            None => self.start(),
        }
    }
}

/// clang-tidy does not say how far it vouches for an edit.
fn proposal(message: Option<String>, edits: Vec<Edit>) -> Option<Proposal<'static>> {
    let replacements: Vec<_> = edits
        .into_iter()
        .map(|edit| Replacement {
            path: Some(edit.file_path.into()),
            span: Span::Offsets {
                start: edit.offset,
                end: edit.offset.saturating_add(edit.length),
            },
            positions: None,
            text: edit.replacement_text.into(),
        })
        .collect();
    (!replacements.is_empty()).then(|| Proposal {
        applicability: Applicability::Unsafe,
        message: message.map(Into::into),
        replacements,
    })
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    const WHOLE: &str = "---\nMainSourceFile: 'a.c'\nDiagnostics:\n  - DiagnosticName: bugprone-x\n    DiagnosticMessage:\n      Message: m\n      FilePath: 'a.c'\n      FileOffset: 7\n      Replacements: []\n    Level: Error\n...\n";

    #[test]
    fn several_documents_are_read_and_none_is_clean() {
        let got = read(&ClangTidyYaml, &WHOLE.repeat(2), &[]);
        assert_eq!(got.fault, None);
        assert_eq!(findings(&got), ["error bugprone-x a.c @7 m"; 2]);
        assert_eq!(read(&ClangTidyYaml, "\n", &[]).fault, None);
    }

    #[test]
    fn what_is_cut_or_of_another_shape_is_rejected() {
        for text in [&WHOLE[..WHOLE.len() - 4], "a: 1\nb", "Diagnostics: 3\n...\n", "error: x\n"] {
            let got = read(&ClangTidyYaml, text, &[]);
            assert!(got.fault.is_some(), "{text}");
            assert!(got.findings.is_empty(), "{text}");
        }
    }
}
