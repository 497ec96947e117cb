//! The last step: what became of the records that have no counterpart, and the answer as a whole.

use std::collections::BTreeSet;

use obelus_record::{
    Attribution, Baseline, BaselineRecord, Certainty, Diagnostic, Evidence, PairEvidence, Report,
    Say,
};

use super::matching::Left;
use super::quick::Sheet;
use super::runs::{Runs, Standing};
use super::sheet::{Pair, State};
use super::stopped::{Stops, Unseen, is_unreadable, runs_of};
use crate::normalise::is_absolute;

/// Puts the answer together.
pub(super) fn settle(
    before: &Report,
    after: &Report,
    runs: Runs,
    sheet: Sheet<'_>,
    left: &Left,
) -> Attribution {
    let mut verdicts = Verdicts { before, after, runs, left, answer: Attribution::default() };
    let stops = (Stops::of(before), Stops::of(after));
    verdicts.judge_old(&sheet, &stops.1);
    verdicts.judge_new(&sheet, &stops.0);
    verdicts.say_what_was_not_looked_at(&stops);
    let Verdicts { runs, mut answer, .. } = verdicts;
    (answer.unchanged, answer.evidence) = pairs(sheet.pairs);
    answer.duplicates.before = sheet.before.copies;
    answer.duplicates.after = sheet.after.copies;
    let mut say: BTreeSet<Say> = BTreeSet::new();
    say.extend(runs.comparisons.iter().flat_map(|comparison| &comparison.say));
    answer.say = say.into_iter().collect();
    answer.attributable = runs.comparisons.iter().all(|comparison| comparison.attributable);
    answer.runs = runs.comparisons;
    answer.baseline = baseline(before, &answer);
    answer
}

struct Verdicts<'a> {
    before: &'a Report,
    after: &'a Report,
    runs: Runs,
    left: &'a Left,
    answer: Attribution,
}

