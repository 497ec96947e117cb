//! GitLab's Code Quality report: one array of issues.
//!
//! <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format> (seen for GitLab 18):
//! `description`, `check_name`, `fingerprint`, `severity` and `location` are required; of two issues
//! with one fingerprint, one is dropped. GitLab compares the reports of two branches itself, so that
//! everything is listed that is not adopted. Columns are not said to be in a unit; they are code points.

use std::collections::BTreeMap;
use std::io::{self, Write};

use obelus_record::{Diagnostic, Report, Severity};
use serde::Serialize;

use super::remarks::{Remark, remarks};
use super::{Output, Style, asked, text};
use crate::Sources;
use crate::json::Lines;
use crate::reason::fingerprint::Fingerprints;

/// GitLab's Code Quality report.
pub struct Gitlab;

impl Output for Gitlab {
    fn name(&self) -> &'static str {
        "gitlab"
    }

    fn summary(&self) -> &'static str {
        "a Code Quality report for GitLab; columns in code points"
    }

    fn write(
        &self,
        report: &Report,
        sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut fingerprints = Unique { of: Fingerprints::new(sources), seen: BTreeMap::new() };
        let mut issues: Vec<Issue<'_>> = remarks(report).into_iter().map(remark).collect();
        issues.extend(standing(report).into_iter().map(|index| {
            let record = &report.records[index];
            issue(record, fingerprints.of(record))
        }));
        let mut lines = Lines::new(out);
        lines.write(&issues)?;
        lines.finish()
    }
}

/// Everything that is not adopted, also what was there before a change: what the report of a branch
/// does not hold, GitLab calls fixed.
fn standing(report: &Report) -> Vec<usize> {
    let adopted = report.adopted.as_ref().map_or(&[][..], |adopted| &adopted.standing);
    let stands = |index: &usize| {
        u32::try_from(*index).is_ok_and(|index| adopted.binary_search(&index).is_err())
    };
    asked(report, (0..report.records.len()).filter(stands).collect())
}

#[derive(Serialize)]
struct Issue<'r> {
    description: String,
    check_name: &'r str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'r>,
}

/// A place, or a line alone where there is no column. What has no file has an empty path, as in the
/// reports of ty.
#[derive(Serialize)]
struct Location<'r> {
    path: &'r str,
    #[serde(flatten)]
    place: Place,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Place {
    Lines(Range<u32>),
    Positions(Range<Point>),
}

#[derive(Serialize)]
struct Range<T> {
    begin: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<T>,
}

#[derive(Serialize)]
struct Point {
    line: u32,
    column: u32,
}

fn issue(record: &Diagnostic, fingerprint: String) -> Issue<'_> {
    Issue {
        description: text::lines(&record.message),
        // The key is required: where a tool has no codes, its name says what checked.
        check_name: record.code.as_deref().unwrap_or(&record.tool),
        fingerprint,
        severity: match record.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Info | Severity::Hint => "info",
        },
        location: Location {
            path: record.path.as_deref().unwrap_or_default(),
            place: place(record),
        },
    }
}

fn place(record: &Diagnostic) -> Place {
    // A line is required, and the first is where a file as a whole is shown.
    let line = record.line.unwrap_or(1);
    match record.column {
        Some(column) => Place::Positions(Range {
            begin: Point { line, column },
            end: record
                .end_line
                .zip(record.end_column)
                .map(|(line, column)| Point { line, column }),
        }),
        None => Place::Lines(Range { begin: line, end: record.end_line }),
    }
}

/// What is true of the whole: known by what it says, so that it is new in a branch only where it is.
fn remark<'r>(remark: Remark) -> Issue<'r> {
    Issue {
        fingerprint: format!("{}: {}", remark.code, remark.text),
        description: remark.text,
        check_name: remark.code,
        severity: match remark.severity {
            Severity::Error => "blocker",
            Severity::Warning => "minor",
            Severity::Info | Severity::Hint => "info",
        },
        location: Location { path: "", place: Place::Lines(Range { begin: 1, end: None }) },
    }
}

/// Fingerprints of which no two are the same.
struct Unique<'a> {
    of: Fingerprints<'a>,
    seen: BTreeMap<String, u32>,
}

impl Unique<'_> {
    fn of(&mut self, record: &Diagnostic) -> String {
        let fingerprint = self.of.of(record);
        let seen = self.seen.entry(fingerprint.clone()).or_default();
        *seen += 1;
        match *seen {
            1 => fingerprint,
            number => format!("{fingerprint}-{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::NoSources;
    use crate::present::{Look, samples};

    #[test]
    fn what_was_there_before_is_not_taken_for_fixed() {
        let (mut report, _) = samples::two();
        let attribution = json!({
            "attributable": true, "say": [], "new": [0], "fixed": [], "unchanged": [[0, 1]],
            "silenced": [{"before": 1, "by": 0}], "hidden": [], "revealed": [],
            "duplicates": {"before": [], "after": []}, "unattributed": {"before": [], "after": []},
        });
        report.attribution = serde_json::from_value(attribution).unwrap();
        let written = samples::written(&Gitlab, &report, &NoSources, Look::Plain);
        let issues: Vec<Value> = serde_json::from_str(&written).unwrap();
        let names: Vec<&str> =
            issues.iter().filter_map(|issue| issue["check_name"].as_str()).collect();
        let want = ["obelus/verdict", "obelus/silenced", "obelus/not-run", "TS2532", "TS2345"];
        assert_eq!(names, want);
    }
}
