//! The verdict, and all that must be known before any finding.

use std::io::{self, Write};

use obelus_record::{Outcome, Report};

use super::escape::escape;
use crate::NoSources;
use crate::present::order::order;
use crate::present::text::{self, duration};
use crate::present::{change, rules, verdict, withheld};

/// Writes the head of the page.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let class = match report.outcome {
        _ if verdict::nobody_looked(report) => "unknown",
        Outcome::Pass => "pass",
        Outcome::Fail => "fail",
        Outcome::HarnessError => "harness",
    };
    write!(
        out,
        "<header>\n<h1><span class=\"verdict {class}\">{}</span> <span>{}</span></h1>\n",
        escape(verdict::word(report)),
        escape(&verdict::parts(report).join("; "))
    )?;
    counts(report, out)?;
    warnings(report, out)?;
    notes(report, out)?;
    out.write_all(b"</header>\n")?;
    navigation(report, out)
}

fn counts(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let counts = change::counts(report);
    out.write_all(b"<dl class=\"counts\">\n")?;
    for (word, count) in [
        ("error", counts.error),
        ("warning", counts.warning),
        ("info", counts.info),
        ("hint", counts.hint),
        ("files", counts.files),
        ("runs", report.runs.len() as u64),
    ] {
        let label = match word {
            "error" => "errors",
            "warning" => "warnings",
            "info" => "infos",
            "hint" => "hints",
            "files" => "files with findings",
            "runs" => "runs of checkers",
            other => other,
        };
        let none = if count == 0 { " none" } else { "" };
        writeln!(out, "<div class=\"{word}{none}\"><dt>{label}</dt><dd>{count}</dd></div>")?;
    }
    if report.duration_ms > 0 {
        writeln!(
            out,
            "<div class=\"took\"><dt>took</dt><dd>{}</dd></div>",
            duration(report.duration_ms)
        )?;
    }
    out.write_all(b"</dl>\n")
}

/// What makes the verdict worth less: checkers that failed themselves, rules that were loosened.
fn warnings(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for run in report.runs.iter().filter(|run| run.outcome == Outcome::HarnessError) {
        write!(
            out,
            "<div class=\"alarm\"><p><strong>{} failed itself</strong>: {}.</p>\n<p>{}</p>\n",
            escape(&verdict::title(run)),
            escape(&verdict::unknown(run)),
            escape(&text::lines(&run.reason))
        )?;
        if let Some(fault) = verdict::untold_fault(run) {
            writeln!(out, "<p>{}</p>", escape(&verdict::fault(fault)))?;
            if !fault.snippet.is_empty() {
                writeln!(out, "<pre>{}</pre>", escape(&text::name(&fault.snippet)))?;
            }
        }
        writeln!(out, "<p>Next: {}.</p></div>", escape(verdict::next_step(run)))?;
    }
    let no_run = report.runs.iter().all(|run| run.outcome != Outcome::HarnessError);
    if report.outcome == Outcome::HarnessError && no_run {
        writeln!(
            out,
            "<div class=\"alarm\"><p>{}</p></div>",
            escape(&text::lines(&report.reason))
        )?;
    }
    for change in rules::policy(report) {
        writeln!(out, "<div class=\"alarm policy\"><p>{}</p></div>", escape(&change))?;
    }
    if let Some(silenced) = change::silenced(report) {
        writeln!(
            out,
            "<div class=\"alarm\"><p><a href=\"#elsewhere\">{}</a></p></div>",
            escape(&silenced)
        )?;
    }
    Ok(())
}

/// What became of the other findings, and what was not run.
fn notes(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut lines: Vec<String> = Vec::new();
    if !report.scope.is_empty() {
        let scope: Vec<String> = report.scope.iter().map(|folder| text::name(folder)).collect();
        lines.push(format!("limited to: {}", scope.join(", ")));
    }
    let silenced = change::silenced(report);
    lines.extend(change::lines(report).into_iter().filter(|line| Some(line) != silenced.as_ref()));
    if report.attribution.is_none()
        && let Some(kept) = withheld::in_words(report, &order(report, &NoSources).told)
    {
        lines.push(format!("kept back: {kept}"));
    }
    lines.extend(verdict::not_run(report));
    if lines.is_empty() {
        return Ok(());
    }
    out.write_all(b"<ul class=\"notes\">\n")?;
    for line in lines {
        writeln!(out, "<li>{}</li>", escape(&line))?;
    }
    out.write_all(b"</ul>\n")
}

fn navigation(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<nav aria-label=\"Parts of this page\"><ul>\n")?;
    if !report.records.is_empty() {
        out.write_all(b"<li><a href=\"#overview\">Overview</a></li>\n")?;
    }
    out.write_all(b"<li><a href=\"#findings\">Findings</a></li>\n")?;
    if super::change::has_part(report) {
        out.write_all(b"<li><a href=\"#elsewhere\">Not among the findings</a></li>\n")?;
    }
    out.write_all(b"<li><a href=\"#runs\">Checkers</a></li>\n</ul></nav>\n")
}
