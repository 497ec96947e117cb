//! `pylint --output-format=json`: one array.

use obelus_record::Fault;

use super::json::Document;
use super::pylint::{Message, POSITIONS};
use super::{Format, Input, Sink};
use crate::Positions;

/// The format `pylint-json`.
pub struct PylintJson;

impl Format for PylintJson {
    fn name(&self) -> &'static str {
        "pylint-json"
    }

    fn summary(&self) -> &'static str {
        "pylint --output-format=json"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let read = document.each(|message: Message<'_>| sink.finding(message.finding()));
        if read.is_err() {
            sink.discard();
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read};
    use super::*;

    // Printed by pylint 4.1.4 for a plugin that can't be loaded; the exit is 0.
    const NO_PLUGIN: &str = r#"[{"type": "error", "module": "Command line or configuration file", "obj": "", "line": 1, "column": 0, "endLine": null, "endColumn": null, "path": "Command line or configuration file", "symbol": "bad-plugin-value", "message": "Plugin 'nope' is impossible to load, is it installed ? ('No module named 'nope'')", "message-id": "E0013"}]"#;

    #[test]
    fn a_complaint_about_the_configuration_has_no_place() {
        assert_eq!(
            all_shown(&read(&PylintJson, NO_PLUGIN, "")),
            [
                "error E0013 -:-:---:- Plugin 'nope' is impossible to load, is it installed ? ('No module named 'nope'')"
            ]
        );
    }
}
