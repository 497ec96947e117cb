//! Files that change together, or not at all.

use std::path::Path;
use std::sync::Arc;

use obelus_record::SkipReason;

use super::journal::{Entry, Journal, JournalFolder};
use super::{ApplyError, Refused, Tree, io, sha256};

/// One file that is to change.
#[derive(Clone, Debug)]
pub struct Change {
    /// The file, from the root and without links.
    pub path: Arc<str>,
    /// What it holds now.
    pub from: Arc<[u8]>,
    /// What it is to hold.
    pub to: Arc<[u8]>,
}

/// A file that another program may change, with what it holds.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The file, from the root and without links.
    pub path: Arc<str>,
    /// What it holds.
    pub bytes: Arc<[u8]>,
}

/// What was put back, and what could not be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// The files that hold again what they held.
    pub files: Vec<String>,
    /// The files that somebody else has changed since: they are left as they are.
    pub left: Vec<String>,
}

impl Restored {
    /// Whether there was nothing to do.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.left.is_empty()
    }
}

/// Changes to files of a repository that can be taken back until they are committed, also by the
/// next process if this one dies.
#[derive(Debug)]
pub struct Transaction {
    tree: Tree,
    journal: Journal,
    folder: JournalFolder,
}

impl Transaction {
    /// Begins to change files of the repository at `root`, alone. What an earlier fix left
    /// unfinished is put back first.
    pub fn begin(root: &Path) -> Result<(Self, Restored), ApplyError> {
        let tree = Tree::open(root).map_err(io("open", root))?;
        let folder = JournalFolder::lock(root)?;
        let journal = folder.left()?.unwrap_or_default();
        let mut transaction = Transaction { tree, journal, folder };
        let restored = transaction.undo()?;
        Ok((transaction, restored))
    }

    /// The files.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Makes all `changes`, or none and tells which file is against it.
    pub fn write(
        &mut self,
        changes: &[Change],
    ) -> Result<Result<(), (Arc<str>, SkipReason)>, ApplyError> {
        if changes.is_empty() {
            return Ok(Ok(()));
        }
        for change in changes {
            let at = self.enter(&change.path, &change.from)?;
            self.journal.entries[at].written.push(sha256(&change.to));
        }
        self.folder.put(&self.journal)?;
        for (done, change) in changes.iter().enumerate() {
            let result = self.replace(&change.path, &change.from, &change.to);
            let Err(refused) = result else { continue };
            for back in &changes[..done] {
                self.replace(&back.path, &back.to, &back.from).map_err(told(&back.path))?;
            }
            return match refused {
                Refused::Reason(reason) => Ok(Err((change.path.clone(), reason))),
                Refused::Io(error) => Err(told(&change.path)(Refused::Io(error))),
            };
        }
        Ok(Ok(()))
    }

    /// Keeps what `files` hold, because another program is about to change them.
    pub fn keep(&mut self, files: &[Kept]) -> Result<(), ApplyError> {
        for file in files {
            let at = self.enter(&file.path, &file.bytes)?;
            self.journal.entries[at].by_others = true;
        }
        self.folder.put(&self.journal)
    }

    /// What was done stays.
    pub fn commit(&mut self) -> Result<(), ApplyError> {
        self.folder.clear()?;
        self.journal = Journal::default();
        Ok(())
    }

    /// Puts every file back that changed since the last commit.
    pub fn undo(&mut self) -> Result<Restored, ApplyError> {
        let mut restored = Restored::default();
        for entry in &self.journal.entries {
            self.tree.remove_beside(&entry.path, &entry.temporary);
            let there = match self.tree.read(&entry.path) {
                Ok(there) => there,
                Err(Refused::Reason(_)) => {
                    restored.left.push(entry.path.clone());
                    continue;
                }
                Err(error) => return Err(told(&entry.path)(error)),
            };
            let old = self.folder.kept(&entry.old)?;
            if there.as_ref() == Some(&old) {
                continue;
            }
            let ours = entry.by_others
                || there.as_ref().is_some_and(|there| entry.written.contains(&sha256(there)));
            let back = match ours {
                true => self.tree.replace(&entry.path, there.as_deref(), &old, &entry.temporary),
                false => Err(Refused::Reason(SkipReason::Stale)),
            };
            match back {
                Ok(()) => restored.files.push(entry.path.clone()),
                Err(Refused::Reason(_)) => restored.left.push(entry.path.clone()),
                Err(error) => return Err(told(&entry.path)(error)),
            }
        }
        self.commit()?;
        Ok(restored)
    }

    /// The entry of a file, made where there is none yet.
    fn enter(&mut self, path: &str, bytes: &[u8]) -> Result<usize, ApplyError> {
        let known = self.journal.entries.iter().position(|entry| entry.path == path);
        if let Some(at) = known {
            return Ok(at);
        }
        let number = self.journal.entries.len();
        let old = format!("{number}.old");
        self.folder.keep(&old, bytes)?;
        self.journal.entries.push(Entry {
            path: path.to_owned(),
            old,
            written: Vec::new(),
            by_others: false,
            temporary: format!(".obelus-fix-{}-{number}.tmp", std::process::id()),
        });
        Ok(number)
    }

    fn replace(&self, path: &str, from: &[u8], to: &[u8]) -> Result<(), Refused> {
        let entry = self.journal.entries.iter().find(|entry| entry.path == *path);
        let temporary = entry.map_or(".obelus-fix.tmp", |entry| entry.temporary.as_str());
        self.tree.replace(path, Some(from), to, temporary)
    }
}

fn told(path: &str) -> impl FnOnce(Refused) -> ApplyError {
    let path = path.to_owned();
    move |refused| {
        let error = match refused {
            Refused::Io(error) => error,
            Refused::Reason(reason) => std::io::Error::other(reason.in_words()),
        };
        io("replace", Path::new(&path))(error)
    }
}
