//! The records of one file before, held against those of the file that it became.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::hash::Hash;
use std::rc::Rc;

use obelus_record::{Certainty, Diagnostic, Evidence};
use rustc_hash::{FxHashMap, FxHashSet};

use super::hunk::{Landing, Stay};
use super::map::FileMap;
use super::sheet::Pair;
use crate::reason::texts::{BothTexts, Texts};
use crate::reason::wording::{name_different_things, skeleton};

/// How a file came to be what it is after the change.
pub(super) enum Way {
    /// It has the same content.
    Same,
    /// It was edited.
    Edited(Rc<FileMap>),
    /// One of its two contents can't be read.
    Unknown,
}

/// Two files that are one, before and after the change.
pub(super) struct FilePair<'a> {
    pub way: Way,
    /// The paths; nothing for records that have none.
    pub names: (Option<&'a str>, Option<&'a str>),
    pub texts: &'a BothTexts<'a>,
    pub records: (&'a [Diagnostic], &'a [Diagnostic]),
    landings: RefCell<FxHashMap<u32, Option<Landing>>>,
}

/// Half of the words of two lines: below that, one is not the other after an edit.
const NEAR: f64 = 0.5;

impl<'a> FilePair<'a> {
    pub fn new(
        names: (Option<&'a str>, Option<&'a str>),
        way: Way,
        texts: &'a BothTexts<'a>,
        records: (&'a [Diagnostic], &'a [Diagnostic]),
    ) -> Self {
        FilePair { way, names, texts, records, landings: RefCell::default() }
    }

    /// Pairs the records `old` and `new` on code that certainly stayed; what is left stays in the
    /// lists.
    pub fn pair_firm(&self, old: &mut Vec<u32>, new: &mut Vec<u32>, pairs: &mut Vec<Pair>) {
        self.rounds(Phase::Firm, old, new, pairs);
        self.by_message(old, new, pairs);
    }

    /// Pairs what is left on code that was edited.
    pub fn pair_edited(&self, old: &mut Vec<u32>, new: &mut Vec<u32>, pairs: &mut Vec<Pair>) {
        self.rounds(Phase::Edited, old, new, pairs);
        self.nearest(old, new, pairs);
    }

