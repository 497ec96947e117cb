//! The whole report as one JSON document on one line.

use std::io::{self, Write};

use obelus_record::Report;

use super::{Output, Style};
use crate::Sources;
use crate::json::Lines;

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
        let mut lines = Lines::new(out);
        lines.write(report)?;
        lines.finish()
    }
}
