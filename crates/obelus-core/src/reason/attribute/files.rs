//! Which file before the change is which file after it, as far as it is known from outside.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Sources;
use crate::reason::Changed;

/// The files of one side that can be listed.
pub trait Tree: Sources {
    /// Every file that belongs to the repository: its path, and its length in bytes.
    fn files(&self) -> Vec<(String, u64)>;
}

/// What is known about which file became which. The rest is found out from the contents of those
/// files that have records.
#[derive(Clone, Debug, Default)]
pub struct FilePairs {
    /// After → before, for files that came from another path.
    renamed: FxHashMap<Arc<str>, Arc<str>>,
    known: Known,
}

/// Files that are quickly read.
const FEW_FILES: usize = 2_000;

#[derive(Clone, Debug, Default)]
enum Known {
    /// Nothing: every file has to be looked at.
    #[default]
    Nothing,
    /// Paths after whose content is not that of their counterpart; all others are as they were.
    Edited(FxHashSet<Arc<str>>),
    /// The files of both sides with their lengths.
    Lengths { before: Listed, after: Listed },
}

/// Files with their lengths in bytes.
pub(in crate::reason) type Listed = FxHashMap<String, u64>;

impl FilePairs {
    /// Nothing is known.
    pub fn unknown() -> Self {
        FilePairs::default()
    }

    /// What a version control system found: `edited` are the paths after whose content differs
    /// from that of the file before, added ones among them; `renamed` are pairs of paths before
    /// and after.
    pub fn known(
        edited: impl IntoIterator<Item = Arc<str>>,
        renamed: impl IntoIterator<Item = (Arc<str>, Arc<str>)>,
    ) -> Self {
        FilePairs {
            renamed: renamed.into_iter().map(|(before, after)| (after, before)).collect(),
            known: Known::Edited(edited.into_iter().collect()),
        }
    }

    /// The same from a list of the files that differ.
    pub fn of(changed: &[Changed]) -> Self {
        let edited = changed.iter().filter_map(|file| file.after.clone());
        let both = changed.iter().filter_map(|file| file.before.clone().zip(file.after.clone()));
        FilePairs::known(edited, both.filter(|(before, after)| before != after))
    }

    /// What the lists of two trees tell. Files of equal length, all of whose records agree in
    /// place and message, are taken for equal without being read.
    pub fn between(before: &dyn Tree, after: &dyn Tree) -> Self {
        let listed = |tree: &dyn Tree| tree.files().into_iter().collect();
        FilePairs {
            renamed: FxHashMap::default(),
            known: Known::Lengths { before: listed(before), after: listed(after) },
        }
    }

    /// The path before of a file that is known to have been renamed.
    pub(super) fn renamed(&self, after: &str) -> Option<&str> {
        self.renamed.get(after).map(|before| &**before)
    }

    /// The pairs of paths before and after that are known.
    pub(super) fn renames(&self) -> impl Iterator<Item = (&str, &str)> {
        self.renamed.iter().map(|(after, before)| (&**before, &**after))
    }

    /// Whether the file at `path` is on both sides and need not be looked at, as nothing about its
    /// records is doubtful.
    pub(super) fn looks_untouched(&self, path: &str) -> bool {
        match &self.known {
            Known::Nothing => false,
            Known::Edited(edited) => !edited.contains(path) && self.renamed(path).is_none(),
            Known::Lengths { before, after } => {
                before.get(path).is_some_and(|length| after.get(path) == Some(length))
            }
        }
    }

    /// Whether the file at `path` is known to have the same content on both sides.
    pub(super) fn is_untouched(&self, path: &str) -> bool {
        matches!(&self.known, Known::Edited(_)) && self.looks_untouched(path)
    }

    /// Whether there is a file at `path` before; `sources` is asked where there is no list.
    pub(super) fn was_there(&self, path: &str, sources: &dyn Sources) -> bool {
        match &self.known {
            Known::Lengths { before, .. } if before.contains_key(path) => true,
            _ => sources.exists(path),
        }
    }

    /// Whether there is a file at `path` after.
    pub(super) fn is_there(&self, path: &str, sources: &dyn Sources) -> bool {
        match &self.known {
            Known::Lengths { after, .. } if after.contains_key(path) => true,
            _ => sources.exists(path),
        }
    }

    /// The files of both sides with their lengths, where they are listed.
    pub(in crate::reason) fn listed(&self) -> Option<(&Listed, &Listed)> {
        match &self.known {
            Known::Lengths { before, after } => Some((before, after)),
            _ => None,
        }
    }

    /// The paths before and after of files that may have been edited, as far as that is known
    /// without reading them.
    pub(super) fn edited(&self) -> Vec<(Arc<str>, Arc<str>)> {
        let before = |after: &Arc<str>| self.renamed.get(after).unwrap_or(after).clone();
        let mut edited: Vec<(Arc<str>, Arc<str>)> = match &self.known {
            Known::Nothing => Vec::new(),
            Known::Edited(edited) => {
                edited.iter().map(|after| (before(after), after.clone())).collect()
            }
            Known::Lengths { before, after } => {
                // A small tree is compared whole: an edit may leave a file as long as it was.
                let few = after.len() <= FEW_FILES;
                let may_differ = |(path, length): &(&String, &u64)| {
                    before.get(*path).is_some_and(|before| few || before != *length)
                };
                let paths = after.iter().filter(may_differ).map(|(path, _)| Arc::from(&**path));
                paths.map(|path: Arc<str>| (path.clone(), path)).collect()
            }
        };
        edited.sort();
        edited
    }

    /// The length of a file before, and after, where the files are listed.
    pub(super) fn lengths(&self, path: &str) -> (Option<u64>, Option<u64>) {
        match &self.known {
            Known::Lengths { before, after } => {
                (before.get(path).copied(), after.get(path).copied())
            }
            _ => (None, None),
        }
    }
}
