//! `vitest run --reporter=json`: the report of [`jest_report`].
//!
//! Version 3 prints it on standard output, version 5 writes a file and prints where
//! (<https://github.com/vitest-dev/vitest/pull/10621>).

use obelus_record::Fault;

use super::{Format, Input, Sink, jest_report, js_stack};
use crate::Positions;

/// The format `vitest-json`.
pub struct VitestJson;

impl Format for VitestJson {
    fn name(&self) -> &'static str {
        "vitest-json"
    }

    fn summary(&self) -> &'static str {
        "JSON of Vitest: vitest run --reporter=json"
    }

    fn positions(&self) -> Positions {
        js_stack::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        jest_report::read(input, sink)
    }
}
