//! The change that is reviewed.

use std::path::{Path, PathBuf};

use super::ReviewError;
use crate::git::Git;

/// What names a change.
#[derive(Clone, Debug)]
pub enum ChangeOf {
    /// The work tree since this revision, or since `merge-base:BRANCH`.
    Since(String),
    /// A unified diff in a file.
    File(PathBuf),
}

/// A change, as a unified diff.
#[derive(Clone, Debug)]
pub struct Change {
    /// What it is, for people and for the reviewer.
    pub of: String,
    /// The diff.
    pub diff: Vec<u8>,
}

impl Change {
    /// Reads the change that `of` names, in the repository at `root`.
    pub fn read(of: &ChangeOf, root: &Path) -> Result<Self, ReviewError> {
        let change = match of {
            ChangeOf::Since(revision) => since(revision, root)?,
            ChangeOf::File(path) => Change {
                of: path.display().to_string(),
                diff: std::fs::read(path)
                    .map_err(|error| ReviewError::Diff { path: path.clone(), error })?,
            },
        };
        match change.diff.trim_ascii().is_empty() {
            true => Err(ReviewError::NoChange(change.of)),
            false => Ok(change),
        }
    }
}

fn since(revision: &str, root: &Path) -> Result<Change, ReviewError> {
    let git = Git::open(root)?;
    let commit = git.resolve(revision)?;
    let scratch = tempfile::tempdir().map_err(ReviewError::Temporary)?;
    let own = [scratch.path()];
    let work = git.work_tree(&own)?;
    Ok(Change {
        of: format!("the work tree since {revision}"),
        diff: git.diff(&commit.tree, &work.id, &own)?,
    })
}
