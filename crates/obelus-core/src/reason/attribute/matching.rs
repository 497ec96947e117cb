//! The second pass: the records of files that were edited, moved or are otherwise in doubt.

use obelus_record::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use super::file::{Fate, FilePair, Way};
use super::files::FilePairs;
use super::moved::{self, Stray};
use super::moved_edited;
use super::pairing::Pairing;
use super::quick::Sheet;
use super::sheet::{Pair, State};
use crate::normalise::is_absolute;
use crate::reason::numbers::PathId;
use crate::reason::texts::BothTexts;

/// What is known of the records that are left, for telling what became of them.
#[derive(Default)]
pub(super) struct Left {
    /// Records before whose line is gone or edited.
    pub gone: FxHashSet<u32>,
    /// Records after whose line the edit wrote.
    pub written: FxHashSet<u32>,
    /// Records before whose file is gone.
    pub file_gone: FxHashSet<u32>,
    /// Records after whose file came with the edit.
    pub file_came: FxHashSet<u32>,
    /// Path after → path before, where they differ.
    pub renamed: FxHashMap<String, String>,
    /// Path before → path after, where they differ.
    pub continued: FxHashMap<String, String>,
}

/// The open records of one file before and of the file that it became.
#[derive(Default)]
struct Group {
    before: Option<PathId>,
    after: Option<PathId>,
    old: Vec<u32>,
    new: Vec<u32>,
}

/// Pairs the open records and tells of those that are left.
pub(super) fn match_files<'a>(
    sheet: &mut Sheet<'a>,
    unsettled: &[bool],
    files: &FilePairs,
    texts: &'a BothTexts<'a>,
) -> Left {
    let mut old = sheet.before.by_path(unsettled);
    let mut new = sheet.after.by_path(unsettled);
    let pairing = Pairing { paths: &sheet.paths, files, texts };
    let mut left = Left::default();
    let records = (sheet.before.records, sheet.after.records);
    let mut pairs: Vec<Pair> = Vec::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    let work = Work { sheet, files, texts };
    // These first: their texts are needed no longer then, and there may be very many.
    let after = sorted(&new);
    let mut all: Vec<PathId> = after.iter().chain(old.keys()).copied().collect();
    all.sort_unstable();
    all.dedup();
    for path in pairing.plain(&all, &after) {
        let [old, new] = [&mut old, &mut new].map(|of| of.remove(&path).unwrap_or_default());
        let group = Group { before: Some(path), after: Some(path), old, new };
        open.extend(work.match_group(group, &mut pairs));
    }
    let exceptions = pairing.exceptions(&sorted(&old), &sorted(&new));
    for group in groups(old, new, &exceptions) {
        open.extend(work.match_group(group, &mut pairs));
    }
    open.sort_by_key(|file| file.rank);
    pair_strays(&mut open, records, &mut pairs, |old, new, pairs| {
        moved::pair(old, new, texts, records, pairs);
    });
    for file in open.iter_mut().filter(|file| file.is_one()) {
        file.pair.pair_edited(&mut file.old, &mut file.new, &mut pairs);
    }
    pair_strays(&mut open, records, &mut pairs, |old, new, pairs| {
        let edited = |strays: &[Stray<'a>]| -> Vec<Stray<'a>> {
            strays.iter().filter(|stray| stray.held == 0).copied().collect()
        };
        let (old, new) = (&edited(old), &edited(new));
        moved_edited::pair(old, new, texts, records, pairs);
    });
    open.iter().for_each(|file| file.tell(&mut left, records));
    drop(open);
    for pair in &pairs {
        sheet.before.states[pair.before as usize] = State::Paired;
        sheet.after.states[pair.after as usize] = State::Paired;
    }
    sheet.pairs.append(&mut pairs);
    for (&after, &before) in &exceptions {
        let name = |path| sheet.paths.name(path).unwrap_or_default().to_owned();
        if let Some(before) = before {
            left.renamed.insert(name(after), name(before));
            left.continued.insert(name(before), name(after));
        }
    }
    left
}

/// The paths with open records, in order.
fn sorted(records: &FxHashMap<PathId, Vec<u32>>) -> Vec<PathId> {
    let mut paths: Vec<PathId> = records.keys().copied().collect();
    paths.sort_unstable();
    paths
}

/// The files with open records, each beside what it became.
fn groups(
    mut old: FxHashMap<PathId, Vec<u32>>,
    new: FxHashMap<PathId, Vec<u32>>,
    exceptions: &FxHashMap<PathId, Option<PathId>>,
) -> Vec<Group> {
    let mut groups = Vec::with_capacity(new.len());
    let mut new: Vec<(PathId, Vec<u32>)> = new.into_iter().collect();
    new.sort_unstable_by_key(|(path, _)| *path);
    // A file that another one continues is nobody else's, whatever the order.
    let renamed: FxHashMap<PathId, PathId> =
        exceptions.iter().filter_map(|(&after, &before)| Some((before?, after))).collect();
    for (after, new) in new {
        let before = match exceptions.get(&after) {
            Some(&before) => before,
            None => Some(after).filter(|path| !renamed.contains_key(path)),
        };
        let old = before.and_then(|path| old.remove(&path)).unwrap_or_default();
        groups.push(Group { before, after: Some(after), old, new });
    }
    let mut rest: Vec<(PathId, Vec<u32>)> = old.into_iter().collect();
    rest.sort_unstable_by_key(|(path, _)| *path);
    for (before, old) in rest {
        let taken = exceptions.contains_key(&before);
        let after = renamed.get(&before).copied().or(Some(before).filter(|_| !taken));
        groups.push(Group { before: Some(before), after, old, new: Vec::new() });
    }
    groups
}

/// A file of which records are left.
struct Open<'a> {
    /// What sorts it: those with records after come first.
    rank: (bool, Option<PathId>),
    pair: FilePair<'a>,
    old: Vec<u32>,
    new: Vec<u32>,
    /// Whether it is known not to be there after, and before.
    gone: bool,
    came: bool,
}

