//! Markdown for a comment on a pull request, or the summary of a workflow's step.
//!
//! GitHub takes 65,536 characters of a comment (<https://github.com/orgs/community/discussions/27190>);
//! what does not fit is counted. Text of strangers stands in code spans and fences alone, so that it is
//! neither a link nor a mention nor an image.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

use obelus_record::{Diagnostic, Outcome, Report};
use rustc_hash::FxHashSet;

use super::excerpt::{Line, Piece, Texts};
use super::order::{Item, order};
use super::remarks::left_out;
use super::text::{self, plural};
use super::{Output, Style, change, line_ends, listed, rules, verdict};
use crate::{SourceText, Sources};

/// Characters behind which no finding begins any more.
const ENOUGH: usize = 56_000;
/// Findings that are shown with their source lines; those behind are a line each.
const WITH_SOURCE: usize = 20;
/// Source lines before and behind a finding.
const CONTEXT: u32 = 2;
/// Characters of a source line and of a message that are shown.
const LONGEST: usize = 400;

/// Markdown for a comment.
pub struct Markdown;

impl Output for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn summary(&self) -> &'static str {
        "a comment for a pull request, or a step's summary"
    }

    fn write(
        &self,
        report: &Report,
        sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut page = head(report);
        let mut writer = Writer { report, texts: Texts::new(sources), sources_shown: 0 };
        let mut rest: FxHashSet<usize> = listed(report).into_iter().collect();
        let order = order(report, sources);
        let items = order.items.iter().filter(|item| is_listed(item, &rest)).collect::<Vec<_>>();
        let mut left = 0;
        for item in items {
            let members = members(item);
            if page.len() > ENOUGH {
                left += members.iter().filter(|index| rest.remove(index)).count();
                continue;
            }
            page += &writer.item(item);
            for index in members {
                rest.remove(&index);
            }
        }
        // What the order does not tell at length, but a reader may want all the same.
        let mut more: Vec<usize> = rest.into_iter().collect();
        more.sort_unstable();
        for index in more {
            match page.len() > ENOUGH {
                true => left += 1,
                false => page += &writer.finding(index),
            }
        }
        if let Some(left) = left_out(left) {
            let _ = writeln!(page, "\n*{left}, for which there is no room here.*");
        }
        page += &foot(report);
        out.write_all(page.as_bytes())
    }
}

fn is_listed(item: &Item<'_>, listed: &FxHashSet<usize>) -> bool {
    members(item).iter().any(|index| listed.contains(index))
}

/// The records that an item stands for.
fn members(item: &Item<'_>) -> Vec<usize> {
    match item.cause {
        Some(leads) => leads
            .cause
            .records
            .iter()
            .chain(&leads.cause.consequences)
            .map(|&index| index as usize)
            .collect(),
        None => vec![item.record],
    }
}

/// The verdict, and all that must be known before any finding. The first line lets a program find the
/// comment again, to replace it.
fn head(report: &Report) -> String {
    let mark = match report.outcome {
        _ if verdict::nobody_looked(report) => "⚪",
        Outcome::Pass => "✅",
        Outcome::Fail => "❌",
        Outcome::HarnessError => "⚠️",
    };
    let mut page = format!("<!-- obelus -->\n### {mark} {}\n", plain(&verdict::line(report)));
    for change in rules::policy(report) {
        let _ = writeln!(page, "\n⚠️ {}", plain(&change));
    }
    for run in report.runs.iter().filter(|run| run.outcome == Outcome::HarnessError) {
        let (title, dark) = (verdict::title(run), verdict::unknown(run));
        let reason = span(&text::line(&run.reason));
        let _ = writeln!(
            page,
            "\n⚠️ **{} failed itself**: {reason}; {}. Next: {}.",
            plain(&title),
            plain(&dark),
            plain(verdict::next_step(run))
        );
    }
    page
}

/// What became of the other findings, and what was not run.
fn foot(report: &Report) -> String {
    let mut page = String::new();
    let lines: Vec<String> =
        change::lines(report).into_iter().chain(verdict::not_run(report)).collect();
    for line in lines {
        let start = if page.is_empty() { "\n" } else { "" };
        let _ = writeln!(page, "{start}- {}", plain(&line));
    }
    page
}

