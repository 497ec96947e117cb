//! What was run, what it came to, and what was not run.

use std::io::{self, Write};

use obelus_record::{Outcome, Report, Run};

use super::escape::escape;
use crate::present::text::{self, duration, plural};
use crate::present::verdict;

/// Writes the part about the checkers.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(
        b"<section id=\"runs\" aria-labelledby=\"runs-title\">\n<h2 id=\"runs-title\">Checkers</h2>\n",
    )?;
    if report.runs.is_empty() {
        out.write_all(b"<p>No run of a checker is known.</p>\n")?;
    } else {
        out.write_all(b"<ul class=\"runs\">\n")?;
        for (index, _) in report.runs.iter().enumerate() {
            run(report, index, out)?;
        }
        out.write_all(b"</ul>\n")?;
    }
    if !report.not_run.is_empty() {
        out.write_all(b"<h3>Not run</h3>\n<ul class=\"not-run\">\n")?;
        for one in &report.not_run {
            writeln!(
                out,
                "<li><strong>{}</strong>: {}</li>",
                escape(&text::line(&one.checker)),
                escape(&text::line(&one.reason))
            )?;
        }
        out.write_all(b"</ul>\n")?;
    }
    out.write_all(b"</section>\n")
}

fn run(report: &Report, index: usize, out: &mut dyn Write) -> io::Result<()> {
    let run = &report.runs[index];
    let (class, word) = match run.outcome {
        Outcome::Pass => ("pass", "pass"),
        Outcome::Fail => ("fail", "fail"),
        Outcome::HarnessError => ("harness", "harness error"),
    };
    let found = verdict::records_of(report, index).count() as u64;
    let mut facts = vec![plural(found, "finding", "findings")];
    facts.extend(run.version.as_deref().map(|version| format!("version {}", text::name(version))));
    if run.duration_ms > 0 {
        facts.push(duration(run.duration_ms));
    }
    facts.push(text::line(&run.reason));
    writeln!(
        out,
        "<li><span class=\"badge {class}\">{word}</span> <strong>{}</strong> <span>{}</span>",
        escape(&verdict::title(run)),
        escape(&facts.join(" · "))
    )?;
    let notes = notes(run);
    if !notes.is_empty() {
        out.write_all(b"<ul>\n")?;
        for note in notes {
            writeln!(out, "<li>{}</li>", escape(&note))?;
        }
        out.write_all(b"</ul>\n")?;
    }
    if !run.argv.is_empty() {
        let folder = match run.cwd.as_str() {
            "" | "." => String::new(),
            cwd => format!("in {}: ", text::name(cwd)),
        };
        writeln!(
            out,
            "<details><summary>Command line</summary><pre>{}{}</pre></details>",
            escape(&folder),
            escape(&text::command(&run.argv))
        )?;
    }
    out.write_all(b"</li>\n")
}

/// What else somebody should know of a run.
fn notes(run: &Run) -> Vec<String> {
    let mut notes: Vec<String> = run.notes.iter().map(|note| text::line(note)).collect();
    if run.partial {
        notes.push("its findings are not all that there are".to_owned());
    }
    if run.out_of_scope > 0 {
        let findings = plural(run.out_of_scope, "finding lies", "findings lie");
        notes.push(format!("{findings} outside what was asked about"));
    }
    if run.unrecognised.count > 0 {
        let lines = plural(run.unrecognised.count, "line", "lines");
        notes.push(format!("{lines} that its format does not know"));
        notes.extend(run.unrecognised.lines.iter().map(|line| {
            format!("{}, line {}: {}", line.stream, line.line, text::name(&line.text))
        }));
    }
    notes
}
