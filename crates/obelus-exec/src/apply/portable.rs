//! The tree where folders can't be opened to work from: by paths, each checked just before use.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use obelus_record::SkipReason;

use super::{Looked, Refused, is_absolute, is_private};
use crate::repository::relative;

/// A repository's folder.
#[derive(Debug)]
pub struct Tree {
    path: PathBuf,
}

impl Tree {
    /// The folder at `root`, which may itself be a link.
    pub fn open(root: &Path) -> std::io::Result<Self> {
        Ok(Tree { path: root.canonicalize()? })
    }

    /// The file that `path` leads to, or why it must not be edited.
    pub fn look(&self, path: &str) -> Result<Looked, SkipReason> {
        let leaves = |path: &str| {
            let mut depth = 0_usize;
            path.split(['/', '\\']).any(|part| match part {
                "" | "." => false,
                ".." => depth.checked_sub(1).map(|less| depth = less).is_none(),
                _ => {
                    depth += 1;
                    false
                }
            })
        };
        if is_absolute(path) || leaves(path) {
            return Err(SkipReason::OutsideRepository);
        }
        let real = self.path.join(path).canonicalize().map_err(|_| SkipReason::Stale)?;
        let real_path = relative(&self.path, &real).ok_or(SkipReason::OutsideRepository)?;
        if real_path.split('/').any(is_private) {
            return Err(SkipReason::OutsideRepository);
        }
        let metadata = real.metadata().map_err(|_| SkipReason::Stale)?;
        let bytes = std::fs::read(&real).map_err(|_| SkipReason::Stale)?;
        let path: Arc<str> = real_path.into();
        Ok(Looked {
            identity: path.clone(),
            path,
            bytes: bytes.into(),
            changed: metadata.modified().ok(),
            read_only: metadata.permissions().readonly(),
        })
    }

    /// What the file at `path`, which has no links in it, holds; nothing where there is none.
    pub fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Refused> {
        match std::fs::read(self.without_links(path)?) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
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
        if self.read(path)?.as_deref() != expected {
            return Err(Refused::Reason(SkipReason::Stale));
        }
        let target = self.without_links(path)?;
        let made = target.with_file_name(temporary);
        let written = (|| {
            let mut file = std::fs::File::create(&made)?;
            file.write_all(new)?;
            file.sync_all()?;
            std::fs::rename(&made, &target)
        })();
        if let Err(error) = written {
            // The error that is told is the first.
            let _ = std::fs::remove_file(&made);
            return Err(error.into());
        }
        Ok(())
    }

    /// Removes the file called `temporary` beside `path`, if there is one.
    pub fn remove_beside(&self, path: &str, temporary: &str) {
        if let Ok(target) = self.without_links(path) {
            // What is not there need not be removed.
            let _ = std::fs::remove_file(target.with_file_name(temporary));
        }
    }

    /// The path on disk, if no part of it is a link.
    fn without_links(&self, path: &str) -> Result<PathBuf, Refused> {
        let mut target = self.path.clone();
        for part in path.split('/') {
            target.push(part);
            let is_link = target.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
            if is_link {
                return Err(Refused::Reason(SkipReason::Symlink));
            }
        }
        Ok(target)
    }
}
