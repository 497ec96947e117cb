//! The tree on Unix: by file descriptors of folders, so that a folder that is exchanged for a link
//! between two steps is noticed.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use obelus_record::SkipReason;
use rustix::fs::{self, Access, AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::{Looked, Refused, is_absolute, is_private};

/// More links than this on one path are a circle.
const MOST_LINKS: usize = 40;

const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// Never waits, as a pipe would make it.
const READING: OFlags =
    OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// A repository's folder.
#[derive(Debug)]
pub struct Tree {
    root: OwnedFd,
    path: PathBuf,
}

impl Tree {
    /// The folder at `root`, which may itself be a link.
    pub fn open(root: &Path) -> std::io::Result<Self> {
        let path = root.canonicalize()?;
        Ok(Tree { root: fs::open(&path, FOLDER, Mode::empty())?, path })
    }

    /// The file that `path` leads to, or why it must not be edited.
    pub fn look(&self, path: &str) -> Result<Looked, SkipReason> {
        let found = self.resolve(path)?;
        let Some((name, folders)) = found.parts.split_last() else {
            return Err(SkipReason::Stale);
        };
        let folder = self.folder(folders).map_err(reason)?;
        let (mut file, stat) = open(&folder, name).map_err(reason)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|_| SkipReason::Stale)?;
        let path: Arc<str> = found.parts.join("/").into();
        // Other names of the same file (hard links) are files of their own: to replace one leaves
        // the others as they are.
        let identity = match stat.st_nlink {
            1 => format!("{}:{}", stat.st_dev, stat.st_ino).into(),
            _ => path.clone(),
        };
        let may = |at: &OwnedFd, name: &str| {
            fs::accessat(at, name, Access::WRITE_OK, AtFlags::EACCESS).is_ok()
        };
        let read_only = stat.st_mode & 0o222 == 0 || !may(&folder, name) || !may(&folder, ".");
        Ok(Looked { path, identity, bytes: bytes.into(), changed: changed(&stat), read_only })
    }

    /// What the file at `path`, which has no links in it, holds; nothing where there is none.
    pub fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Refused> {
        let parts: Vec<&str> = path.split('/').collect();
        let Some((name, folders)) = parts.split_last() else { return Ok(None) };
        let opened = self.folder(folders).and_then(|folder| open(&folder, name));
        let mut file = match opened {
            Ok((file, _)) => file,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(refused(error)),
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// Replaces the file at `path`, which has no links in it, if it holds `expected`; a file that
    /// is not there is made where `expected` is nothing. `temporary` names the new file until it
    /// takes the name of the old one.
    pub fn replace(
        &self,
        path: &str,
        expected: Option<&[u8]>,
        new: &[u8],
        temporary: &str,
    ) -> Result<(), Refused> {
        let parts: Vec<&str> = path.split('/').collect();
        let Some((name, folders)) = parts.split_last() else {
            return Err(Refused::Reason(SkipReason::Stale));
        };
        let folder = self.folder(folders).map_err(refused)?;
        let stat = match (open(&folder, name), expected) {
            (Ok((mut file, stat)), Some(expected)) => {
                let mut there = Vec::new();
                file.read_to_end(&mut there)?;
                if there != expected {
                    return Err(Refused::Reason(SkipReason::Stale));
                }
                Some(stat)
            }
            (Err(Errno::NOENT), None) => None,
            (Err(error), _) if error != Errno::NOENT => return Err(refused(error)),
            _ => return Err(Refused::Reason(SkipReason::Stale)),
        };
        // What an earlier start left there.
        let _ = fs::unlinkat(&folder, temporary, AtFlags::empty());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let made = fs::openat(&folder, temporary, flags | OFlags::CLOEXEC, Mode::RUSR | Mode::WUSR)
            .map_err(refused)?;
        let written = fill(made, new, stat.as_ref())
            .and_then(|()| Ok(fs::renameat(&folder, temporary, &folder, *name)?));
        if let Err(error) = written {
            // The error that is told is the first.
            let _ = fs::unlinkat(&folder, temporary, AtFlags::empty());
            return Err(error.into());
        }
        // A file system that can't do this for a folder keeps the order of renames by itself.
        let _ = fs::fsync(&folder);
        Ok(())
    }

    /// Removes the file called `temporary` beside `path`, if there is one.
    pub fn remove_beside(&self, path: &str, temporary: &str) {
        let folders: Vec<&str> = path.split('/').collect();
        let folders = &folders[..folders.len().saturating_sub(1)];
        if let Ok(folder) = self.folder(folders) {
            // What is not there need not be removed.
            let _ = fs::unlinkat(&folder, temporary, AtFlags::empty());
        }
    }

    /// The folder below the root that `parts` lead to without any link.
    fn folder(&self, parts: &[impl AsRef<str>]) -> Result<OwnedFd, Errno> {
        let mut folder = fs::openat(&self.root, ".", FOLDER, Mode::empty())?;
        for part in parts {
            folder = fs::openat(&folder, part.as_ref(), FOLDER, Mode::empty())?;
        }
        Ok(folder)
    }

    /// Follows `path` as the system would, but within the tree.
    fn resolve(&self, path: &str) -> Result<Resolved, SkipReason> {
        if is_absolute(path) {
            return Err(SkipReason::OutsideRepository);
        }
        let mut rest: VecDeque<String> = path.split('/').map(str::to_owned).collect();
        let mut found = Resolved::default();
        let mut links = 0;
        while let Some(part) = rest.pop_front() {
            match part.as_str() {
                "" | "." => continue,
                ".." => {
                    found.up()?;
                    continue;
                }
                part if is_private(part) => return Err(SkipReason::OutsideRepository),
                _ => {}
            }
            let at = found.folders.last().map_or(self.root.as_fd(), AsFd::as_fd);
            let kind = match fs::statat(at, part.as_str(), AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => FileType::from_raw_mode(stat.st_mode),
                Err(error) => return Err(found.missing(error, &rest, links > 0)),
            };
            match kind {
                FileType::Symlink => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(SkipReason::Symlink);
                    }
                    let target = fs::readlinkat(at, part.as_str(), Vec::new()).map_err(reason)?;
                    self.follow(
                        Path::new(std::ffi::OsStr::from_bytes(target.as_bytes())),
                        &mut found,
                        &mut rest,
                    )?;
                }
                FileType::Directory => {
                    let folder = fs::openat(at, part.as_str(), FOLDER, Mode::empty());
                    found.folders.push(folder.map_err(reason)?);
                    found.parts.push(part);
                }
                _ if rest.iter().all(|part| part.is_empty() || part == ".") => {
                    found.parts.push(part);
                    return Ok(found);
                }
                _ => return Err(SkipReason::Stale),
            }
        }
        // A folder is no file that a checker saw.
        Err(SkipReason::Stale)
    }

    /// Puts what a link leads to in front of the `rest` of the path.
    fn follow(
        &self,
        target: &Path,
        found: &mut Resolved,
        rest: &mut VecDeque<String>,
    ) -> Result<(), SkipReason> {
        let inside = match target.is_absolute() {
            true => {
                *found = Resolved::default();
                target.strip_prefix(&self.path).map_err(|_| SkipReason::OutsideRepository)?
            }
            false => target,
        };
        let inside = inside.to_str().ok_or(SkipReason::Symlink)?;
        for part in inside.split('/').rev() {
            rest.push_front(part.to_owned());
        }
        Ok(())
    }
}

