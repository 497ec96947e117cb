//! What is told, and in which order: new before old, what silences before causes and these before
//! the rest, errors before warnings, what was edited before what was not, and what others are built
//! on before these. A consequence is told as a place under its cause.

use std::cmp::Reverse;
use std::sync::Arc;

use obelus_record::{Cause, CauseRule, DeclaredAt, Diagnostic, EditedLines, Report, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

use super::change;
use crate::Sources;
use crate::reason::depends;
use crate::reason::silence::is_silencing;
use crate::reason::texts::Texts;

/// One thing that is told at length.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// Under which heading it stands.
    pub section: Section,
    /// Where it stands.
    pub path: Option<&'a Arc<str>>,
    /// The cell of a notebook.
    pub cell: Option<u32>,
    /// The line.
    pub line: Option<u32>,
    /// The record that is told, as an index; for a cause at which no record lies, one that shows
    /// what comes of it.
    pub record: usize,
    /// What the record follows from, or leads.
    pub cause: Option<Leads<'a>>,
    /// What it counts beside others of its file.
    pub weight: Weight,
}

/// What is told first of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// What others follow from, and what may hide others.
    Leads,
    /// An error.
    Error,
    /// Anything less.
    Less,
}

impl Weight {
    fn of(rank: u8, severity: Severity) -> Self {
        match (rank, severity) {
            (0 | 1, _) => Weight::Leads,
            (_, Severity::Error) => Weight::Error,
            _ => Weight::Less,
        }
    }
}

/// The cause that an item stands for.
#[derive(Clone, Copy, Debug)]
pub struct Leads<'a> {
    /// The cause.
    pub cause: &'a Cause,
    /// How it was found.
    pub rule: CauseRule,
    /// Whether the item is the place of the cause, and its record only an example from elsewhere.
    pub by_place: bool,
}

/// Findings of different ages are not in one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Section {
    /// There is one list only.
    All,
    /// What the change caused.
    New,
    /// What could not be compared.
    Unknown,
    /// What was there before.
    Old,
}

/// Everything that is told, in order, and which records are told, be it as a place only.
pub struct Order<'a> {
    /// The items.
    pub items: Vec<Item<'a>>,
    /// For each record whether it is told.
    pub told: Vec<bool>,
}

