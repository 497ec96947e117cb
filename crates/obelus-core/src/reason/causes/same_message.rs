//! Ten or more records with the same code and message: one matter, wherever its cause lies.

use std::sync::Arc;

use obelus_record::{CauseLocation, CauseRule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Rule;
use super::claims::Claims;
use super::ground::Ground;
use super::names::{is_identifier, quoted};
use crate::reason::declared::DECLARES;

/// Fewer records than this can be read one by one.
const FEWEST: usize = 10;
/// Touched files in which declarations are looked for; a change of more is no edit that a person or
/// a model made.
const MOST_FILES: usize = 400;
/// See the module.
pub struct SameMessage;

impl Rule for SameMessage {
    fn find(&self, ground: &Ground<'_>, claims: &mut Claims) {
        let mut groups = ground.sayings.equal(FEWEST);
        for records in &mut groups {
            records.retain(|&index| claims.is_free(index));
        }
        groups.retain(|records| records.len() >= FEWEST);
        groups.sort_by_key(|records| records[0]);
        let named = |records: &Vec<u32>| names(&ground.record(records[0]).message);
        let named: Vec<Vec<&str>> = groups.iter().map(named).collect();
        let declared = Declared::of(named.iter().flatten().copied().collect(), ground);
        for (records, names) in groups.into_iter().zip(named) {
            claims.add(CauseRule::SameMessage, &[], declared.only_one(&names), records);
        }
    }
}

/// What a message quotes that may be declared somewhere.
fn names(message: &str) -> Vec<&str> {
    quoted(message).filter(|name| is_identifier(name)).collect()
}

/// Where names are declared in the files that the change touched.
struct Declared<'a>(FxHashMap<&'a str, Vec<(&'a str, u32)>>);

impl<'a> Declared<'a> {
    /// Looks for `names`, each file once.
    fn of(names: FxHashSet<&'a str>, ground: &Ground<'a>) -> Self {
        let mut declared = Declared(FxHashMap::default());
        let touched = ground.touched.filter(|touched| touched.count() <= MOST_FILES);
        let Some(touched) = touched.filter(|_| !names.is_empty()) else { return declared };
        for path in touched.paths() {
            let Some(text) = ground.text(path) else { continue };
            for number in 1..=text.line_count() {
                let line = text.line(number).unwrap_or_default();
                for name in declared_in(line).filter_map(|name| names.get(name)) {
                    declared.0.entry(name).or_default().push((path, number));
                }
            }
        }
        declared
    }

    /// The one line that declares any of `names`; nothing where there are several.
    fn only_one(&self, names: &[&str]) -> Option<CauseLocation> {
        let mut places = names.iter().filter_map(|name| self.0.get(name)).flatten();
        let &(path, line) = places.next()?;
        places
            .all(|&other| other == (path, line))
            .then(|| CauseLocation { path: Arc::from(path), line })
    }
}

/// The names that a line declares.
fn declared_in(line: &[u8]) -> impl Iterator<Item = &str> {
    let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
    let mut words = line.split(move |byte| !in_word(byte)).filter(|word| !word.is_empty());
    let mut before: &[u8] = b"";
    std::iter::from_fn(move || {
        loop {
            let word = words.next()?;
            let declares = DECLARES.iter().any(|keyword| keyword.as_bytes() == before);
            before = word;
            if let Some(name) = std::str::from_utf8(word).ok().filter(|_| declares) {
                return Some(name);
            }
        }
    })
}
