//! One file of a snapshot, and how a file that was not touched is told without reading it.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{SnapshotError, io};

/// Files that were written within this time of a snapshot may be written again without their time
/// changing, in nanoseconds.
const UNSURE: u128 = 2_000_000_000;

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A file.
    File,
    /// A symbolic link; its bytes are where it leads.
    Link,
}

/// One file of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// The permission bits, 0 where there are none.
    pub mode: u32,
    /// The name of what it holds.
    pub object: String,
    /// How it looked without being read.
    stamp: Stamp,
}

impl Entry {
    /// One that holds `object`.
    pub fn new(found: Found, object: String) -> Self {
        Entry { kind: found.kind, mode: found.mode, object, stamp: found.stamp }
    }

    /// Whether the two are the same file to the byte.
    pub fn is_same(&self, other: &Entry) -> bool {
        (self.kind, self.mode, &self.object) == (other.kind, other.mode, &other.object)
    }

    /// Whether the file that looks like `found` at `now` holds what this says, without reading it.
    pub fn is_untouched(&self, found: &Found, now: Stamp) -> bool {
        let settled = found.stamp.changed.saturating_add(UNSURE) < now.changed;
        settled && (self.kind, self.mode, self.stamp) == (found.kind, found.mode, found.stamp)
    }
}

/// How a file looks without being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    size: u64,
    /// Nanoseconds since 1970: the later of the times of its content and of its status.
    changed: u128,
    /// Nanoseconds since 1970: the time of its content alone.
    modified: u128,
    file: u64,
}

impl Stamp {
    /// The present moment.
    pub fn now() -> Self {
        let now = nanoseconds(SystemTime::now());
        Stamp { size: 0, changed: now, modified: now, file: 0 }
    }
}

/// A file as it was found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// What it is.
    pub kind: Kind,
    /// The permission bits.
    pub mode: u32,
    stamp: Stamp,
}

/// What lies at `path`; nothing for what is gone, a folder, or no file at all.
pub fn look(path: &Path) -> Result<Option<Found>, SnapshotError> {
    let metadata = match std::fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(io("look at", path)(error)),
    };
    let kind = match metadata.file_type() {
        kind if kind.is_symlink() => Kind::Link,
        kind if kind.is_file() => Kind::File,
        _ => return Ok(None),
    };
    let modified = metadata.modified().map(nanoseconds).unwrap_or_default();
    let (mode, changed, file) = status(&metadata);
    // A link has no permissions of its own.
    let mode = if kind == Kind::Link { 0 } else { mode };
    let stamp = Stamp { size: metadata.len(), changed: changed.max(modified), modified, file };
    Ok(Some(Found { kind, mode, stamp }))
}

/// Whether nothing is there: also where a folder of the path is a file by now.
pub fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

fn nanoseconds(time: SystemTime) -> u128 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos())
}

/// Permission bits, time of the last change of the status in nanoseconds, number of the file.
#[cfg(unix)]
fn status(metadata: &std::fs::Metadata) -> (u32, u128, u64) {
    use std::os::unix::fs::MetadataExt;
    let seconds = u128::try_from(metadata.ctime()).unwrap_or_default();
    let nanoseconds = u128::try_from(metadata.ctime_nsec()).unwrap_or_default();
    (metadata.mode() & 0o7777, seconds * 1_000_000_000 + nanoseconds, metadata.ino())
}

#[cfg(not(unix))]
fn status(_metadata: &std::fs::Metadata) -> (u32, u128, u64) {
    (0, 0, 0)
}

/// The name of a path in a snapshot: the path itself, with bytes that are no text, and `%`, as
/// `%` and two hexadecimal digits.
pub fn key(path: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut key = String::with_capacity(path.len());
    for chunk in path.utf8_chunks() {
        key.push_str(&chunk.valid().replace('%', "%25"));
        for byte in chunk.invalid() {
            let _ = write!(key, "%{byte:02X}");
        }
    }
    key
}

/// The path that [`key`] named.
pub fn path_of(key: &str) -> Vec<u8> {
    let mut path = Vec::with_capacity(key.len());
    let mut rest = key.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escaped.filter(|_| byte == b'%') {
            Some(escaped) => {
                path.push(escaped);
                rest = &after[2..];
            }
            None => {
                path.push(byte);
                rest = after;
            }
        }
    }
    path
}

/// A path from the top as a path on disk.
#[cfg(unix)]
pub fn on_disk(top: &Path, path: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    top.join(std::ffi::OsStr::from_bytes(path))
}

/// A path from the top as a path on disk.
#[cfg(not(unix))]
pub fn on_disk(top: &Path, path: &[u8]) -> PathBuf {
    top.join(String::from_utf8_lossy(path).as_ref())
}

/// The bytes of a path or of where a link leads.
#[cfg(unix)]
pub fn bytes_of(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

/// The bytes of a path or of where a link leads.
#[cfg(not(unix))]
pub fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}
