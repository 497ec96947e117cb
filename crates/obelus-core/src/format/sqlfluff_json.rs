//! `sqlfluff lint --format json`: one array of files.

use std::borrow::Cow;

use obelus_record::{Applicability, Fault, Severity};
use serde::Deserialize;

use super::json::Document;
use super::{Format, Input, Sink};
use crate::{Finding, Position, Positions, Proposal, Replacement, Span, Unit};

/// The format `sqlfluff-json`.
pub struct SqlfluffJson;

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    filepath: Cow<'a, str>,
    #[serde(borrow)]
    violations: Vec<Violation<'a>>,
}

#[derive(Deserialize)]
struct Violation<'a> {
    /// Before 3.0 the start alone is there, as `line_no` and `line_pos`.
    #[serde(alias = "line_no")]
    start_line_no: u32,
    #[serde(alias = "line_pos")]
    start_line_pos: u32,
    end_line_no: Option<u32>,
    end_line_pos: Option<u32>,
    #[serde(borrow)]
    code: Cow<'a, str>,
    #[serde(borrow)]
    description: Cow<'a, str>,
    #[serde(default)]
    warning: bool,
    #[serde(borrow, default)]
    fixes: Vec<Fix<'a>>,
}

/// One edit; all those of a violation belong together.
#[derive(Deserialize)]
struct Fix<'a> {
    #[serde(borrow)]
    edit: Cow<'a, str>,
    start_line_no: u32,
    start_line_pos: u32,
    end_line_no: Option<u32>,
    end_line_pos: Option<u32>,
}

impl Format for SqlfluffJson {
    fn name(&self) -> &'static str {
        "sqlfluff-json"
    }

    fn summary(&self) -> &'static str {
        "sqlfluff lint --format json"
    }

    /// Code points from 1, ends exclusive.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let read = document.each(|file: File<'_>| {
            for violation in file.violations {
                sink.finding(violation.finding(file.filepath.clone()));
            }
        });
        if read.is_err() {
            sink.discard();
        }
        read
    }
}

impl<'a> Violation<'a> {
    fn finding(self, path: Cow<'a, str>) -> Finding<'a> {
        let severity = if self.warning { Severity::Warning } else { Severity::Error };
        let end = self.end_line_no.zip(self.end_line_pos);
        Finding {
            code: Some(self.code),
            path: Some(path),
            span: Span::Lines {
                start: Position { line: self.start_line_no, column: Some(self.start_line_pos) },
                end: end.map(|(line, column)| Position { line, column: Some(column) }),
            },
            proposals: proposal(self.fixes).into_iter().collect(),
            ..Finding::new(severity, self.description)
        }
    }
}

/// Nothing says how safe an edit is. One without an end (in templated code) makes all of them void.
fn proposal(fixes: Vec<Fix<'_>>) -> Option<Proposal<'_>> {
    let replacements = fixes
        .into_iter()
        .map(|fix| {
            let start = (fix.start_line_no, fix.start_line_pos);
            let end = fix.end_line_no.zip(fix.end_line_pos)?;
            let span = Span::between(start, end);
            Some(Replacement { path: None, span, positions: None, text: fix.edit })
        })
        .collect::<Option<Vec<_>>>()?;
    (!replacements.is_empty()).then_some(Proposal {
        applicability: Applicability::Unsafe,
        message: None,
        replacements,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read};
    use super::*;

    #[test]
    fn older_versions_have_no_end_and_a_parsing_error_is_no_less() {
        let text = r#"[{"filepath": "a.sql", "violations": [{"line_no": 2, "line_pos": 3,
            "code": "PRS", "description": "Found unparsable section", "name": ""}]}]"#;
        assert_eq!(
            all_shown(&read(&SqlfluffJson, text, "")),
            ["error PRS a.sql:2:3--:- Found unparsable section"]
        );
    }
}
