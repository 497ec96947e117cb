//! `jest --json`: the report of [`jest_report`].
//!
//! The report for people stands on standard error.

use obelus_record::Fault;

use super::{Format, Input, Sink, jest_report, js_stack};
use crate::Positions;

/// The format `jest-json`.
pub struct JestJson;

impl Format for JestJson {
    fn name(&self) -> &'static str {
        "jest-json"
    }

    fn summary(&self) -> &'static str {
        "JSON of Jest: jest --json"
    }

    fn positions(&self) -> Positions {
        js_stack::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        jest_report::read(input, sink)
    }
}
