//! Which records are put before the reader.
//!
//! Sent are the records that the change caused, wherever they lie, and the errors of the files that
//! it touched. An error without a file concerns everything: no touched file can claim it and none
//! can excuse it. Where neither is known, everything that somebody here can act on is sent.

use std::collections::BTreeSet;

use obelus_record::{
    CauseRule, Diagnostic, Outcome, Report, Route, Severity, Withheld, WithheldReason as Reason,
};
use rustc_hash::FxHashMap;

use super::causes::Grouped;
use super::numbers::ByFile;
use super::origin::{foreign, is_outside};
use crate::Sources;

/// What the reader asks for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The files that the change touched; nothing where that is not known.
    pub touched: Option<Touched>,
    /// The least severity that is sent. By default that is the error for what is sent because its
    /// file was touched, and the hint for everything else.
    pub level: Option<Severity>,
    /// Folders and files to which the answer is limited, relative to the root; none means no limit.
    pub paths: Vec<String>,
    /// Whether everything is sent that is severe enough and below [`Self::paths`].
    pub everything: bool,
}

/// The paths that a change touched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched(BTreeSet<String>);

impl Touched {
    /// Reads one path a line, as tools write them: `./`, doubled slashes, `..`, a carriage return,
    /// blank lines and repeats mean nothing. Paths then compare exactly, with case.
    pub fn read(text: &str) -> Self {
        Touched::of(text.lines())
    }

    /// These paths, each spelled in any of the ways that [`Touched::read`] allows.
    pub fn of<P: AsRef<str>>(paths: impl IntoIterator<Item = P>) -> Self {
        let paths = paths.into_iter().map(|path| tidy(path.as_ref()));
        Touched(paths.filter(|path| !path.is_empty()).collect())
    }

    /// Whether the file at `path` was touched.
    pub fn contains(&self, path: &str) -> bool {
        self.0.contains(path)
    }

    /// How many files were touched.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The paths, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// The path without what means nothing.
pub fn tidy(path: &str) -> String {
    let path = path.trim_start_matches('\u{FEFF}').trim_end_matches(['\r', '\n']);
    if path.trim().is_empty() {
        return String::new();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if path.starts_with('/') { format!("/{joined}") } else { joined }
}

/// Decides about every record of `report`.
pub(super) fn route(
    report: &Report,
    by_file: &ByFile<'_>,
    grouped: &Grouped,
    request: &Request,
    sources: &dyn Sources,
) -> Route {
    let route = decide(report, by_file, grouped, request, sources);
    let unexplained = route.sent.is_empty() && report.outcome == Outcome::Fail;
    if unexplained && report.attribution.is_some() && request.touched.is_none() {
        // All findings were to count, not only what is new: then all of them are the reader's.
        let everything = Request { everything: true, ..request.clone() };
        return decide(report, by_file, grouped, &everything, sources);
    }
    route
}

fn decide(
    report: &Report,
    by_file: &ByFile<'_>,
    grouped: &Grouped,
    request: &Request,
    sources: &dyn Sources,
) -> Route {
    let mut judge = Judge {
        request,
        sources,
        ages: ages(report),
        adopted: report.adopted.as_ref().map_or(&[], |adopted| &adopted.standing),
        compared: report.attribution.is_some(),
        sites: call_sites(grouped),
        by_file,
        places: vec![None; by_file.paths().count()],
        foreign: FxHashMap::default(),
    };
    let verdicts: Vec<Option<Reason>> = (0_u32..)
        .zip(&report.records)
        .map(|(index, record)| judge.withheld(index, record))
        .collect();
    let told = told_elsewhere(grouped, request, &verdicts);
    let mut route = Route {
        touched: request
            .touched
            .as_ref()
            .map(|touched| touched.paths().map(str::to_owned).collect()),
        ..Route::default()
    };
    let mut files = vec![false; by_file.paths().count()];
    for ((index, record), verdict) in (0_u32..).zip(&report.records).zip(verdicts) {
        let Some(reason) = verdict else {
            route.sent.push(index);
            continue;
        };
        let follows = told[index as usize]
            && matches!(reason, Reason::UntouchedFile | Reason::Unchanged | Reason::BelowLevel);
        let reason = if follows { Reason::Consequence } else { reason };
        route.withheld.push(Withheld { record: index, reason });
        // A copy is counted as what it is a copy of; what is adopted is let stand.
        if record.severity == Severity::Error
            && !matches!(reason, Reason::Duplicate | Reason::Adopted)
        {
            route.unsent.errors += 1;
            files[by_file.path_of(index) as usize] |= record.path.is_some();
        }
    }
    route.unsent.files = files.into_iter().filter(|unsent| *unsent).count() as u64;
    route
}

/// Records in the code of others, each with the file of the call here that led to it.
fn call_sites(grouped: &Grouped) -> FxHashMap<u32, &str> {
    let mut sites = FxHashMap::default();
    for (cause, rule) in grouped.causes.iter().zip(&grouped.rules) {
        let (CauseRule::CallSite, Some(site)) = (rule, &cause.location) else { continue };
        let led = cause.records.iter().chain(&cause.consequences);
        sites.extend(led.map(|&index| (index, &*site.path)));
    }
    sites
}

/// What is known of a record's age.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Age {
    New,
    Old,
    Copy,
}

/// The age of each record, where it is known.
fn ages(report: &Report) -> Vec<Option<Age>> {
    let mut ages = vec![None; report.records.len()];
    let Some(attribution) = &report.attribution else { return ages };
    let new = attribution.new.iter().map(|&index| (index, Age::New));
    let old = attribution.unchanged.iter().map(|&(_, index)| (index, Age::Old));
    let revealed = attribution.revealed.iter().map(|&index| (index, Age::Old));
    let copies = attribution.duplicates.after.iter().map(|&(_, index)| (index, Age::Copy));
    for (index, age) in new.chain(old).chain(revealed).chain(copies) {
        if let Some(known) = ages.get_mut(index as usize) {
            *known = Some(age);
        }
    }
    ages
}

/// For each record whether it is a consequence of a cause that is told: because one of its records is
/// sent, or because the change touched the place at which it lies.
fn told_elsewhere(grouped: &Grouped, request: &Request, verdicts: &[Option<Reason>]) -> Vec<bool> {
    let is_sent = |&index: &u32| verdicts[index as usize].is_none();
    let touched =
        |path: &str| request.touched.as_ref().is_some_and(|touched| touched.contains(path));
    let told = grouped.causes.iter().filter(|cause| {
        cause.records.iter().chain(&cause.consequences).any(is_sent)
            || cause.location.as_ref().is_some_and(|location| touched(&location.path))
    });
    let mut is_told = vec![false; verdicts.len()];
    for &consequence in told.flat_map(|cause| &cause.consequences) {
        is_told[consequence as usize] = true;
    }
    is_told
}

/// What decides about the records of a file.
#[derive(Clone, Copy)]
struct Place {
    is_asked_about: bool,
    is_outside: bool,
    is_touched: bool,
}

struct Judge<'a> {
    request: &'a Request,
    sources: &'a dyn Sources,
    /// The age of each record, where it is known.
    ages: Vec<Option<Age>>,
    /// The records that are let stand, sorted.
    adopted: &'a [u32],
    /// Whether the report was held against a baseline.
    compared: bool,
    /// Where a call here led to a record in the code of others: it is judged as if it lay there.
    sites: FxHashMap<u32, &'a str>,
    by_file: &'a ByFile<'a>,
    /// What is known of each path that was asked about.
    places: Vec<Option<Place>>,
    /// Whose the files are about which that was asked already.
    foreign: FxHashMap<&'a str, Option<Reason>>,
}