/// How far a path was followed.
#[derive(Default)]
struct Resolved {
    /// The names from the root.
    parts: Vec<String>,
    /// The folders of these names.
    folders: Vec<OwnedFd>,
}

impl Resolved {
    fn up(&mut self) -> Result<(), SkipReason> {
        self.folders.pop();
        self.parts.pop().map(|_| ()).ok_or(SkipReason::OutsideRepository)
    }

    /// Why the file is not there; a path that leads out of the tree does so in any case.
    fn missing(&self, error: Errno, rest: &VecDeque<String>, by_link: bool) -> SkipReason {
        if rest.iter().any(|part| is_private(part)) {
            return SkipReason::OutsideRepository;
        }
        let mut depth = self.parts.len() + 1;
        for part in rest.iter().filter(|part| !part.is_empty() && *part != ".") {
            match part.as_str() {
                ".." if depth == 0 => return SkipReason::OutsideRepository,
                ".." => depth -= 1,
                _ => depth += 1,
            }
        }
        match error {
            Errno::NOENT if by_link => SkipReason::Symlink,
            error => reason(error),
        }
    }
}

fn open(folder: &OwnedFd, name: &str) -> Result<(File, fs::Stat), Errno> {
    let file = fs::openat(folder, name, READING, Mode::empty())?;
    let stat = fs::fstat(&file)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Ok((File::from(file), stat)),
        // A pipe or a device: no file that a checker saw.
        _ => Err(Errno::NOENT),
    }
}

/// Writes the new file, with owner and mode of the old one, to the disk.
fn fill(made: OwnedFd, new: &[u8], old: Option<&fs::Stat>) -> std::io::Result<()> {
    let mut file = File::from(made);
    file.write_all(new)?;
    if let Some(old) = old {
        let now = fs::fstat(&file)?;
        if (now.st_uid, now.st_gid) != (old.st_uid, old.st_gid) {
            let owner = fs::Uid::from_raw(old.st_uid);
            let group = fs::Gid::from_raw(old.st_gid);
            // Who may not give files away owns what is written, as with any editor.
            let _ = fs::fchown(&file, Some(owner), Some(group));
        }
        fs::fchmod(&file, Mode::from_raw_mode(old.st_mode))?;
    } else {
        fs::fchmod(&file, Mode::from_raw_mode(0o644))?;
    }
    file.sync_all()
}

fn changed(stat: &fs::Stat) -> Option<SystemTime> {
    let time = |seconds: i64, nanoseconds: u64| {
        let since = Duration::from_secs(u64::try_from(seconds).ok()?);
        SystemTime::UNIX_EPOCH.checked_add(since + Duration::from_nanos(nanoseconds))
    };
    #[expect(clippy::unnecessary_cast, reason = "the types differ between systems")]
    let (written, moved) = (
        time(stat.st_mtime as i64, stat.st_mtime_nsec as u64),
        time(stat.st_ctime as i64, stat.st_ctime_nsec as u64),
    );
    written.max(moved)
}

fn reason(error: Errno) -> SkipReason {
    match error {
        Errno::LOOP => SkipReason::Symlink,
        Errno::ACCESS | Errno::PERM | Errno::ROFS => SkipReason::ReadOnly,
        _ => SkipReason::Stale,
    }
}

fn refused(error: Errno) -> Refused {
    match error {
        // With O_NOFOLLOW and O_DIRECTORY a link is either of these.
        Errno::LOOP | Errno::NOTDIR => Refused::Reason(SkipReason::Symlink),
        Errno::ACCESS | Errno::PERM | Errno::ROFS => Refused::Reason(SkipReason::ReadOnly),
        Errno::NOENT => Refused::Reason(SkipReason::Stale),
        error => Refused::Io(error.into()),
    }
}