    /// The same message at the place where the code is now; then one that differs in what it
    /// quotes; then any.
    fn rounds(&self, phase: Phase, old: &mut Vec<u32>, new: &mut Vec<u32>, pairs: &mut Vec<Pair>) {
        let exact = |record: &'a Diagnostic, place| (place, kind(record), &*record.message);
        self.round((phase, Wording::Equal), old, new, pairs, exact);
        if old.is_empty() || new.is_empty() {
            return;
        }
        let reworded =
            |record: &'a Diagnostic, place| (place, kind(record), skeleton(&record.message));
        self.round((phase, Wording::Alike), old, new, pairs, reworded);
        let placed = |record: &'a Diagnostic, place: Place| {
            // Of what has no line, the message is all that there is.
            let message = if place.0 == 0 { &*record.message } else { "" };
            (place, kind(record), message)
        };
        self.round((phase, Wording::Another), old, new, pairs, placed);
    }

    /// One round: records with equal keys are pairs, unless their messages name different things.
    fn round<K: Hash + Eq>(
        &self,
        (phase, wording): (Phase, Wording),
        old: &mut Vec<u32>,
        new: &mut Vec<u32>,
        pairs: &mut Vec<Pair>,
        key: impl Fn(&'a Diagnostic, Place) -> K,
    ) {
        let key_before = |index| {
            let firm = |landing: &Landing| landing.stay == Stay::Untouched;
            let landing =
                self.landing(index).filter(|landing| phase == Phase::Edited || firm(landing))?;
            let record = &self.records.0[index as usize];
            Some(key(record, (landing.line, landing.column)))
        };
        let key_after = |index| {
            let record = &self.records.1[index as usize];
            Some(key(record, (record.line.unwrap_or(0), record.column)))
        };
        match_up(old, new, key_before, key_after, |before, after| {
            if wording != Wording::Equal && self.are_about_different_things(before, after) {
                return false;
            }
            let stay = self.landing(before).map_or(Stay::Untouched, |landing| landing.stay);
            let (evidence, certainty) = label(stay, wording);
            pairs.push(self.made(before, after, evidence, certainty));
            true
        });
    }

    /// What is left within one edited stretch: the same said of the line that is most alike.
    fn nearest(&self, old: &mut Vec<u32>, new: &mut Vec<u32>, pairs: &mut Vec<Pair>) {
        let Way::Edited(map) = &self.way else { return };
        let mut by_hunk: FxHashMap<(usize, Kind<'a>), Vec<u32>> = FxHashMap::default();
        for &after in &*new {
            let record = &self.records.1[after as usize];
            if let Some(hunk) = self.line_of(record).and_then(|line| map.hunk_after(line)) {
                by_hunk.entry((hunk, kind(record))).or_default().push(after);
            }
        }
        let mut near: Vec<(f64, u32, u32)> = Vec::new();
        for &before in &*old {
            let record = &self.records.0[before as usize];
            let Some(line) = self.line_of(record) else { continue };
            let Some(index) = map.hunk_before(line) else { continue };
            let Some(others) = by_hunk.get(&(index, kind(record))) else { continue };
            let hunk = map.hunk(index);
            for &after in others.iter().take(MANY) {
                let other = &self.records.1[after as usize];
                let alike = skeleton(&record.message) == skeleton(&other.message);
                if alike && !self.are_about_different_things(before, after) {
                    let likeness = hunk.likeness(line, other.line.unwrap_or(0));
                    near.push((likeness, before, after));
                }
            }
        }
        near.retain(|&(likeness, ..)| likeness >= NEAR);
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut taken = (FxHashSet::default(), FxHashSet::default());
        for (_, before, after) in near {
            if !taken.0.contains(&before) && !taken.1.contains(&after) {
                taken.0.insert(before);
                taken.1.insert(after);
                pairs.push(self.made(before, after, Evidence::Nearest, Certainty::Likely));
            }
        }
        old.retain(|index| !taken.0.contains(index));
        new.retain(|index| !taken.1.contains(index));
    }

    /// Where the text can't be followed, the same message is the same finding, in order.
    fn by_message(&self, old: &mut Vec<u32>, new: &mut Vec<u32>, pairs: &mut Vec<Pair>) {
        let blind = |record: &Diagnostic| {
            record.line.is_some() && (matches!(self.way, Way::Unknown) || record.cell.is_some())
        };
        let key = |record: &'a Diagnostic| {
            blind(record).then(|| (kind(record), record.cell, &*record.message))
        };
        let key_before = |index| key(&self.records.0[index as usize]);
        let key_after = |index| key(&self.records.1[index as usize]);
        old.sort_by_key(|&index| (self.records.0[index as usize].line, index));
        new.sort_by_key(|&index| (self.records.1[index as usize].line, index));
        match_up(old, new, key_before, key_after, |before, after| {
            pairs.push(self.made(before, after, Evidence::Nearest, Certainty::Likely));
            true
        });
    }

    fn made(&self, before: u32, after: u32, evidence: Evidence, certainty: Certainty) -> Pair {
        let moved = self.names.0 != self.names.1;
        Pair { before, after, evidence, certainty, moved }
    }

    /// Where the code of record `index` before is now; line 0 for a record without a line.
    fn landing(&self, index: u32) -> Option<Landing> {
        let land = || {
            let record = &self.records.0[index as usize];
            let here = |line| Some(Landing { line, column: record.column, stay: Stay::Untouched });
            match (record.line, &self.way) {
                (None, _) => here(0),
                (Some(line), Way::Edited(map)) if record.cell.is_none() => {
                    map.land(line, record.column)
                }
                (Some(line), _) => here(line),
            }
        };
        *self.landings.borrow_mut().entry(index).or_insert_with(land)
    }

    /// The line of a record in the text of its file.
    fn line_of(&self, record: &Diagnostic) -> Option<u32> {
        record.line.filter(|_| record.cell.is_none())
    }

    fn are_about_different_things(&self, before: u32, after: u32) -> bool {
        let (old, new) = (&self.records.0[before as usize], &self.records.1[after as usize]);
        let text = |texts: &Texts<'_>, name: Option<&str>| name.and_then(|name| texts.get(name));
        let (Some(old_line), Some(new_line)) = (self.line_of(old), self.line_of(new)) else {
            return false;
        };
        let old_text = text(&self.texts.before, self.names.0.filter(|_| !self.is_unknown()));
        let new_text = text(&self.texts.after, self.names.1.filter(|_| !self.is_unknown()));
        let (Some(old_text), Some(new_text)) = (old_text, new_text) else { return false };
        name_different_things(
            (&old.message, old_text.line(old_line)),
            (&new.message, new_text.line(new_line)),
        )
    }

    fn is_unknown(&self) -> bool {
        matches!(self.way, Way::Unknown)
    }

    /// What the edit made of line `line` before; nothing is known of a file that can't be read.
    pub fn fate(&self, line: u32) -> Fate {
        match &self.way {
            Way::Edited(map) if map.is_kept(line) => Fate::Kept,
            Way::Edited(map) => map.line(line).map_or(Fate::Gone, |_| Fate::Doubtful),
            Way::Same | Way::Unknown => Fate::Kept,
        }
    }

    /// Where line `line` after comes from.
    pub fn origin(&self, line: u32) -> Fate {
        match &self.way {
            Way::Edited(map) if map.was_kept(line) => Fate::Kept,
            Way::Edited(map) => map.line_back(line).map_or(Fate::Gone, |_| Fate::Doubtful),
            Way::Same | Way::Unknown => Fate::Kept,
        }
    }

    /// How much the lines say that stayed together around line `line` before (or, with `back`,
    /// after); nothing where the whole file did.
    pub fn held(&self, line: u32, back: bool) -> Option<u32> {
        match &self.way {
            Way::Edited(map) => Some(map.held(line, back)),
            Way::Same | Way::Unknown => None,
        }
    }

    /// The line after that line `line` before was given, however doubtful.
    pub fn in_place(&self, line: u32) -> Option<u32> {
        match &self.way {
            Way::Edited(map) => map.line(line),
            Way::Same | Way::Unknown => Some(line),
        }
    }
}

