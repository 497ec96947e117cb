//! Ten or more records with the same code and message: one matter, wherever its cause lies.

use std::sync::Arc;

use obelus_record::{CauseLocation, CauseRule};
use rustc_hash::FxHashMap;

use super::Rule;
use super::claims::Claims;
use super::ground::Ground;
use super::names::{is_identifier, quoted};
use crate::reason::declared::DECLARES;

/// Fewer records than this can be read one by one.
const FEWEST: usize = 10;
/// See the module.
pub struct SameMessage;

impl Rule for SameMessage {
    fn find(&self, ground: &Ground<'_>, claims: &mut Claims) {
        type Key<'a> = (&'a str, Option<&'a str>, &'a str);
        let mut by_message: FxHashMap<Key<'_>, Vec<u32>> = FxHashMap::default();
        for index in ground.indices().filter(|&index| claims.is_free(index)) {
            let record = ground.record(index);
            let key = (&*record.tool, record.code.as_deref(), &*record.message);
            by_message.entry(key).or_default().push(index);
        }
        let mut groups: Vec<(Key<'_>, Vec<u32>)> =
            by_message.into_iter().filter(|(_, records)| records.len() >= FEWEST).collect();
        groups.sort_by_key(|(_, records)| records[0]);
        for ((_, _, message), records) in groups {
            claims.add(CauseRule::SameMessage, &[], declaration(message, ground), records);
        }
    }
}

/// Where what the message names is declared: told only where the change touched a file that
/// declares one of these names, and no other place does.
fn declaration(message: &str, ground: &Ground<'_>) -> Option<CauseLocation> {
    let names: Vec<&str> = quoted(message).filter(|name| is_identifier(name)).collect();
    if names.is_empty() {
        return None;
    }
    let mut found = None;
    for path in ground.touched?.paths() {
        let Some(text) = ground.text(path) else { continue };
        for number in 1..=text.line_count() {
            let line = String::from_utf8_lossy(text.line(number).unwrap_or_default());
            if declares(&line, &names) {
                if found.is_some() {
                    return None;
                }
                found = Some(CauseLocation { path: Arc::from(path), line: number });
            }
        }
    }
    found
}

/// Whether the line declares one of `names`.
fn declares(line: &str, names: &[&str]) -> bool {
    let words: Vec<&str> = line
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(2).any(|pair| DECLARES.contains(&pair[0]) && names.contains(&pair[1]))
}
