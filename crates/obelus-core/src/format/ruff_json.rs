//! `ruff check --output-format json`: one array.

use obelus_record::Fault;

use super::json;
use super::ruff::{Message, POSITIONS};
use super::{Format, Input, Sink};
use crate::Positions;

/// The format `ruff-json`.
pub struct RuffJson;

impl Format for RuffJson {
    fn name(&self) -> &'static str {
        "ruff-json"
    }

    fn summary(&self) -> &'static str {
        "ruff check --output-format json"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let read = json::elements(input.stream(primary), primary, &mut Messages(sink));
        if read.is_err() {
            // A document that breaks off is no list at all.
            sink.discard();
        }
        read
    }
}

/// Takes the messages of a document.
struct Messages<'s>(&'s mut dyn Sink);

impl json::Each for Messages<'_> {
    type Element<'de> = Message<'de>;

    fn take(&mut self, message: Message<'_>) {
        self.0.finding(message.finding());
    }
}

#[cfg(test)]
mod tests {
    use obelus_record::FaultKind;

    use super::super::testing::{all_shown, read};
    use super::*;

    const ONE: &str = r#"{"cell":null,"code":null,"end_location":{"column":4,"row":1},"filename":"/repo/a.py","fix":null,"location":{"column":3,"row":1},"message":"SyntaxError: Expected an expression","noqa_row":1,"url":null}"#;

    #[test]
    fn older_versions_give_syntax_errors_neither_code_nor_severity() {
        let got = read(&RuffJson, &format!("[{ONE}]"), "");
        assert_eq!(all_shown(&got), ["error - a.py:1:3-1:4 SyntaxError: Expected an expression"]);
    }

    #[test]
    fn a_document_that_breaks_off_gives_no_record() {
        let got = read(&RuffJson, &format!("[{ONE},\n{{\"cell\":"), "");
        assert_eq!(got.fault.map(|fault| fault.kind), Some(FaultKind::CutOff));
        assert!(got.diagnostics.is_empty());
    }
}
