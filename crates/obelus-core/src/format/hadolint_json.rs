//! `hadolint -f json`: one array.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::json::Document;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// The format `hadolint-json`.
pub struct HadolintJson;

#[derive(Deserialize)]
struct Issue<'a> {
    #[serde(borrow)]
    code: Cow<'a, str>,
    #[serde(borrow)]
    file: Cow<'a, str>,
    line: u32,
    column: u32,
    level: Level,
    #[serde(borrow)]
    message: Cow<'a, str>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Error,
    Warning,
    Info,
    Style,
    Ignore,
}

impl Format for HadolintJson {
    fn name(&self) -> &'static str {
        "hadolint-json"
    }

    fn summary(&self) -> &'static str {
        "hadolint -f json"
    }

    /// Lines and columns from 1; nearly every column is 1.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let read = document.each(|issue: Issue<'_>| {
            let severity = match issue.level {
                Level::Error => Severity::Error,
                Level::Warning => Severity::Warning,
                Level::Info | Level::Style | Level::Ignore => Severity::Info,
            };
            sink.finding(Finding {
                code: Some(issue.code),
                path: Some(issue.file),
                span: Span::at(issue.line, issue.column),
                ..Finding::new(severity, issue.message)
            });
        });
        if read.is_err() {
            sink.discard();
        }
        read
    }
}
