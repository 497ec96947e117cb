//! `stylelint --formatter json`: one array, an object a file, on standard error.
//!
//! <https://stylelint.io/developer-guide/formatters> is the shape. The output moved from standard
//! output to standard error in version 16
//! (<https://stylelint.io/migration-guide/to-16#changed-cli-to-print-problems-to-stderr>).

use std::borrow::Cow;

use obelus_record::{Fault, Severity, Stream};
use serde::Deserialize;

use super::json::{Document, Text};
use super::{Format, Input, Sink};
use crate::{Finding, Position, Positions, Span, Unit};

/// The format `stylelint-json`.
pub struct StylelintJson;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileResult<'a> {
    /// Absent for text from standard input.
    #[serde(borrow, default)]
    source: Option<Text<'a>>,
    #[serde(borrow)]
    warnings: Vec<Warning<'a>>,
    /// Rules whose options it can't use.
    #[serde(borrow, default)]
    invalid_option_warnings: Vec<InvalidOption<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Warning<'a> {
    line: u32,
    column: u32,
    #[serde(default)]
    end_line: Option<u32>,
    #[serde(default)]
    end_column: Option<u32>,
    #[serde(borrow, default)]
    rule: Option<Text<'a>>,
    severity: Level,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Deserialize)]
struct InvalidOption<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Warning,
    Error,
}

impl Format for StylelintJson {
    fn name(&self) -> &'static str {
        "stylelint-json"
    }

    fn summary(&self) -> &'static str {
        "JSON of stylelint: stylelint --formatter json"
    }

    /// UTF-16 units from 1, ends exclusive (PostCSS; seen with 18.1.0).
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Utf16)
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let read = document.each(|file: FileResult<'_>| file.hand_out(sink));
        if read.is_err() {
            sink.discard();
        }
        read
    }
}

impl FileResult<'_> {
    fn hand_out(self, sink: &mut dyn Sink) {
        let path = self.source.as_ref().map(|source| &*source.0);
        if let Some(invalid) = self.invalid_option_warnings.first() {
            sink.tool_failed(format!("it can't use an option of a rule: {:?}", invalid.text));
        }
        for warning in &self.warnings {
            sink.finding(warning.finding(path));
        }
    }
}

impl Warning<'_> {
    fn finding<'f>(&'f self, path: Option<&'f str>) -> Finding<'f> {
        let end = self.end_line.map(|line| Position { line, column: self.end_column });
        let rule = self.rule.as_ref().map(|rule| &*rule.0);
        let severity = match self.severity {
            Level::Warning => Severity::Warning,
            Level::Error => Severity::Error,
        };
        Finding {
            code: rule.map(Into::into),
            path: path.map(Into::into),
            span: Span::Lines {
                start: Position { line: self.line, column: Some(self.column) },
                end,
            },
            ..Finding::new(severity, without_rule(&self.text, rule))
        }
    }
}

/// The text without the name of the rule, which stands in brackets at its end.
fn without_rule<'t>(text: &'t str, rule: Option<&str>) -> &'t str {
    let cut = |rule| text.strip_suffix(')')?.strip_suffix(rule)?.strip_suffix(" (");
    rule.and_then(cut).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn warnings_texts_without_a_rule_and_standard_input() {
        let text = r#"[{"source":"a.css","warnings":[
            {"line":1,"column":2,"rule":"r","severity":"warning","text":"say (r) (r)"},
            {"line":3,"column":4,"endLine":5,"endColumn":1,"rule":"x/y","severity":"error","text":"own words"}]},
            {"source":"<input css 1>","warnings":[]}, {"warnings":[{"line":1,"column":1,"severity":"error","text":"t"}]}]"#;
        let taken = read_run(&StylelintJson, "", text, &[], false);
        assert_eq!(taken.fault, None);
        assert_eq!(
            findings(&taken),
            ["warning r a.css 1:2 say (r)", "error x/y a.css 3:4-5:1 own words", "error - - 1:1 t"]
        );
        let broken = read_run(&StylelintJson, "", &text[..text.len() - 1], &[], false);
        assert!(broken.fault.is_some() && broken.findings.is_empty());
    }

    #[test]
    fn an_option_that_cannot_be_used_is_a_failure_of_the_configuration() {
        let text = r#"[{"source":"a.css","warnings":[],"invalidOptionWarnings":[{"text":"Invalid value \"x\" for rule \"r\""}]}]"#;
        let taken = read_run(&StylelintJson, "", text, &[], false);
        assert_eq!(taken.tool_failed.len(), 1);
    }
}
