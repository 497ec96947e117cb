//! One finding: at length with its source lines, or on one line.

use std::fmt::Write as _;
use std::sync::Arc;

use obelus_record::{Diagnostic, Related, Report};

use super::change;
use super::code::{self, File, Files, Mark};
use super::diff;
use super::escape::{attribute, escape};
use crate::LineEnds;
use crate::present::places::Range;
use crate::present::{line_ends, text};

/// Source lines before and behind a finding.
const CONTEXT: u32 = 3;
/// A related place at most this many lines away is marked in the excerpt of the finding.
const NEAR: u32 = 8;
/// Related places that are told.
const MOST_RELATED: usize = 20;
/// Characters of a message that are shown.
const LONGEST_MESSAGE: usize = 4_000;

/// The tag that a finding's element starts with: what the filter asks for stands in its attributes.
fn start(record: &Diagnostic, index: usize, class: &str) -> String {
    let severity = record.severity;
    let code = record.code.as_deref().unwrap_or(&record.tool);
    format!(
        "<article class=\"finding {class}{severity}\" id=\"f{index}\" data-severity=\"{severity}\"{}{}{}>\n",
        attribute("data-code", Some(code)),
        attribute("data-path", record.path.as_deref()),
        attribute("data-tool", Some(&record.tool)),
    )
}

/// Record `index` on one line.
pub fn short(report: &Report, index: usize) -> String {
    let record = &report.records[index];
    format!("{}<p>{}</p></article>\n", start(record, index, "short "), change::line(record))
}

/// Record `index` with its source lines, related places and fix, under a heading of `level`.
pub fn long(report: &Report, index: usize, level: u8, files: &mut Files<'_>) -> String {
    let record = &report.records[index];
    let ends = line_ends(report, index);
    let severity = record.severity;
    let message = text::at_most(text::lines(&record.message), LONGEST_MESSAGE);
    let (title, more) = message.split_once('\n').unwrap_or((&message, ""));
    let mut out = start(record, index, "");
    let _ = writeln!(
        out,
        "<h{level}><span class=\"badge {severity}\">{severity}</span> {}</h{level}>",
        escape(title)
    );
    if !more.trim().is_empty() {
        let _ = writeln!(out, "<pre class=\"more\">{}</pre>", escape(more));
    }
    let _ = writeln!(out, "<p class=\"where\">{}</p>", origin(report, index));
    let related = source(record, ends, files, &mut out);
    if !related.is_empty() {
        out += &others(&related, ends, files);
    }
    if let Some(suggestion) = &record.suggestion {
        out += &diff::suggestion(suggestion, record.cell, files, ends);
    }
    out + "</article>\n"
}

/// Where the finding lies, and who says so.
fn origin(report: &Report, index: usize) -> String {
    let record = &report.records[index];
    let mut parts = Vec::new();
    if record.path.is_some() {
        parts.push(change::place(record));
    }
    if let Some(code) = &record.code {
        let code = format!("<code class=\"rule\">{}</code>", escape(&text::name(code)));
        parts.push(match &record.help {
            // Reports that others wrote may hold anything; only these addresses run nothing.
            Some(help) if help.starts_with("https://") || help.starts_with("http://") => {
                let link = attribute("href", Some(help));
                format!("<a{link} rel=\"noreferrer\">{code}</a>")
            }
            _ => code,
        });
    }
    parts.push(escape(&text::name(&record.tool)));
    if let Some(origin) = report.origins.get(index) {
        if origin.count > 1 {
            parts.push(format!("reported {} times", origin.count));
        }
        let partial = |&run: &u32| report.runs.get(run as usize).is_some_and(|run| run.partial);
        if !origin.runs.is_empty() && origin.runs.iter().all(partial) {
            parts.push("from a run that failed; there may be more".to_owned());
        }
    }
    parts.join(" · ")
}

/// Writes the source lines of a record, and returns the related places that are not marked there.
fn source<'r>(
    record: &'r Diagnostic,
    ends: LineEnds,
    files: &mut Files<'_>,
    out: &mut String,
) -> Vec<&'r Related> {
    let all = || record.related.iter().collect();
    let (Some(path), Some(line)) = (&record.path, record.line) else { return all() };
    let Some(file) = files.of(path, record.cell, ends) else { return all() };
    if file.text.line(line).is_none() {
        let _ = writeln!(out, "<p class=\"note\">The file has no line {line} now.</p>");
        return all();
    }
    let mut marks = vec![Mark { place: Range::of(record), label: String::new(), primary: true }];
    let (near, elsewhere): (Vec<&Related>, Vec<&Related>) =
        record.related.iter().partition(|related| {
            related.path.as_ref() == Some(path)
                && (related.column.is_some() || !related.message.is_empty())
                && related
                    .line
                    .is_some_and(|at| at.abs_diff(line) <= NEAR && file.text.line(at).is_some())
        });
    marks.extend(near.iter().map(|related| Mark {
        place: Range::of_related(related),
        label: related.message.to_string(),
        primary: false,
    }));
    *out += &code::excerpt(&file, lines(&file, line, &marks), line, &marks);
    elsewhere
}

/// The lines that hold all marks, with some around that at `line`.
fn lines(file: &File, line: u32, marks: &[Mark]) -> std::ops::Range<u32> {
    let starts = marks.iter().filter_map(|mark| mark.place.line);
    let ends = marks.iter().filter_map(|mark| mark.place.end_line.or(mark.place.line));
    let (marked, marked_end) = (starts.min().unwrap_or(line), ends.max().unwrap_or(line));
    let mut first = marked.min(line.saturating_sub(CONTEXT)).max(1);
    let mut last = marked_end.max(line.saturating_add(CONTEXT)).min(file.text.line_count());
    // Lines with nothing on them say nothing at the edges.
    let blank = |line: u32| file.text.line(line).is_some_and(|text| text.trim_ascii().is_empty());
    while first < marked && blank(first) {
        first += 1;
    }
    while last > marked_end && blank(last) {
        last -= 1;
    }
    first..last + 1
}

/// Related places that lie elsewhere, each with its line.
fn others(related: &[&Related], ends: LineEnds, files: &mut Files<'_>) -> String {
    let mut out = String::from("<ul class=\"related\">\n");
    for related in related.iter().take(MOST_RELATED) {
        let message = text::at_most(text::line(&related.message), LONGEST_MESSAGE);
        let place = related.path.as_deref().map(|path| {
            let place = text::place(path, None, related.line, related.column);
            format!("<code class=\"place\">{}</code> ", super::escape::path(&place))
        });
        let _ = writeln!(out, "<li>{}{}", place.unwrap_or_default(), escape(&message));
        if let Some(excerpt) = related_line(related.path.as_ref(), related, ends, files) {
            out += &excerpt;
        }
        out += "</li>\n";
    }
    if let Some(left) = related.len().checked_sub(MOST_RELATED).filter(|&left| left > 0) {
        let places = text::plural(left as u64, "more place", "more places");
        let _ = writeln!(out, "<li>{places}</li>");
    }
    out + "</ul>\n"
}

fn related_line(
    path: Option<&Arc<str>>,
    related: &Related,
    ends: LineEnds,
    files: &mut Files<'_>,
) -> Option<String> {
    let (path, line) = (path?, related.line?);
    let file = files.of(path, None, ends)?;
    file.text.line(line)?;
    let mark = Mark { place: Range::of_related(related), label: String::new(), primary: false };
    Some(code::excerpt(&file, line..line + 1, 0, &[mark]))
}
