//! What became of each suggestion, over all rounds.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use obelus_core::fix::{Unit, units};
use obelus_core::{LineEnds, SourceText, Sources};
use obelus_record::{Diagnostic, FixReport, Outcome, Report, RolledBack, SkipReason, Skipped};

use super::FixOptions;

/// The suggestions of all rounds, each with an index of its own.
#[derive(Default)]
pub(super) struct Ledger {
    records: Vec<Diagnostic>,
    keys: Vec<Key>,
    applied: BTreeSet<u32>,
    /// Those of the last round that were not applied.
    skipped: Vec<Skipped>,
    /// Those that were applied and taken back.
    taken_back: Vec<Skipped>,
    rolled_back: Vec<RolledBack>,
    given_up: HashSet<Key>,
}

/// What tells a finding again after other lines of its file have moved: all but the number of its
/// line, and the line.
type Key = (String, Option<String>, Option<String>, String, Vec<u8>);

impl Ledger {
    /// The suggestions of `report` that may be applied, as units of this ledger.
    pub fn units(
        &mut self,
        report: &Report,
        options: &FixOptions,
        sources: &dyn Sources,
    ) -> Vec<Unit> {
        self.skipped.clear();
        let mut known = Vec::new();
        for mut unit in units(report, options.with_unsafe, |record| options.only.wants(record)) {
            let at = unit.index as usize;
            let mut runs = report.origins.get(at).into_iter().flat_map(|origin| &*origin.runs);
            let is_sound = |run: &u32| {
                report
                    .runs
                    .get(*run as usize)
                    .is_some_and(|run| run.outcome != Outcome::HarnessError)
            };
            // What a checker said before it failed can't be verified.
            if !runs.any(is_sound) {
                continue;
            }
            let Some(record) = report.records.get(at) else { continue };
            let key = key(record, sources);
            if self.given_up.contains(&key) {
                continue;
            }
            unit.index = self.records.len() as u32;
            self.records.push(record.clone());
            self.keys.push(key);
            known.push(unit);
        }
        known
    }

    pub fn skip(&mut self, skipped: &[Skipped]) {
        self.skipped = skipped.to_vec();
    }

    pub fn apply(&mut self, indices: impl IntoIterator<Item = u32>) {
        self.applied.extend(indices);
    }

    /// `indices` were applied and are no more; they are not tried again.
    pub fn take_back(
        &mut self,
        indices: &[u32],
        reason: SkipReason,
        why: String,
        caused: Vec<Diagnostic>,
    ) {
        for &index in indices {
            self.applied.remove(&index);
            self.taken_back.push(Skipped { index, reason });
            if let Some(key) = self.keys.get(index as usize) {
                self.given_up.insert(key.clone());
            }
        }
        let records = indices.to_vec();
        self.rolled_back.push(RolledBack { records, checker: None, why, caused });
    }

    /// What `checker` did by itself was taken back.
    pub fn take_back_tool(&mut self, checker: &str, why: String, caused: Vec<Diagnostic>) {
        let checker = Some(checker.to_owned());
        self.rolled_back.push(RolledBack { records: Vec::new(), checker, why, caused });
    }

    /// Puts all of it into `report`, with the records that it speaks of alone.
    pub fn report(mut self, report: &mut FixReport) {
        let mut skipped: Vec<Skipped> = self.taken_back;
        super::desk::add_skipped(&mut skipped, self.skipped);
        let named = self.applied.iter().copied().chain(skipped.iter().map(|one| one.index));
        let named: BTreeSet<u32> = named.collect();
        let place: BTreeMap<u32, u32> = named.iter().copied().zip(0..).collect();
        let placed = |index: &u32| place.get(index).copied();
        report.applied = self.applied.len() as u64;
        report.applied_records = self.applied.iter().filter_map(placed).collect();
        report.skipped = skipped
            .iter()
            .filter_map(|one| Some(Skipped { index: placed(&one.index)?, ..*one }))
            .collect();
        for back in &mut self.rolled_back {
            back.records = back.records.iter().filter_map(placed).collect();
            back.records.sort_unstable();
        }
        report.rolled_back = self.rolled_back;
        let records = self.records.into_iter().zip(0..);
        report.records =
            records.filter(|(_, index)| place.contains_key(index)).map(|(one, _)| one).collect();
    }
}

fn key(record: &Diagnostic, sources: &dyn Sources) -> Key {
    let text = record.path.as_deref().and_then(|path| sources.read(path));
    let line = text.and_then(|text| {
        let text = SourceText::new(text, LineEnds::Usual);
        text.line(record.line?).map(<[u8]>::to_vec)
    });
    (
        record.tool.to_string(),
        record.code.as_deref().map(str::to_owned),
        record.path.as_deref().map(str::to_owned),
        record.message.to_string(),
        line.unwrap_or_default(),
    )
}
