//! One record a line, and nothing else: for `jq`, `grep` and other line tools.

use std::io::{self, Write};

use obelus_record::Report;

use super::{Output, Style};
use crate::Sources;

/// How many bytes are collected before they are written.
const CHUNK: usize = 64 << 10;

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
        // serde_json writes a few bytes at a time, which a buffer of its own takes cheapest.
        let mut buffer = Vec::with_capacity(2 * CHUNK);
        for record in &report.records {
            serde_json::to_writer(&mut buffer, record)?;
            buffer.push(b'\n');
            if buffer.len() >= CHUNK {
                out.write_all(&buffer)?;
                buffer.clear();
            }
        }
        out.write_all(&buffer)
    }
}