struct Writer<'a> {
    report: &'a Report,
    texts: Texts<'a>,
    /// How many findings stand with their source lines.
    sources_shown: usize,
}

impl Writer<'_> {
    fn item(&mut self, item: &Item<'_>) -> String {
        let Some(leads) = item.cause else { return self.finding(item.record) };
        let consequences = &leads.cause.consequences;
        let mut page = match (&leads.cause.location, leads.by_place) {
            (Some(location), true) => {
                let place = text::place(&location.path, None, Some(location.line), None);
                format!(
                    "\n**One cause of {}**, at {}, for example:\n",
                    findings(consequences.len()),
                    span(&place)
                )
            }
            _ => String::new(),
        };
        page += &self.finding(item.record);
        let others: Vec<usize> = consequences
            .iter()
            .map(|&index| index as usize)
            .filter(|&index| index != item.record)
            .collect();
        if others.is_empty() {
            return page;
        }
        let rule = leads.rule.as_str().replace('_', " ");
        let _ = writeln!(
            page,
            "\n<details><summary>{} from the same cause ({rule})</summary>\n",
            findings(others.len())
        );
        for (number, index) in others.iter().enumerate() {
            if page.len() > ENOUGH / 4 {
                let _ = writeln!(page, "- … and {}", findings(others.len() - number));
                break;
            }
            page += &line(&self.report.records[*index]);
        }
        page + "\n</details>\n"
    }

    /// A finding with its source lines, while there are not too many.
    fn finding(&mut self, index: usize) -> String {
        let record = &self.report.records[index];
        let mut page = line(record);
        if self.sources_shown == WITH_SOURCE {
            return page;
        }
        let ends = line_ends(self.report, index);
        let source = record.path.as_ref().and_then(|path| {
            let text = self.texts.of(path, record.cell, ends)?;
            Some(excerpt(path, &text, record.line?, record.column))
        });
        if let Some(source) = source {
            self.sources_shown += 1;
            page += &source;
        }
        page
    }
}

fn findings(count: usize) -> String {
    plural(count as u64, "finding", "findings")
}

/// A finding on one line.
fn line(record: &Diagnostic) -> String {
    let mut line = format!("- **{}**", record.severity);
    if let Some(path) = &record.path {
        let place = text::place(path, record.cell, record.line, record.column);
        let _ = write!(line, " {}", span(&place));
    }
    let tool = match &record.code {
        Some(code) => format!("{} {code}", record.tool),
        None => record.tool.to_string(),
    };
    let message = text::at_most(text::line(&record.message), LONGEST);
    let _ = writeln!(line, " {} {}", span(&tool), span(&message));
    line
}

/// Numbered source lines around a finding, in a fence that they can't close.
fn excerpt(path: &Arc<str>, text: &SourceText, line: u32, column: Option<u32>) -> String {
    let last = line.saturating_add(CONTEXT).min(text.line_count());
    let first = line.saturating_sub(CONTEXT).max(1);
    let mut lines = String::new();
    for number in first..=last {
        let bytes = text.line(number).unwrap_or_default();
        let at = column.filter(|_| number == line);
        let piece = Piece::around(Line::new(bytes), at, LONGEST / 2);
        let pointer = if number == line { '>' } else { ' ' };
        let _ = writeln!(lines, "{pointer} {number:>4} {}", piece.text());
    }
    let fence = "`".repeat(longest_run(&lines).max(2) + 1);
    let language = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let language: String = language.chars().filter(char::is_ascii_alphanumeric).take(8).collect();
    let block = format!("\n{fence}{language}\n{lines}{fence}\n");
    // A fence that belongs to an item of a list is indented as that is.
    block
        .lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") })
        .collect()
}

/// Text of strangers, shown as it is.
fn span(text: &str) -> String {
    let text = text::name(text);
    let ticks = "`".repeat(longest_run(&text) + 1);
    // One blank at each end is taken off again; it lets a text begin or end with a backtick.
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// The most backticks that follow each other.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A sentence of ours that may quote names: what Markdown or HTML would read is escaped.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            // A mention needs its sign before a letter.
            '@' => out += "@\u{2060}",
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}
