//! Where the bytes of snapshots are: objects of git, or plain copies named by what they hold.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::entry::{Entry, Found, Kind, bytes_of, on_disk, path_of};
use super::{SnapshotError, io, place};
use crate::git::{Git, RawEntry};

/// A file that was found and not read yet: its path, its name, how it looks.
type Unread = (Vec<u8>, String, Found);

/// The bytes of all files of all snapshots of a folder.
#[derive(Clone, Debug)]
pub struct Objects {
    git: Option<Git>,
    folder: PathBuf,
}

impl Objects {
    /// Those in `folder`; objects of git, where there is one.
    pub fn of(git: Option<Git>, folder: PathBuf) -> Self {
        Objects { git, folder }
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps the bytes of these files below `top`.
    pub fn store(
        &self,
        top: &Path,
        unread: Vec<Unread>,
    ) -> Result<Vec<(String, Entry)>, SnapshotError> {
        let Some(git) = &self.git else {
            let copied = unread.into_iter().map(|(path, key, found)| {
                let object = self.copy(&on_disk(top, &path), found.kind)?;
                Ok((key, Entry::new(found, object)))
            });
            return copied.collect();
        };
        // git reads the names of files as lines, a quotation mark as the start of an escaped one, and
        // where a link leads not at all.
        let plain = |(path, _, found): &&Unread| {
            found.kind == Kind::File && !path.contains(&b'\n') && !path.starts_with(b"\"")
        };
        let paths: Vec<&[u8]> =
            unread.iter().filter(plain).map(|(path, ..)| path.as_slice()).collect();
        let mut ids = git.store_raw(&paths, &self.folder)?.into_iter();
        let mut stored = Vec::with_capacity(unread.len());
        for file in &unread {
            let (path, key, found) = file;
            let given = if plain(&file) { ids.next() } else { None };
            let object = match given {
                Some(id) => id,
                None => git.store_bytes(bytes(&on_disk(top, path), found.kind)?, &self.folder)?,
            };
            stored.push((key.clone(), Entry::new(*found, object)));
        }
        Ok(stored)
    }

    /// Keeps a plain copy of a file; the name of what it holds.
    fn copy(&self, path: &Path, kind: Kind) -> Result<String, SnapshotError> {
        if kind == Kind::Link {
            let bytes = bytes(path, kind)?;
            let object = hexadecimal(&Sha256::digest(&bytes));
            let to = self.folder.join(&object);
            place::replace(&to, None, |file| std::io::Write::write_all(file, &bytes))?;
            return Ok(object);
        }
        let mut hash = Sha256::new();
        let mut file = std::fs::File::open(path).map_err(io("read", path))?;
        let mut copy = tempfile::NamedTempFile::new_in(&self.folder)
            .map_err(io("create a file in", &self.folder))?;
        let mut buffer = vec![0; 64 << 10];
        loop {
            let count = file.read(&mut buffer).map_err(io("read", path))?;
            if count == 0 {
                break;
            }
            hash.update(&buffer[..count]);
            std::io::Write::write_all(&mut copy, &buffer[..count])
                .map_err(io("write", copy.path()))?;
        }
        let object = hexadecimal(&hash.finalize());
        let to = self.folder.join(&object);
        copy.persist(&to).map_err(|error| io("write", &to)(error.error))?;
        Ok(object)
    }

    /// What tells these files from all others.
    pub fn tree(&self, entries: &BTreeMap<String, Entry>) -> Result<String, SnapshotError> {
        let Some(git) = &self.git else {
            let mut hash = Sha256::new();
            for (path, entry) in entries {
                hash.update(format!("{:?} {:o} {} {path}\n", entry.kind, entry.mode, entry.object));
            }
            return Ok(hexadecimal(&hash.finalize()));
        };
        let raw: Vec<RawEntry> = entries
            .iter()
            .map(|(path, entry)| RawEntry {
                mode: match entry.kind {
                    Kind::Link => "120000",
                    Kind::File if entry.mode & 0o100 != 0 => "100755",
                    Kind::File => "100644",
                },
                id: entry.object.clone(),
                path: path_of(path),
            })
            .collect();
        Ok(git.raw_tree(&raw, &self.folder)?)
    }

    /// What the file `path` of a snapshot holds.
    pub fn read(&self, path: &str, entry: &Entry) -> Result<Vec<u8>, SnapshotError> {
        let damaged = |what: String| SnapshotError::Damaged { path: path.to_owned(), what };
        if let Some(git) = &self.git {
            let blob = git.raw_blob(&entry.object, &self.folder);
            return blob.map_err(|error| damaged(error.to_string()));
        }
        let bytes = std::fs::read(self.folder.join(&entry.object))
            .map_err(|error| damaged(error.to_string()))?;
        match hexadecimal(&Sha256::digest(&bytes)) == entry.object {
            true => Ok(bytes),
            false => Err(damaged("its copy holds something else".to_owned())),
        }
    }
}

/// What a file holds, or where a link leads.
fn bytes(path: &Path, kind: Kind) -> Result<Vec<u8>, SnapshotError> {
    match kind {
        Kind::File => std::fs::read(path).map_err(io("read", path)),
        Kind::Link => {
            std::fs::read_link(path).map(|to| bytes_of(&to)).map_err(io("read the link", path))
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