impl<'a> Open<'a> {
    /// Whether it is a file both before and after.
    fn is_one(&self) -> bool {
        !self.gone && !self.came
    }

    fn fate(&self, line: u32) -> Fate {
        if self.gone { Fate::Gone } else { self.pair.fate(line) }
    }

    fn origin(&self, line: u32) -> Fate {
        if self.came { Fate::Gone } else { self.pair.origin(line) }
    }

    /// The records that may have moved: those of files of which not every line stayed.
    fn strays(&self, number: u32, records: Both<'a>) -> (Vec<Stray<'a>>, Vec<Stray<'a>>) {
        let stray = |index, path: Option<&'a str>, line, in_place, held| {
            Some(Stray { index, path: path?, line, file: number, in_place, held })
        };
        let old = self.old.iter().filter_map(|&index| {
            let line = line_of(&records.0[index as usize])?;
            let held = if self.gone { 0 } else { self.pair.held(line, false)? };
            let in_place = self.pair.in_place(line).filter(|_| self.is_one());
            stray(index, self.pair.names.0, line, in_place, held)
        });
        let new = self.new.iter().filter_map(|&index| {
            let line = line_of(&records.1[index as usize])?;
            let held = if self.came { 0 } else { self.pair.held(line, true)? };
            stray(index, self.pair.names.1, line, None, held)
        });
        (old.collect(), new.collect())
    }

    /// Notes what is known of the records that are left.
    fn tell(&self, left: &mut Left, records: Both<'_>) {
        for &index in &self.old {
            let line = line_of(&records.0[index as usize]);
            if self.gone {
                left.file_gone.insert(index);
            }
            if self.gone || line.is_some_and(|line| self.fate(line) == Fate::Gone) {
                left.gone.insert(index);
            }
        }
        for &index in &self.new {
            let line = line_of(&records.1[index as usize]);
            if self.came {
                left.file_came.insert(index);
            }
            if self.came || line.is_some_and(|line| self.origin(line) == Fate::Gone) {
                left.written.insert(index);
            }
        }
    }
}

type Both<'a> = (&'a [Diagnostic], &'a [Diagnostic]);

