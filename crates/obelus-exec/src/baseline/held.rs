//! A report held against a baseline, now or again later: all that this takes lies beside a saved run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use obelus_core::Sources;
use obelus_core::checker::Checker;
use obelus_core::reason::adopted::{AdoptedFile, FILE};
use obelus_core::reason::attribute::{FailOn, FilePairs, decide};
use obelus_core::reason::silence::deny;
use obelus_core::reason::{self, Changed};
use obelus_record::{Obtained, PolicyChange, Report};
use serde::{Deserialize, Serialize};

use crate::adopted::AdoptedFileError;
use crate::check;
use crate::discover::matcher;
use crate::git::{Change, Git, TreeSources};
use crate::repository::Repository;
use crate::sources::FolderSources;
use crate::store::Saved;

use super::BaselineError;
use super::policy::{Sides, config_of};
use super::running::scratch;
use super::since::{PolicyOf, Since};

/// The file beside a saved run that holds a [`Held`].
pub const KEPT: &str = "baseline.json";

/// What the report of a check is held against, and how it is judged.
#[derive(Debug, Serialize, Deserialize)]
pub struct Held {
    /// What was asked for.
    pub since: Since,
    /// The commit of the baseline, if it is one's.
    pub commit: Option<String>,
    /// The tree before the change: its digest, with its submodules.
    pub tree: String,
    /// Where its objects are that no commit holds.
    pub objects: Option<PathBuf>,
    /// The object id of the tree that was checked.
    pub work: String,
    /// What differs between the two, with paths from the root.
    pub changes: Vec<Change>,
    /// What limits the comparison.
    pub notes: Vec<String>,
    /// The report of the baseline.
    pub report: Report,
    /// How it was had.
    pub obtained: Obtained,
}

impl Held {
    /// Holds `report` against the baseline and judges it. `repository` has the configuration that
    /// judges, `adopted` the findings that are let stand.
    pub fn judge(
        &self,
        report: &mut Report,
        before: &TreeSources,
        repository: &Repository,
        adopted: Option<AdoptedFile>,
    ) -> Result<(), BaselineError> {
        let after = FolderSources::new(&repository.root);
        let sides = Sides { before, after: &after, changes: &self.changes };
        compare(report, &self.report, &sides, repository)?;
        let attribution = report.attribution.get_or_insert_default();
        attribution.baseline.obtained = Some(self.obtained);
        attribution.baseline.name = Some(self.since.name.clone());
        attribution.baseline.revision.clone_from(&self.commit);
        attribution.baseline.notes.clone_from(&self.notes);
        report.adopted = adopted.map(|file| Box::new(file.hold(report, &after)));
        decide(report, self.since.fail_on);
        if self.since.deny_silencing {
            deny(report);
        }
        Ok(())
    }

    fn own(&self) -> Vec<&Path> {
        self.objects.as_deref().into_iter().collect()
    }
}

/// Holds a report of `sides.after` against the report of `sides.before`, and judges by what is new
/// and by what was adopted before.
pub(crate) fn hold_against(
    report: &mut Report,
    baseline: &Report,
    sides: &Sides<'_>,
    repository: &Repository,
    fail_on: FailOn,
) -> Result<(), BaselineError> {
    compare(report, baseline, sides, repository)?;
    let attribution = report.attribution.get_or_insert_default();
    attribution.baseline.obtained = Some(Obtained::Run);
    let adopted = adopted_in(sides.before)?;
    report.adopted = adopted.map(|file| Box::new(file.hold(report, sides.after)));
    decide(report, fail_on);
    Ok(())
}

/// What the change caused and silenced, and what it did to the rules.
fn compare(
    report: &mut Report,
    baseline: &Report,
    sides: &Sides<'_>,
    repository: &Repository,
) -> Result<(), BaselineError> {
    let change = reason::Change {
        pairs: &pairs(sides.changes),
        files: &changed(sides),
        sources: (sides.before, sides.after),
    };
    let mut attribution = reason::compare(report, baseline, change);
    attribution.touched = Some(touched(sides.changes));
    report.attribution = Some(Box::new(attribution));
    report.policy = policy(repository, sides, report, baseline)?;
    Ok(())
}

