//! GitHub's workflow commands: an annotation for each finding, in the log of a step.
//!
//! <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands> is the shape.
//! GitHub keeps ten errors, ten warnings and ten notices of a step and fifty of a job
//! (<https://docs.github.com/en/rest/checks/runs>; seen in November 2026), and drops the others without
//! a word: causes come first, and what does not fit is counted. Columns are not said to be in a unit;
//! they are code points, and stand there only where a finding ends on its line.

use std::fmt::Write as _;
use std::io::{self, Write};

use obelus_record::{Diagnostic, Report, Severity};
use rustc_hash::FxHashSet;

use super::order::order;
use super::remarks::{left_out, remarks};
use super::{Output, Style, listed, verdict};
use crate::Sources;

/// How many annotations of one kind a step may have.
const OF_A_KIND: usize = 10;

/// GitHub's workflow commands.
pub struct Github;

impl Output for Github {
    fn name(&self) -> &'static str {
        "github"
    }

    fn summary(&self) -> &'static str {
        "annotations for a GitHub workflow, causes first, as many as GitHub keeps"
    }

    fn write(
        &self,
        report: &Report,
        sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut room = Room::default();
        // What every reader must see takes its room before any finding.
        for remark in remarks(report).iter().filter(|remark| remark.severity <= Severity::Warning) {
            if room.takes(remark.severity) {
                let title = [("title", remark.code.to_owned())];
                writeln!(out, "{}", command(remark.severity, &title, &remark.text))?;
            }
        }
        let mut left = 0;
        for index in causes_first(report, sources) {
            let record = &report.records[index];
            match room.takes(record.severity) {
                true => writeln!(out, "{}", annotation(record))?,
                false => left += 1,
            }
        }
        // A line of the log, which is no command.
        let more = left_out(left).map(|left| {
            format!("; {left} than GitHub shows (--output markdown or sarif holds all)")
        });
        writeln!(out, "{}{}", verdict::line(report), more.unwrap_or_default())?;
        for not_run in verdict::not_run(report) {
            writeln!(out, "{not_run}")?;
        }
        Ok(())
    }
}

/// How many annotations of each kind there are.
#[derive(Default)]
struct Room([usize; 3]);

impl Room {
    /// Whether one more is kept.
    fn takes(&mut self, severity: Severity) -> bool {
        let count = match severity {
            Severity::Error => &mut self.0[0],
            Severity::Warning => &mut self.0[1],
            Severity::Info | Severity::Hint => &mut self.0[2],
        };
        *count += 1;
        *count <= OF_A_KIND
    }
}

/// The listed records, what shows a cause before what follows from it.
fn causes_first(report: &Report, sources: &dyn Sources) -> Vec<usize> {
    let mut rest: FxHashSet<usize> = listed(report).into_iter().collect();
    let mut sorted = Vec::with_capacity(rest.len());
    let mut consequences = Vec::new();
    for item in order(report, sources).items {
        match item.cause {
            Some(leads) => {
                sorted.extend(leads.cause.records.iter().map(|&index| index as usize));
                consequences.extend(leads.cause.consequences.iter().map(|&index| index as usize));
            }
            None => sorted.push(item.record),
        }
    }
    sorted.extend(consequences);
    sorted.extend(listed(report));
    sorted.retain(|index| rest.remove(index));
    sorted
}

fn annotation(record: &Diagnostic) -> String {
    let mut properties = Vec::new();
    let title = match &record.code {
        Some(code) => format!("{}({code})", record.tool),
        None => record.tool.to_string(),
    };
    properties.push(("title", title));
    if let Some(path) = &record.path {
        properties.push(("file", path.to_string()));
        let mut number = |name, value: Option<u32>| {
            properties.extend(value.map(|value| (name, value.to_string())));
        };
        number("line", record.line);
        number("endLine", record.end_line);
        if record.end_line.is_none_or(|end| Some(end) == record.line) {
            number("col", record.column);
            number("endColumn", record.end_column);
        }
    }
    command(record.severity, &properties, &record.message)
}

fn command(severity: Severity, properties: &[(&str, String)], message: &str) -> String {
    let word = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "notice",
    };
    let mut line = format!("::{word} ");
    for (number, (name, value)) in properties.iter().enumerate() {
        let comma = if number > 0 { "," } else { "" };
        let value = escaped(value).replace(':', "%3A").replace(',', "%2C");
        let _ = write!(line, "{comma}{name}={value}");
    }
    line + "::" + &escaped(message)
}

/// What ends a command, and what escapes begin with, as the runner reads it back.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
