//! Snapshots: the user's files as they were at one moment, to the byte, and put back again.
//!
//! In a git work tree the files become objects of git in a folder of Obelus: neither index,
//! branches nor stash are touched, and what a commit holds already takes no room. Elsewhere they
//! become plain copies. Either way it is the bytes on disk that are kept, without filters.
//!
//! Part of a snapshot is what git knows or does not ignore; without git, what no `.gitignore`
//! names and no folder of dependencies holds. Submodules are repositories of their own, and no
//! part of it.

mod entry;
mod list;
mod objects;
mod place;
mod sources;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use entry::{Entry, Kind};
pub use sources::SnapshotSources;

use crate::git::{Change, Git, GitError};
use crate::store::{StoreError, read_json};
use entry::{Stamp, key, on_disk};
use objects::Objects;

/// Why files can't be kept, or put back.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// git can't do what is asked.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file or folder can't be read or written.
    #[error("cannot {doing} {}: {error}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// What was written down of a snapshot can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What a snapshot kept of a file is not there any more.
    #[error("what was kept of {path} is damaged or gone: {what}")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        what: String,
    },
}

pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> SnapshotError {
    let path = path.to_owned();
    move |error| SnapshotError::Io { doing, path, error }
}

/// The files at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// What tells these files from all others: equal for equal files.
    pub tree: String,
    /// The files by their paths from the top.
    pub entries: BTreeMap<String, Entry>,
}

impl Snapshot {
    /// Reads one that [`Snapshot::write`] wrote.
    pub fn read(path: &Path) -> Result<Self, SnapshotError> {
        Ok(read_json(path)?)
    }

    /// Writes it down, in one piece.
    pub fn write(&self, path: &Path) -> Result<(), SnapshotError> {
        let bytes = serde_json::to_vec(self)
            .map_err(|error| StoreError::Damaged { path: path.to_owned(), error })?;
        replace_file(path, &bytes)
    }

    /// The paths of files that differ from `earlier`, from the top, sorted.
    pub fn differing(&self, earlier: &Snapshot) -> Vec<String> {
        let same = |path: &String, entry: &Entry, other: &Snapshot| {
            other.entries.get(path).is_some_and(|other| other.is_same(entry))
        };
        let now = self.entries.iter().filter(|(path, entry)| !same(path, entry, earlier));
        let gone = earlier.entries.keys().filter(|path| !self.entries.contains_key(*path));
        let mut paths: Vec<String> =
            now.map(|(path, _)| path.clone()).chain(gone.cloned()).collect();
        paths.sort();
        paths
    }
}

/// Writes a file of Obelus in one piece.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), SnapshotError> {
    place::replace(path, None, |file| std::io::Write::write_all(file, bytes))
}

/// Takes snapshots of a repository and puts them back.
pub struct Snapshots {
    /// The folder that all paths of snapshots begin at: of a git work tree the top.
    top: PathBuf,
    git: Option<Git>,
    objects: Objects,
}

impl Snapshots {
    /// For the repository at `root`; what files hold goes to the folder `kept`.
    pub fn open(root: &Path, kept: &Path) -> Result<Self, SnapshotError> {
        let copies = kept.join("files");
        let git = match Git::open(root) {
            // git has nothing of a folder that it ignores. What was begun as copies goes on so.
            Ok(git) => Some(git).filter(|git| !copies.is_dir() && !git.ignores_root()),
            // No git, or none that can be used: the files are there all the same.
            Err(error) if error.is_usage() => None,
            Err(error) => return Err(error.into()),
        };
        let kept = if git.is_some() { kept.join("objects") } else { copies };
        std::fs::create_dir_all(&kept).map_err(io("create", &kept))?;
        let top = git.as_ref().map_or(root, Git::top).to_owned();
        Ok(Snapshots { top, git: git.clone(), objects: Objects::of(git, kept) })
    }

    /// The files as they are now. What `known` says of a file that was not touched since is taken
    /// over unread.
    pub fn take(&self, known: Option<&Snapshot>) -> Result<Snapshot, SnapshotError> {
        let began = Stamp::now();
        let mut entries = BTreeMap::new();
        let mut unread = Vec::new();
        for path in list::listed(&self.top, self.git.as_ref())? {
            let Some(found) = entry::look(&on_disk(&self.top, &path))? else { continue };
            let key = key(&path);
            let earlier = known.and_then(|known| known.entries.get(&key));
            match earlier.filter(|earlier| earlier.is_untouched(&found, began)) {
                Some(earlier) => drop(entries.insert(key, earlier.clone())),
                None => unread.push((path, key, found)),
            }
        }
        for (key, entry) in self.objects.store(&self.top, unread)? {
            entries.insert(key, entry);
        }
        let tree = self.objects.tree(&entries)?;
        Ok(Snapshot { tree, entries })
    }

    /// Puts the files of `target` in place, and takes away what is part of the files now and not
    /// of it. What is ignored stays as it is. The files as they were before are given back; they
    /// were kept, so that this can be undone.
    pub fn restore(&self, target: &Snapshot) -> Result<Snapshot, SnapshotError> {
        let now = self.take(Some(target))?;
        self.restore_from(target, &now)?;
        Ok(now)
    }

    /// The same, where the files as they are now were kept already as `now`.
    pub fn restore_from(&self, target: &Snapshot, now: &Snapshot) -> Result<(), SnapshotError> {
        for (path, entry) in &target.entries {
            if now.entries.get(path).is_some_and(|there| there.is_same(entry)) {
                continue;
            }
            place::put(&self.top, path, entry, || self.objects.read(path, entry))?;
        }
        // Only now the rules for what is ignored are those of the target again.
        for path in list::listed(&self.top, self.git.as_ref())? {
            if !target.entries.contains_key(&key(&path)) {
                place::take_away(&self.top, &path)?;
            }
        }
        Ok(())
    }

    /// Which files differ between two snapshots, with renames; paths are from the root.
    pub fn changes(
        &self,
        before: &Snapshot,
        after: &Snapshot,
    ) -> Result<Vec<Change>, SnapshotError> {
        let Some(git) = &self.git else { return Ok(list::changes(before, after)) };
        let found = git.changes(&before.tree, &after.tree, &[self.objects.folder()])?;
        let inside = |path: Option<String>| {
            path.and_then(|path| git.seen_from_root(&path).map(str::to_owned))
        };
        let changes = found.into_iter().map(|change| Change {
            before: inside(change.before),
            after: inside(change.after),
            ..change
        });
        Ok(changes.filter(|change| change.before.is_some() || change.after.is_some()).collect())
    }

    /// The files of a snapshot, for reading single ones.
    pub fn sources(&self, snapshot: &Snapshot) -> SnapshotSources {
        let prefix = self.git.as_ref().map(Git::prefix).unwrap_or_default().to_owned();
        SnapshotSources::new(self.objects.clone(), snapshot.clone(), prefix)
    }

    /// Writes the files of a snapshot to the folder `to`.
    pub fn check_out(&self, snapshot: &Snapshot, to: &Path) -> Result<(), SnapshotError> {
        for (path, entry) in &snapshot.entries {
            place::put(to, path, entry, || self.objects.read(path, entry))?;
        }
        Ok(())
    }

    /// The folder at which the paths of snapshots begin.
    pub fn top(&self) -> &Path {
        &self.top
    }
}

#[cfg(test)]
mod tests;
