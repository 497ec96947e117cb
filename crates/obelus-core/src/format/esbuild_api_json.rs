//! The errors and warnings that esbuild's JavaScript API throws or returns, as one JSON object.
//!
//! <https://esbuild.github.io/api/#message-object> is the shape of a message.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::esbuild::{POSITIONS, is_about_options};
use super::json::Document;
use super::{Format, Input, Sink};
use crate::{Finding, Place, Positions, Span};

/// The format `esbuild-api-json`.
pub struct EsbuildApiJson;

#[derive(Deserialize)]
struct Outcome<'a> {
    #[serde(borrow)]
    errors: Vec<Message<'a>>,
    #[serde(borrow)]
    warnings: Vec<Message<'a>>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
    #[serde(borrow, default)]
    location: Option<Location<'a>>,
    #[serde(borrow, default)]
    notes: Vec<Note<'a>>,
}

#[derive(Deserialize)]
struct Note<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
    #[serde(borrow, default)]
    location: Option<Location<'a>>,
}

#[derive(Deserialize)]
struct Location<'a> {
    #[serde(borrow)]
    file: Cow<'a, str>,
    line: u32,
    column: u32,
    #[serde(default)]
    length: u32,
}

impl Format for EsbuildApiJson {
    fn name(&self) -> &'static str {
        "esbuild-api-json"
    }

    fn summary(&self) -> &'static str {
        "errors and warnings of esbuild's JavaScript API, as JSON"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let outcome: Outcome<'_> = document.parse()?;
        if let Some(error) = outcome.errors.iter().find(|error| is_about_options(&error.text)) {
            sink.tool_failed(format!("it could not begin: {:?}", error.text));
        }
        let lists = [(Severity::Error, outcome.errors), (Severity::Warning, outcome.warnings)];
        for (severity, messages) in lists {
            messages.into_iter().for_each(|message| sink.finding(message.finding(severity)));
        }
        Ok(())
    }
}

impl<'a> Message<'a> {
    fn finding(self, severity: Severity) -> Finding<'a> {
        let (path, span) = place(self.location);
        Finding {
            code: Some(self.id).filter(|id| !id.is_empty()),
            path,
            span,
            related: self
                .notes
                .into_iter()
                .map(|note| {
                    let (path, span) = place(note.location);
                    Place { path, span, message: note.text }
                })
                .collect(),
            ..Finding::new(severity, self.text)
        }
    }
}

/// What is covered lies on one line: esbuild cuts it off at the line's end.
fn place(location: Option<Location<'_>>) -> (Option<Cow<'_, str>>, Span) {
    let Some(at) = location else { return (None, Span::None) };
    let span = match (at.line, at.length) {
        (0, _) => Span::None,
        (line, 0) => Span::at(line, at.column),
        (line, length) => {
            Span::between((line, at.column), (line, at.column.saturating_add(length)))
        }
    };
    (Some(at.file).filter(|file| !file.is_empty()), span)
}
