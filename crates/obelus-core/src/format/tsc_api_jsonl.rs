//! What `tsc-collect.mjs` prints: the TypeScript compiler's own diagnostics as one JSON object a
//! line, in the end a summary. Without the summary the script did not come to its end.
//!
//! Lines and characters count UTF-16 units from 0, ends are exclusive.

use std::borrow::Cow;

use obelus_record::{Fault, FaultKind, Severity, Stream};
use serde::Deserialize;

use super::json::Text;
use super::lines::Line;
use super::{Format, Input, Sink};
use crate::{End, Finding, LineEnds, Place, Position, Positions, Span, Unit};

/// The format.
pub struct TscApiJsonl;

impl Format for TscApiJsonl {
    fn name(&self) -> &'static str {
        "tsc-api-jsonl"
    }

    fn summary(&self) -> &'static str {
        "JSON lines from the TypeScript compiler's API, with ends and related places"
    }

    fn positions(&self) -> Positions {
        Positions {
            unit: Unit::Utf16,
            line_base: 0,
            column_base: 0,
            end: End::Exclusive,
            line_ends: LineEnds::EcmaScript,
        }
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (primary, cut) = (input.primary, input.cut);
        let mut lines = input.lines(primary);
        // The number of the last line that was read, and of diagnostics since the last summary.
        let (mut last, mut diagnostics) = (0, 0);
        let mut complete = false;
        while let Some(line) = lines.next()? {
            last = line.number;
            if line.is_blank() {
                continue;
            }
            let object: Object<'_> = line.json()?;
            complete = object.kind == Kind::Summary;
            match object.kind {
                Kind::Diagnostic => {
                    diagnostics += 1;
                    sink.finding(object.finding(&line)?);
                }
                Kind::Summary => {
                    if object.diagnostics.is_some_and(|stated| stated != diagnostics) {
                        return Err(fault(
                            &line,
                            "the summary counts other diagnostics than stand above it",
                        ));
                    }
                    diagnostics = 0;
                }
            }
        }
        if complete || cut {
            return Ok(());
        }
        Err(without_summary(primary, last))
    }
}

fn without_summary(stream: Stream, last: u64) -> Fault {
    let (kind, detail) = match last {
        0 => (FaultKind::Empty, ""),
        _ => (FaultKind::CutOff, "the summary line is missing"),
    };
    Fault { stream, line: last.max(1), kind, snippet: String::new(), detail: detail.to_owned() }
}

fn fault(line: &Line<'_>, detail: &str) -> Fault {
    Fault {
        stream: line.stream,
        line: line.number,
        kind: FaultKind::WrongShape,
        snippet: super::lines::snippet(line.bytes),
        detail: detail.to_owned(),
    }
}

/// One line; which members it has depends on its kind.
#[derive(Deserialize)]
struct Object<'a> {
    kind: Kind,
    #[serde(borrow, default)]
    file: Option<Text<'a>>,
    #[serde(default)]
    start: Option<Point>,
    #[serde(default)]
    end: Option<Point>,
    #[serde(default)]
    category: Option<Category>,
    #[serde(default)]
    code: Option<u32>,
    #[serde(borrow, default)]
    message: Option<Text<'a>>,
    #[serde(borrow, default)]
    related: Vec<Related<'a>>,
    /// How many diagnostics stand above a summary.
    #[serde(default)]
    diagnostics: Option<u64>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Diagnostic,
    Summary,
}

/// The names of `ts.DiagnosticCategory`.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Category {
    Error,
    Warning,
    Suggestion,
    Message,
}

