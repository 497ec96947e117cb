//! `rdjson`: one document of the Reviewdog Diagnostic Format.

use obelus_record::Fault;

use super::rdf::{self, POSITIONS};
use super::{Format, Input, Sink, json, own};
use crate::Positions;

/// The format `rdjson`.
pub struct Rdjson;

impl Format for Rdjson {
    fn name(&self) -> &'static str {
        "rdjson"
    }

    fn summary(&self) -> &'static str {
        "Reviewdog Diagnostic Format, one document, which many linters can write"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let bytes = json::Document::read(input.stream(primary), primary)?;
        let mut document: rdf::Document<'_> = bytes.parse()?;
        let diagnostics = std::mem::take(&mut document.diagnostics);
        let defaults = document.defaults();
        for diagnostic in diagnostics {
            if !own::take(diagnostic.code(), &diagnostic.message, sink) {
                sink.finding(diagnostic.finding(defaults));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::read;
    use super::super::testing::{all_shown, read as records};
    use super::*;

    #[test]
    fn what_the_document_says_holds_for_all_and_numbers_are_words() {
        let text = r#"{"source": {"name": "super lint"}, "severity": "WARNING", "diagnostics": [
            {"message": "a", "location": {"path": "a.js", "range": {"start": {"line": 14, "column": 15}}},
             "suggestions": [{"range": {"start": {"line": 14, "column": 15}}, "text": "x"}],
             "code": {"value": "R1", "url": "https://example.org"}},
            {"message": "b", "severity": 3, "source": {"name": "other"}, "location": {"path": "b.js",
             "range": {"start": {"line": 2}, "end": {"line": 3, "column": 1}}},
             "relatedLocations": [{"message": "see", "location": {"path": "c.js"}}]}]}"#;
        let taken = read(&Rdjson, text, &[]);
        let tools: Vec<_> = taken.findings.iter().map(|one| one.tool.as_deref()).collect();
        assert_eq!(tools, [Some("super lint"), Some("other")]);
        let records = records(&Rdjson, text, "");
        assert_eq!(all_shown(&records), ["warning R1 a.js:14:15--:- a", "info - b.js:2:--3:1 b"]);
        assert_eq!(records.diagnostics[1].related.len(), 1);
        let edit = &records.diagnostics[0].suggestion.as_ref().unwrap().edits[0];
        assert_eq!((edit.line, edit.column, edit.end_column, &*edit.text), (14, 15, 15, "x"));
    }

    #[test]
    fn statements_of_obelus_are_no_findings() {
        let text = r#"{"diagnostics": [
            {"message": "fail: 1 error", "location": {"path": ""}, "code": {"value": "obelus/verdict"}},
            {"message": "tsc failed itself", "location": {"path": ""}, "code": {"value": "obelus/harness-error"}}]}"#;
        let taken = read(&Rdjson, text, &[]);
        assert_eq!(taken.tool_failed, ["tsc failed itself"]);
        assert!(taken.findings.is_empty());
    }
}
