//! One record a line, and nothing else: for `jq`, `grep` and other line tools.

use std::io::{self, Write};

use obelus_record::Report;

use super::{Output, Style};
use crate::Sources;
use crate::json::Lines;

/// The records alone; the verdict is in the exit status.
pub struct Jsonl;

impl Output for Jsonl {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn summary(&self) -> &'static str {
        "one record a line, as JSON"
    }

    /// Lines of records hold nothing that is derived, and there may be very many of them.
    fn shows_derived(&self) -> bool {
        false
    }

    fn write(
        &self,
        report: &Report,
        _sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut lines = Lines::new(out);
        for record in &report.records {
            lines.write(record)?;
        }
        lines.finish()
    }
}
