//! That a loop is at work, written down outside of it: so that the next start knows of one that
//! was killed, and says how to have the files back.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::LoopError;
use super::ledger::{read_json_if_any, write_json};
use crate::store::FOLDER;

/// A loop that is at work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    /// Its ledger.
    pub id: String,
}

/// The right to run a loop in a repository. It ends with the process, however that ends.
#[derive(Debug)]
pub struct Claim {
    /// Held for the lock on it.
    _lock: File,
    path: PathBuf,
}

fn paths(root: &Path) -> (PathBuf, PathBuf) {
    let folder = root.join(FOLDER);
    (folder.join("loop.json"), folder.join("loop.lock"))
}

impl Claim {
    /// Claims the repository at `root`, unless another loop is at work there.
    pub fn new(root: &Path) -> Result<Self, LoopError> {
        let (path, lock) = paths(root);
        let file = File::create(&lock).map_err(LoopError::io("create", &lock))?;
        match file.try_lock() {
            Ok(()) => Ok(Claim { _lock: file, path }),
            Err(TryLockError::WouldBlock) => Err(LoopError::AtWork),
            Err(TryLockError::Error(error)) => Err(LoopError::io("lock", &lock)(error)),
        }
    }

    /// Writes down that the loop with this ledger is at work. Everything that is needed to have the
    /// files back is in the ledger by now.
    pub fn at_work(&self, id: &str) -> Result<(), LoopError> {
        write_json(&self.path, &Journal { id: id.to_owned() })
    }

    /// The loop has come to its end, and the files are as they should be.
    pub fn done(self) -> Result<(), LoopError> {
        settle(&self.path)
    }
}

fn settle(path: &Path) -> Result<(), LoopError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(LoopError::io("remove", path)(error)),
    }
}

/// The loop that was interrupted in the repository at `root`, if one was.
pub fn interrupted(root: &Path) -> Option<Journal> {
    let (path, lock) = paths(root);
    // A journal that can't be read is no reason to do nothing else.
    let journal: Journal = read_json_if_any(&path).ok()??;
    let at_work = File::open(lock).is_ok_and(|lock| lock.try_lock_shared().is_err());
    (!at_work).then_some(journal)
}

/// What was interrupted is settled: somebody chose which files to have.
pub fn settled(root: &Path, id: &str) -> Result<(), LoopError> {
    match interrupted(root) {
        Some(journal) if journal.id == id => settle(&paths(root).0),
        _ => Ok(()),
    }
}
