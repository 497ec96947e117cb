//! `typos --format json`: one object a line.

use std::borrow::Cow;

use obelus_record::{Applicability, Fault, Severity};
use serde::Deserialize;

use super::json::Text;
use super::{Format, Input, Sink};
use crate::{End, Finding, LineEnds, Positions, Proposal, Replacement, Span, Unit};

/// The format `typos-json`.
pub struct TyposJson;

/// `type` tells them apart. Unknown ones are rejected: one may hold findings.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Message<'a> {
    #[serde(borrow)]
    Typo(Typo<'a>),
    BinaryFile {},
    #[serde(borrow)]
    Error(Failure<'a>),
    FileType {},
    File {},
    Parse {},
}

#[derive(Deserialize)]
struct Typo<'a> {
    #[serde(borrow)]
    path: Cow<'a, str>,
    /// Absent for the name of a file.
    line_num: Option<u32>,
    byte_offset: u32,
    #[serde(borrow)]
    typo: Cow<'a, str>,
    /// Empty for a word that the configuration forbids.
    #[serde(borrow)]
    corrections: Vec<Text<'a>>,
}

#[derive(Deserialize)]
struct Failure<'a> {
    #[serde(borrow)]
    msg: Cow<'a, str>,
}

impl Format for TyposJson {
    fn name(&self) -> &'static str {
        "typos-json"
    }

    fn summary(&self) -> &'static str {
        "typos --format json"
    }

    /// Lines from 1, columns from 0 in UTF-8 bytes of the line.
    fn positions(&self) -> Positions {
        Positions {
            unit: Unit::Bytes,
            line_base: 1,
            column_base: 0,
            end: End::Exclusive,
            line_ends: LineEnds::Usual,
        }
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            if line.is_blank() {
                continue;
            }
            match line.json::<Message<'_>>()? {
                Message::Typo(typo) => sink.finding(typo.finding()),
                Message::Error(failure) => sink.tool_failed(failure.msg.into_owned()),
                Message::BinaryFile {}
                | Message::FileType {}
                | Message::File {}
                | Message::Parse {} => {}
            }
        }
        Ok(())
    }
}

impl<'a> Typo<'a> {
    /// typos prints words and no sentence.
    fn finding(self) -> Finding<'a> {
        let words = self.corrections.iter().map(|word| format!("`{}`", word.0));
        let message = match words.collect::<Vec<_>>().join(", ") {
            words if words.is_empty() => format!("`{}` is disallowed", self.typo),
            words => format!("`{}` should be {words}", self.typo),
        };
        let bytes = u32::try_from(self.typo.len()).unwrap_or(u32::MAX);
        let end = self.byte_offset.saturating_add(bytes);
        let span = self
            .line_num
            .map_or(Span::None, |line| Span::between((line, self.byte_offset), (line, end)));
        let proposals = match span {
            Span::None => Vec::new(),
            span => self.corrections.into_iter().map(|word| proposal(span, word.0)).collect(),
        };
        Finding { path: Some(self.path), span, proposals, ..Finding::new(Severity::Error, message) }
    }
}

/// Nothing says how sure a correction is.
fn proposal(span: Span, word: Cow<'_, str>) -> Proposal<'_> {
    let replacement = Replacement { path: None, span, positions: None, text: word };
    Proposal {
        applicability: Applicability::Unsafe,
        message: None,
        replacements: vec![replacement],
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read};
    use super::*;

    #[test]
    fn names_of_files_and_words_without_a_correction() {
        let text = r#"{"type":"typo","path":"./teh.md","byte_offset":0,"typo":"teh","corrections":["the"]}
{"type":"typo","path":"a.md","line_num":2,"byte_offset":3,"typo":"foo","corrections":[]}
{"type":"binary_file","path":"./x.png"}
"#;
        let got = read(&TyposJson, text, "");
        assert_eq!(got.fault, None);
        assert_eq!(
            all_shown(&got),
            [
                "error - teh.md:-:---:- `teh` should be `the`",
                "error - a.md:2:4-2:7 `foo` is disallowed",
            ]
        );
        assert!(got.diagnostics[0].suggestion.is_none());
    }
}
