//! What a change caused: the records after it held against those before it.
//!
//! Files are paired, lines and tokens of each pair are followed through a diff, then records are
//! matched as a multiset: the same said of code that stayed; reworded; of code that moved; of what
//! is left of an edited line. Most records say the same at the same place in files that nobody
//! touched; they are matched by a hash and cost no look at any file.
//!
//! What a run that failed, or was of another version, says is never held against anything.

mod edits;
mod file;
mod files;
mod hunk;
mod likeness;
mod map;
mod matching;
mod moved;
mod moved_edited;
mod notebook;
mod pairing;
mod quick;
mod runs;
mod settle;
mod sheet;
mod stopped;
mod verdict;

#[cfg(test)]
mod tests;

use obelus_record::{Attribution, Report};

use crate::Sources;
use crate::reason::texts::BothTexts;

pub use edits::edits;
pub(super) use edits::edits_in;
pub use files::{FilePairs, Tree};
pub(super) use map::FileMap;
pub use runs::BARE_LIST;
pub use verdict::{FailOn, apply, decide, objections};

/// One side of a change: what the checkers said, and the files that they said it about.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The runs with their records. Each record must have its origin.
    pub report: &'a Report,
    /// The files as the checkers saw them.
    pub sources: &'a dyn Sources,
}

/// Holds the records `after` a change against those `before` it.
///
/// Never fails: what can't be compared is a part of the answer.
pub fn attribute(before: &Side<'_>, after: &Side<'_>, files: &FilePairs) -> Attribution {
    let texts = BothTexts::new(before.sources, after.sources);
    attribute_texts(before, after, files, &texts)
}

/// The same with texts that others ask for as well.
pub(super) fn attribute_texts(
    before: &Side<'_>,
    after: &Side<'_>,
    files: &FilePairs,
    texts: &BothTexts<'_>,
) -> Attribution {
    let Some(notebooks) = notebook::Notebooks::of(before, after, files) else {
        return follow(before, after, files, texts);
    };
    let ([old, new], [before, after]) = (notebooks.reports(), notebooks.sources());
    let texts = BothTexts::new(&before, &after);
    let before = Side { report: &old, sources: &before };
    follow(&before, &Side { report: &new, sources: &after }, files, &texts)
}

/// As [`attribute`], where every line of a record is one of its file.
fn follow(
    before: &Side<'_>,
    after: &Side<'_>,
    files: &FilePairs,
    texts: &BothTexts<'_>,
) -> Attribution {
    let runs = runs::Runs::compare(before.report, after.report);
    let mut sheet = quick::Sheet::new(before.report, after.report, &runs);
    let unsettled = sheet.match_equal(files);
    let left = matching::match_files(&mut sheet, &unsettled, files, texts);
    settle::settle(before.report, after.report, runs, sheet, &left)
}