impl From<Category> for Severity {
    fn from(category: Category) -> Self {
        match category {
            Category::Error => Severity::Error,
            Category::Warning => Severity::Warning,
            Category::Suggestion => Severity::Hint,
            Category::Message => Severity::Info,
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
struct Point {
    line: u32,
    character: u32,
}

#[derive(Deserialize)]
struct Related<'a> {
    #[serde(borrow, default)]
    file: Option<Text<'a>>,
    #[serde(default)]
    start: Option<Point>,
    #[serde(default)]
    end: Option<Point>,
    #[serde(borrow)]
    message: Cow<'a, str>,
}

impl<'a> Object<'a> {
    fn finding(self, line: &Line<'_>) -> Result<Finding<'a>, Fault> {
        let missing = |name: &str| fault(line, &format!("missing field `{name}`"));
        let message = self.message.ok_or_else(|| missing("message"))?.0;
        let category = self.category.ok_or_else(|| missing("category"))?;
        let code = self.code.ok_or_else(|| missing("code"))?;
        let mut finding = Finding::new(category.into(), message);
        finding.code = Some(format!("TS{code}").into());
        finding.path = self.file.map(|file| file.0);
        finding.span = span(self.start, self.end);
        finding.related = self
            .related
            .into_iter()
            .map(|place| Place {
                path: place.file.map(|file| file.0),
                span: span(place.start, place.end),
                message: place.message,
            })
            .collect();
        Ok(finding)
    }
}

fn span(start: Option<Point>, end: Option<Point>) -> Span {
    let position = |at: Point| Position { line: at.line, column: Some(at.character) };
    match start {
        None => Span::None,
        Some(start) => Span::Lines { start: position(start), end: end.map(position) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::recording::{findings, read, read_run};

    /// Printed for TypeScript 6.0.3.
    const RELATED: &str = r#"{"kind":"diagnostic","phase":"suggestion","file":"src/a.ts","start":{"offset":117,"line":3,"character":28},"end":{"offset":120,"line":3,"character":31},"category":"suggestion","code":6387,"message":"The signature '(): number' of 'old' is deprecated.","chain":[],"related":[{"file":"src/a.ts","start":{"offset":4,"line":0,"character":4},"end":{"offset":22,"line":0,"character":22},"category":"error","code":2798,"message":"The declaration was marked as deprecated here."}],"source":null,"unnecessary":false,"deprecated":true}"#;
    const GLOBAL: &str = r#"{"kind":"diagnostic","phase":"config","file":null,"start":null,"end":null,"category":"error","code":18003,"message":"No inputs were found.","chain":[],"related":[],"source":null}"#;

    #[test]
    fn several_projects_each_with_a_summary() {
        let text = format!(
            "{RELATED}\n{{\"kind\":\"summary\",\"diagnostics\":1}}\n{GLOBAL}\n{{\"kind\":\"summary\",\"projects\":[\"a\"],\"diagnostics\":1}}\n"
        );
        let taken = read(&TscApiJsonl, &text, &[]);
        assert_eq!(taken.fault, None);
        assert_eq!(
            findings(&taken),
            [
                "hint TS6387 src/a.ts 3:28-3:31 The signature '(): number' of 'old' is deprecated. [src/a.ts 0:4-0:22 The declaration was marked as deprecated here.]",
                "error TS18003 - - No inputs were found.",
            ]
        );
    }

    #[test]
    fn without_its_summary_the_stream_is_cut_off() {
        let fault = |text: &str, cut| {
            let taken = read_run(&TscApiJsonl, text, "", &[], cut);
            (taken.findings.len(), taken.fault.map(|fault| (fault.kind, fault.line, fault.detail)))
        };
        let missing = "the summary line is missing".to_owned();
        let whole = format!("{GLOBAL}\n");
        assert_eq!(fault(&whole, false), (1, Some((FaultKind::CutOff, 1, missing))));
        assert_eq!(fault(&whole, true), (1, None));
        assert_eq!(fault(&format!("{GLOBAL}\n{{\"kind\":\"diag"), true), (1, None));
        assert_eq!(fault("", false), (0, Some((FaultKind::Empty, 1, String::new()))));
        let lost = format!("{GLOBAL}\n{{\"kind\":\"summary\",\"diagnostics\":2}}\n");
        assert_eq!(
            fault(&lost, false),
            (
                1,
                Some((
                    FaultKind::WrongShape,
                    2,
                    "the summary counts other diagnostics than stand above it".to_owned()
                ))
            )
        );
    }

    #[test]
    fn foreign_lines_and_other_shapes_reject_the_stream() {
        for (line, kind, detail) in [
            ("> shop@1.0.0 typecheck", FaultKind::InvalidJson, ""),
            ("[]", FaultKind::NotAnObject, ""),
            (
                r#"{"kind":"progress"}"#,
                FaultKind::WrongShape,
                "unknown variant `progress`, expected `diagnostic` or `summary`",
            ),
            (
                r#"{"kind":"diagnostic","category":"error","code":1}"#,
                FaultKind::WrongShape,
                "missing field `message`",
            ),
        ] {
            let taken = read(&TscApiJsonl, &format!("{GLOBAL}\n{line}\n"), &[]);
            let fault = taken.fault.unwrap();
            assert_eq!(
                (fault.line, fault.kind, fault.detail.as_str()),
                (2, kind, detail),
                "{line}"
            );
            assert_eq!(taken.findings.len(), 1);
        }
    }
}
