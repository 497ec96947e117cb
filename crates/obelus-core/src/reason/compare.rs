//! All that is told of a change: what it caused, which lines it edited, what it silenced.

use obelus_record::{Attribution, Report};

use super::attribute::{self, FilePairs, Side};
use super::changed::Changed;
use super::silence::silence;
use super::texts::BothTexts;
use crate::Sources;

/// A change of the files of a repository.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    /// Which file became which.
    pub pairs: &'a FilePairs,
    /// The files that differ.
    pub files: &'a [Changed],
    /// The files before, and after.
    pub sources: (&'a dyn Sources, &'a dyn Sources),
}

/// Holds `report`, which is of the files after the change, against `before`, and adds a record to it
/// for each thing that silences a checker.
///
/// Never fails: what can't be compared is a part of the answer.
pub fn compare(report: &mut Report, before: &Report, change: Change<'_>) -> Attribution {
    let Change { pairs, files, sources } = change;
    let texts = BothTexts::new(sources.0, sources.1);
    let old = Side { report: before, sources: sources.0 };
    let new = Side { report, sources: sources.1 };
    let mut attribution = attribute::attribute_texts(&old, &new, pairs, &texts);
    attribution.edits = attribute::edits_in(&new, pairs, &attribution.new, &texts);
    silence(report, before, &mut attribution, files, &texts);
    attribution
}
