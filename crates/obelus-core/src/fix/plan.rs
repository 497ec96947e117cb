//! Which units go together.
//!
//! Units are taken in the order of where they start: by the path of the file, then by the byte;
//! those that start at one place in the order of their records. A unit is left out if it covers
//! text that one before it covers, or inserts at the point where one before it inserts. Ranges
//! that only touch do not overlap: an insertion at the edge of a replaced range keeps its side.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use obelus_record::{SkipReason, Skipped};

use super::place::Places;
use super::unit::Unit;
use crate::LineEnds;

/// The file that a path of an edit leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What names the file: two paths that lead to it have one name.
    pub name: Arc<str>,
    /// What it holds.
    pub bytes: Arc<[u8]>,
}

/// A unit that is to be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// [`Unit::index`].
    pub index: u32,
    edits: Vec<Replacement>,
}

impl Planned {
    /// The names of the files that it edits, sorted.
    pub fn files(&self) -> BTreeSet<&str> {
        self.edits.iter().map(|edit| &*edit.file).collect()
    }
}

/// An edit in bytes of its file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Replacement {
    file: Arc<str>,
    start: usize,
    end: usize,
    text: Box<str>,
}

impl Replacement {
    fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// What is to be applied, what is not, and to which bytes.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// In the order in which they were taken.
    pub planned: Vec<Planned>,
    /// In the order of their records.
    pub skipped: Vec<Skipped>,
    /// The files that planned units edit, by name, as they are before.
    pub files: BTreeMap<Arc<str>, Arc<[u8]>>,
}

impl Plan {
    /// The files with the units at the positions `which` of [`Plan::planned`] in them, by name.
    /// Files that no such unit edits are as before.
    pub fn with(&self, which: &[usize]) -> BTreeMap<Arc<str>, Vec<u8>> {
        let mut edits: BTreeMap<&Arc<str>, Vec<&Replacement>> = BTreeMap::new();
        for unit in which.iter().filter_map(|&at| self.planned.get(at)) {
            for edit in &unit.edits {
                edits.entry(&edit.file).or_default().push(edit);
            }
        }
        let files = self.files.iter();
        let edited = files.map(|(name, bytes)| {
            let mut edits = edits.remove(name).unwrap_or_default();
            // A stable sort: insertions of one unit at one point stay in the tool's order.
            edits.sort_by_key(|edit| (edit.start, edit.end));
            (name.clone(), replaced(bytes, &edits))
        });
        edited.collect()
    }

    /// The files with all planned units in them.
    pub fn with_all(&self) -> BTreeMap<Arc<str>, Vec<u8>> {
        self.with(&(0..self.planned.len()).collect::<Vec<_>>())
    }
}

/// `bytes` with `edits`, which are sorted and apart.
fn replaced(bytes: &[u8], edits: &[&Replacement]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&bytes[at..edit.start]);
        out.extend_from_slice(edit.text.as_bytes());
        at = edit.end;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

/// Decides which `units` are applied. `target` tells to which file a path leads, or why that file
/// is not to be edited; it is asked once a path.
pub fn plan(units: &[Unit], target: &mut dyn FnMut(&str) -> Result<Target, SkipReason>) -> Plan {
    let mut plan = Plan::default();
    let mut files = Files { target, known: HashMap::new(), places: HashMap::new() };
    let mut ready = Vec::new();
    for unit in units {
        match files.placed(unit) {
            Ok(edits) => ready.push((unit.index, edits)),
            Err(reason) => plan.skipped.push(Skipped { index: unit.index, reason }),
        }
    }
    let start = |edits: &[Replacement]| edits.iter().map(|e| (e.file.clone(), e.start)).min();
    ready.sort_by_cached_key(|(index, edits)| (start(edits), *index));
    let mut taken: HashMap<Arc<str>, BTreeSet<(usize, usize)>> = HashMap::new();
    let mut applied: BTreeSet<Vec<Replacement>> = BTreeSet::new();
    for (index, edits) in ready {
        let mut sorted = edits.clone();
        sorted.sort();
        let overlaps = |edit: &Replacement| {
            taken.get(&edit.file).is_some_and(|taken| meets(taken, &edit.range()))
        };
        let reason = if applied.contains(&sorted) {
            Some(SkipReason::Duplicate)
        } else if edits.iter().any(overlaps) {
            Some(SkipReason::Overlap)
        } else {
            None
        };
        if let Some(reason) = reason {
            plan.skipped.push(Skipped { index, reason });
            continue;
        }
        for edit in &edits {
            taken.entry(edit.file.clone()).or_default().insert((edit.start, edit.end));
            if let Some(bytes) = files.bytes(&edit.file) {
                plan.files.entry(edit.file.clone()).or_insert(bytes);
            }
        }
        applied.insert(sorted);
        plan.planned.push(Planned { index, edits });
    }
    plan.skipped.sort();
    plan
}

