//! Saved reviews: `.obelus/reviews/<id>/` holds the artifact (`review.json`) and the exact bytes on
//! which it stands: `prompt`, `change.diff`, `stdout`, `stderr`, `conversation`.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use obelus_record::{Kept, Review};
use sha2::{Digest, Sha256};

use crate::store::{Store, StoreError, io, read_json};

/// The artifact.
pub const ARTIFACT: &str = "review.json";

/// The saved reviews of a repository.
#[derive(Clone, Debug)]
pub struct Reviews {
    store: Store,
    folder: PathBuf,
}

impl Reviews {
    /// Those of the repository at `root`.
    pub fn of(root: &Path) -> Self {
        Reviews { store: Store::of(root), folder: root.join(crate::store::FOLDER).join("reviews") }
    }

    /// Begins a saved review. It counts as one when it has its artifact.
    pub fn begin(&self) -> Result<SavedReview, StoreError> {
        self.store.prepare()?;
        std::fs::create_dir_all(&self.folder).map_err(io("create", &self.folder))?;
        let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S%3f").to_string();
        for attempt in 0..100 {
            let id = if attempt == 0 { stamp.clone() } else { format!("{stamp}-{attempt}") };
            let folder = self.folder.join(&id);
            match std::fs::create_dir(&folder) {
                Ok(()) => return Ok(SavedReview { id, folder }),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(io("create", &folder)(error)),
            }
        }
        Err(io("create", &self.folder.join(stamp))(std::io::ErrorKind::AlreadyExists.into()))
    }

    /// Removes the oldest reviews beyond `keep`.
    pub fn prune(&self, keep: usize) -> Result<(), StoreError> {
        for id in self.ids().iter().rev().skip(keep) {
            let folder = self.folder.join(id);
            std::fs::remove_dir_all(&folder).map_err(io("remove", &folder))?;
        }
        Ok(())
    }

    /// The names of all that have their artifact, oldest first.
    fn ids(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut ids: Vec<String> = entries
            .filter(|entry| entry.path().join(ARTIFACT).is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        ids.sort();
        ids
    }

    /// The review called `id`; `last` is the newest.
    pub fn find(&self, id: &str) -> Result<SavedReview, StoreError> {
        let mut ids = self.ids();
        let found = match id {
            "last" => ids.pop(),
            id => ids.into_iter().find(|known| known == id),
        };
        match found {
            Some(id) => Ok(SavedReview { folder: self.folder.join(&id), id }),
            None => Err(StoreError::NoSuchReview(id.to_owned())),
        }
    }
}

/// The folder of one review.
#[derive(Clone, Debug)]
pub struct SavedReview {
    /// Its name.
    pub id: String,
    folder: PathBuf,
}

impl SavedReview {
    /// The file called `name`.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Creates the file called `name`.
    pub fn create(&self, name: &str) -> Result<File, StoreError> {
        let path = self.path(name);
        File::create(&path).map_err(io("create", &path))
    }

    /// Writes the file called `name`.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.path(name);
        std::fs::write(&path, bytes).map_err(io("write", &path))
    }

    /// Opens the file called `name`; nothing where there is none.
    pub fn open(&self, name: &str) -> Result<Option<BufReader<File>>, StoreError> {
        let path = self.path(name);
        match File::open(&path) {
            Ok(file) => Ok(Some(BufReader::with_capacity(256 << 10, file))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(io("read", &path)(error)),
        }
    }

    /// Length and digest of the file called `name`, if it is there.
    pub fn kept(&self, name: &str, from: Option<&Path>) -> Result<Option<Kept>, StoreError> {
        let path = self.path(name);
        if !path.is_file() {
            return Ok(None);
        }
        let (bytes, sha256) = digest_of(&path).map_err(io("read", &path))?;
        let from = from.map(|path| path.display().to_string());
        Ok(Some(Kept { name: name.to_owned(), bytes, sha256, from }))
    }

    /// Writes the artifact: there is all of it or none.
    pub fn finish(&self, review: &Review) -> Result<(), StoreError> {
        let path = self.path(ARTIFACT);
        let mut bytes = serde_json::to_vec_pretty(review)
            .map_err(|error| StoreError::Damaged { path: path.clone(), error })?;
        bytes.push(b'\n');
        let write = || -> std::io::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
            file.write_all(&bytes)?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            Ok(())
        };
        write().map_err(io("write", &path))
    }

    /// The artifact as it was.
    pub fn artifact(&self) -> Result<Review, StoreError> {
        read_json(&self.path(ARTIFACT))
    }
}

/// Length and SHA-256 of a file.
pub fn digest_of(path: &Path) -> std::io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let (mut bytes, mut block) = (0, vec![0; 64 << 10]);
    loop {
        match file.read(&mut block)? {
            0 => return Ok((bytes, hexadecimal(&hasher.finalize()))),
            count => {
                hasher.update(&block[..count]);
                bytes += count as u64;
            }
        }
    }
}

/// The SHA-256 of `bytes`.
pub fn digest(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Bytes as lower-case hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
