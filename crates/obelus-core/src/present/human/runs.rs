//! What went wrong with the checkers themselves, and what everything came to.

use annotate_snippets::Level;
use obelus_record::{Outcome, Report, Run};

use super::block::Block;
use crate::present::{text, verdict};

/// A block for each run that failed itself, and for each thing that somebody should know of one
/// that did not.
pub fn blocks(report: &Report) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (index, run) in report.runs.iter().enumerate() {
        if run.outcome == Outcome::HarnessError {
            blocks.push(harness_error(report, index));
        } else if let Some(block) = notes(report, index) {
            blocks.push(block);
        }
    }
    blocks
}

fn harness_error(report: &Report, index: usize) -> Block {
    let run = &report.runs[index];
    let heading = format!("{} failed itself: {}", verdict::title(run), verdict::unknown(run));
    let level = Level::ERROR.with_name("harness error");
    let mut block = Block::new(level, None, heading).remark("reason", text::lines(&run.reason));
    if let Some(fault) = verdict::untold_fault(run) {
        let mut told = verdict::fault(fault);
        if !fault.snippet.is_empty() {
            told += &format!("\n{}", text::name(&fault.snippet));
        }
        block = block.remark("fault", told);
    }
    let partial = match verdict::records_of(report, index).count() {
        0 => None,
        1 => Some("1 finding above is of this run that failed; there may be more".to_owned()),
        n => Some(format!("{n} findings above are of this run that failed; there may be more")),
    };
    if let Some(partial) = partial {
        block = block.remark("partial", partial);
    }
    block = remarks(block, run);
    let mut next = verdict::next_step(run).to_owned();
    if !run.argv.is_empty() {
        next += &format!("\n{}", by_hand(run));
    }
    block.remark("next", next)
}

/// The command line with its folder, as it could be typed at the root.
fn by_hand(run: &Run) -> String {
    match run.cwd.as_str() {
        "" | "." => text::command(&run.argv),
        cwd => format!("cd {} && {}", text::name(&text::quoted(cwd)), text::command(&run.argv)),
    }
}

fn notes(report: &Report, index: usize) -> Option<Block> {
    let run = &report.runs[index];
    let unexplained = verdict::is_unexplained(report, index);
    let worth =
        unexplained || !run.notes.is_empty() || run.unrecognised.count > 0 || run.out_of_scope > 0;
    let mut block =
        Block::new(Level::NOTE, None, format!("about the run of {}", verdict::title(run)));
    if unexplained {
        block = block.remark("reason", text::lines(&run.reason));
    }
    worth.then(|| remarks(block, run))
}

fn remarks(mut block: Block, run: &Run) -> Block {
    for note in &run.notes {
        block = block.remark("note", text::lines(note));
    }
    if run.unrecognised.count > 0 {
        let mut told =
            text::plural(run.unrecognised.count, "line", "lines") + " of its output not understood";
        for line in &run.unrecognised.lines {
            told += &format!("\n{}, line {}: {}", line.stream, line.line, text::name(&line.text));
        }
        let shown = run.unrecognised.lines.len() as u64;
        if shown > 0 && shown < run.unrecognised.count {
            told += &format!("\nand {} more", run.unrecognised.count - shown);
        }
        block = block.remark("output", told);
    }
    if run.out_of_scope > 0 {
        let findings = text::plural(run.out_of_scope, "finding", "findings");
        block = block.remark("scope", format!("{findings} outside what was asked about left out"));
    }
    block
}

/// The last line: what everything came to.
pub fn verdict(report: &Report) -> Block {
    let level = match report.outcome {
        _ if verdict::nobody_looked(report) => Level::WARNING,
        Outcome::Pass => Level::HELP,
        Outcome::Fail | Outcome::HarnessError => Level::ERROR,
    };
    let mut parts = verdict::parts(report);
    if report.duration_ms > 0 {
        parts.push(text::duration(report.duration_ms));
    }
    Block::new(level.with_name(verdict::word(report)), None, parts.join(" · "))
}
