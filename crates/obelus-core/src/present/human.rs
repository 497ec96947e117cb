//! Annotated source excerpts for people, in the look of rustc; then what went wrong with the
//! checkers themselves, and last what everything came to.

mod block;
mod causes;
mod finding;
mod patch;
mod runs;

use std::io::{self, Write};

use annotate_snippets::Renderer;
use obelus_record::Report;

use super::excerpt::Texts;
use super::order::order;
use super::{Look, Output, Style, change, rules, verdict, withheld};
use crate::Sources;
use crate::reason::silence::is_silencing;

/// Lines are cut before they reach the renderer, so that it has no reason to cut them again.
const NO_LIMIT: usize = 1 << 20;

/// Annotated excerpts for people.
pub struct Human;

impl Output for Human {
    fn name(&self) -> &'static str {
        "human"
    }

    fn summary(&self) -> &'static str {
        "annotated excerpts for people"
    }

    fn write(
        &self,
        report: &Report,
        sources: &dyn Sources,
        style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let renderer = match style.look {
            Look::Plain => Renderer::plain(),
            Look::Coloured => Renderer::styled(),
        };
        let renderer = renderer.term_width(NO_LIMIT);
        let mut texts = Texts::new(sources);
        for change in rules::policy(report) {
            writeln!(out, "{change}\n")?;
        }
        let order = order(report, sources);
        let shown = causes::shown(report, &order);
        let mut told = vec![false; shown.len()];
        for item in order.items.iter().filter(|item| item.cause.is_some()) {
            let mut members = causes::members(item).filter(|&index| shown[index]).peekable();
            if members.peek().is_some() {
                write!(out, "{}", block::render(vec![causes::block(item)], &renderer))?;
            }
            for index in members {
                told[index] = true;
                let blocks = finding::blocks(report, index, &mut texts);
                writeln!(out, "{}", block::render(blocks, &renderer))?;
            }
        }
        let mut rest: Vec<usize> =
            (0..shown.len()).filter(|&index| shown[index] && !told[index]).collect();
        // What silences comes first: it may hide anything.
        rest.sort_by_key(|&index| !is_silencing(&report.records[index]));
        for index in rest {
            let blocks = finding::blocks(report, index, &mut texts);
            writeln!(out, "{}", block::render(blocks, &renderer))?;
        }
        for block in runs::blocks(report) {
            writeln!(out, "{}", block::render(vec![block], &renderer))?;
        }
        write!(out, "{}", block::render(vec![runs::verdict(report)], &renderer))?;
        for line in change::lines(report) {
            writeln!(out, "{line}")?;
        }
        let limited = report.attribution.is_none() && causes::knows_touched(report);
        if let Some(withheld) = withheld::in_words(report, &order.told).filter(|_| limited) {
            writeln!(out, "not shown: {withheld}; --all shows them")?;
        }
        for not_run in verdict::not_run(report) {
            writeln!(out, "{not_run}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
