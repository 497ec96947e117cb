//! What a check runs with, and the check that is stored to compare with.

use obelus_record::{Report, Termination};

use crate::check::{CheckError, Events, Options, run_checkers};
use crate::git::Git;
use crate::plan::Request;
use crate::process::stop::Stop;
use crate::repository::Repository;
use crate::saving::Checked;

use super::cache::{Cache, Entry, Key, digest};
use super::{BaselineError, Untracked};

/// What a check runs with, in one hand.
#[derive(Clone, Copy)]
pub struct Running<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// What is asked for.
    pub request: &'a Request,
    /// How to check.
    pub options: &'a Options,
    /// What stops the check.
    pub stop: &'a Stop,
    /// Who watches.
    pub events: &'a dyn Events,
}

impl Running<'_> {
    pub(super) fn check(&self) -> Result<Checked, BaselineError> {
        let Running { repository, request, options, stop, events } = *self;
        Ok(run_checkers(repository, request, options, stop, events)?)
    }

    /// What a report of `tree` for `request` depends on.
    pub(super) fn key(
        &self,
        git: &Git,
        untracked: &Untracked,
        tree: &str,
        request: &Request,
    ) -> Result<Key, BaselineError> {
        let config = &self.repository.config;
        let checkers = self.repository.checkers().map_err(CheckError::from)?;
        Ok(Key {
            obelus: env!("CARGO_PKG_VERSION").to_owned(),
            tree: tree.to_owned(),
            prefix: git.prefix().to_owned(),
            config: digest(&format!("{:?} {:?} {checkers:?}", config.only, config.exclude)),
            installed: untracked.installed(git),
            checkers: request.checkers.clone(),
            scope: request.scope.clone(),
        })
    }
}

/// Stores the check of the work tree as it is now as the baseline called
/// [`STORED`](super::STORED), and saves it as any check.
pub fn store_baseline(running: Running<'_>) -> Result<Report, BaselineError> {
    let root = &running.repository.root;
    let git = Git::open(root)?;
    let cache = Cache::of(root);
    let scratch = scratch()?;
    let tree = git.work_tree(&[scratch.path()])?;
    let untracked = Untracked::of(&git)?;
    let key = running.key(&git, &untracked, &tree.digest, running.request)?;
    let checked = running.check()?;
    let report = checked.report.clone();
    let saved = checked.save(running.repository)?;
    if is_interrupted(&report) {
        return Ok(saved);
    }
    if git.work_tree(&[&cache.objects(&key)])? != tree {
        return Err(BaselineError::Changing);
    }
    cache.put(&Entry::new(key, &tree.id, true, report))?;
    Ok(saved)
}

/// Whether the user stopped it.
pub(super) fn is_interrupted(report: &Report) -> bool {
    report.runs.iter().any(|run| run.termination == Termination::Interrupted)
}

/// A folder for objects that nobody needs afterwards.
pub(super) fn scratch() -> Result<tempfile::TempDir, BaselineError> {
    tempfile::tempdir().map_err(BaselineError::io("create", &std::env::temp_dir()))
}
