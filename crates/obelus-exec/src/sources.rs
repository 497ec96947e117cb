//! The files of a repository on disk.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use obelus_core::Sources;
use obelus_core::reason::attribute::Tree;

/// Files larger than this are not read for an excerpt or a column.
const LARGEST: u64 = 64 << 20;

/// Bytes of a buffer that are kept from one file to the next.
const KEPT: usize = 64 << 10;

thread_local! {
    /// What was read last. One buffer for all files stays in the processor's memory.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The files below a folder.
pub struct FolderSources {
    root: PathBuf,
    /// Folders that were asked for a file, and were not there: what a checker built elsewhere
    /// names, or the repository of an output that was captured elsewhere. One question about the
    /// folder saves those about all the files that it would hold.
    missing: Mutex<HashSet<String>>,
    /// Made at the first question about tails, or about all files.
    by_name: OnceLock<ByName>,
}

/// Base name → paths.
type ByName = HashMap<String, Vec<String>>;

impl FolderSources {
    /// The files below `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let (missing, by_name) = (Mutex::default(), OnceLock::new());
        FolderSources { root: root.into(), missing, by_name }
    }

    /// The path on disk of a repository path; nothing for one that leads out of the root.
    fn on_disk(&self, path: &str) -> Option<PathBuf> {
        let inside =
            !path.is_empty() && !path.starts_with('/') && path.split('/').all(|part| part != "..");
        inside.then(|| self.root.join(path))
    }

    fn index(&self) -> &ByName {
        self.by_name.get_or_init(|| index(&self.root))
    }
}

impl Sources for FolderSources {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        let path = self.on_disk(path)?;
        let mut file = open(&path).ok()?;
        let metadata = file.metadata().ok()?;
        if !metadata.is_file() || metadata.len() > LARGEST {
            return None;
        }
        // A byte more than the length: if one read gives all but that, there is nothing else.
        let length = usize::try_from(metadata.len()).ok()?;
        BUFFER.with_borrow_mut(|buffer| {
            buffer.resize(buffer.len().max(length + 1), 0);
            let read = file.read(&mut buffer[..length + 1]).or_else(|error| match error.kind() {
                io::ErrorKind::Interrupted => Ok(0),
                _ => Err(error),
            });
            let start = &buffer[..read.ok()?];
            let bytes = if start.len() == length && length > 0 {
                Arc::from(start)
            } else {
                let mut bytes = start.to_vec();
                file.take(LARGEST).read_to_end(&mut bytes).ok()?;
                Arc::from(bytes)
            };
            buffer.truncate(KEPT);
            buffer.shrink_to(KEPT);
            Some(bytes)
        })
    }

    fn root(&self) -> Option<String> {
        let root = self.root.canonicalize().ok()?;
        root.into_os_string().into_string().ok()
    }

    fn exists(&self, path: &str) -> bool {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let missing = || self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(on_disk) = self.on_disk(path).filter(|_| !missing().contains(folder)) else {
            return false;
        };
        let exists = on_disk.is_file();
        if !exists && on_disk.parent().is_some_and(|folder| !folder.exists()) {
            missing().insert(folder.to_owned());
        }
        exists
    }

    fn ending_in(&self, tail: &str) -> Option<String> {
        let name = tail.rsplit('/').next()?;
        let mut hits = self.index().get(name)?.iter().filter(|path| {
            path.strip_suffix(tail).is_some_and(|head| head.is_empty() || head.ends_with('/'))
        });
        match (hits.next(), hits.next()) {
            (Some(path), None) => Some(path.clone()),
            _ => None,
        }
    }

    fn paths(&self, most: usize) -> Option<Vec<String>> {
        let paths = self.index().values().flatten();
        (paths.clone().count() <= most).then(|| paths.cloned().collect())
    }
}

impl Tree for FolderSources {
    fn files(&self) -> Vec<(String, u64)> {
        let mut files = Vec::new();
        walk(&self.root, |entry, path| {
            if let Ok(metadata) = entry.metadata() {
                files.push((path.to_owned(), metadata.len()));
            }
        });
        files
    }
}

/// Opens a file for reading. Of a pipe that does not wait for a writer.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(path)
}

/// Every file below `root` that git would not ignore, by base name.
fn index(root: &Path) -> ByName {
    let mut by_name = ByName::new();
    walk(root, |_, path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        by_name.entry(name.to_owned()).or_default().push(path.to_owned());
    });
    by_name
}

/// Visits every file below `root` that git would not ignore, with its path relative to the root.
/// Folders of dependencies are left out even where there is no `.gitignore`.
fn walk(root: &Path, mut visit: impl FnMut(&ignore::DirEntry, &str)) {
    let walk = ignore::WalkBuilder::new(root)
        .hidden(false)
        .filter_entry(|entry| {
            !matches!(entry.file_name().to_str(), Some(".git" | "node_modules" | ".obelus"))
        })
        .build();
    for entry in walk.flatten() {
        let relative = entry.path().strip_prefix(root).ok().and_then(Path::to_str);
        if let Some(relative) =
            relative.filter(|_| entry.file_type().is_some_and(|kind| kind.is_file()))
        {
            visit(&entry, relative);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_read_whole_and_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let large = vec![b'x'; 3 * KEPT];
        for (name, bytes) in [("large", &large[..]), ("small", b"small"), ("empty", b"")] {
            fs::write(folder.path().join(name), bytes).expect("written");
        }
        fs::create_dir(folder.path().join("folder")).expect("made");
        let sources = FolderSources::new(folder.path());
        for _ in 0..2 {
            assert_eq!(sources.read("large").as_deref(), Some(&large[..]));
            assert_eq!(sources.read("small").as_deref(), Some(&b"small"[..]));
            assert_eq!(sources.read("empty").as_deref(), Some(&b""[..]));
        }
        assert_eq!((sources.read("folder"), sources.read("missing")), (None, None));
        BUFFER.with_borrow(|buffer| assert!(buffer.capacity() <= KEPT));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_may_hold_more_than_it_says() {
        // Files of /proc say that they are empty.
        let sources = FolderSources::new("/proc/self");
        let read = sources.read("status").expect("a text");
        assert!(read.starts_with(b"Name:"), "{}", String::from_utf8_lossy(&read));
    }
}
