//! Plain text for a model, in the densest form that keeps everything: the verdict, then each path
//! once, its source lines with their numbers, and under a line what was found there.
//!
//! No text of strangers can pass for anything else: a source line starts with its number, a
//! finding with `^` and stays one line, and a path that could be read otherwise starts with `./`.

mod claim;

use std::collections::hash_map::Entry;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::sync::Arc;

use obelus_record::{Outcome, Report};
use rustc_hash::FxHashMap;

use super::excerpt::{Line, Piece, Texts};
use super::{Look, Output, change, line_ends, text, verdict};
use crate::{SourceText, Sources};

/// Lines shown before and behind a finding.
const CONTEXT: u32 = 5;
/// Lines of a long range that are shown.
const LONGEST_RANGE: u32 = 20;
/// Characters of a source line that are shown.
const LONGEST_LINE: usize = 240;

/// Plain text for a model.
pub struct Agent;

impl Output for Agent {
    fn name(&self) -> &'static str {
        "agent"
    }

    fn summary(&self) -> &'static str {
        "plain text for a model: paths once, numbered source lines, findings under their lines"
    }

    fn write(
        &self,
        report: &Report,
        sources: &dyn Sources,
        _look: Look,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        out.write_all(opening(report).as_bytes())?;
        let mut texts = Texts::new(sources);
        for file in files(report) {
            let first = &report.records[file[0]];
            let source = match (&first.path, first.cell) {
                // A cell of a notebook counts lines of its own.
                (Some(path), None) => texts.of(path, line_ends(report, file[0])),
                _ => None,
            };
            let mut page = String::new();
            write_file(&mut page, report, &file, source.as_deref());
            out.write_all(page.as_bytes())?;
        }
        Ok(())
    }
}

/// The verdict, and all that is not known.
fn opening(report: &Report) -> String {
    let mut page = format!("{}: {}\n", verdict::word(report), verdict::parts(report).join("; "));
    for line in change::lines(report) {
        page += &line;
        page.push('\n');
    }
    for (index, run) in report.runs.iter().enumerate() {
        if run.outcome == Outcome::HarnessError {
            page += &harness_error(report, index);
        }
        let title = verdict::title(run);
        if verdict::is_unexplained(report, index) {
            let _ = writeln!(page, "note: {title} fails: {}", text::line(&run.reason));
        }
        for note in &run.notes {
            let _ = writeln!(page, "note: {title}: {}", text::line(note));
        }
        if run.unrecognised.count > 0 {
            let lines = text::plural(run.unrecognised.count, "line", "lines");
            let _ = write!(page, "note: {title}: {lines} of its output not understood");
            if let Some(first) = run.unrecognised.lines.first() {
                let _ = write!(page, ", first: \"{}\"", text::line(&first.text));
            }
            page.push('\n');
        }
        if run.out_of_scope > 0 {
            let findings = text::plural(run.out_of_scope, "finding", "findings");
            let _ =
                writeln!(page, "note: {title}: {findings} outside what was asked about left out");
        }
    }
    for not_run in &report.not_run {
        let (checker, reason) = (text::line(&not_run.checker), text::line(&not_run.reason));
        let _ = writeln!(page, "not run: {checker} ({reason})");
    }
    page
}

/// One line that keeps a model from patching code because a checker broke down.
fn harness_error(report: &Report, index: usize) -> String {
    let run = &report.runs[index];
    let mut told = format!("harness error: {}: {}", verdict::title(run), text::line(&run.reason));
    if let Some(fault) = &run.fault {
        told += &format!("; {}", verdict::fault(fault));
        if !fault.snippet.is_empty() {
            told += &format!(": \"{}\"", text::line(&fault.snippet));
        }
    }
    told += ". This is not a defect in the code: do not edit code because of it. ";
    told += &match verdict::records_of(report, index).count() {
        0 => format!("From it {}.", verdict::unknown(run)),
        1 => "Its 1 finding below is from before it failed; there may be more.".to_owned(),
        n => format!("Its {n} findings below are from before it failed; there may be more."),
    };
    told.push('\n');
    told
}