impl Verdicts<'_> {
    fn judge_old(&mut self, sheet: &Sheet<'_>, stops: &Stops<'_>) {
        for (index, &state) in (0_u32..).zip(&sheet.before.states) {
            match state {
                State::Barred => self.answer.unattributed.before.push(index),
                State::Open => self.judge_gone(index, stops),
                State::Copy | State::Paired => {}
            }
        }
    }

    /// A record of the baseline that is not printed any more.
    fn judge_gone(&mut self, index: u32, stops: &Stops<'_>) {
        let record = &self.before.records[index as usize];
        let own = runs_of(&self.before.origins, index);
        let file_gone = self.left.file_gone.contains(&index);
        if is_outside(record) || (self.is_one_sided(own, Half::Before) && !file_gone) {
            self.note_one_sided(own, Half::Before);
            self.answer.unattributed.before.push(index);
            return;
        }
        let runs = self.other_runs(own, Half::Before);
        let path = record.path.as_deref();
        let path = path.map(|path| self.left.continued.get(path).map_or(path, String::as_str));
        let hidden = !file_gone
            && match stops.unseen(record, path, &runs) {
                Unseen::No => false,
                Unseen::Anyway => true,
                Unseen::IfThere => !self.left.gone.contains(&index),
            };
        if hidden {
            self.note(own, Half::Before, Say::NotAnalysedAfter);
            self.answer.hidden.push(index);
        } else {
            self.answer.fixed.push(index);
        }
    }

    fn judge_new(&mut self, sheet: &Sheet<'_>, stops: &Stops<'_>) {
        for (index, &state) in (0_u32..).zip(&sheet.after.states) {
            match state {
                State::Barred => self.answer.unattributed.after.push(index),
                State::Open => self.judge_came(index, stops),
                State::Copy | State::Paired => {}
            }
        }
    }

    /// A record of the report that was not printed before.
    fn judge_came(&mut self, index: u32, stops: &Stops<'_>) {
        let record = &self.after.records[index as usize];
        let own = runs_of(&self.after.origins, index);
        let file_came = self.left.file_came.contains(&index);
        if is_outside(record) || (self.is_one_sided(own, Half::After) && !file_came) {
            self.note_one_sided(own, Half::After);
            self.answer.unattributed.after.push(index);
            return;
        }
        let path = record.path.as_deref();
        let path = path.map(|path| self.left.renamed.get(path).map_or(path, String::as_str));
        let runs = self.other_runs(own, Half::After);
        let unseen = stops.unseen(record, path, &runs) != Unseen::No;
        let written = self.left.written.contains(&index);
        if unseen && !written && !is_unreadable(record) {
            self.note(own, Half::After, Say::NotAnalysedBefore);
            self.answer.revealed.push(index);
        } else {
            self.answer.new.push(index);
        }
    }

    fn entries(&self, half: Half) -> &[usize] {
        match half {
            Half::Before => &self.runs.before,
            Half::After => &self.runs.after,
        }
    }

    fn is_one_sided(&self, own: &[u32], half: Half) -> bool {
        self.runs.standing(self.entries(half), own) == Standing::OneSided
    }

    /// The runs of the other side that the runs `own` of this side are held against.
    fn other_runs(&self, own: &[u32], half: Half) -> Vec<usize> {
        let entries = self.entries(half);
        let other = |&run: &u32| {
            let comparison = self.runs.comparisons.get(*entries.get(run as usize)?)?;
            let other = match half {
                Half::Before => comparison.after,
                Half::After => comparison.before,
            };
            other.map(|run| run as usize)
        };
        own.iter().filter_map(other).collect()
    }

    fn note_one_sided(&mut self, own: &[u32], half: Half) {
        if self.is_one_sided(own, half) {
            let say = match half {
                Half::Before => Say::NotRunAfter,
                Half::After => Say::NotRunBefore,
            };
            self.note(own, half, say);
        }
    }

    /// Says something of the runs `own`.
    fn note(&mut self, own: &[u32], half: Half, say: Say) {
        for &run in own {
            let Some(&entry) = self.entries(half).get(run as usize) else { continue };
            if let Some(comparison) = self.runs.comparisons.get_mut(entry) {
                if !comparison.say.contains(&say) {
                    comparison.say.push(say);
                }
                comparison.attributable &= !say.forbids_comparison();
            }
        }
    }

    /// A run that stopped early says so even where no record depends on it.
    fn say_what_was_not_looked_at(&mut self, stops: &(Stops<'_>, Stops<'_>)) {
        for comparison in &mut self.runs.comparisons {
            let stopped = |stops: &Stops<'_>, run: Option<u32>| {
                run.is_some_and(|run| stops.whole_run(run as usize))
            };
            let mut say = |say: Say| {
                if comparison.attributable && !comparison.say.contains(&say) {
                    comparison.say.push(say);
                }
            };
            if stopped(&stops.0, comparison.before) {
                say(Say::NotAnalysedBefore);
            }
            if stopped(&stops.1, comparison.after) {
                say(Say::NotAnalysedAfter);
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Half {
    Before,
    After,
}

/// Findings outside the repository are not the change's: what a change can't edit it can't cause.
pub(super) fn is_outside(record: &Diagnostic) -> bool {
    record.path.as_deref().is_some_and(is_absolute)
}

/// The pairs in order, with what has to be said about some of them.
fn pairs(mut pairs: Vec<Pair>) -> (Vec<(u32, u32)>, Vec<PairEvidence>) {
    pairs.sort_unstable_by_key(|pair| pair.before);
    let plain = |pair: &Pair| {
        pair.evidence == Evidence::Exact && pair.certainty == Certainty::Certain && !pair.moved
    };
    let evidence = (0_u32..)
        .zip(&pairs)
        .filter(|(_, pair)| !plain(pair))
        .map(|(index, pair)| PairEvidence {
            pair: index,
            evidence: pair.evidence,
            certainty: pair.certainty,
            moved: pair.moved,
        })
        .collect();
    (pairs.iter().map(|pair| (pair.before, pair.after)).collect(), evidence)
}

/// What a reader needs of the baseline.
fn baseline(before: &Report, answer: &Attribution) -> Baseline {
    let mut shown: Vec<u32> = answer.fixed.iter().chain(&answer.hidden).copied().collect();
    shown.sort_unstable();
    let record =
        |index: u32| BaselineRecord { index, record: before.records[index as usize].clone() };
    Baseline {
        obtained: None,
        notes: Vec::new(),
        name: None,
        revision: None,
        id: before.id.clone(),
        outcome: Some(before.outcome),
        total: u32::try_from(before.records.len()).unwrap_or(u32::MAX),
        records: shown.into_iter().map(record).collect(),
    }
}
