//! Which tree a change is held against.

use std::path::{Path, PathBuf};

use crate::git::{Git, GitError};

use super::BaselineError;
use super::cache::Cache;

/// What names the baseline that `obelus baseline` stored last. A branch of that name can be
/// called `refs/heads/baseline`.
pub const STORED: &str = "baseline";

/// The tree before the change.
pub struct Point {
    /// Its object id.
    pub tree: String,
    /// What tells it from all others, with its submodules.
    pub digest: String,
    /// The commit, if it is one's.
    pub commit: Option<String>,
    /// Where its objects are that no commit holds.
    pub own: Option<PathBuf>,
}

impl Point {
    /// What `name` stands for.
    pub fn find(git: &Git, cache: &Cache, name: &str) -> Result<Self, BaselineError> {
        if name != STORED {
            return Ok(Self::revision(git, name)?);
        }
        let entry = cache.last_stored()?.ok_or(BaselineError::NothingStored)?;
        Ok(Point {
            tree: entry.tree.clone(),
            digest: entry.key.tree.clone(),
            commit: None,
            own: Some(cache.objects(&entry.key)),
        })
    }

    fn revision(git: &Git, name: &str) -> Result<Self, GitError> {
        let commit = git.resolve(name)?;
        Ok(Point {
            digest: git.digest(&commit.tree)?,
            tree: commit.tree,
            commit: Some(commit.id),
            own: None,
        })
    }

    /// What people call it.
    pub fn shown(&self) -> String {
        match &self.commit {
            Some(id) => id.get(..12).unwrap_or(id).to_owned(),
            None => "the stored files".to_owned(),
        }
    }

    /// Where its objects are that no commit holds, as a list of folders.
    pub fn own(&self) -> Vec<&Path> {
        self.own.as_deref().into_iter().collect()
    }
}
