//! The file of adopted findings in the root of a repository: read, and written anew.

use std::path::{Path, PathBuf};

use obelus_core::reason::adopted::{AdoptedError, AdoptedFile, FILE};
use thiserror::Error;

/// Why the file can't be used.
#[derive(Debug, Error)]
pub enum AdoptedFileError {
    /// It can't be read or written.
    #[error("cannot {doing} {}: {error}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// A line of it is wrong.
    #[error(transparent)]
    Line(#[from] AdoptedError),
}

/// The file of the repository at `root`, if it has one.
pub fn read(root: &Path) -> Result<Option<AdoptedFile>, AdoptedFileError> {
    let path = root.join(FILE);
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(AdoptedFile::parse(&text)?)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(AdoptedFileError::Io { doing: "read", path, error }),
    }
}

/// The same, with the digest of its text.
pub fn read_with_digest(root: &Path) -> Result<Option<(AdoptedFile, String)>, AdoptedFileError> {
    let Some(file) = read(root)? else { return Ok(None) };
    Ok(digest(root)?.map(|digest| (file, digest)))
}

/// The digest of the text of the file of the repository at `root`, if it has one.
pub fn digest(root: &Path) -> Result<Option<String>, AdoptedFileError> {
    let path = root.join(FILE);
    match std::fs::read(&path) {
        Ok(text) => Ok(Some(crate::apply::sha256(&text))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(AdoptedFileError::Io { doing: "read", path, error }),
    }
}

/// Writes `text` as the file of the repository at `root`.
pub fn write(root: &Path, text: &str) -> Result<(), AdoptedFileError> {
    let path = root.join(FILE);
    std::fs::write(&path, text).map_err(|error| AdoptedFileError::Io {
        doing: "write",
        path,
        error,
    })
}
