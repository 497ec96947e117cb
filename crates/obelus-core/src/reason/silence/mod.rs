//! What a change silenced: constructs that it added and that keep a checker from saying what it
//! would say. Each becomes a record of its own, and a finding that vanished because of it is
//! silenced, not fixed.
//!
//! Constructs are found in syntax trees, in lines that the change wrote: text that was there before,
//! also elsewhere, silences nothing new. Only files that the change touched are read.

mod code;
mod config;
mod construct;
mod cover;
mod directive;
mod files;
mod find;
mod sift;
pub(crate) mod syntax;
mod testing;
mod told;
mod words;

use obelus_record::{Attribution, Counts, Diagnostic, Origin, Outcome, Report, Silenced};
use rustc_hash::FxHashSet;

use crate::reason::texts::BothTexts;
pub(super) use sift::Sift;

/// The tool whose records these are.
const TOOL: &str = "obelus";
/// How their codes start.
const CODE: &str = "silenced/";

/// Adds to `report` a record for each thing that silences a checker and that the change of the files
/// in `sift` added, and moves the findings of `before` that vanished because of it from fixed to silenced.
///
/// The files are read from `texts`, those before and those after the change.
pub(super) fn silence(
    report: &mut Report,
    before: &Report,
    attribution: &mut Attribution,
    sift: &Sift<'_>,
    texts: &BothTexts<'_>,
) {
    let sources = (texts.before.sources, texts.after.sources);
    let vanished: FxHashSet<&str> =
        attribution.fixed.iter().filter_map(|&index| path_of(before, index)).collect();
    let files = sift.files(texts, &vanished);
    let found = find::find(&files, sources);
    if found.is_empty() {
        return;
    }
    let vanished = cover::vanished(before, attribution, &files);
    let covered = cover::cover(&found, &vanished);
    let mut by: Vec<Vec<usize>> = vec![Vec::new(); found.len()];
    for (at, silencing) in covered.iter().enumerate() {
        if let Some(silencing) = *silencing {
            by[silencing].push(at);
        }
    }
    let mut told = told::Teller::new(sources.1);
    let before = report.records.len();
    for (index, found) in found.iter().enumerate() {
        let silenced: Vec<&cover::Vanished<'_>> =
            by[index].iter().map(|&at| &vanished[at]).collect();
        if found.construct.needs_finding && silenced.is_empty() {
            continue;
        }
        let number = add(report, attribution, told.record(found, &silenced));
        attribution
            .silenced
            .extend(silenced.iter().map(|one| Silenced { before: one.index, by: number }));
    }
    if report.records.len() > before {
        report.counts = Counts::of(&report.records);
    }
    let silenced = |index: &u32| attribution.silenced.iter().any(|one| one.before == *index);
    attribution.fixed.retain(|index| !silenced(index));
    attribution.unattributed.before.retain(|index| !silenced(index));
    attribution.silenced.sort_by_key(|one| one.before);
}

fn path_of(report: &Report, index: u32) -> Option<&str> {
    report.records.get(index as usize)?.path.as_deref()
}

/// Puts a record behind all others; gives its index.
fn add(report: &mut Report, attribution: &mut Attribution, record: Diagnostic) -> u32 {
    let number = u32::try_from(report.records.len()).unwrap_or(u32::MAX);
    report.records.push(record);
    report.origins.push(Origin { runs: [].into(), count: 1 });
    attribution.new.push(number);
    number
}

/// Whether a record tells of something that silences.
pub fn is_silencing(record: &Diagnostic) -> bool {
    &*record.tool == TOOL && record.code.as_deref().is_some_and(|code| code.starts_with(CODE))
}

/// Takes out of `report` what an earlier comparison found to be silencing: it was told of another
/// change.
pub fn forget(report: &mut Report) {
    // Mostly nothing is, and the records need not be looked at.
    if !report.counts.by_tool.contains_key(TOOL) {
        return;
    }
    let keep: Vec<bool> = report.records.iter().map(|record| !is_silencing(record)).collect();
    let mut at = keep.iter();
    report.origins.retain(|_| at.next().copied().unwrap_or(true));
    report.records.retain(|record| !is_silencing(record));
    report.counts = Counts::of(&report.records);
}

/// Fails the verdict where the change silenced anything. A harness error stays one.
pub fn deny(report: &mut Report) {
    let Some(attribution) = &report.attribution else { return };
    let count = report.records.iter().filter(|record| is_silencing(record)).count();
    if count == 0 || report.outcome == Outcome::HarnessError {
        return;
    }
    let findings = attribution.silenced.len();
    let denied = format!("{count} silencing, which is denied ({findings} silenced)");
    report.reason = match report.outcome {
        Outcome::Fail => format!("{denied}; {}", report.reason),
        _ => denied,
    };
    report.outcome = Outcome::Fail;
}

/// Whether a file at `path` may hold something that silences; only then is it read. What has no
/// extension may be a script.
fn matters(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    config::is_configuration(path)
        || syntax::Language::of(path, b"").is_some()
        || !name.contains('.')
}
