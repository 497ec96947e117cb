//! Which files are part of a snapshot, and how two snapshots differ where there is no git.

use std::collections::BTreeMap;
use std::path::Path;

use super::entry::bytes_of;
use super::{Snapshot, SnapshotError, io};
use crate::discover::FOREIGN;
use crate::git::{Change, Git};
use crate::store::FOLDER;

/// The paths from `top`, as bytes, sorted. Some may be gone from disk, or be folders.
pub fn listed(top: &Path, git: Option<&Git>) -> Result<Vec<Vec<u8>>, SnapshotError> {
    let mut paths = match git {
        Some(git) => git.listed()?,
        None => walked(top)?,
    };
    // What Obelus itself writes, wherever in a larger work tree its repository lies.
    let own = FOLDER.as_bytes();
    paths.retain(|path| !path.split(|&byte| byte == b'/').any(|part| part == own));
    Ok(paths)
}

fn walked(top: &Path) -> Result<Vec<Vec<u8>>, SnapshotError> {
    let walk = ignore::WalkBuilder::new(top)
        .hidden(false)
        .require_git(false)
        .parents(false)
        .git_global(false)
        .filter_entry(|entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let name = entry.file_name().to_str().unwrap_or_default();
            entry.depth() == 0 || !is_folder || !FOREIGN.contains(&name)
        })
        .build();
    let mut paths = Vec::new();
    for entry in walk {
        let entry = entry.map_err(|error| {
            let error = error.into_io_error().unwrap_or_else(|| std::io::ErrorKind::Other.into());
            io("list the files below", top)(error)
        })?;
        let is_file = entry.file_type().is_some_and(|kind| !kind.is_dir());
        if is_file && let Ok(path) = entry.path().strip_prefix(top) {
            paths.push(bytes_of(path));
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

/// How `after` differs from `before`. A file that is gone and whose bytes are in a new one was
/// renamed to it.
pub fn changes(before: &Snapshot, after: &Snapshot) -> Vec<Change> {
    let mut gone: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for (path, entry) in &before.entries {
        if !after.entries.contains_key(path) {
            gone.entry(&entry.object).or_default().push(path);
        }
    }
    let mut changes = Vec::new();
    for (path, entry) in &after.entries {
        let (kind, from, same_content) = match before.entries.get(path) {
            Some(earlier) if earlier.is_same(entry) => continue,
            Some(earlier) => ('M', Some(path.clone()), earlier.object == entry.object),
            None => match gone.get_mut(entry.object.as_str()).and_then(Vec::pop) {
                Some(from) => ('R', Some(from.clone()), true),
                None => ('A', None, false),
            },
        };
        changes.push(Change { kind, before: from, after: Some(path.clone()), same_content });
    }
    changes.extend(gone.into_values().flatten().map(|path| Change {
        kind: 'D',
        before: Some(path.clone()),
        after: None,
        same_content: false,
    }));
    changes
}
