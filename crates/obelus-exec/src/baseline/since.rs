//! A check of the work tree, held against one of a baseline.

use std::path::Path;
use std::sync::Arc;

use obelus_core::Sources;
use obelus_core::checker::Checker;
use obelus_core::reason::adopted::{AdoptedFile, FILE};
use obelus_core::reason::attribute::{FailOn, FilePairs, Side, attribute, decide, edits};
use obelus_record::{Obtained, Report};

use crate::adopted::AdoptedFileError;
use crate::git::{Change, Git, TreeSources};
use crate::repository::Repository;
use crate::sources::FolderSources;

use super::cache::Cache;
use super::obtain::Changed;
use super::point::Point;
use super::policy::{Sides, config_of};
use super::running::{Running, is_interrupted, scratch};
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
    let compared = if is_interrupted(&checked.report) {
        Ok(())
    } else {
        change.keep(running, &cache, &checked.report, &objects).and_then(|()| {
            let obtained = change.baseline(running, &cache, &changes, &checked.report)?;
            let sides = Sides { before: &before, after: &work_files, changes: &changes };
            hold(&mut checked.report, obtained, &sides, running.repository)?;
            let attribution = checked.report.attribution.get_or_insert_default();
            attribution.baseline.name = Some(since.name.clone());
            attribution.baseline.revision = point.commit.clone();
            attribution.baseline.notes = notes(&git, &changes);
            attribution.touched = Some(touched(&changes));
            let adopted = adopted.map(|file| Box::new(file.hold(&checked.report, &work_files)));
            checked.report.adopted = adopted;
            decide(&mut checked.report, since.fail_on);
            Ok(())
        })
    };
    // What the checkers said is saved, also where it can't be compared.
    let report = checked.save(running.repository)?;
    compared.map(|()| report)
}

/// Holds the report against that of the baseline.
fn hold(
    report: &mut Report,
    (baseline, obtained): (Report, Obtained),
    sides: &Sides<'_>,
    repository: &Repository,
) -> Result<(), BaselineError> {
    let before = Side { report: &baseline, sources: sides.before };
    let after = Side { report, sources: sides.after };
    let pairs = pairs(sides.changes);
    let mut attribution = attribute(&before, &after, &pairs);
    attribution.edits = edits(sides.before, &after, &pairs, &attribution.new);
    attribution.baseline.obtained = Some(obtained);
    report.attribution = Some(Box::new(attribution));
    report.policy = policy(repository, sides, report, &baseline)?;
    Ok(())
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
        judging.config = config_of(before)
            .map_err(|error| BaselineError::Policy { revision, error: error.into() })?;
    }
    Ok(judging)
}

fn adopted_in(files: &dyn Sources) -> Result<Option<AdoptedFile>, BaselineError> {
    let Some(bytes) = files.read(FILE) else { return Ok(None) };
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(AdoptedFile::parse(&text).map_err(AdoptedFileError::from)?))
}

/// The files that were touched, as they are called now.
fn touched(changes: &[Change]) -> Vec<String> {
    changes.iter().filter_map(|change| change.after.clone()).collect()
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
