//! The one place that writes to stdout.

use std::io::{BufWriter, Write};

use obelus_core::Sources;
use obelus_record::Report;

use crate::args::Output;
use crate::error::CommandError;

/// Writes `report` to stdout as `output`.
pub fn print(report: &Report, output: Output, _sources: &dyn Sources) -> Result<(), CommandError> {
    let mut out = BufWriter::with_capacity(64 << 10, std::io::stdout().lock());
    let written = match output {
        Output::Json => {
            serde_json::to_writer(&mut out, report).map_err(Into::into).and_then(|()| writeln!(out))
        }
        Output::Jsonl | Output::Human | Output::Agent => {
            report.records.iter().try_for_each(|record| {
                serde_json::to_writer(&mut out, record)?;
                writeln!(out)
            })
        }
    };
    written.and_then(|()| out.flush()).map_err(CommandError::Write)
}

/// Writes `text` to stdout.
pub fn print_text(text: &str) -> Result<(), CommandError> {
    print_bytes(text.as_bytes())
}

/// Writes `bytes` to stdout.
pub fn print_bytes(bytes: &[u8]) -> Result<(), CommandError> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(CommandError::Write)
}
