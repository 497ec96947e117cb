//! What markdownlint-cli2-formatter-json writes: one array of findings.
//!
//! <https://github.com/DavidAnson/markdownlint/blob/main/README.md#result> is the shape, and says what
//! stands where a part of `fixInfo` is absent.

use std::borrow::Cow;

use obelus_record::{Applicability, Fault, Severity, Stream};
use serde::Deserialize;

use super::json::{Document, Text};
use super::markdownlint_text::POSITIONS;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Proposal, Replacement, Span};

/// The format `markdownlint-json`.
pub struct MarkdownlintJson;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Issue<'a> {
    #[serde(borrow)]
    file_name: Cow<'a, str>,
    line_number: u32,
    #[serde(borrow)]
    rule_names: Vec<Text<'a>>,
    #[serde(borrow)]
    rule_description: Cow<'a, str>,
    /// The page of the rule.
    #[serde(borrow, default)]
    rule_information: Option<Text<'a>>,
    #[serde(borrow, default)]
    error_detail: Option<Text<'a>>,
    #[serde(borrow, default)]
    error_context: Option<Text<'a>>,
    /// A column and a length.
    #[serde(default)]
    error_range: Option<(u32, u32)>,
    #[serde(borrow, default)]
    fix_info: Option<Fix<'a>>,
    #[serde(default)]
    severity: Option<Level>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fix<'a> {
    #[serde(default)]
    line_number: Option<u32>,
    #[serde(default)]
    edit_column: Option<u32>,
    /// -1 is the whole line with its end.
    #[serde(default)]
    delete_count: Option<i64>,
    #[serde(borrow, default)]
    insert_text: Option<Text<'a>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Error,
    Warning,
}

impl Format for MarkdownlintJson {
    fn name(&self) -> &'static str {
        "markdownlint-json"
    }

    fn summary(&self) -> &'static str {
        "JSON of markdownlint-cli2: markdownlint-cli2-formatter-json"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn stream(&self) -> Stream {
        Stream::Report
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let read = document.each(|issue: Issue<'_>| sink.finding(issue.finding()));
        if read.is_err() {
            sink.discard();
        }
        read
    }
}

impl<'a> Issue<'a> {
    fn finding(self) -> Finding<'a> {
        let line = self.line_number;
        let message = self.message();
        let span = match self.error_range {
            Some((column, length)) => {
                Span::between((line, column), (line, column.saturating_add(length)))
            }
            None => Span::at(line, None),
        };
        let severity = match self.severity {
            Some(Level::Warning) => Severity::Warning,
            Some(Level::Error) | None => Severity::Error,
        };
        Finding {
            code: self.rule_names.into_iter().next().map(|name| name.0),
            path: Some(self.file_name),
            span,
            proposals: self.fix_info.and_then(|fix| fix.proposal(line)).into_iter().collect(),
            help: self.rule_information.map(|url| url.0),
            ..Finding::new(severity, message)
        }
    }

    /// The message as the text form prints it.
    fn message(&self) -> String {
        let mut message = self.rule_description.to_string();
        if let Some(detail) = self.error_detail.as_ref().filter(|text| !text.0.is_empty()) {
            message += &format!(" [{}]", detail.0);
        }
        if let Some(context) = self.error_context.as_ref().filter(|text| !text.0.is_empty()) {
            message += &format!(" [Context: \"{}\"]", context.0);
        }
        message
    }
}

impl<'a> Fix<'a> {
    /// The edit of a finding in `line`. Nothing says how safe it is.
    fn proposal(self, line: u32) -> Option<Proposal<'a>> {
        let line = self.line_number.unwrap_or(line);
        let column = self.edit_column.unwrap_or(1);
        let span = match self.delete_count.unwrap_or(0) {
            ..0 => Span::between((line, 1), (line.checked_add(1)?, 1)),
            count => {
                let end = column.checked_add(u32::try_from(count).ok()?)?;
                Span::between((line, column), (line, end))
            }
        };
        let text = self.insert_text.map_or(Cow::Borrowed(""), |text| text.0);
        Some(Proposal {
            applicability: Applicability::Unsafe,
            message: None,
            replacements: vec![Replacement { path: None, span, positions: None, text }],
        })
    }
}
