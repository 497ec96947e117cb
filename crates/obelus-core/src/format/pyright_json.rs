//! `pyright --outputjson`, also of basedpyright: one document.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::json::{Document, Text};
use super::{Format, Input, Sink};
use crate::{End, Finding, LineEnds, Positions, Span, Unit};

/// The format `pyright-json`.
pub struct PyrightJson;

/// Why a run that looked at no file is no answer.
pub(super) const NOTHING_TO_CHECK: &str =
    "it found no file to check, so its clean exit says nothing about the code";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    #[serde(borrow)]
    general_diagnostics: Vec<Diagnostic<'a>>,
    summary: Summary,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    files_analyzed: u64,
}

#[derive(Deserialize)]
struct Diagnostic<'a> {
    #[serde(borrow)]
    file: Option<Text<'a>>,
    severity: Word,
    #[serde(borrow)]
    message: Cow<'a, str>,
    range: Option<Range>,
    #[serde(borrow)]
    rule: Option<Text<'a>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Error,
    Warning,
    Information,
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

impl Format for PyrightJson {
    fn name(&self) -> &'static str {
        "pyright-json"
    }

    fn summary(&self) -> &'static str {
        "pyright --outputjson, basedpyright --outputjson"
    }

    /// Positions of the Language Server Protocol: from 0, in UTF-16 units, ends exclusive.
    fn positions(&self) -> Positions {
        Positions {
            unit: Unit::Utf16,
            line_base: 0,
            column_base: 0,
            end: End::Exclusive,
            line_ends: LineEnds::Usual,
        }
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let report: Report<'_> = document.parse()?;
        if report.summary.files_analyzed == 0 && report.general_diagnostics.is_empty() {
            // It exits with 0 then (1.1.414).
            sink.tool_failed(NOTHING_TO_CHECK.to_owned());
        }
        report.general_diagnostics.into_iter().for_each(|found| sink.finding(finding(found)));
        Ok(())
    }
}

fn finding(found: Diagnostic<'_>) -> Finding<'_> {
    let severity = match found.severity {
        Word::Error => Severity::Error,
        Word::Warning => Severity::Warning,
        Word::Information => Severity::Info,
    };
    let pair = |point: Point| (point.line, point.character);
    Finding {
        code: found.rule.map(|rule| rule.0),
        path: found.file.map(|file| file.0).filter(|file| !file.is_empty()),
        span: found
            .range
            .map_or(Span::None, |range| Span::between(pair(range.start), pair(range.end))),
        ..Finding::new(severity, found.message)
    }
}

#[cfg(test)]
mod tests {
    use obelus_record::FaultKind;

    use super::super::testing::{all_shown, read};
    use super::*;

    // Printed by pyright 1.1.414 in a folder without Python files; it exits with 0.
    const NOTHING: &str = r#"{
    "version": "1.1.414",
    "time": "1796067383936",
    "generalDiagnostics": [],
    "summary": {
        "filesAnalyzed": 0,
        "errorCount": 0,
        "warningCount": 0,
        "informationCount": 0,
        "timeInSec": 0
    }
}
"#;

    #[test]
    fn nothing_to_check_is_no_clean_code() {
        let got = read(&PyrightJson, NOTHING, "");
        assert_eq!(got.fault, None);
        assert_eq!(got.tool_failed.as_deref(), Some(NOTHING_TO_CHECK));
    }

    #[test]
    fn a_finding_without_range_or_file_has_no_place() {
        let text = NOTHING.replace(
            "[]",
            r#"[{"file":"","severity":"error","message":"Import cycles not allowed"}]"#,
        );
        let got = read(&PyrightJson, &text, "");
        assert_eq!(all_shown(&got), ["error - -:-:---:- Import cycles not allowed"]);
        assert_eq!(got.tool_failed, None);
    }

    #[test]
    fn a_document_with_a_banner_gives_no_record() {
        let got = read(&PyrightJson, &format!("\n> shop@1.0.0 check\n\n{NOTHING}"), "");
        let fault = got.fault.unwrap();
        assert_eq!((fault.kind, fault.line), (FaultKind::InvalidJson, 2));
        assert!(got.diagnostics.is_empty());
    }
}
