//! Files of a repository replaced, so that nothing outside is written and nothing is ever torn.
//!
//! - [`Tree`] is the repository's folder, opened once. Every file is reached from it folder by
//!   folder, and no step follows a symbolic link; what a link leads to is worked out before.
//! - A file is replaced in one step: a new file beside it takes its name.
//! - [`Transaction`] keeps what the files held until it is committed, in a journal that the next
//!   start reads: whatever ends Obelus in between, the files are put back then.

mod journal;
mod transaction;

#[cfg(unix)]
#[path = "unix.rs"]
mod tree;
#[cfg(not(unix))]
#[path = "portable.rs"]
mod tree;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use obelus_record::SkipReason;
use sha2::{Digest, Sha256};
use thiserror::Error;

pub use transaction::{Change, Kept, Restored, Transaction};
pub use tree::Tree;

/// Why files can't be replaced at all.
#[derive(Debug, Error)]
pub enum ApplyError {
    /// A file or folder can't be used.
    #[error("cannot {doing} {}: {error}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// Another process is at it.
    #[error("another obelus fix is running in {}; wait for it to end", root.display())]
    Busy {
        /// The repository.
        root: PathBuf,
    },
    /// The folder of Obelus leads elsewhere.
    #[error("{} is a symbolic link, and nothing outside the repository is written; remove it", path.display())]
    Link {
        /// The folder.
        path: PathBuf,
    },
    /// The journal of an earlier fix can't be read, so the files can't be put back.
    #[error(
        "{} is damaged: {error}; the files that an interrupted fix had changed are kept beside it: \
         put them back by hand and remove the folder",
        path.display()
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        error: serde_json::Error,
    },
}

pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> ApplyError {
    let path = path.to_owned();
    move |error| ApplyError::Io { doing, path, error }
}

/// A file that a path leads to.
#[derive(Clone, Debug)]
pub struct Looked {
    /// Its path from the root, without links, `.` and `..`.
    pub path: Arc<str>,
    /// What names the file itself: the same for two paths that differ in case alone, on a file
    /// system that doesn't.
    pub identity: Arc<str>,
    /// What it holds.
    pub bytes: Arc<[u8]>,
    /// When its bytes, name or mode were last changed.
    pub changed: Option<SystemTime>,
    /// Whether it must not be written.
    pub read_only: bool,
}

/// Why a file was not replaced.
#[derive(Debug)]
pub enum Refused {
    /// It must not be: it is not what it was, or a link stands where none was.
    Reason(SkipReason),
    /// It can't be.
    Io(std::io::Error),
}

impl From<std::io::Error> for Refused {
    fn from(error: std::io::Error) -> Self {
        Refused::Io(error)
    }
}

/// What tells a file's content from all others, as `sha256sum` prints it.
pub fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string never fails.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Whether a path names its place from elsewhere than the root, on any system.
fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':')
        && path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && matches!(path.as_bytes().get(2), None | Some(b'/' | b'\\'));
    path.starts_with(['/', '\\']) || drive
}

/// Whether a folder or file of this name belongs to version control or to Obelus, not to the work
/// tree: what stands there can make other programs run.
fn is_private(name: &str) -> bool {
    const PRIVATE: [&str; 6] = [".git", ".jj", ".hg", ".svn", ".fossil", crate::store::FOLDER];
    // Some file systems ignore case, and dots and spaces at the end.
    let name = name.trim_end_matches(['.', ' ']);
    PRIVATE.iter().any(|private| private.eq_ignore_ascii_case(name))
}
