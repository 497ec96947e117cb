//! `ruff check --output-format json-lines`: one message a line.

use obelus_record::Fault;

use super::ruff::{Message, POSITIONS};
use super::{Format, Input, Sink};
use crate::Positions;

/// The format `ruff-json-lines`.
pub struct RuffJsonLines;

impl Format for RuffJsonLines {
    fn name(&self) -> &'static str {
        "ruff-json-lines"
    }

    fn summary(&self) -> &'static str {
        "ruff check --output-format json-lines"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            if !line.is_blank() {
                sink.finding(line.json::<Message<'_>>()?.finding());
            }
        }
        Ok(())
    }
}
