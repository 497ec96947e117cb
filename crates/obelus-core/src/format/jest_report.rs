//! The report that Jest and Vitest share: one object, a list of files, each with its tests.
//!
//! <https://jestjs.io/docs/configuration#testresultsprocessor-string> is the shape; Vitest writes
//! "a JSON report compatible with Jest" (<https://vitest.dev/guide/reporters#json-reporter>).

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::js_stack::{failed_test, place_in};
use super::json::{Document, Text};
use super::text::number;
use super::{Input, Places, Sink};
use crate::{Finding, Positions, Span};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    #[serde(borrow)]
    test_results: Vec<File<'a>>,
    /// Whether the run was stopped before its end.
    #[serde(default)]
    was_interrupted: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    status: Cow<'a, str>,
    /// Of a file that did not run: why.
    #[serde(borrow, default)]
    message: Cow<'a, str>,
    #[serde(borrow)]
    assertion_results: Vec<Test<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test<'a> {
    #[serde(borrow)]
    full_name: Cow<'a, str>,
    #[serde(borrow)]
    status: Cow<'a, str>,
    #[serde(borrow, default)]
    failure_messages: Option<Vec<Text<'a>>>,
}

/// Reads the report on the primary stream.
pub(super) fn read(input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
    let (primary, places) = (input.primary, input.places);
    let document = Document::read(input.stream(primary), primary)?;
    let report: Report<'_> = document.parse()?;
    if report.was_interrupted {
        sink.tool_failed("its report says that the run was interrupted".to_owned());
    }
    for file in &report.test_results {
        file.hand_out(places, sink);
    }
    Ok(())
}

impl File<'_> {
    fn hand_out(&self, places: &dyn Places, sink: &mut dyn Sink) {
        let failed = || self.assertion_results.iter().filter(|test| test.status == "failed");
        for test in failed() {
            let first = test.failure_messages.iter().flatten().next();
            let text = first.map_or("failed", |text| &*text.0);
            sink.finding(failed_test(&test.full_name, text, Some(&self.name), places));
        }
        // A file that could not be loaded, or in which something failed around its tests.
        if self.status == "failed" && failed().next().is_none() {
            sink.finding(self.did_not_run(places));
        }
    }

    fn did_not_run(&self, places: &dyn Places) -> Finding<'_> {
        let message = match self.message.trim() {
            "" => "the file failed, and nothing says why",
            message => message,
        };
        let mut finding = Finding {
            path: Some(self.name.as_ref().into()),
            ..Finding::new(Severity::Error, message)
        };
        if let Some((path, span)) = unparsed(message) {
            finding.path = Some(path.into());
            finding.span = span;
            // Babel counts columns from 0.
            finding.positions = Some(Positions { column_base: 0, ..super::js_stack::POSITIONS });
        } else if let Some(place) = place_in(message, places) {
            finding.path = Some(place.path.into());
            finding.span = place.span();
        }
        finding
    }
}

/// The place that Babel names: `SyntaxError: path: message (line:column)`.
fn unparsed(message: &str) -> Option<(&str, Span)> {
    message.lines().find_map(|line| {
        let rest = line.trim().strip_prefix("SyntaxError: ")?;
        let (head, place) = rest.strip_suffix(')')?.rsplit_once(" (")?;
        let (line, column) = place.split_once(':')?;
        let (path, _) = head.split_once(": ")?;
        Some((path, Span::at(number(line)?, number(column)?)))
    })
}

#[cfg(test)]
mod tests {
    use super::super::jest_json::JestJson;
    use super::super::recording::{findings, read};

    #[test]
    fn tests_without_words_files_that_failed_and_runs_that_were_stopped() {
        let text = r#"{"success":false,"wasInterrupted":true,"testResults":[
            {"name":"a.js","status":"failed","message":"x","assertionResults":[
              {"fullName":"t","status":"failed","failureMessages":[]},
              {"fullName":"u","status":"passed"}]},
            {"name":"b.js","status":"failed","message":"","assertionResults":[]},
            {"name":"c.js","status":"failed","message":"  ● no\n\n    SyntaxError: lib/d (1).js: Unexpected (x): y (3:0)\n","assertionResults":[]}]}"#;
        let taken = read(&JestJson, text, &[]);
        assert_eq!(taken.fault, None);
        assert_eq!(taken.tool_failed.len(), 1);
        assert_eq!(
            findings(&taken),
            [
                "error - a.js - t: failed",
                "error - b.js - the file failed, and nothing says why",
                "error - lib/d (1).js 3:0 ● no\n\n    SyntaxError: lib/d (1).js: Unexpected (x): y (3:0)",
            ]
        );
    }
}
