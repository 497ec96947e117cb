//! What was fixed, in words for people.

use std::collections::BTreeMap;
use std::io::Write as _;

use obelus_core::present::{line, plural};
use obelus_record::{Diagnostic, FixReport};

/// Suggestions of one reason that are named before the rest is counted.
const NAMED: usize = 20;

/// What was done, and what was not, with the reasons.
pub fn summary(report: &FixReport) -> String {
    let applied = plural(report.applied, "suggestion", "suggestions");
    let files = plural(report.files.len() as u64, "file", "files");
    let mut text = match report.dry_run {
        true => format!("would apply {applied} in {files}\n"),
        false => format!("applied {applied} in {files}\n"),
    };
    for file in &report.files {
        text += &format!("  {}\n", line(file));
    }
    for tool in &report.tools {
        let files = plural(tool.files.len() as u64, "file", "files");
        let kept = if tool.kept || tool.files.is_empty() { "" } else { ", which was taken back" };
        text += &format!("{} fixed {files} by itself{kept}\n", line(&tool.checker));
    }
    text += &skipped(report);
    for back in &report.rolled_back {
        let what = match &back.checker {
            Some(checker) => format!("what {checker} did by itself"),
            None => plural(back.records.len() as u64, "suggestion", "suggestions"),
        };
        text += &line(&format!("rolled back {what}: {}", back.why));
        text.push('\n');
        for record in &back.caused {
            text += &format!("  {}\n", line(&named(record)));
        }
    }
    for note in &report.notes {
        text += &format!("note: {}\n", line(note));
    }
    if !report.dry_run && report.outcome.is_some() {
        let rounds = plural(u64::from(report.rounds), "round", "rounds");
        let reruns = plural(u64::from(report.reruns), "re-run", "re-runs");
        text += &format!("{rounds}, {reruns}: {}\n", report.ended.in_words());
    }
    if let Some(outcome) = report.outcome.filter(|_| !report.dry_run) {
        text += &format!("verdict: {}\n", outcome.as_str().replace('_', " "));
    }
    text
}

/// Writes `text` to stderr, where it is no answer that a program reads.
pub fn on_stderr(text: &str) {
    // Nothing is left to be told where stderr can't be written.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn skipped(report: &FixReport) -> String {
    let mut by_reason: BTreeMap<_, Vec<u32>> = BTreeMap::new();
    for skipped in &report.skipped {
        by_reason.entry(skipped.reason).or_default().push(skipped.index);
    }
    let mut text = String::new();
    for (reason, indices) in by_reason {
        text += &format!("skipped {} ({reason}): {}\n", indices.len(), reason.in_words());
        let records = indices.iter().filter_map(|&index| report.records.get(index as usize));
        for record in records.take(NAMED) {
            text += &format!("  {}\n", line(&named(record)));
        }
        if indices.len() > NAMED {
            text += &format!("  and {} more\n", indices.len() - NAMED);
        }
    }
    text
}

fn named(record: &Diagnostic) -> String {
    let place = record.path.as_deref().unwrap_or("no file");
    let number = record.line.map_or(String::new(), |line| format!(":{line}"));
    let code = record.code.as_deref().map_or(String::new(), |code| format!(" {code}"));
    let message = record.message.lines().next().unwrap_or_default();
    format!("{place}{number}: {}{code}: {message}", record.tool)
}