impl<'a> Judge<'a> {
    /// Why the record is withheld; nothing if it is sent.
    fn withheld(&mut self, index: u32, record: &'a Diagnostic) -> Option<Reason> {
        let age = self.ages.get(index as usize).copied().flatten();
        let (path, place) = self.place(index, record);
        if age == Some(Age::Copy) {
            return Some(Reason::Duplicate);
        }
        if !self.request.everything && self.adopted.binary_search(&index).is_ok() {
            return Some(Reason::Adopted);
        }
        if path.is_some() && !place.is_asked_about {
            return Some(Reason::OtherPath);
        }
        let below = |default| record.severity > self.request.level.unwrap_or(default);
        if self.request.everything {
            return below(Severity::Hint).then_some(Reason::BelowLevel);
        }
        let Some(path) = path else {
            // New or not: an error without a file is everybody's.
            let touched_mode = age != Some(Age::New) && self.knows_the_change();
            let least = if touched_mode { Severity::Error } else { Severity::Hint };
            return below(least).then_some(Reason::BelowLevel);
        };
        if place.is_outside {
            return Some(Reason::OutsideRepository);
        }
        if age == Some(Age::New) {
            return below(Severity::Hint).then_some(Reason::BelowLevel);
        }
        if place.is_touched {
            return below(Severity::Error).then_some(Reason::BelowLevel);
        }
        // Before it is asked whose the file is: for that it may have to be read.
        if age == Some(Age::Old) {
            return Some(Reason::Unchanged);
        }
        if let Some(reason) = self.foreign(path) {
            return Some(reason);
        }
        if self.request.touched.is_some() {
            return Some(Reason::UntouchedFile);
        }
        below(Severity::Hint).then_some(Reason::BelowLevel)
    }

    /// The file that counts for the record.
    fn place(&mut self, index: u32, record: &'a Diagnostic) -> (Option<&'a str>, Place) {
        if let Some(&site) = self.sites.get(&index) {
            return (Some(site), self.look_at(site));
        }
        let path = record.path.as_deref();
        let id = self.by_file.path_of(index) as usize;
        let place = self.places[id].unwrap_or_else(|| self.look_at(path.unwrap_or_default()));
        self.places[id] = Some(place);
        (path, place)
    }

    fn look_at(&self, path: &str) -> Place {
        let touched = self.request.touched.as_ref();
        Place {
            is_asked_about: self.is_asked_about(path),
            is_outside: is_outside(path),
            is_touched: touched.is_some_and(|touched| touched.contains(path)),
        }
    }

    fn knows_the_change(&self) -> bool {
        self.compared || self.request.touched.is_some()
    }

    fn is_asked_about(&self, path: &str) -> bool {
        self.request.paths.is_empty()
            || self.request.paths.iter().any(|folder| {
                path.strip_prefix(folder.as_str()).is_some_and(|rest| {
                    folder.is_empty() || rest.is_empty() || rest.starts_with('/')
                })
            })
    }

    fn foreign(&mut self, path: &'a str) -> Option<Reason> {
        *self.foreign.entry(path).or_insert_with(|| foreign(path, self.sources))
    }
}

#[cfg(test)]
mod tests;
