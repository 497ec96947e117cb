//! One record a line, and nothing else: for `jq`, `grep` and other line tools.

use std::io::{self, Write};

use obelus_record::Report;

use super::{Output, Style};
use crate::Sources;

/// The records alone; the verdict is in the exit status.
pub struct Jsonl;

impl Output for Jsonl {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn summary(&self) -> &'static str {
        "one record a line, as JSON"
    }

    fn write(
        &self,
        report: &Report,
        _sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        report.records.iter().try_for_each(|record| {
            serde_json::to_writer(&mut *out, record)?;
            out.write_all(b"\n")
        })
    }
}
