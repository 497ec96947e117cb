//! `pylint --output-format=json2`: one object with messages and statistics.

use obelus_record::Fault;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::json::Document;
use super::pylint::{Message, POSITIONS};
use super::{Format, Input, Sink};
use crate::Positions;

/// The format `pylint-json2`.
pub struct PylintJson2;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    messages: Vec<Message<'a>>,
    /// Required, so that no other object passes for a report. Nothing in it tells a run that found
    /// no file: 4.1.4 counts three modules even then.
    #[serde(rename = "statistics")]
    _statistics: IgnoredAny,
}

impl Format for PylintJson2 {
    fn name(&self) -> &'static str {
        "pylint-json2"
    }

    fn summary(&self) -> &'static str {
        "pylint --output-format=json2"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let report: Report<'_> = document.parse()?;
        for message in report.messages {
            sink.finding(message.finding());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use obelus_record::FaultKind;

    use super::super::testing::read;
    use super::*;

    #[test]
    fn an_object_of_another_kind_is_rejected() {
        let got = read(&PylintJson2, r#"{"messages": []}"#, "");
        assert_eq!(got.fault.map(|fault| fault.kind), Some(FaultKind::WrongShape));
    }
}
