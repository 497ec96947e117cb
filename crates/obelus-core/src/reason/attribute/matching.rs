//! The second pass: the records of files that were edited, moved or are otherwise in doubt.

use std::rc::Rc;

use obelus_record::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use super::file::{FilePair, Way};
use super::files::FilePairs;
use super::map::FileMap;
use super::moved::{self, Stray};
use super::pairing::Pairing;
use super::quick::Sheet;
use super::sheet::{Pair, PathId, State};
use super::texts::Texts;
use crate::normalise::is_absolute;

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
pub(super) fn match_files(
    sheet: &mut Sheet<'_>,
    unsettled: &[bool],
    files: &FilePairs,
    texts: &(Texts<'_>, Texts<'_>),
) -> Left {
    let old = sheet.before.by_path(unsettled);
    let new = sheet.after.by_path(unsettled);
    let pairing = Pairing { paths: &sheet.paths, files, before: &texts.0, after: &texts.1 };
    let sorted = |paths: &FxHashMap<PathId, Vec<u32>>| {
        let mut paths: Vec<PathId> = paths.keys().copied().collect();
        paths.sort_unstable();
        paths
    };
    let exceptions = pairing.exceptions(&sorted(&old), &sorted(&new));
    let mut left = Left::default();
    let (mut strays_old, mut strays_new) = (Vec::new(), Vec::new());
    let mut pairs: Vec<Pair> = Vec::new();
    for (number, group) in (0_u32..).zip(groups(old, new, &exceptions)) {
        let work = Work { sheet, files, texts, number };
        work.match_group(group, &mut pairs, &mut left, &mut strays_old, &mut strays_new);
    }
    let records = (sheet.before.records, sheet.after.records);
    moved::pair(&mut strays_old, &mut strays_new, (&texts.0, &texts.1), records, &mut pairs);
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

struct Work<'a, 'b> {
    sheet: &'b Sheet<'a>,
    files: &'b FilePairs,
    texts: &'b (Texts<'a>, Texts<'a>),
    number: u32,
}

impl<'a> Work<'a, '_> {
    fn match_group(
        &self,
        mut group: Group,
        pairs: &mut Vec<Pair>,
        left: &mut Left,
        strays_old: &mut Vec<Stray<'a>>,
        strays_new: &mut Vec<Stray<'a>>,
    ) {
        let name = |path: Option<PathId>| path.and_then(|path| self.sheet.paths.name(path));
        let names = (name(group.before), name(group.after));
        let records = (self.sheet.before.records, self.sheet.after.records);
        let there = (
            names.0.is_some_and(|name| self.files.was_there(name, self.texts.0.sources)),
            names.1.is_some_and(|name| self.files.is_there(name, self.texts.1.sources)),
        );
        let way = self.way(&group, names);
        let pair = FilePair::new(names, way, (&self.texts.0, &self.texts.1), records);
        if group.before.is_some() && group.after.is_some() {
            pair.pair(&mut group.old, &mut group.new, pairs);
        }
        // Without a file on the other side, all of its lines went, or came.
        let no_file_after = names.0.is_some_and(inside) && !there.1 && there.0;
        let no_file_before = names.1.is_some_and(inside) && !there.0 && there.1;
        for &index in &group.old {
            let line = line_of(&records.0[index as usize]);
            if no_file_after {
                left.file_gone.insert(index);
            }
            if no_file_after || line.is_some_and(|line| pair.is_gone(line)) {
                left.gone.insert(index);
                strays_old.extend(self.stray(index, names.0, line));
            }
        }
        for &index in &group.new {
            let line = line_of(&records.1[index as usize]);
            if no_file_before {
                left.file_came.insert(index);
            }
            if no_file_before || line.is_some_and(|line| pair.is_written(line)) {
                left.written.insert(index);
                strays_new.extend(self.stray(index, names.1, line));
            }
        }
        if group.old.is_empty() && group.new.is_empty() {
            names.0.into_iter().for_each(|name| self.texts.0.forget(name));
            names.1.into_iter().for_each(|name| self.texts.1.forget(name));
        }
    }

    fn stray(&self, index: u32, path: Option<&'a str>, line: Option<u32>) -> Option<Stray<'a>> {
        Some(Stray { index, path: path?, line: line?, file: self.number })
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
        match (self.texts.0.get(before), self.texts.1.get(after)) {
            (Some(old), Some(new)) if old.bytes() == new.bytes() => Way::Same,
            (Some(old), Some(new)) => {
                Way::Edited(Box::new(FileMap::between(Rc::clone(&old), Rc::clone(&new))))
            }
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
