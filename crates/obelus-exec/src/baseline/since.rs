//! A check of the work tree, held against one of a baseline.

use std::path::Path;
use std::sync::Arc;

use obelus_core::Sources;
use obelus_core::checker::Checker;
use obelus_core::reason::adopted::{AdoptedFile, FILE};
use obelus_core::reason::attribute::{FailOn, FilePairs, Side, attribute, decide};
use obelus_record::{Obtained, Report, Termination};

use crate::adopted::AdoptedFileError;
use crate::check::{Events, Options, run_checkers};
use crate::git::{Change, Git, Tree, TreeSources};
use crate::plan::Request;
use crate::process::stop::Stop;
use crate::repository::Repository;
use crate::saving::Checked;
use crate::sources::FolderSources;

use super::cache::{Cache, Entry, Key, is_lasting};
use super::checkout::Checkout;
use super::point::Point;
use super::policy::{Sides, config_of};
use super::{BaselineError, Untracked};

/// What a check is held against, and how it is judged.
#[derive(Clone, Debug)]
pub struct Since {
    /// A revision, `merge-base:BRANCH`, or [`STORED`](super::STORED).
    pub name: String,
    /// What fails the verdict.
    pub fail_on: FailOn,
    /// Whose `obelus.toml` and adopted findings judge.
    pub policy: PolicyOf,
}

/// Whose rules judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PolicyOf {
    /// Those of the work tree.
    #[default]
    Work,
    /// Those of the baseline: a change can't loosen what judges it.
    Base,
}

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
    fn key(
        &self,
        git: &Git,
        untracked: &Untracked,
        tree: &str,
        request: &Request,
    ) -> Result<Key, BaselineError> {
        let config = &self.repository.config;
        let checkers = self.repository.checkers().map_err(crate::check::CheckError::from)?;
        Ok(Key {
            obelus: env!("CARGO_PKG_VERSION").to_owned(),
            tree: tree.to_owned(),
            prefix: git.prefix().to_owned(),
            config: super::cache::digest(&format!(
                "{:?} {:?} {checkers:?}",
                config.only, config.exclude
            )),
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
    if is_interrupted(&checked.report) {
        return Ok(checked.save(running.repository)?);
    }
    if git.work_tree(&[&cache.objects(&key)])? != tree {
        return Err(BaselineError::Changing);
    }
    cache.put(&Entry::new(key, &tree.id, true, checked.report.clone()))?;
    Ok(checked.save(running.repository)?)
}

/// Checks the work tree, tells of each record whether the change since the baseline caused it,
/// and saves the report.
pub fn check_since(running: Running<'_>, since: &Since) -> Result<Report, BaselineError> {
    let root = &running.repository.root;
    let git = Git::open(root)?;
    let cache = Cache::of(root);
    let point = Point::find(&git, &cache, &since.name)?;
    let own = point.own();
    let before = TreeSources::new(&git, &point.tree, &own);
    let judging = judging(running.repository, &before, since)?;
    let running = Running { repository: &judging, ..running };
    let work_files = FolderSources::new(root);
    let rules: &dyn Sources = if since.policy == PolicyOf::Base { &before } else { &work_files };
    let adopted = adopted_in(rules)?;

    let scratch = scratch()?;
    let objects: Vec<&Path> = std::iter::once(scratch.path()).chain(own).collect();
    let work = git.work_tree(&objects)?;
    let change = Changed { git: &git, untracked: Untracked::of(&git)?, work, point: &point };
    let changes = git.changes(&point.tree, &change.work.id, &objects)?;
    let changes = from_root(&git, changes);

    let mut checked = running.check()?;
    if is_interrupted(&checked.report) {
        return Ok(checked.save(running.repository)?);
    }
    change.keep(running, &cache, &checked.report, &objects)?;
    let (baseline, obtained) = change.baseline(running, &cache, &changes, &checked.report)?;
    let report = &mut checked.report;
    let mut attribution = attribute(
        &Side { report: &baseline, sources: &before },
        &Side { report, sources: &work_files },
        &pairs(&changes),
    );
    attribution.baseline.name = Some(since.name.clone());
    attribution.baseline.revision = point.commit.clone();
    attribution.baseline.obtained = Some(obtained);
    attribution.baseline.notes = notes(&git, &changes);
    report.attribution = Some(Box::new(attribution));
    report.adopted = adopted.map(|file| Box::new(file.hold(report, &work_files)));
    let sides = Sides { before: &before, after: &work_files, changes: &changes };
    report.policy = policy(running.repository, &sides, report, &baseline)?;
    decide(report, since.fail_on);
    Ok(checked.save(running.repository)?)
}

/// The repository with the configuration that judges.
fn judging(
    repository: &Repository,
    before: &TreeSources,
    since: &Since,
) -> Result<Repository, BaselineError> {
    let mut judging = repository.clone();
    if since.policy == PolicyOf::Base {
        let revision = since.name.clone();
        judging.config =
            config_of(before).map_err(|error| BaselineError::Policy { revision, error })?;
    }
    Ok(judging)
}

fn adopted_in(files: &dyn Sources) -> Result<Option<AdoptedFile>, BaselineError> {
    let Some(bytes) = files.read(FILE) else { return Ok(None) };
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(AdoptedFile::parse(&text).map_err(AdoptedFileError::from)?))
}

/// The change between the baseline and the work tree.
struct Changed<'a> {
    git: &'a Git,
    untracked: Untracked,
    work: Tree,
    point: &'a Point,
}