/// Has `pair` find what moved within or between files, among the records that are left.
fn pair_strays<'a>(
    open: &mut [Open<'a>],
    records: Both<'a>,
    pairs: &mut Vec<Pair>,
    pair: impl FnOnce(&[Stray<'a>], &[Stray<'a>], &mut Vec<Pair>),
) {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for (number, file) in (0_u32..).zip(&*open) {
        let (mut from, mut to) = file.strays(number, records);
        old.append(&mut from);
        new.append(&mut to);
    }
    let first = pairs.len();
    if !old.is_empty() && !new.is_empty() {
        pair(&old, &new, pairs);
    }
    let before: FxHashSet<u32> = pairs[first..].iter().map(|pair| pair.before).collect();
    let after: FxHashSet<u32> = pairs[first..].iter().map(|pair| pair.after).collect();
    for file in open {
        file.old.retain(|index| !before.contains(index));
        file.new.retain(|index| !after.contains(index));
    }
}

struct Work<'a, 'b> {
    sheet: &'b Sheet<'a>,
    files: &'b FilePairs,
    texts: &'a BothTexts<'a>,
}

impl<'a> Work<'a, '_> {
    /// Pairs the records of one file that are on code that stayed; gives what is left.
    fn match_group(&self, mut group: Group, pairs: &mut Vec<Pair>) -> Option<Open<'a>> {
        let name = |path: Option<PathId>| path.and_then(|path| self.sheet.paths.name(path));
        let names = (name(group.before), name(group.after));
        let records = (self.sheet.before.records, self.sheet.after.records);
        let rank = match group.new.is_empty() {
            true => (true, group.before),
            false => (false, group.after),
        };
        let way = self.way(&group, names);
        let pair = FilePair::new(names, way, self.texts, records);
        let unnamed = (group.before.is_none(), group.after.is_none());
        if !unnamed.0 && !unnamed.1 {
            pair.pair_firm(&mut group.old, &mut group.new, pairs);
        }
        if group.old.is_empty() && group.new.is_empty() {
            self.texts.forget(names.0, names.1);
            return None;
        }
        // Asked only now, as it may be a question to the disk. A file that is renamed is there under
        // both names; one without a counterpart has one.
        let there = (
            names.0.is_some_and(|name| self.files.was_there(name, self.texts.before.sources)),
            names.1.is_some_and(|name| self.files.is_there(name, self.texts.after.sources)),
        );
        let gone = unnamed.1 || names.0.is_some_and(inside) && there.0 && !there.1;
        let came = unnamed.0 || names.1.is_some_and(inside) && there.1 && !there.0;
        Some(Open { rank, pair, old: group.old, new: group.new, gone, came })
    }

    fn way(&self, group: &Group, names: (Option<&str>, Option<&str>)) -> Way {
        let (Some(before), Some(after)) = names else {
            // What has no path is compared by what it says.
            return if group.before == group.after { Way::Same } else { Way::Unknown };
        };
        if !inside(before) || !inside(after) {
            return Way::Unknown;
        }
        if before == after && self.files.is_untouched(after) {
            return Way::Same;
        }
        match (self.texts.before.get(before), self.texts.after.get(after)) {
            (Some(old), Some(new)) if old.bytes() == new.bytes() => Way::Same,
            (Some(_), Some(_)) => self.texts.map(before, after).map_or(Way::Unknown, Way::Edited),
            _ => Way::Unknown,
        }
    }
}

fn inside(path: &str) -> bool {
    !is_absolute(path)
}

/// The line of a record in the text of its file.
fn line_of(record: &Diagnostic) -> Option<u32> {
    record.line.filter(|_| record.cell.is_none())
}

impl super::quick::Half<'_> {
    /// The open records by path.
    fn by_path(&self, unsettled: &[bool]) -> FxHashMap<PathId, Vec<u32>> {
        let mut by_path: FxHashMap<PathId, Vec<u32>> = FxHashMap::default();
        for index in self.in_state(State::Open) {
            let path = self.paths[index as usize];
            debug_assert!(unsettled[path as usize], "what is settled is paired");
            by_path.entry(path).or_default().push(index);
        }
        by_path
    }
}