/// Whether `range` covers text that one of `taken` covers, or is an insertion where one is. Those
/// of `taken` are apart from each other, so the last that starts before the end tells.
fn meets(taken: &BTreeSet<(usize, usize)>, range: &Range<usize>) -> bool {
    if range.is_empty() && taken.contains(&(range.start, range.end)) {
        return true;
    }
    let before = taken.range(..(range.end, 0)).next_back();
    before.is_some_and(|&(_, end)| end > range.start)
}

/// The files that were asked for.
struct Files<'a> {
    target: &'a mut dyn FnMut(&str) -> Result<Target, SkipReason>,
    known: HashMap<Arc<str>, Result<Target, SkipReason>>,
    places: HashMap<(Arc<str>, LineEnds), Places>,
}

impl Files<'_> {
    fn target(&mut self, path: &Arc<str>) -> Result<Target, SkipReason> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let target = (self.target)(path);
        self.known.insert(path.clone(), target.clone());
        target
    }

    fn bytes(&self, name: &str) -> Option<Arc<[u8]>> {
        let mut all = self.known.values().flatten();
        all.find(|target| *target.name == *name).map(|target| target.bytes.clone())
    }

    /// The edits of a unit in bytes, or the first reason against it.
    fn placed(&mut self, unit: &Unit) -> Result<Vec<Replacement>, SkipReason> {
        if let Some(reason @ (SkipReason::Unsafe | SkipReason::Incomplete)) = unit.refused {
            return Err(reason);
        }
        let mut targets = Vec::new();
        let mut reasons = Vec::new();
        for edit in &unit.edits {
            match self.target(&edit.path) {
                Ok(target) => targets.push(target),
                Err(reason) => reasons.push(reason),
            }
        }
        if let Some(reason) = reasons.into_iter().chain(unit.refused).min() {
            return Err(reason);
        }
        let mut edits: Vec<Replacement> = Vec::new();
        for (edit, target) in unit.edits.iter().zip(targets) {
            let places = self
                .places
                .entry((target.name.clone(), unit.line_ends))
                .or_insert_with(|| Places::new(target.bytes.clone(), unit.line_ends));
            let Range { start, end } = places.range(edit).ok_or(SkipReason::OutOfRange)?;
            let edit = Replacement { file: target.name, start, end, text: edit.text.clone() };
            // Tools list a replacement once for each place that leads to it.
            if edit.start == edit.end || !edits.contains(&edit) {
                edits.push(edit);
            }
        }
        if overlap_each_other(&edits) { Err(SkipReason::Overlap) } else { Ok(edits) }
    }
}

/// Whether edits of one unit cover the same text. Insertions at one point are made in their order.
fn overlap_each_other(edits: &[Replacement]) -> bool {
    let mut sorted: Vec<&Replacement> = edits.iter().collect();
    sorted.sort_by(|a, b| (&a.file, a.start, a.end).cmp(&(&b.file, b.start, b.end)));
    sorted.windows(2).any(|pair| pair[0].file == pair[1].file && pair[0].end > pair[1].start)
}
