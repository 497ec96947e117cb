//! `lsp-publish`: what a language server sends, a JSON-RPC message a line; the diagnostics that it
//! published last for each file count.
//!
//! <https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#publishDiagnosticsParams>:
//! lines and characters count from 0, in UTF-16 units, ends are exclusive.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::{Format, Input, Sink, own};
use crate::{End, Finding, LineEnds, Place, Positions, Span, Unit};

/// The format `lsp-publish`.
pub struct LspPublish;

/// What every message is read for; answers have no method.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
}

/// A message whose method says what it holds.
#[derive(Deserialize)]
struct Notification<T> {
    params: T,
}

/// What a person is shown; a statement of Obelus has a code beside what the protocol knows.
#[derive(Deserialize)]
struct Shown {
    message: String,
    #[serde(default)]
    code: Option<String>,
}

#[derive(Deserialize)]
struct Published {
    uri: String,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Diagnostic {
    range: Range,
    #[serde(default)]
    severity: Option<u8>,
    #[serde(default)]
    code: Option<Code>,
    #[serde(default)]
    code_description: Option<Description>,
    #[serde(default)]
    source: Option<String>,
    message: Words,
    #[serde(default)]
    related_information: Option<Vec<Related>>,
}

/// Where a code is explained.
#[derive(Deserialize)]
struct Description {
    href: String,
}

/// A text, or since 3.18 one with a kind of markup.
#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    Plain(String),
    Marked { value: String },
}

/// A number, a text, or what some servers send beside the specification: an object with a `value`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Code {
    Text(String),
    Number(i64),
    Object { value: Box<Code> },
}

#[derive(Clone, Copy, Deserialize)]
struct Range {
    start: Point,
    end: Point,
}

#[derive(Clone, Copy, Deserialize)]
struct Point {
    line: u32,
    character: u32,
}

#[derive(Deserialize)]
struct Related {
    location: Location,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct Location {
    uri: String,
    range: Range,
}

impl Format for LspPublish {
    fn name(&self) -> &'static str {
        "lsp-publish"
    }

    fn summary(&self) -> &'static str {
        "messages of a language server, one a line: textDocument/publishDiagnostics"
    }

    fn positions(&self) -> Positions {
        Positions {
            unit: Unit::Utf16,
            line_base: 0,
            column_base: 0,
            end: End::Exclusive,
            line_ends: LineEnds::Usual,
        }
    }

    /// Other messages may stand between.
    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        let mut files: Vec<Published> = Vec::new();
        let mut known: FxHashMap<String, usize> = FxHashMap::default();
        while let Some(line) = lines.next()? {
            if line.is_blank() {
                continue;
            }
            let message: Message<'_> = line.json()?;
            if message.method.as_deref() == Some("window/showMessage") {
                let Notification { params } = line.json::<Notification<Shown>>()?;
                own::take(params.code.as_deref(), &params.message, sink);
            }
            if message.method.as_deref() != Some("textDocument/publishDiagnostics") {
                continue;
            }
            let Notification { params: published } = line.json::<Notification<Published>>()?;
            match known.get(&published.uri) {
                Some(&at) => files[at] = published,
                None => {
                    known.insert(published.uri.clone(), files.len());
                    files.push(published);
                }
            }
        }
        for file in &files {
            for diagnostic in &file.diagnostics {
                sink.finding(diagnostic.finding(&file.uri));
            }
        }
        Ok(())
    }
}

impl Diagnostic {
    fn finding<'a>(&'a self, uri: &'a str) -> Finding<'a> {
        let severity = match self.severity {
            Some(2) => Severity::Warning,
            Some(3) => Severity::Info,
            Some(4) => Severity::Hint,
            // What is left to the client is shown as an error by the clients that there are.
            _ => Severity::Error,
        };
        let message = match &self.message {
            Words::Plain(text) | Words::Marked { value: text } => text,
        };
        let related = self.related_information.iter().flatten().map(|related| Place {
            path: Some((&*related.location.uri).into()),
            span: related.location.range.span(),
            message: (&*related.message).into(),
        });
        Finding {
            tool: self.source.as_deref().filter(|source| !source.is_empty()).map(Into::into),
            code: self.code.as_ref().and_then(Code::text),
            path: Some(uri.into()),
            span: self.range.span(),
            related: related.collect(),
            help: self.code_description.as_ref().map(|page| page.href.as_str().into()),
            ..Finding::new(severity, message.as_str())
        }
    }
}

impl Code {
    fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Code::Text(text) => Some(text.as_str()).filter(|text| !text.is_empty()).map(Into::into),
            Code::Number(number) => Some(number.to_string().into()),
            Code::Object { value } => value.text(),
        }
    }
}

impl Range {
    fn span(self) -> Span {
        let at = |point: Point| (point.line, point.character);
        Span::between(at(self.start), at(self.end))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read};
    use super::*;

    #[test]
    fn the_last_word_on_each_file_counts() {
        let publish = |uri: &str, diagnostics: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{{"uri":"{uri}","diagnostics":[{diagnostics}]}}}}"#
            )
        };
        let range = r#""range":{"start":{"line":0,"character":4},"end":{"line":0,"character":9}}"#;
        let text = [
            publish("file:///repo/a.ts", &format!(r#"{{{range},"message":"old"}}"#)),
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#.to_owned(),
            r#"{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":3,"message":"x"}}"#
                .to_owned(),
            publish(
                "file:///repo/b%20c.ts",
                &format!(
                    r#"{{{range},"severity":4,"code":{{"value":7}},"source":"s","message":"b"}}"#
                ),
            ),
            publish(
                "file:///repo/a.ts",
                &format!(r#"{{{range},"severity":2,"code":"no","message":"new"}}"#),
            ),
        ]
        .join("\n");
        let records = read(&LspPublish, &text, "");
        assert_eq!(
            all_shown(&records),
            ["warning no a.ts:1:5-1:10 new", "hint 7 b c.ts:1:5-1:10 b"]
        );
        assert_eq!(&*records.diagnostics[1].tool, "s");
    }
}