/// Decides nothing: it follows the report's route and causes, and what `sources` say of the files.
pub fn order<'a>(report: &'a Report, sources: &'a dyn Sources) -> Order<'a> {
    let mut sent = vec![false; report.records.len()];
    let indices = match &report.route {
        Some(route) => route.sent.iter().map(|&index| index as usize).collect(),
        None => change::shown(report),
    };
    for index in indices {
        if let Some(sent) = sent.get_mut(index) {
            *sent = true;
        }
    }
    let (ages, edited) = (Ages::of(report), Edited::of(report, sources));
    let mut order = Order { items: Vec::new(), told: vec![false; report.records.len()] };
    let mut keys: Vec<(Key, Item<'_>)> = Vec::new();
    let causes = report.causes.iter().flatten().zip(&report.cause_rules);
    let shared = Shared::of(report);
    for (number, (cause, &rule)) in causes.enumerate() {
        if !is_told(report, cause, &sent) {
            continue;
        }
        let Some(mut item) = lead(report, cause, rule, &sent, &ages) else { continue };
        let rank = match rule {
            CauseRule::SameMessage => REST,
            _ if cause.consequences.is_empty() => REST,
            _ => 1,
        };
        let severity = report.records[item.record].severity;
        item.weight = Weight::of(rank, severity);
        let is_off = rule != CauseRule::EditedDeclaration;
        let more = if rank == REST { shared.more(item.record) } else { Reverse(0) };
        let key = Key { section: item.section, rank, severity, is_off, more, place: 0, number };
        keys.push((key, item));
        for &index in cause.records.iter().chain(&cause.consequences) {
            order.told[index as usize] = true;
        }
    }
    for (index, record) in report.records.iter().enumerate() {
        if !sent[index] || order.told[index] {
            continue;
        }
        order.told[index] = true;
        let rank = rank(record);
        let item = Item {
            section: ages.section(index),
            path: record.path.as_ref(),
            cell: record.cell,
            line: record.line,
            record: index,
            cause: None,
            weight: Weight::of(rank, record.severity),
        };
        let (severity, is_off) = (record.severity, !edited.hold(record));
        let more = shared.more(index);
        let number = index;
        let key = Key { section: item.section, rank, severity, is_off, more, place: 0, number };
        keys.push((key, item));
    }
    keys.sort_by_key(|&(key, _)| key);
    put_in_place(&mut keys, sources);
    order.items = keys.into_iter().map(|(_, item)| item).collect();
    order
}

/// Sorts anew what neither leads nor hides others: by what the files are built on.
fn put_in_place(keys: &mut [(Key, Item<'_>)], sources: &dyn Sources) {
    let mut known = FxHashSet::default();
    let paths: Vec<&str> = keys
        .iter()
        .filter(|(key, _)| key.rank == REST)
        .filter_map(|(_, item)| item.path.map(|path| &**path))
        .filter(|path| known.insert(*path))
        .collect();
    if paths.len() < 2 {
        return;
    }
    let places = depends::order(&paths, sources);
    for (key, item) in keys.iter_mut().filter(|(key, _)| key.rank == REST) {
        key.place = item.path.and_then(|path| places.get(&**path)).copied().unwrap_or_default();
    }
    keys.sort_by_key(|&(key, _)| key);
}

/// The rank of what neither leads others nor hides them.
const REST: u8 = 2;

/// What has no file concerns everything; what silences may hide anything.
fn rank(record: &Diagnostic) -> u8 {
    match record.path {
        _ if is_silencing(record) => 0,
        None => 1,
        Some(_) => REST,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    section: Section,
    rank: u8,
    severity: Severity,
    /// What lies on lines that were edited, or names what was edited there, comes first.
    is_off: bool,
    /// What has its declaration in common with more others.
    more: Reverse<usize>,
    /// Of its file, among all that depend on one another.
    place: usize,
    number: usize,
}

/// How many records are about the same declaration.
struct Shared<'a> {
    places: FxHashMap<usize, (&'a str, u32)>,
    counts: FxHashMap<(&'a str, u32), usize>,
}

impl<'a> Shared<'a> {
    fn of(report: &'a Report) -> Self {
        let mut shared = Shared { places: FxHashMap::default(), counts: FxHashMap::default() };
        for declared in &report.declared {
            let place = (&*declared.path, declared.line);
            shared.places.insert(declared.record as usize, place);
            *shared.counts.entry(place).or_default() += 1;
        }
        shared
    }

    /// How many others share the declaration of the record.
    fn more(&self, record: usize) -> Reverse<usize> {
        let count = self.places.get(&record).and_then(|place| self.counts.get(place));
        Reverse(count.map_or(0, |count| count - 1))
    }
}

/// The lines that were edited, by file.
struct Edited<'a> {
    by_path: FxHashMap<&'a str, Vec<&'a EditedLines>>,
    texts: Texts<'a>,
}

impl<'a> Edited<'a> {
    fn of(report: &'a Report, sources: &'a dyn Sources) -> Self {
        let mut by_path: FxHashMap<&str, Vec<&EditedLines>> = FxHashMap::default();
        for edit in report.attribution.iter().flat_map(|attribution| &attribution.edits) {
            by_path.entry(&edit.path).or_default().push(edit);
        }
        Edited { by_path, texts: Texts::new(sources) }
    }

    /// Whether the record lies on an edited line, or in a block whose head was edited.
    fn hold(&self, record: &Diagnostic) -> bool {
        // A cell of a notebook counts lines of its own.
        let (Some(path), Some(line), None) = (record.path.as_deref(), record.line, record.cell)
        else {
            return false;
        };
        let Some(edits) = self.by_path.get(path) else { return false };
        let was_edited = |line: u32| edits.iter().any(|edit| edit.holds(line));
        let heads = || {
            let text = self.texts.get(path).filter(|text| line <= text.line_count())?;
            let first = text.header(line);
            let mut heads = std::iter::successors(first, |&head| text.header(head)).take(DEEPEST);
            heads.find(|&head| was_edited(head))
        };
        was_edited(line) || heads().is_some()
    }
}

/// Blocks around a record whose heads are looked at.
const DEEPEST: usize = 3;
/// Where what the record at an index is about is declared, if that is known.
pub fn declared_at(report: &Report, record: usize) -> Option<&DeclaredAt> {
    let number = u32::try_from(record).ok()?;
    let at = report.declared.binary_search_by_key(&number, |declared| declared.record);
    report.declared.get(at.ok()?)
}

/// Whether the cause is the reader's: one of its records is, or the place at which it lies.
fn is_told(report: &Report, cause: &Cause, sent: &[bool]) -> bool {
    let touched = report.route.as_ref().and_then(|route| route.touched.as_ref());
    let here =
        |path: &str| touched.is_some_and(|touched| touched.iter().any(|other| other == path));
    let indices = cause.records.iter().chain(&cause.consequences);
    indices.clone().all(|&index| (index as usize) < sent.len())
        && (indices.clone().any(|&index| sent[index as usize])
            || cause.location.as_ref().is_some_and(|location| here(&location.path)))
}

fn lead<'a>(
    report: &'a Report,
    cause: &'a Cause,
    rule: CauseRule,
    sent: &[bool],
    ages: &Ages,
) -> Option<Item<'a>> {
    let members = cause.records.iter().chain(&cause.consequences).map(|&index| index as usize);
    let section = members.map(|index| ages.section(index)).min().unwrap_or(Section::All);
    let of_record = |index: u32, by_place: bool| {
        let record: &Diagnostic = &report.records[index as usize];
        Item {
            section,
            path: record.path.as_ref(),
            cell: record.cell,
            line: record.line,
            record: index as usize,
            cause: Some(Leads { cause, rule, by_place }),
            weight: Weight::Leads,
        }
    };
    let example = || {
        let of_reader = cause.consequences.iter().find(|&&index| sent[index as usize]);
        of_reader.or(cause.consequences.first()).copied()
    };
    match (cause.records.first(), &cause.location) {
        (Some(&first), _) => Some(of_record(first, false)),
        (None, Some(location)) => Some(Item {
            path: Some(&location.path),
            cell: None,
            line: Some(location.line),
            ..of_record(example()?, true)
        }),
        (None, None) => Some(of_record(example()?, false)),
    }
}

/// The ages of records, if the report was held against another.
struct Ages {
    compared: bool,
    new: FxHashSet<u32>,
    unknown: FxHashSet<u32>,
}

impl Ages {
    fn of(report: &Report) -> Self {
        let Some(attribution) = &report.attribution else {
            return Ages {
                compared: false,
                new: FxHashSet::default(),
                unknown: FxHashSet::default(),
            };
        };
        Ages {
            compared: true,
            new: attribution.new.iter().copied().collect(),
            unknown: attribution.unattributed.after.iter().copied().collect(),
        }
    }

    fn section(&self, index: usize) -> Section {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        match () {
            () if !self.compared => Section::All,
            () if self.new.contains(&index) => Section::New,
            () if self.unknown.contains(&index) => Section::Unknown,
            () => Section::Old,
        }
    }
}
