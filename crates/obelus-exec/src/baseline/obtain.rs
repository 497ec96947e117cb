//! The report of the baseline: one that was kept, or a new one.

use std::path::Path;

use obelus_core::assemble::RecordSet;
use obelus_record::{Obtained, Outcome, Report};

use crate::check::Events;
use crate::git::{Change, Git, Tree};
use crate::plan::Request;

use super::cache::{Cache, Entry, is_lasting};
use super::checkout::Checkout;
use super::point::Point;
use super::running::{Running, is_interrupted};
use super::{BaselineError, Untracked};

/// The change between the baseline and the work tree.
pub struct Changed<'a> {
    /// The work tree.
    pub git: &'a Git,
    /// What git does not hold of it.
    pub untracked: Untracked,
    /// Its tree before the checkers ran.
    pub work: Tree,
    /// The tree before the change.
    pub point: &'a Point,
}

impl Changed<'_> {
    /// Keeps the report of the work tree: when its tree is committed, it is a baseline.
    pub fn keep(
        &self,
        running: Running<'_>,
        cache: &Cache,
        report: &Report,
        objects: &[&Path],
    ) -> Result<(), BaselineError> {
        // Files may have changed under the checkers, and then nobody knows of what it is the report.
        if !is_lasting(report) || self.git.work_tree(objects)? != self.work {
            return Ok(());
        }
        let key = running.key(self.git, &self.untracked, &self.work.digest, running.request)?;
        put(cache, &Entry::new(key, &self.work.id, false, report.clone()), running.events);
        Ok(())
    }

    /// The report of the baseline: one that was kept and agrees with `now`, else a new one.
    pub fn baseline(
        &self,
        running: Running<'_>,
        cache: &Cache,
        changes: &[Change],
        now: &Report,
    ) -> Result<(Report, Obtained), BaselineError> {
        let Some(request) = self.request_before(running.request, changes) else {
            return Ok((nothing_there(now), Obtained::Run));
        };
        let key = running.key(self.git, &self.untracked, &self.point.digest, &request)?;
        if let Some(entry) = cache.find(&key).filter(|entry| entry.versions_agree(now)) {
            return Ok((entry.report, Obtained::Kept));
        }
        let checkout = Checkout {
            repository: running.repository,
            git: self.git,
            untracked: &self.untracked,
            options: running.options,
            stop: running.stop,
            events: running.events,
        };
        running.events.note(format!("checking {} as well, to compare with", self.point.shown()));
        let report = checkout.check(&self.point.digest, &self.point.own(), &request)?;
        if is_interrupted(&report) {
            return Err(BaselineError::Interrupted);
        }
        if is_lasting(&report) {
            put(cache, &Entry::new(key, &self.point.tree, false, report.clone()), running.events);
        }
        Ok((report, Obtained::Run))
    }

    /// The request with the names that its folders and files had before; nothing if none was there.
    fn request_before(&self, request: &Request, changes: &[Change]) -> Option<Request> {
        let own = self.point.own();
        let before = |path: &String| {
            let renamed =
                changes.iter().find(|one| one.kind == 'R' && one.after.as_ref() == Some(path));
            let path = renamed.and_then(|change| change.before.clone()).unwrap_or(path.clone());
            self.git.has(&self.point.tree, &path, &own).then_some(path)
        };
        let scope: Vec<String> = request.scope.iter().filter_map(before).collect();
        let nothing = scope.is_empty() && !request.scope.is_empty();
        (!nothing).then(|| Request { scope, ..request.clone() })
    }
}

/// Keeps `entry`. Where that can't be, the next check takes longer and says the same.
fn put(cache: &Cache, entry: &Entry, events: &dyn Events) {
    if let Err(error) = cache.put(entry) {
        events.note(format!("this check is not kept for the next one: {error}"));
    }
}

/// The report of a tree that has nothing of what was asked about: the same runs, without a finding.
fn nothing_there(now: &Report) -> Report {
    let mut report = RecordSet::default();
    for run in &now.runs {
        let mut run = run.clone();
        run.outcome = Outcome::Pass;
        run.reason = "nothing of what was asked about was there".to_owned();
        (run.fault, run.partial) = (None, false);
        report.add(run, Vec::new(), &[]);
    }
    report.report(now.not_run.clone(), now.scope.clone())
}
