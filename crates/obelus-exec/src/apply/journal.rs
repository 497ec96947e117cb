//! What files held before a fix, on disk, for whoever starts after a crash.
//!
//! `.obelus/fix/` holds one file with the old bytes for each file that may change, and
//! `journal.json`, which names them. Nothing is changed before both are on the disk; the journal
//! goes first when all is done. So where there is a journal, its fix was never finished.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{ApplyError, io};
use crate::store::FOLDER;

/// The journal of one fix.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Journal {
    pub entries: Vec<Entry>,
}

/// One file that may change.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The file, from the root and without links.
    pub path: String,
    /// The file in the journal's folder that holds the old bytes.
    pub old: String,
    /// The sha256 of all that was written there; a file that holds something else was changed by
    /// somebody else.
    pub written: Vec<String>,
    /// Whether another program may have written to it, so that its content can't be known.
    pub by_others: bool,
    /// The name that a new file has until it is complete.
    pub temporary: String,
}

/// The folder of the journal, locked for one process.
#[derive(Debug)]
pub(super) struct JournalFolder {
    /// `.obelus`.
    above: PathBuf,
    folder: PathBuf,
    lock_path: PathBuf,
    /// Held open: the lock ends with the process.
    lock: File,
    /// Whether `.obelus` was made for this fix.
    made: bool,
}

impl JournalFolder {
    /// Makes and locks the folder in the repository at `root`.
    pub fn lock(root: &Path) -> Result<Self, ApplyError> {
        let above = root.join(FOLDER);
        let folder = above.join("fix");
        for path in [&above, &folder] {
            if path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
                return Err(ApplyError::Link { path: path.clone() });
            }
        }
        let made = match std::fs::create_dir(&above) {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
            Err(error) => return Err(io("create", &above)(error)),
        };
        let ignore = above.join(".gitignore");
        if !ignore.exists() {
            std::fs::write(&ignore, "*\n").map_err(io("write", &ignore))?;
        }
        let lock_path = above.join("fix.lock");
        let lock = loop {
            let lock = File::options().create(true).append(true).open(&lock_path);
            let lock = lock.map_err(io("open", &lock_path))?;
            match lock.try_lock() {
                Ok(()) if is_at(&lock, &lock_path) => break lock,
                // The process that held it has removed it.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(ApplyError::Busy { root: root.to_owned() });
                }
                Err(TryLockError::Error(error)) => return Err(io("lock", &lock_path)(error)),
            }
        };
        Ok(JournalFolder { above, folder, lock_path, lock, made })
    }

    /// Where the journal is.
    pub fn path(&self) -> PathBuf {
        self.folder.join("journal.json")
    }

    /// The journal that an unfinished fix has left.
    pub fn left(&self) -> Result<Option<Journal>, ApplyError> {
        let path = self.path();
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io("read", &path)(error)),
        };
        let journal = serde_json::from_slice(&bytes);
        journal.map(Some).map_err(|error| ApplyError::Damaged { path, error })
    }

    /// Keeps old bytes as the file `name`, on the disk.
    pub fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), ApplyError> {
        std::fs::create_dir_all(&self.folder).map_err(io("create", &self.folder))?;
        self.write(name, bytes)
    }

    /// What was kept as the file `name`.
    pub fn kept(&self, name: &str) -> Result<Vec<u8>, ApplyError> {
        let path = self.folder.join(name);
        std::fs::read(&path).map_err(io("read", &path))
    }

    /// Puts the journal on the disk, in place of the one that is there.
    pub fn put(&self, journal: &Journal) -> Result<(), ApplyError> {
        std::fs::create_dir_all(&self.folder).map_err(io("create", &self.folder))?;
        let path = self.path();
        let bytes = serde_json::to_vec(journal)
            .map_err(|error| io("write", &path)(std::io::Error::other(error)))?;
        self.write("journal.new", &bytes)?;
        std::fs::rename(self.folder.join("journal.new"), &path).map_err(io("write", &path))?;
        self.sync();
        Ok(())
    }

    /// Takes the journal away, and then what it named.
    pub fn clear(&self) -> Result<(), ApplyError> {
        let path = self.path();
        match std::fs::remove_file(&path) {
            Ok(()) => self.sync(),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(io("remove", &path)(error)),
        }
        match std::fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(io("remove", &self.folder)(error))
            }
            _ => Ok(()),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ApplyError> {
        let path = self.folder.join(name);
        let written = File::create(&path).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        written.map_err(io("write", &path))
    }

    /// Puts the names in the folder on the disk.
    fn sync(&self) {
        // Not every system can do so for a folder; those keep the order by themselves.
        if let Ok(folder) = File::open(&self.folder) {
            let _ = folder.sync_all();
        }
    }
}

impl Drop for JournalFolder {
    /// Leaves nothing behind where nothing was before.
    fn drop(&mut self) {
        let unfinished = self.path().exists();
        if !unfinished {
            // Somebody who waits for the lock sees that its name is gone, and makes it anew.
            let _ = std::fs::remove_file(&self.lock_path);
        }
        let alone = std::fs::read_dir(&self.above).is_ok_and(|entries| entries.count() == 1);
        if self.made && !unfinished && alone {
            // Whatever is put there meanwhile keeps the folder.
            let _ = std::fs::remove_file(self.above.join(".gitignore"));
            let _ = std::fs::remove_dir(&self.above);
        }
        let _ = self.lock.unlock();
    }
}

/// Whether the file that was opened still has its name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().map(id).ok() == path.metadata().map(id).ok()
}

/// Whether the file that was opened still has its name: it can't lose it while it is open.
#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}
