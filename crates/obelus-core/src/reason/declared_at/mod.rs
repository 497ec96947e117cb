//! Where what records are about is declared: the type that lacks a member, the function that is
//! called with too little, what the expression stands for at which a record points.
//!
//! It is told beside the record, and nothing follows from it: each use of a declaration may be wrong
//! for itself, so that no record is withheld for it. Only where nothing is known of the change: who
//! knows it knows which declaration was edited.

mod missing;
mod named;
mod pointed;
mod subject;

use std::sync::Arc;

use obelus_record::{Attribution, CauseRule, DeclaredAt, Diagnostic, Report, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

use super::causes::Grouped;
use super::declarations::{Declarations, Declared, Reading};
use super::origin::is_outside;
use super::silence::syntax::Language;
use crate::Sources;
use subject::{Subjects, subjects};

/// Records that are looked at, and files in which they lie: nobody reads more of them one by one.
const MOST_RECORDS: usize = 500;
const MOST_FILES: usize = 150;
/// Tools that judge names and types, and so complain of uses of what is declared elsewhere.
const OF_TYPES: [&str; 10] = [
    "tsc",
    "vue-tsc",
    "svelte-check",
    "astro",
    "mypy",
    "pyright",
    "basedpyright",
    "rustc",
    "ty",
    "pyrefly",
];

type Place = (Arc<str>, u32);

/// Where what the records of `report` are about is declared. Looked at are those that belong to no
/// cause, or only to one of equal messages.
pub fn declared_at(report: &Report, grouped: &Grouped, sources: &dyn Sources) -> Vec<DeclaredAt> {
    let knows_edits = |attribution: &Attribution| !attribution.edits.is_empty();
    if report.attribution.as_deref().is_some_and(knows_edits) {
        return Vec::new();
    }
    let equal = grouped.causes.iter().zip(&grouped.rules);
    let equal = equal.filter(|(_, rule)| **rule == CauseRule::SameMessage);
    let equal = equal.flat_map(|(cause, _)| &cause.consequences);
    let mut asked: Vec<u32> = grouped.independent.iter().chain(equal).copied().collect();
    asked.sort_unstable();
    let records = &report.records;
    asked.retain(|&index| may_be_asked(&records[index as usize]));
    asked.truncate(MOST_RECORDS);
    let about = about(records, &asked, sources);
    let mut found = Vec::new();
    for ((path, line), members) in by_place(&about, records) {
        found.extend(members.into_iter().map(|(record, declared)| DeclaredAt {
            record,
            name: declared.declaration.name.as_str().into(),
            path: Arc::clone(&path),
            line,
        }));
    }
    found.sort_by_key(|declared| declared.record);
    found
}

fn may_be_asked(record: &Diagnostic) -> bool {
    record.severity == Severity::Error
        && OF_TYPES.contains(&&*record.tool)
        && record.path.as_deref().is_some_and(|path| !is_outside(path))
}

/// The records that may be about one place.
#[derive(Default)]
struct Members<'a> {
    /// Each with what is declared there; nothing for a place that the tool itself attached, which is
    /// told anyway.
    records: Vec<(u32, Option<&'a Declared>)>,
    /// How far down the place stands among what each may be about, in sum.
    ranks: usize,
}

/// Each place with the records that may be about it.
fn candidates<'a>(
    about: &'a [(u32, Subjects)],
    records: &[Diagnostic],
) -> FxHashMap<Place, Members<'a>> {
    let mut by_place: FxHashMap<Place, Members<'a>> = FxHashMap::default();
    for (index, subjects) in about {
        let related = &records[*index as usize].related;
        let related = related.iter().filter_map(|related| related.path.clone().zip(related.line));
        let attached: Vec<Place> = related.collect();
        let of_sources = subjects.declared.iter().map(|declared| {
            let place = place(declared);
            let told = attached.contains(&place);
            (place, (!told).then_some(declared))
        });
        let of_tool = attached.iter().map(|place| (place.clone(), None));
        for (rank, (place, declared)) in of_sources.chain(of_tool).enumerate() {
            let members = by_place.entry(place).or_default();
            if members.records.last().is_none_or(|(last, _)| last != index) {
                members.ranks += rank;
                members.records.push((*index, declared));
            }
        }
    }
    by_place
}

/// The records of each place: a record that may be about several is about the one that most have
/// in common, and of equals about the likelier.
fn by_place<'a>(
    about: &'a [(u32, Subjects)],
    records: &[Diagnostic],
) -> Vec<(Place, Vec<(u32, &'a Declared)>)> {
    let mut places: Vec<(Place, Members<'a>)> = candidates(about, records).into_iter().collect();
    places.sort_by(|(place, members), (other, others)| {
        let first = |members: &Members<'_>| members.records.first().map(|&(index, _)| index);
        let most = others.records.len().cmp(&members.records.len());
        most.then_with(|| {
            (members.ranks, first(members), place).cmp(&(others.ranks, first(others), other))
        })
    });
    let mut settled = FxHashSet::default();
    let mut found = Vec::new();
    for (place, mut members) in places {
        members.records.retain(|(index, _)| settled.insert(*index));
        let told = members.records.into_iter();
        let told: Vec<(u32, &Declared)> =
            told.filter_map(|(index, declared)| Some((index, declared?))).collect();
        let enough = |(index, _): &(u32, &Declared)| {
            let at = about.binary_search_by_key(index, |&(index, _)| index);
            at.is_ok_and(|at| about[at].1.enough)
        };
        if told.len() > 1 || told.iter().all(enough) && !told.is_empty() {
            found.push((place, told));
        }
    }
    found
}

/// Each of the records with what it may be about.
fn about(records: &[Diagnostic], asked: &[u32], sources: &dyn Sources) -> Vec<(u32, Subjects)> {
    let mut by_file: Vec<(&Arc<str>, Vec<u32>)> = Vec::new();
    let mut known: FxHashMap<&str, usize> = FxHashMap::default();
    for &index in asked {
        let Some(path) = &records[index as usize].path else { continue };
        let at = *known.entry(path).or_insert_with(|| {
            by_file.push((path, Vec::new()));
            by_file.len() - 1
        });
        by_file[at].1.push(index);
    }
    let mut languages: Vec<Language> = Vec::new();
    for language in by_file.iter().filter_map(|(path, _)| Language::of(path, b"")) {
        if !languages.contains(&language) {
            languages.push(language);
        }
    }
    let declarations = (!languages.is_empty()).then(|| Declarations::new(sources, &languages));
    let Some(declarations) = declarations.flatten() else { return Vec::new() };
    let mut about = Vec::new();
    for (path, indices) in by_file.into_iter().take(MOST_FILES) {
        let Some(reading) = Reading::new(&declarations, path) else { continue };
        for index in indices {
            about.push((index, subjects(&records[index as usize], &declarations, &reading)));
        }
    }
    about.sort_by_key(|&(index, _)| index);
    about
}

fn place(declared: &Declared) -> Place {
    (Arc::clone(&declared.path), declared.declaration.line)
}

#[cfg(test)]
mod tests;
