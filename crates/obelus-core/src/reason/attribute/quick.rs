//! The first pass: copies, and records that say the same at the same place.

use obelus_record::{Certainty, Diagnostic, Evidence, Report};
use rustc_hash::FxHashSet;

use super::files::FilePairs;
use super::runs::{Runs, Standing};
use super::sheet::{Index, Pair, State, hash, is_copy};
use super::stopped::runs_of;
use crate::normalise::is_absolute;
use crate::reason::numbers::{NO_PATH, PathId, Paths};

/// The records of one side.
pub(super) struct Half<'a> {
    pub records: &'a [Diagnostic],
    pub paths: Vec<PathId>,
    pub states: Vec<State>,
    /// Pairs of the record that is kept and its copy.
    pub copies: Vec<(u32, u32)>,
}

/// Both sides, with the pairs that were found.
pub(super) struct Sheet<'a> {
    pub before: Half<'a>,
    pub after: Half<'a>,
    pub paths: Paths<'a>,
    pub pairs: Vec<Pair>,
}

const NONE: u32 = u32::MAX;

impl<'a> Half<'a> {
    fn new(report: &'a Report, paths: &mut Paths<'a>, runs: &Runs, entries: &[usize]) -> Self {
        let mut states = vec![State::Open; report.records.len()];
        for (index, state) in states.iter_mut().enumerate() {
            let own = runs_of(&report.origins, index as u32);
            if runs.standing(entries, own) == Standing::Barred {
                *state = State::Barred;
            }
        }
        let records = &report.records[..];
        Half { records, paths: paths.of(records), states, copies: Vec::new() }
    }

    /// The indices of what is in `state`.
    pub fn in_state(&self, state: State) -> impl Iterator<Item = u32> {
        (0_u32..).zip(&self.states).filter(move |(_, own)| **own == state).map(|(index, _)| index)
    }
}

impl<'a> Sheet<'a> {
    pub fn new(before: &'a Report, after: &'a Report, runs: &Runs) -> Self {
        let mut paths = Paths::default();
        let old = Half::new(before, &mut paths, runs, &runs.before);
        let new = Half::new(after, &mut paths, runs, &runs.after);
        Sheet { before: old, after: new, paths, pairs: Vec::new() }
    }

    /// Sets copies aside and pairs what is equal in files that look untouched. Gives the paths, by
    /// number, whose records need a closer look; these stay open.
    pub fn match_equal(&mut self, files: &FilePairs) -> Vec<bool> {
        let mut index = Index::new(self.before.records);
        for at in 0..self.before.records.len() as u32 {
            self.before.add(&mut index, at);
        }
        let mut partner = vec![NONE; self.before.records.len()];
        let mut unmatched = Index::new(self.after.records);
        let mut unsettled = vec![false; self.paths.count()];
        for at in 0..self.after.records.len() as u32 {
            if self.after.states[at as usize] == State::Barred {
                continue;
            }
            let record = &self.after.records[at as usize];
            let hash = hash(record, self.after.paths[at as usize]);
            let (mut free, mut twin) = (None, None);
            for old in index.equal(record, hash) {
                let same_end = is_copy(&self.before.records[old as usize], record);
                match partner[old as usize] {
                    // Of several that differ in their ends alone, the one with the same end.
                    NONE if same_end || free.is_none() => free = Some(old),
                    NONE => {}
                    new if is_copy(&self.after.records[new as usize], record) => twin = Some(new),
                    _ => {}
                }
            }
            if free.is_none() && twin.is_none() {
                let copy = |&new: &u32| is_copy(&self.after.records[new as usize], record);
                twin = unmatched.equal(record, hash).find(copy);
            }
            match (twin, free) {
                (Some(twin), _) => {
                    self.after.states[at as usize] = State::Copy;
                    self.after.copies.push((twin, at));
                }
                (None, Some(old)) => partner[old as usize] = at,
                (None, None) => {
                    unmatched.add(at, hash);
                    unsettled[self.after.paths[at as usize] as usize] = true;
                }
            }
        }
        self.look_closer(&mut unsettled, &partner, files);
        self.keep(&unsettled, &partner);
        unsettled
    }

    /// Marks the paths with a record before that has no equal, and those that were edited.
    fn look_closer(&self, unsettled: &mut [bool], partner: &[u32], files: &FilePairs) {
        for old in self.before.in_state(State::Open) {
            if partner[old as usize] == NONE {
                unsettled[self.before.paths[old as usize] as usize] = true;
            }
        }
        let mut looked_at = vec![false; unsettled.len()];
        looked_at[NO_PATH as usize] = true;
        for (paths, states) in
            [(&self.before.paths, &self.before.states), (&self.after.paths, &self.after.states)]
        {
            for (&path, &state) in paths.iter().zip(states) {
                if state == State::Open && !looked_at[path as usize] {
                    looked_at[path as usize] = true;
                    let name = self.paths.name(path).unwrap_or_default();
                    unsettled[path as usize] |= !is_absolute(name) && !files.looks_untouched(name);
                }
            }
        }
        self.suspect_same_lengths(unsettled, &looked_at, files);
    }

    /// A file that came may be one that stands elsewhere and whose place another one of the same
    /// length took; that is settled only by a look at it.
    fn suspect_same_lengths(&self, unsettled: &mut [bool], named: &[bool], files: &FilePairs) {
        let name = |path: usize| self.paths.name(path as PathId).unwrap_or_default();
        let came: FxHashSet<u64> = (0..named.len())
            .filter(|&path| named[path])
            .filter_map(|path| match files.lengths(name(path)) {
                (None, Some(length)) => Some(length),
                _ => None,
            })
            .collect();
        if came.is_empty() {
            return;
        }
        for path in (0..named.len()).filter(|&path| named[path]) {
            if let (Some(length), Some(_)) = files.lengths(name(path)) {
                unsettled[path] |= came.contains(&length);
            }
        }
    }

    /// Makes pairs of what is settled.
    fn keep(&mut self, unsettled: &[bool], partner: &[u32]) {
        self.pairs.reserve(partner.len());
        for (before, &after) in (0_u32..).zip(partner) {
            if after == NONE || unsettled[self.before.paths[before as usize] as usize] {
                continue;
            }
            self.before.states[before as usize] = State::Paired;
            self.after.states[after as usize] = State::Paired;
            let (evidence, certainty) = (Evidence::Exact, Certainty::Certain);
            self.pairs.push(Pair { before, after, evidence, certainty, moved: false });
        }
    }
}

impl<'a> Half<'a> {
    /// Adds a record to `index`, or sets it aside as a copy of one that is there.
    fn add(&mut self, index: &mut Index<'a>, at: u32) {
        if self.states[at as usize] == State::Barred {
            return;
        }
        let record = &self.records[at as usize];
        let known = |&old: &u32| is_copy(&self.records[old as usize], record);
        let hash = hash(record, self.paths[at as usize]);
        let twin = index.equal(record, hash).find(known);
        match twin {
            Some(twin) => {
                self.states[at as usize] = State::Copy;
                self.copies.push((twin, at));
            }
            None => index.add(at, hash),
        }
    }
}
