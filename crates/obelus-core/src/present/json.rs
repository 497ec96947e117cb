//! The whole report as one JSON document on one line.

use std::io::{self, BufWriter, Write};

use obelus_record::Report;

use super::{Output, Style};
use crate::Sources;

/// How many bytes are collected before they are written.
const CHUNK: usize = 64 << 10;

/// The whole report.
pub struct Json;

impl Output for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn summary(&self) -> &'static str {
        "the whole report as one JSON document"
    }

    fn write(
        &self,
        report: &Report,
        _sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        // serde_json writes a few bytes at a time: too few for a call through `dyn` each.
        let mut out = BufWriter::with_capacity(CHUNK, out);
        serde_json::to_writer(&mut out, report)?;
        out.write_all(b"\n")?;
        out.flush()
    }
}
