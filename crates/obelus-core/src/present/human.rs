//! Annotated source excerpts for people, in the look of rustc; then what went wrong with the
//! checkers themselves, and last what everything came to.

mod block;
mod finding;
mod patch;
mod runs;

use std::io::{self, Write};

use annotate_snippets::Renderer;
use obelus_record::Report;

use super::excerpt::Texts;
use super::{Look, Output, change};
use crate::Sources;

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
        look: Look,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let renderer = match look {
            Look::Plain => Renderer::plain(),
            Look::Coloured => Renderer::styled(),
        };
        let renderer = renderer.term_width(NO_LIMIT);
        let mut texts = Texts::new(sources);
        for index in change::shown(report) {
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
        for not_run in runs::not_run(report) {
            writeln!(out, "{not_run}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
