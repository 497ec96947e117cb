//! What a change did to the text of files that are on both sides, and which names that concerns.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use obelus_record::EditedLines;

use super::Side;
use super::files::FilePairs;
use super::map::FileMap;
use crate::Sources;
use crate::reason::causes::brought;
use crate::reason::declared::declared;
use crate::reason::text::Text;
use crate::reason::texts::BothTexts;

/// Declarations around an edit that are named.
const DEEPEST: usize = 3;
/// Files whose edits are named; a change of more is no edit that a person or a model made.
const MOST_FILES: usize = 400;
/// Edits of one file that are named.
const MOST_EDITS: usize = 200;

/// The edits between two sides, in files that are known to have been edited and in those that hold
/// the records `new`, as indices into the report after.
pub fn edits(
    before: &dyn Sources,
    after: &Side<'_>,
    files: &FilePairs,
    new: &[u32],
) -> Vec<EditedLines> {
    edits_in(after, files, new, &BothTexts::new(before, after.sources))
}

/// The same with texts that others ask for as well.
pub(in crate::reason) fn edits_in(
    after: &Side<'_>,
    files: &FilePairs,
    new: &[u32],
    texts: &BothTexts<'_>,
) -> Vec<EditedLines> {
    if new.is_empty() {
        return Vec::new();
    }
    let mut pairs: BTreeSet<(Arc<str>, Arc<str>)> = files.edited().into_iter().collect();
    for &index in new {
        let record = after.report.records.get(index as usize);
        let path = record.and_then(|record| record.path.clone());
        if let Some(path) = path.filter(|path| !files.is_untouched(path)) {
            let old = files.renamed(&path).map_or_else(|| path.clone(), Arc::from);
            pairs.insert((old, path));
        }
    }
    let mut found = Vec::new();
    let mut edited = 0;
    for (old_path, path) in pairs {
        let (old, now) = (texts.before.get(&old_path), texts.after.get(&path));
        let (Some(old), Some(now)) = (old, now) else { continue };
        if old.bytes() != now.bytes() {
            edited += 1;
            if edited > MOST_FILES {
                break;
            }
            let map = texts.map(&old_path, &path);
            found.extend(map.into_iter().flat_map(|map| of_file(&path, &map, (&old, &now))));
        }
        texts.forget(Some(&old_path), Some(&path));
    }
    found.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    found
}

fn of_file(path: &Arc<str>, map: &FileMap, (old, now): (&Text, &Text)) -> Vec<EditedLines> {
    let edit = |(before, after): &(Range<u32>, Range<u32>)| EditedLines {
        path: Arc::clone(path),
        line: after.start,
        end_line: after.end,
        names: names(path, (old, before.clone()), (now, after.clone())),
        within: within(now, after.start),
    };
    map.hunks().iter().take(MOST_EDITS).map(edit).collect()
}

/// What the lines declare on either side, with the parameters that are on one side only.
fn names(path: &str, old: (&Text, Range<u32>), now: (&Text, Range<u32>)) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut parameters = [BTreeSet::new(), BTreeSet::new()];
    for (side, (text, lines)) in parameters.iter_mut().zip([old, now]) {
        for number in lines {
            let line = String::from_utf8_lossy(text.line(number));
            let found = declared(&line);
            names.extend(found.names);
            side.extend(found.parameters);
            names.extend(brought(path, &line));
        }
    }
    let [old, now] = parameters;
    names.extend(old.symmetric_difference(&now).cloned());
    names.into_iter().collect()
}

/// What declares the block in which a line stands, and the blocks around it.
fn within(text: &Text, line: u32) -> Vec<String> {
    let headers = std::iter::successors(text.header(line), |&header| text.header(header));
    let names = headers
        .take(DEEPEST)
        .flat_map(|header| declared(&String::from_utf8_lossy(text.line(header))).names);
    names.collect()
}
