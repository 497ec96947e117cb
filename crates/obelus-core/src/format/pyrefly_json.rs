//! `pyrefly check --output-format json`: one object.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::json::{Document, Text};
use super::pyrefly::{POSITIONS, severity};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span};

/// The format `pyrefly-json`.
pub struct PyreflyJson;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    errors: Vec<Message<'a>>,
}

/// Its `code` is the same for all; the rule is the name.
#[derive(Deserialize)]
struct Message<'a> {
    line: u32,
    column: u32,
    stop_line: u32,
    stop_column: u32,
    #[serde(borrow)]
    path: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    description: Cow<'a, str>,
    /// Absent in older versions, in which every message is an error.
    #[serde(borrow)]
    severity: Option<Text<'a>>,
}

impl Format for PyreflyJson {
    fn name(&self) -> &'static str {
        "pyrefly-json"
    }

    fn summary(&self) -> &'static str {
        "pyrefly check --output-format json"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let report: Report<'_> = document.parse()?;
        for message in report.errors {
            let word = message.severity.as_ref().and_then(|word| severity(&word.0));
            sink.finding(Finding {
                code: Some(message.name),
                path: Some(message.path),
                span: Span::between(
                    (message.line, message.column),
                    (message.stop_line, message.stop_column),
                ),
                ..Finding::new(word.unwrap_or(Severity::Error), message.description)
            });
        }
        Ok(())
    }
}