impl Changed<'_> {
    /// Keeps the report of the work tree: when its tree is committed, it is a baseline.
    fn keep(
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
    fn baseline(
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
        let report = checkout.check(&self.point.tree, &self.point.own(), &request)?;
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
    let mut report = obelus_core::assemble::RecordSet::default();
    for run in &now.runs {
        let mut run = run.clone();
        run.outcome = obelus_record::Outcome::Pass;
        run.reason = "nothing of what was asked about was there".to_owned();
        (run.fault, run.partial) = (None, false);
        report.add(run, Vec::new(), &[]);
    }
    report.report(now.not_run.clone(), now.scope.clone())
}

/// The changes below the root, with paths from there.
fn from_root(git: &Git, changes: Vec<Change>) -> Vec<Change> {
    let inside =
        |path: Option<String>| path.and_then(|path| git.from_root(&path).map(str::to_owned));
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

/// Which file became which. A copy is a new file, and git is not asked for the one that it was made
/// of: what was found there is still found there.
fn pairs(changes: &[Change]) -> FilePairs {
    let edited = changes.iter().filter(|change| !change.same_content);
    let edited = edited.filter_map(|change| change.after.as_deref()).map(Arc::from);
    let renamed = changes.iter().filter(|change| change.kind == 'R').filter_map(|change| {
        Some((Arc::from(change.before.as_deref()?), Arc::from(change.after.as_deref()?)))
    });
    FilePairs::known(edited, renamed)
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

/// What the change does to the rules of the checkers that ran.
fn policy(
    repository: &Repository,
    sides: &Sides<'_>,
    report: &Report,
    baseline: &Report,
) -> Result<Vec<obelus_record::PolicyChange>, BaselineError> {
    let all = repository.checkers().map_err(crate::check::CheckError::from)?;
    let ran = |checker: &&Checker| {
        let mut runs = report.runs.iter().chain(&baseline.runs);
        runs.any(|run| run.checker == checker.name)
    };
    let ran: Vec<&Checker> = all.iter().filter(ran).collect();
    // What the work tree's own file says, also where another judges. One that is wrong judges nothing.
    let work = config_of(sides.after).unwrap_or_default();
    Ok(sides.policy(&work, &ran))
}

pub(super) fn is_interrupted(report: &Report) -> bool {
    report.runs.iter().any(|run| run.termination == Termination::Interrupted)
}

/// A folder for objects that nobody needs afterwards.
fn scratch() -> Result<tempfile::TempDir, BaselineError> {
    tempfile::tempdir().map_err(BaselineError::io("create", &std::env::temp_dir()))
}
