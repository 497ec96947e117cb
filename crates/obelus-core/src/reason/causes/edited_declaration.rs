//! New records that name what an edit declares, declared or took away: the edit is the cause,
//! although no record need lie there.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::Arc;

use obelus_record::{CauseLocation, CauseRule, Diagnostic, EditedLines, Related};
use rustc_hash::FxHashMap;

use super::Rule;
use super::claims::Claims;
use super::ground::Ground;
use super::imports;
use super::modules::{import_names, module_key};
use super::names::{is_about, quoted};

/// Code points of a source line that a record may point at and still point at a name.
const LONGEST_PLACE: u32 = 80;

/// See the module.
pub struct EditedDeclaration;

/// How a record is tied to an edit, the surest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tie {
    /// It names a declaration around the edit.
    Around,
    /// It names the module that was edited as lacking something.
    Module,
    /// It points at a name that the edit concerns.
    PointsAt,
    /// It names one.
    Names,
    /// The tool attached a place that was edited.
    Related,
    /// It lies there.
    Lies,
}

impl Rule for EditedDeclaration {
    fn find(&self, ground: &Ground<'_>, claims: &mut Claims) {
        let edits = ground.edited.edits;
        if edits.is_empty() {
            return;
        }
        let known = Known::of(edits, ground);
        let mut tied: Vec<(Vec<u32>, Vec<u32>)> = vec![Default::default(); edits.len()];
        for &index in ground.edited.new {
            let Some((edit, tie)) = known.edit_of(ground, index) else { continue };
            match tie {
                Tie::Lies => tied[edit].0.push(index),
                _ => tied[edit].1.push(index),
            }
        }
        for (edit, (own, follow)) in edits.iter().zip(tied) {
            let location = CauseLocation { path: Arc::clone(&edit.path), line: edit.line };
            match (own.split_first(), &follow[..]) {
                (_, []) => {}
                // What lies on edited lines may have causes of its own, so that only the first is
                // the one that others follow from.
                (Some((first, _)), _) => {
                    let led = led(*first, follow, ground);
                    claims.add(CauseRule::EditedDeclaration, &[*first], None, led);
                }
                (None, [one]) => claims.add_alone(CauseRule::EditedDeclaration, *one, location),
                (None, _) => {
                    claims.add(CauseRule::EditedDeclaration, &[], Some(location), follow);
                }
            }
        }
    }
}

/// Of what names an edit, what may follow from the record on its lines. An import that fails takes
/// away what it names and nothing else: another name may be missing for a reason of its own.
fn led(first: u32, follow: Vec<u32>, ground: &Ground<'_>) -> Vec<u32> {
    let record = ground.record(first);
    let Some(module) = imports::failed_import(record) else { return follow };
    let brought = imports::names(record, module, ground);
    let is_about = |index: &u32| is_about(&ground.record(*index).message, &brought);
    follow.into_iter().filter(is_about).collect()
}

/// Edits by what records may say of them.
struct Known<'a> {
    edits: &'a [EditedLines],
    by_path: FxHashMap<&'a str, Vec<usize>>,
    /// By the names that they concern.
    by_name: FxHashMap<&'a str, Vec<usize>>,
    /// By the names of the declarations around them.
    around: FxHashMap<&'a str, Vec<usize>>,
    /// By the names under which their files are imported.
    by_module: FxHashMap<String, Vec<usize>>,
}

impl<'a> Known<'a> {
    fn of(edits: &'a [EditedLines], ground: &Ground<'_>) -> Self {
        let mut known = Known {
            edits,
            by_path: FxHashMap::default(),
            by_name: FxHashMap::default(),
            around: FxHashMap::default(),
            by_module: FxHashMap::default(),
        };
        for (index, edit) in edits.iter().enumerate() {
            known.by_path.entry(&edit.path).or_default().push(index);
            for name in &edit.names {
                known.by_name.entry(name).or_default().push(index);
            }
            for name in &edit.within {
                known.around.entry(name).or_default().push(index);
            }
        }
        for (path, edits) in &known.by_path {
            for name in import_names(path, ground) {
                known.by_module.entry(name).or_default().extend(edits);
            }
        }
        known
    }

    /// The edit that the record is tied to most surely; nothing where that is doubtful.
    fn edit_of(&self, ground: &Ground<'_>, index: u32) -> Option<(usize, Tie)> {
        let record = ground.record(index);
        let own = record.path.as_deref().unwrap_or_default();
        if let Some(edit) = self.at(own, line_of(record)) {
            return Some((edit, Tie::Lies));
        }
        let place = |related: &Related| self.at(related.path.as_deref()?, related.line);
        let related: Vec<usize> = record.related.iter().filter_map(place).collect();
        if let Some(found) = self.one(&related) {
            return Some((found, Tie::Related));
        }
        let said: Vec<&str> = quoted(&record.message).flat_map(words).collect();
        let pointed = pointed_at(record, ground).unwrap_or_default();
        let pointed: Vec<&str> = words(&pointed).collect();
        let modules: Vec<String> =
            quoted(&record.message).filter_map(|name| module_key(name, own)).collect();
        let ties = [
            (Tie::Names, all(&self.by_name, said.iter().copied())),
            (Tie::PointsAt, all(&self.by_name, pointed.into_iter())),
            (Tie::Module, all(&self.by_module, modules.iter().map(String::as_str))),
            (Tie::Around, all(&self.around, said.iter().copied())),
        ];
        let (tie, found) = ties.into_iter().find(|(_, found)| !found.is_empty())?;
        Some((self.one(&found)?, tie))
    }

    /// The edit that wrote the line, or took lines away right there.
    fn at(&self, path: &str, line: Option<u32>) -> Option<usize> {
        let line = line?;
        let holds = |&&index: &&usize| self.edits[index].holds(line);
        self.by_path.get(path)?.iter().find(holds).copied()
    }

    /// The first of these edits: those of one file are one matter, those of several are doubtful.
    fn one(&self, found: &[usize]) -> Option<usize> {
        let (&first, rest) = found.split_first()?;
        let path = &self.edits[first].path;
        rest.iter().all(|&other| self.edits[other].path == *path).then_some(first)
    }
}

/// The edits under any of these names, in order.
fn all<'n, K: Borrow<str> + Eq + Hash>(
    table: &FxHashMap<K, Vec<usize>>,
    names: impl Iterator<Item = &'n str>,
) -> Vec<usize> {
    let mut found: Vec<usize> =
        names.filter_map(|name| table.get(name)).flatten().copied().collect();
    found.sort_unstable();
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .filter(|word| !word.is_empty())
}

/// The line of a record in its file: a cell of a notebook counts lines of its own.
fn line_of(record: &Diagnostic) -> Option<u32> {
    record.line.filter(|_| record.cell.is_none())
}

/// The source at which the record points, where that is a part of one line.
fn pointed_at(record: &Diagnostic, ground: &Ground<'_>) -> Option<String> {
    let (path, line, column) = (record.path.as_deref()?, line_of(record)?, record.column?);
    let source = ground.line(path, line)?;
    let from = source.chars().skip(column.saturating_sub(1) as usize);
    let in_word = |c: &char| c.is_alphanumeric() || *c == '_' || *c == '$';
    match (record.end_line, record.end_column) {
        (Some(last), Some(end)) if last == line && end > column => {
            Some(from.take((end - column).min(LONGEST_PLACE) as usize).collect())
        }
        (Some(last), _) if last > line => Some(from.take(LONGEST_PLACE as usize).collect()),
        _ => Some(from.take_while(in_word).collect()),
    }
}