/// Reads a saved run again, and holds it against what it was held against.
pub fn replay(repository: &Repository, saved: &Saved) -> Result<Report, BaselineError> {
    let gone = |name: Option<String>, what| BaselineError::Gone {
        id: saved.id.clone(),
        name: name.unwrap_or_else(|| "a baseline".to_owned()),
        what,
    };
    let Some(mut held) = saved.beside::<Held>(KEPT)? else {
        return match saved.report()?.attribution {
            Some(compared) => Err(gone(compared.baseline.name, "the baseline was not kept")),
            None => {
                let mut report = check::replay(repository, saved)?;
                check::judge_adopted(repository, &mut report)?;
                Ok(report)
            }
        };
    };
    let git = Git::open(&repository.root)?;
    if !git.holds(&held.tree, &held.own()) {
        return Err(gone(Some(held.since.name), "git does not have its files any more"));
    }
    let before = TreeSources::new(&git, &held.tree, &held.own());
    let judging = judging(repository, &before, &held.since)?;
    let after = FolderSources::new(&repository.root);
    let adopted = adopted_by(&held.since, &before, &after)?;
    let scratch = scratch()?;
    let objects: Vec<&Path> = std::iter::once(scratch.path()).chain(held.own()).collect();
    if git.work_tree(&objects)?.id != held.work {
        held.notes.push(
            "files have changed since that run: what was printed then is held against the files \
             as they are now"
                .to_owned(),
        );
    }
    let mut report = check::replay(&judging, saved)?;
    held.judge(&mut report, &before, &judging, adopted)?;
    Ok(report)
}

/// The repository with the configuration that judges.
pub fn judging(
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

/// The findings that whoever judges has adopted.
pub fn adopted_by(
    since: &Since,
    before: &TreeSources,
    after: &FolderSources,
) -> Result<Option<AdoptedFile>, BaselineError> {
    adopted_in(if since.policy == PolicyOf::Base { before } else { after })
}

/// The findings that `files` say are adopted.
fn adopted_in(files: &dyn Sources) -> Result<Option<AdoptedFile>, BaselineError> {
    let Some(bytes) = files.read(FILE) else { return Ok(None) };
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(AdoptedFile::parse(&text).map_err(AdoptedFileError::from)?))
}

/// The files that were touched, as they are called now.
fn touched(changes: &[Change]) -> Vec<String> {
    changes.iter().filter_map(|change| change.after.clone()).collect()
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

/// The files that differ, for finding what silences; not those that the baseline's `obelus.toml`
/// leaves out.
fn changed(sides: &Sides<'_>) -> Vec<Changed> {
    let path = |path: &Option<String>| path.as_deref().map(Arc::from);
    let exclude = config_of(sides.before).unwrap_or_default().exclude;
    let exclude: Vec<_> = exclude.iter().filter_map(|glob| matcher(glob).ok()).collect();
    let left_out = |path: &String| {
        let above = std::iter::successors(Some(Path::new(path)), |path| path.parent());
        above.into_iter().any(|path| exclude.iter().any(|glob| glob.is_match(path)))
    };
    let known = |change: &&Change| !change.after.iter().chain(&change.before).any(left_out);
    sides
        .changes
        .iter()
        .filter(known)
        .map(|change| Changed { before: path(&change.before), after: path(&change.after) })
        .collect()
}

/// What the change does to the rules of the checkers that ran.
fn policy(
    repository: &Repository,
    sides: &Sides<'_>,
    report: &Report,
    baseline: &Report,
) -> Result<Vec<PolicyChange>, BaselineError> {
    let all = repository.checkers().map_err(check::CheckError::from)?;
    let ran = |checker: &&Checker| {
        let mut runs = report.runs.iter().chain(&baseline.runs);
        runs.any(|run| run.checker == checker.name)
    };
    let ran: Vec<&Checker> = all.iter().filter(ran).collect();
    // What the work tree's own file says, also where another judges. One that is wrong judges nothing.
    let work = config_of(sides.after).unwrap_or_default();
    Ok(sides.policy(&work, &ran))
}
