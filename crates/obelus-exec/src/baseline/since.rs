//! A check of the work tree, held against one of a baseline.

use std::path::Path;

use obelus_core::reason::attribute::FailOn;
use obelus_record::Report;
use serde::{Deserialize, Serialize};

use crate::git::{Change, Git, TreeSources};
use crate::sources::FolderSources;

use super::cache::Cache;
use super::held::{Held, KEPT, adopted_by, judging};
use super::obtain::Changed;
use super::point::Point;
use super::running::{Running, is_interrupted, scratch};
use super::{BaselineError, Untracked};

/// What a check is held against, and how it is judged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Since {
    /// A revision, `merge-base:BRANCH`, or [`STORED`](super::STORED).
    pub name: String,
    /// What fails the verdict.
    pub fail_on: FailOn,
    /// Whose `obelus.toml` and adopted findings judge.
    pub policy: PolicyOf,
    /// Whether the verdict fails where the change silenced anything.
    pub deny_silencing: bool,
}

/// Whose rules judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PolicyOf {
    /// Those of the work tree.
    #[default]
    Work,
    /// Those of the baseline: a change can't loosen what judges it.
    Base,
}

/// Checks the work tree, tells of each record whether the change since the baseline caused it,
/// and saves the report.
pub fn check_since(running: Running<'_>, since: &Since) -> Result<Report, BaselineError> {
    let root = &running.repository.root;
    let git = Git::open(root)?;
    let cache = Cache::of(root);
    let point = Point::find(&git, &cache, &since.name)?;
    let own = point.own();
    let before = TreeSources::new(&git, &point.digest, &own);
    let judging = judging(running.repository, &before, since)?;
    let running = Running { repository: &judging, ..running };
    let adopted = adopted_by(since, &before, &FolderSources::new(root))?;

    let scratch = scratch()?;
    let objects: Vec<&Path> = std::iter::once(scratch.path()).chain(own).collect();
    let work = git.work_tree(&objects)?;
    let change = Changed { git: &git, untracked: Untracked::of(&git)?, work, point: &point };
    let changes = git.changes(&point.digest, &change.work.id, &objects)?;
    let changes = from_root(&git, changes);

    let mut checked = running.check()?;
    let compared = if is_interrupted(&checked.report) {
        Ok(())
    } else {
        change.keep(running, &cache, &checked.report, &objects).and_then(|()| {
            let (report, obtained) = change.baseline(running, &cache, &changes, &checked.report)?;
            let held = Held {
                since: since.clone(),
                commit: point.commit.clone(),
                tree: point.digest.clone(),
                objects: point.own.clone(),
                work: change.work.id.clone(),
                notes: notes(&git, &changes),
                changes,
                report,
                obtained,
            };
            held.judge(&mut checked.report, &before, running.repository, adopted)?;
            checked.saving.recording.put(KEPT, &held)?;
            Ok(())
        })
    };
    // What the checkers said is saved, also where it can't be compared.
    let report = checked.save(running.repository)?;
    compared.map(|()| report)
}

/// The changes below the root, with paths from there.
fn from_root(git: &Git, changes: Vec<Change>) -> Vec<Change> {
    let inside =
        |path: Option<String>| path.and_then(|path| git.seen_from_root(&path).map(str::to_owned));
    changes
        .into_iter()
        .map(|change| Change {
            before: inside(change.before),
            after: inside(change.after),
            ..change
        })
        .filter(|change| change.before.is_some() || change.after.is_some())
        .collect()
}

/// What limits the comparison.
fn notes(git: &Git, changes: &[Change]) -> Vec<String> {
    const LOCKS: [&str; 11] = [
        "package-lock.json",
        "npm-shrinkwrap.json",
        "pnpm-lock.yaml",
        "yarn.lock",
        "bun.lock",
        "bun.lockb",
        "uv.lock",
        "poetry.lock",
        "Pipfile.lock",
        "pdm.lock",
        "requirements.txt",
    ];
    let mut notes = Vec::new();
    let paths =
        changes.iter().filter_map(|change| change.after.as_deref().or(change.before.as_deref()));
    for path in paths.filter(|path| LOCKS.contains(&path.rsplit('/').next().unwrap_or(path))) {
        notes.push(format!(
            "{path} differs, and the baseline was checked with the packages that are installed now"
        ));
    }
    if git.is_sparse() {
        notes.push(
            "the checkout is sparse, and the baseline was checked in the same part".to_owned(),
        );
    }
    notes
}