/// What became of a line, or where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is on both sides.
    Kept,
    /// An equal line is on both sides, but nothing around it.
    Doubtful,
    /// It is on one side only.
    Gone,
}

/// Records of one stretch and kind beyond this many are not compared one by one.
const MANY: usize = 64;

/// Line and column; line 0 where there is none.
type Place = (u32, Option<u32>);
type Kind<'a> = (&'a str, Option<&'a str>, Option<u32>);

/// What two records must agree in, whatever else: tool, code and cell.
fn kind(record: &Diagnostic) -> Kind<'_> {
    (&record.tool, record.code.as_deref(), record.cell)
}

/// Code that certainly stayed is followed first, so that code that moved can be told from code that
/// was edited where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Firm,
    Edited,
}

/// How far the messages of two records agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wording {
    Equal,
    /// But for what they quote.
    Alike,
    Another,
}

fn label(stay: Stay, wording: Wording) -> (Evidence, Certainty) {
    match (stay, wording) {
        (Stay::Untouched, Wording::Equal) => (Evidence::Exact, Certainty::Certain),
        (Stay::Untouched, Wording::Alike) => (Evidence::Reworded, Certainty::Certain),
        (Stay::Alone, Wording::Equal) => (Evidence::Exact, Certainty::Likely),
        (Stay::Rewrapped, Wording::Equal) => (Evidence::Moved, Certainty::Certain),
        (Stay::Edited, _) => (Evidence::Nearest, Certainty::Likely),
        (_, _) => (Evidence::Reworded, Certainty::Likely),
    }
}

/// Takes from both lists what has equal keys and is accepted, in the order of the lists.
pub(super) fn match_up<K: Hash + Eq>(
    old: &mut Vec<u32>,
    new: &mut Vec<u32>,
    key_before: impl Fn(u32) -> Option<K>,
    key_after: impl Fn(u32) -> Option<K>,
    mut accept: impl FnMut(u32, u32) -> bool,
) {
    if old.is_empty() || new.is_empty() {
        return;
    }
    if old.len().saturating_mul(new.len()) <= FEW {
        return match_few(old, new, key_before, key_after, accept);
    }
    let mut waiting: FxHashMap<K, VecDeque<u32>> = FxHashMap::default();
    for &after in &*new {
        if let Some(key) = key_after(after) {
            waiting.entry(key).or_default().push_back(after);
        }
    }
    let mut taken = FxHashSet::default();
    old.retain(|&before| {
        let Some(list) = key_before(before).and_then(|key| waiting.get_mut(&key)) else {
            return true;
        };
        let Some(at) = list.iter().take(MANY).position(|&after| accept(before, after)) else {
            return true;
        };
        taken.extend(list.remove(at));
        false
    });
    if !taken.is_empty() {
        new.retain(|after| !taken.contains(after));
    }
}

/// Up to so many comparisons cost less than a table.
const FEW: usize = 1_024;

/// As [`match_up`], by comparing each with each.
fn match_few<K: Eq>(
    old: &mut Vec<u32>,
    new: &mut Vec<u32>,
    key_before: impl Fn(u32) -> Option<K>,
    key_after: impl Fn(u32) -> Option<K>,
    mut accept: impl FnMut(u32, u32) -> bool,
) {
    let mut waiting: Vec<(Option<K>, u32)> =
        new.iter().map(|&after| (key_after(after), after)).collect();
    old.retain(|&before| {
        let key = key_before(before);
        let fits = |(other, after): &(Option<K>, u32)| {
            key.is_some() && *other == key && accept(before, *after)
        };
        match waiting.iter().position(fits) {
            Some(at) => {
                waiting.remove(at);
                false
            }
            None => true,
        }
    });
    *new = waiting.into_iter().map(|(_, after)| after).collect();
}
