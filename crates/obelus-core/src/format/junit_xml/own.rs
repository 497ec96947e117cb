//! Reports that Obelus wrote: a case is a finding, with its place in attributes, and passes where it is
//! below an error.

use obelus_record::Severity;

use super::Element;
use crate::format::{Sink, own};
use crate::{Finding, Span};

/// One case.
#[derive(Default)]
pub(super) struct Case {
    class: String,
    name: String,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    code: Option<String>,
    severity: Option<String>,
    message: Option<String>,
    /// What a case that passes says.
    pub(super) text: String,
}

impl Case {
    /// A case as it begins.
    pub(super) fn of(element: &Element<'_>) -> Result<Self, String> {
        let number = |name| element.attribute(name).and_then(|text| text.parse().ok());
        Ok(Case {
            class: element.attribute("classname").unwrap_or_default(),
            name: element.attribute("name").ok_or("a <testcase> without a name")?,
            file: element.attribute("file"),
            line: number("line"),
            column: number("column"),
            code: element.attribute("code"),
            severity: element.attribute("severity"),
            message: None,
            text: String::new(),
        })
    }

    /// What stands in a case: a failure with its message.
    pub(super) fn came_to(&mut self, element: &str, message: Option<String>) {
        if matches!(element, "failure" | "error") {
            self.message = message;
        }
    }
}

/// Takes the cases that are findings, and what failed itself.
pub(super) fn take(cases: Vec<Case>, sink: &mut dyn Sink) {
    for case in cases {
        let message = case.message.unwrap_or(case.text);
        let said = if message.is_empty() { &case.name } else { &message };
        if own::take(Some(&case.class), said, sink) {
            continue;
        }
        let severity = match case.severity.as_deref() {
            Some("error") => Severity::Error,
            Some("warning") => Severity::Warning,
            Some("info") => Severity::Info,
            Some("hint") => Severity::Hint,
            // A checker that found nothing.
            _ => continue,
        };
        let span = case.line.map_or(Span::None, |line| Span::at(line, case.column));
        sink.finding(Finding {
            tool: Some(case.class.into()),
            code: case.code.map(Into::into),
            path: case.file.map(Into::into),
            span,
            ..Finding::new(severity, message)
        });
    }
}
