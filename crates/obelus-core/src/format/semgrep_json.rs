//! `semgrep scan --json`: one object.

use std::borrow::Cow;

use obelus_record::{Applicability, Fault, Severity};
use serde::Deserialize;

use super::json::{Document, Text};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Proposal, Replacement, Span, Unit};

/// The format `semgrep-json`.
pub struct SemgrepJson;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    results: Vec<Match<'a>>,
    #[serde(borrow)]
    errors: Vec<Failure<'a>>,
}

#[derive(Deserialize)]
struct Match<'a> {
    #[serde(borrow)]
    check_id: Cow<'a, str>,
    #[serde(borrow)]
    path: Cow<'a, str>,
    start: Point,
    end: Point,
    #[serde(borrow)]
    extra: Extra<'a>,
}

#[derive(Clone, Copy, Deserialize)]
struct Point {
    line: u32,
    col: u32,
}

#[derive(Deserialize)]
struct Extra<'a> {
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow)]
    severity: Cow<'a, str>,
    /// What takes the place of the whole match.
    #[serde(borrow)]
    fix: Option<Text<'a>>,
    /// What the author of the rule says beside it: anything.
    #[serde(default)]
    metadata: serde_json::Value,
    /// Switched off by a comment (`nosem`), and told all the same.
    is_ignored: Option<bool>,
}

#[derive(Deserialize)]
struct Failure<'a> {
    #[serde(borrow)]
    level: Cow<'a, str>,
    #[serde(borrow)]
    message: Option<Text<'a>>,
}

impl Format for SemgrepJson {
    fn name(&self) -> &'static str {
        "semgrep-json"
    }

    fn summary(&self) -> &'static str {
        "semgrep scan --json"
    }

    /// Lines from 1, columns from 1 in UTF-8 bytes, ends exclusive.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Bytes)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let report: Report<'_> = document.parse()?;
        // The last one sums up. Warnings (a file that was read in part) fail nothing.
        let failed = report.errors.iter().rev().find(|failure| failure.level == "error");
        if let Some(failure) = failed {
            let said = failure.message.as_ref().map_or("", |text| &*text.0);
            let first = said.lines().next().unwrap_or_default();
            sink.tool_failed(format!("it could not do all it was told: {first}"));
        }
        let found = report.results.into_iter().filter(|found| found.extra.is_ignored != Some(true));
        found.for_each(|found| sink.finding(found.finding()));
        Ok(())
    }
}

impl<'a> Match<'a> {
    fn finding(self) -> Finding<'a> {
        let severity = match &*self.extra.severity {
            "WARNING" | "MEDIUM" => Severity::Warning,
            "INFO" | "LOW" | "INVENTORY" | "EXPERIMENT" => Severity::Info,
            // ERROR, and the newer HIGH and CRITICAL.
            _ => Severity::Error,
        };
        let span = Span::between((self.start.line, self.start.col), (self.end.line, self.end.col));
        let proposal = |text| Proposal {
            applicability: Applicability::Unsafe,
            message: None,
            replacements: vec![Replacement { path: None, span, positions: None, text }],
        };
        // The page in the registry of rules, which a rule of the user's own does not have.
        let page = ["source", "shortlink"].iter().find_map(|key| self.extra.metadata[key].as_str());
        Finding {
            help: page.map(|url| Cow::Owned(url.to_owned())),
            code: Some(self.check_id),
            path: Some(self.path),
            span,
            proposals: self.extra.fix.map(|text| proposal(text.0)).into_iter().collect(),
            ..Finding::new(severity, self.extra.message)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::read;
    use super::*;

    #[test]
    fn a_rule_of_the_registry_has_a_page_and_one_of_the_users_own_says_anything() {
        let found = |metadata| {
            let text = format!(
                r#"{{"errors":[],"results":[{{"check_id":"c","path":"a.py","start":{{"line":1,"col":1}},
                "end":{{"line":1,"col":2}},"extra":{{"message":"m","severity":"ERROR"{metadata}}}}}]}}"#
            );
            read(&SemgrepJson, &text, "").diagnostics[0].help.as_deref().map(str::to_owned)
        };
        let page = "https://semgrep.dev/r/c";
        let registry = format!(r#","metadata":{{"source":"{page}","cwe":["CWE-1"]}}"#);
        assert_eq!(found(&*registry).as_deref(), Some(page));
        assert_eq!(found(r#","metadata":{"source":["x"]}"#), None);
        assert_eq!(found(r#","metadata":7"#), None);
        assert_eq!(found(""), None);
    }

    #[test]
    fn errors_fail_the_run_and_warnings_do_not() {
        let text = |level| {
            format!(r#"{{"results":[],"errors":[{{"level":"{level}","message":"a\nb"}}]}}"#)
        };
        assert!(read(&SemgrepJson, &text("error"), "").tool_failed.unwrap().ends_with(": a"));
        assert_eq!(read(&SemgrepJson, &text("warn"), "").tool_failed, None);
    }
}
