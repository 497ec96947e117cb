//! Outputs: one file each. They see records and sources, never a capture, and decide nothing.
//!
//! What a tool said, what a file holds and how a path is spelled is text of strangers: every
//! output for a screen or a model sends it through `text`, so that no control character passes.

mod agent;
mod change;
mod checkstyle;
mod excerpt;
mod github;
mod gitlab;
mod html;
mod human;
mod json;
mod jsonl;
mod junit;
mod lsp;
mod markdown;
mod order;
mod places;
mod rdjson;
mod remarks;
mod rules;
mod sarif;
mod specification;
mod stats;
mod text;
mod verdict;
mod withheld;

#[cfg(test)]
pub(crate) mod samples;

use std::io::{self, Write};

use obelus_record::{Report, WithheldReason};
use rustc_hash::FxHashSet;

use crate::{LineEnds, Sources, format};

pub use agent::Agent;
pub use checkstyle::Checkstyle;
pub use github::Github;
pub use gitlab::Gitlab;
pub use html::Html;
pub use human::Human;
pub use json::Json;
pub use jsonl::Jsonl;
pub use junit::Junit;
pub use lsp::Lsp;
pub use markdown::Markdown;
pub use rdjson::{Rdjson, Rdjsonl};
pub use sarif::Sarif;
pub use specification::{Specification, specification};
pub use stats::Stats;
pub use text::{command, line, name, place, plural};

/// Every output, in the order in which they are listed.
pub static OUTPUTS: &[&dyn Output] = &[
    // One line an output.
    &Human,
    &Agent,
    &Json,
    &Jsonl,
    &Sarif,
    &Github,
    &Gitlab,
    &Rdjson,
    &Rdjsonl,
    &Checkstyle,
    &Junit,
    &Lsp,
    &Markdown,
    &Html,
];

/// The output called `name`.
pub fn find(name: &str) -> Option<&'static dyn Output> {
    OUTPUTS.iter().copied().find(|output| output.name() == name)
}

/// A way to write a report.
pub trait Output: Sync {
    /// The name, as in `--output`.
    fn name(&self) -> &'static str;

    /// One line that says for whom this is.
    fn summary(&self) -> &'static str;

    /// Whether anything that is derived from records (causes, route, counts) is shown.
    fn shows_derived(&self) -> bool {
        true
    }

    /// Whether a budget of tokens is kept to.
    fn keeps_to_budget(&self) -> bool {
        false
    }

    /// Writes `report`, with source lines of `sources`. An output takes notice of those parts of
    /// `style` that its summary promises: one that is not for a terminal has no colours, and only
    /// one for a model keeps to a budget.
    fn write(
        &self,
        report: &Report,
        sources: &dyn Sources,
        style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()>;
}

/// How a report is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether there may be colours.
    pub look: Look,
    /// The most tokens that a text for a model may have, as [`Estimate`](crate::tokens::Estimate)
    /// counts them; nothing for no limit.
    pub budget: Option<usize>,
    /// Source lines shown before and behind a finding, where nothing makes them fewer.
    pub context: u32,
    /// The command that shows what a text leaves out.
    pub more: Option<String>,
}

impl From<Look> for Style {
    fn from(look: Look) -> Self {
        Style { look, budget: None, context: 5, more: None }
    }
}

/// Whether what is written may be coloured. Nothing is ever said by a colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Text alone.
    Plain,
    /// Text with the colour sequences of terminals.
    Coloured,
}

/// The records that outputs for other programs list: all that are to be shown, consequences too, but
/// for what the reader did not ask for.
fn listed(report: &Report) -> Vec<usize> {
    asked(report, change::shown(report))
}

/// Those of `listed` that the reader asked for.
fn asked(report: &Report, mut listed: Vec<usize>) -> Vec<usize> {
    if let Some(route) = &report.route {
        let unasked = route.withheld.iter().filter(|withheld| {
            matches!(
                withheld.reason,
                WithheldReason::OtherPath
                    | WithheldReason::BelowLevel
                    | WithheldReason::UntouchedFile
            )
        });
        let unasked: FxHashSet<usize> = unasked.map(|one| one.record as usize).collect();
        listed.retain(|index| !unasked.contains(index));
    }
    listed
}

/// What ends a line in the places of record `index`, as the format of its run says.
fn line_ends(report: &Report, index: usize) -> LineEnds {
    let run = report.origins.get(index).and_then(|origin| origin.runs.first());
    run.and_then(|&run| report.runs.get(run as usize))
        .and_then(|run| format::find(&run.format))
        .map_or(LineEnds::Usual, |format| format.positions().line_ends)
}

#[cfg(test)]
mod tests {
    use obelus_record::Diagnostic;

    use super::*;
    use crate::NoSources;

    #[test]
    fn json_reads_back_as_the_report() {
        let report = samples::everything();
        let written = samples::written(&Json, &report, &NoSources, Look::Coloured);
        assert_eq!(serde_json::from_str::<Report>(&written).unwrap(), report);
        assert_eq!(written.lines().count(), 1);
    }

    #[test]
    fn json_lines_read_back_as_the_records() {
        let report = samples::everything();
        let written = samples::written(&Jsonl, &report, &NoSources, Look::Coloured);
        let records: Vec<Diagnostic> =
            written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(records, report.records);
    }

    #[test]
    fn each_name_is_taken_once() {
        for output in OUTPUTS {
            let same = OUTPUTS.iter().filter(|other| other.name() == output.name());
            assert_eq!(same.count(), 1, "{}", output.name());
        }
        assert!(find("nope").is_none());
    }
}
