//! `obelus-json`: a whole report of Obelus, as `--output json` writes it.

use obelus_record::{Diagnostic, Fault, Outcome};
use serde::Deserialize;

use super::{Format, Input, Sink, json, own};
use crate::Positions;

/// The format `obelus-json`.
pub struct ObelusJson;

/// What a report is read for here: its records, and what failed itself. `obelus report` reads all of it.
#[derive(Deserialize)]
struct Report {
    records: Vec<Diagnostic>,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    tool: String,
    outcome: Outcome,
    #[serde(default)]
    reason: String,
}

impl Format for ObelusJson {
    fn name(&self) -> &'static str {
        "obelus-json"
    }

    fn summary(&self) -> &'static str {
        "reports of Obelus: obelus check --output json"
    }

    fn positions(&self) -> Positions {
        own::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = json::Document::read(input.stream(primary), primary)?;
        let report: Report = document.parse()?;
        if report.runs.is_empty() && report.records.is_empty() {
            sink.tool_failed("its report holds no run".to_owned());
        }
        for run in report.runs.iter().filter(|run| run.outcome == Outcome::HarnessError) {
            sink.tool_failed(format!("{} failed itself: {}", run.tool, run.reason));
        }
        report.records.iter().for_each(|record| sink.finding(own::finding(record)));
        Ok(())
    }
}
