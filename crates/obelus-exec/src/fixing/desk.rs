//! The files that suggestions edit: which they are, and whether they may be edited.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use obelus_core::fix::{Plan, Target, Unit, plan};
use obelus_core::reason::is_dependency;
use obelus_record::{SkipReason, Skipped};

use super::seen::Seen;
use crate::apply::{ApplyError, Change, Transaction, Tree};
use crate::sources::FolderSources;

/// Looks at files, and remembers under which path each was seen first.
pub(super) struct Desk {
    root: PathBuf,
    sources: FolderSources,
    ignored: Ignored,
    /// Files that could not be written, with the reason.
    against: HashMap<Arc<str>, SkipReason>,
}

impl Desk {
    pub fn new(root: &Path) -> Self {
        Desk {
            root: root.to_owned(),
            sources: FolderSources::new(root),
            ignored: Ignored::new(root),
            against: HashMap::new(),
        }
    }

    /// Which `units` go together on the files as they are now.
    pub fn plan(&mut self, tree: &Tree, units: &[Unit], seen: &Seen) -> Plan {
        let mut names = HashMap::new();
        plan(units, &mut |path| self.target(tree, path, seen, &mut names))
    }

    /// Plans `units` and makes what is planned, all or nothing.
    pub fn apply(
        &mut self,
        transaction: &mut Transaction,
        units: &[Unit],
        seen: &Seen,
    ) -> Result<Plan, ApplyError> {
        loop {
            let plan = self.plan(transaction.tree(), units, seen);
            let changes = changes(&plan.files, &plan.with_all());
            match transaction.write(&changes)? {
                Ok(()) => return Ok(plan),
                // One file less each time, so this ends.
                Err((path, reason)) => self.against.insert(path, reason),
            };
        }
    }

    fn target(
        &mut self,
        tree: &Tree,
        path: &str,
        seen: &Seen,
        names: &mut HashMap<Arc<str>, Arc<str>>,
    ) -> Result<Target, SkipReason> {
        let file = tree.look(path)?;
        if is_dependency(&file.path, &self.sources) || self.ignored.is(&self.root, &file.path) {
            return Err(SkipReason::Dependency);
        }
        if !seen.is(path, &file) {
            return Err(SkipReason::Stale);
        }
        if std::str::from_utf8(&file.bytes).is_err() {
            return Err(SkipReason::NotUtf8);
        }
        if file.read_only {
            return Err(SkipReason::ReadOnly);
        }
        if let Some(reason) = self.against.get(&file.path) {
            return Err(*reason);
        }
        let name = names.entry(file.identity).or_insert(file.path).clone();
        Ok(Target { name, bytes: file.bytes })
    }
}

/// The changes that lead from the files `from` to those of `to`, by path.
pub(super) fn changes(
    from: &BTreeMap<Arc<str>, Arc<[u8]>>,
    to: &BTreeMap<Arc<str>, Vec<u8>>,
) -> Vec<Change> {
    let differing = to.iter().filter_map(|(path, to)| {
        let from = from.get(path)?;
        (**from != **to).then(|| Change {
            path: path.clone(),
            from: from.clone(),
            to: to.as_slice().into(),
        })
    });
    differing.collect()
}

/// Adds skipped suggestions, so that each index stands once and in order.
pub(super) fn add_skipped(all: &mut Vec<Skipped>, more: impl IntoIterator<Item = Skipped>) {
    all.extend(more);
    all.sort();
    all.dedup_by_key(|skipped| skipped.index);
}

/// The files that git ignores; none where the root lies in no git repository.
struct Ignored {
    in_git: bool,
    /// The rules of each folder that was asked about.
    rules: HashMap<String, Option<Gitignore>>,
}

impl Ignored {
    fn new(root: &Path) -> Self {
        let in_git = root.ancestors().any(|folder| folder.join(".git").exists());
        Ignored { in_git, rules: HashMap::new() }
    }

    /// Whether `path`, or a folder above it, is ignored. The rules nearest to it are asked first.
    fn is(&mut self, root: &Path, path: &str) -> bool {
        if !self.in_git {
            return false;
        }
        let mut folder = path;
        while !folder.is_empty() {
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            let rules = self.rules.entry(folder.to_owned()).or_insert_with(|| {
                let base = root.join(folder);
                let mut builder = GitignoreBuilder::new(&base);
                let file = base.join(".gitignore");
                // A line that git can't read either is no rule.
                (file.is_file() && builder.add(&file).is_none()).then(|| builder.build().ok())?
            });
            let Some(rules) = rules else { continue };
            let matched = rules.matched_path_or_any_parents(root.join(path), false);
            if !matched.is_none() {
                return matched.is_ignore();
            }
        }
        false
    }
}
