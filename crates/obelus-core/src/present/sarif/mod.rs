//! SARIF 2.1.0, the exchange format of static analysis: one run for each checker, version and tool.

mod finding;
mod model;
mod runs;

use std::io::{self, Write};

use obelus_record::Report;
use serde_json::json;

use self::model::{Log, SCHEMA};
use super::{Output, Style, verdict};
use crate::Sources;
use crate::json::Lines;

/// SARIF 2.1.0.
pub struct Sarif;

impl Output for Sarif {
    fn name(&self) -> &'static str {
        "sarif"
    }

    fn summary(&self) -> &'static str {
        "SARIF 2.1.0, for code scanning; columns in code points, as it says itself"
    }

    /// A checker that failed itself has an invocation that was not successful, so that no reader takes
    /// its empty list for clean code; the verdict and what was not run are properties of the log.
    fn write(
        &self,
        report: &Report,
        sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let log = Log {
            schema: SCHEMA,
            version: "2.1.0",
            runs: runs::all(report, sources),
            properties: json!({
                "outcome": report.outcome,
                "verdict": verdict::line(report),
                "notRun": report.not_run,
                "policyChanges": report.policy,
            }),
        };
        let mut lines = Lines::new(out);
        lines.write(&log)?;
        lines.finish()
    }
}

#[cfg(test)]
mod tests;