/// The records of each file, sorted by place; files in the order of their first records, and
/// before them what has no file.
fn files(report: &Report) -> Vec<Vec<usize>> {
    let mut known: FxHashMap<(Option<&Arc<str>>, Option<u32>), usize> = FxHashMap::default();
    let mut files: Vec<Vec<usize>> = Vec::new();
    for index in change::shown(report) {
        let record = &report.records[index];
        match known.entry((record.path.as_ref(), record.cell)) {
            Entry::Occupied(at) => files[*at.get()].push(index),
            Entry::Vacant(slot) => {
                slot.insert(files.len());
                files.push(vec![index]);
            }
        }
    }
    for file in &mut files {
        file.sort_by_key(|&index| (report.records[index].line, report.records[index].column));
    }
    files.sort_by_key(|file| report.records[file[0]].path.is_some());
    files
}

fn write_file(page: &mut String, report: &Report, file: &[usize], source: Option<&SourceText>) {
    let first = &report.records[file[0]];
    if let Some(path) = &first.path {
        page.push_str(&header(path));
        if let Some(cell) = first.cell {
            let _ = write!(page, " cell {cell}");
        }
        page.push('\n');
    }
    // Records without a line come first, directly below the path.
    let placed = file.partition_point(|&index| report.records[index].line.is_none());
    let (whole, mut placed) = file.split_at(placed);
    for &index in whole {
        claim::write(page, report, index, None, false);
    }
    let lines = source.map_or(0, SourceText::line_count);
    let mut behind = 0;
    for hunk in hunks(report, placed, lines) {
        if behind > 0 && *hunk.start() <= lines {
            page.push_str("…\n");
        }
        for number in hunk.clone() {
            let line = source.and_then(|source| source.line(number)).map(Line::new);
            let here = placed.partition_point(|&index| report.records[index].line <= Some(number));
            let (here, rest) = placed.split_at(here);
            placed = rest;
            write_line(page, report, number, line, here);
        }
        behind = *hunk.end();
    }
}

/// A path alone on its line. One that could be taken for a source line, a finding or a sentence
/// is told from these by a leading `./`, which changes nothing about the file that it names.
fn header(path: &str) -> String {
    let odd = |c: char| c.is_whitespace() || c.is_control() || c == ':';
    let first = path.chars().next();
    let doubtful =
        path.contains(odd) || first.is_some_and(|c| c.is_ascii_digit() || "^…".contains(c));
    let relative = !path.starts_with(['/', '\\']);
    let prefix = if doubtful && relative { "./" } else { "" };
    format!("{prefix}{}", text::name(path))
}

/// The runs of lines to show around the records, without overlaps. Where the file can't be read,
/// or is too short by now, the lines of the records alone.
fn hunks(report: &Report, placed: &[usize], lines: u32) -> Vec<RangeInclusive<u32>> {
    let mut hunks: Vec<RangeInclusive<u32>> = Vec::new();
    for &index in placed {
        let record = &report.records[index];
        let line = record.line.unwrap_or(1);
        let last = record.end_line.unwrap_or(line).clamp(line, line.saturating_add(LONGEST_RANGE));
        let (from, to) = match line <= lines {
            true => (line.saturating_sub(CONTEXT).max(1), last.saturating_add(CONTEXT).min(lines)),
            false => (line, line),
        };
        match hunks.last_mut() {
            // A single line between two hunks costs no more than the mark of its absence.
            Some(hunk) if from <= hunk.end().saturating_add(2) && from <= lines => {
                *hunk = *hunk.start()..=to.max(*hunk.end());
            }
            Some(hunk) if from <= *hunk.end() => {}
            _ => hunks.push(from..=to),
        }
    }
    hunks
}

/// One source line and the records at it. Blank lines are dropped; of a long line the parts around
/// its records are shown.
fn write_line(
    page: &mut String,
    report: &Report,
    number: u32,
    line: Option<Line<'_>>,
    here: &[usize],
) {
    let Some(line) = line else {
        if !here.is_empty() {
            let _ = writeln!(page, "{number}");
        }
        for &index in here {
            claim::write(page, report, index, None, false);
        }
        return;
    };
    let column = here.first().and_then(|&index| report.records[index].column);
    let mut piece = Piece::around(line, column, LONGEST_LINE);
    if !here.is_empty() || !piece.text().trim().is_empty() {
        let _ = writeln!(page, "{number} {}", piece.text().trim_end());
    }
    for &index in here {
        let column = report.records[index].column;
        if piece.is_cut() && column.is_some_and(|column| !piece.shows(column)) {
            piece = Piece::around(line, column, LONGEST_LINE);
            let _ = writeln!(page, "{number} {}", piece.text().trim_end());
        }
        claim::write(page, report, index, Some(line), piece.is_cut());
    }
}

#[cfg(test)]
mod tests;
