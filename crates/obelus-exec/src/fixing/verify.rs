//! Whether the files are worse than they were: the checkers again, held against what they said.

use std::collections::BTreeMap;
use std::sync::Arc;

use globset::GlobSet;
use obelus_core::checker::Checker;
use obelus_core::fix::part;
use obelus_core::reason::attribute::{FilePairs, Side, attribute};
use obelus_core::{Sources, reports};
use obelus_record::{Applicability, Diagnostic, Outcome, Report, Severity, Termination};

use super::{FixError, FixOptions, MOST_RERUNS};
use crate::baseline::Running;
use crate::check::run_checkers;
use crate::plan::Request;
use crate::sources::FolderSources;

/// The files as they were when nothing was worse, and what the checkers said of them.
pub(super) struct Base {
    pub report: Report,
    /// What the files that changed since held then.
    pub old: BTreeMap<Arc<str>, Arc<[u8]>>,
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Judgement {
    /// Nothing is worse. Where `in_debt`, there are new errors, each with a suggestion that the
    /// next round can apply.
    NoWorse { in_debt: bool },
    /// Something is.
    Worse(Worse),
    /// Somebody stopped it.
    Interrupted,
}

/// What is worse, and how.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Worse {
    pub why: String,
    pub caused: Vec<Diagnostic>,
}

/// Runs checkers again.
pub(super) struct Verifier<'a> {
    running: Running<'a>,
    checkers: Vec<Checker>,
    pub reruns: u32,
}

impl<'a> Verifier<'a> {
    pub fn new(running: Running<'a>) -> Result<Self, FixError> {
        let checkers = running.repository.checkers()?;
        Ok(Verifier { running, checkers, reruns: 0 })
    }

    /// Whether checkers may be run again.
    pub fn may_rerun(&self) -> bool {
        self.reruns < MOST_RERUNS
    }

    pub fn checker(&self, name: &str) -> Option<&Checker> {
        self.checkers.iter().find(|checker| checker.name == name)
    }

    /// What the checkers say now: those that a change to the files `changed` can make say something
    /// else are run, the others said it in `before`.
    pub fn check(&mut self, before: &Report, changed: &[Arc<str>]) -> Result<Report, FixError> {
        let affected = |name: &str| {
            self.checker(name).is_none_or(|checker| is_affected(checker, before, changed))
        };
        let mut names: Vec<String> = before.runs.iter().map(|run| run.checker.clone()).collect();
        names.sort();
        names.dedup();
        names.retain(|name| affected(name));
        self.reruns += 1;
        let Running { repository, request, options, stop, events } = self.running;
        let again = Request { checkers: names.clone(), scope: request.scope.clone() };
        if names.is_empty() {
            return Ok(before.clone());
        }
        let checked = run_checkers(repository, &again, options, stop, events)?;
        let after = checked.discard()?;
        let others = part(before, |run| !names.contains(&run.checker));
        if others.runs.is_empty() {
            return Ok(Report { not_run: before.not_run.clone(), ..after });
        }
        Ok(reports::merge(vec![others, after]))
    }

    /// Holds what the checkers say now against the base.
    pub fn judge(&self, base: &Base, after: &Report, options: &FixOptions) -> Judgement {
        if after.runs.iter().any(|run| run.termination == Termination::Interrupted) {
            return Judgement::Interrupted;
        }
        let failed = after.runs.iter().find(|run| {
            let was_sound = base.report.runs.iter().any(|old| {
                old.checker == run.checker
                    && old.project == run.project
                    && old.outcome != Outcome::HarnessError
            });
            run.outcome == Outcome::HarnessError && was_sound
        });
        if let Some(run) = failed {
            let why = format!("{} failed afterwards: {}", run.checker, run.reason);
            return Judgement::Worse(Worse { why, caused: Vec::new() });
        }
        let folder = FolderSources::new(&self.running.repository.root);
        let before = Before { old: &base.old, folder: &folder };
        let attribution = attribute(
            &Side { report: &base.report, sources: &before },
            &Side { report: after, sources: &folder },
            &FilePairs::known(base.old.keys().cloned(), []),
        );
        let new = attribution.new.iter().filter(|&&index| counts(after, index, &base.report));
        let new: Vec<&Diagnostic> =
            new.filter_map(|&index| after.records.get(index as usize)).collect();
        let (fixable, worse): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
            new.into_iter().partition(|record| is_fixable(record, options));
        if worse.is_empty() {
            return Judgement::NoWorse { in_debt: !fixable.is_empty() };
        }
        let why = match worse.len() {
            1 => "a new error appeared".to_owned(),
            many => format!("{many} new errors appeared"),
        };
        Judgement::Worse(Worse { why, caused: worse.into_iter().cloned().collect() })
    }
}

/// Whether a new record makes things worse: an error, or what turned a run that passed into one
/// that fails.
fn counts(after: &Report, index: u32, before: &Report) -> bool {
    let at = index as usize;
    let (Some(record), Some(origin)) = (after.records.get(at), after.origins.get(at)) else {
        return false;
    };
    let gates = |run: &u32| {
        after.runs.get(*run as usize).is_some_and(|run| {
            let passed = |old: &obelus_record::Run| {
                old.checker == run.checker
                    && old.project == run.project
                    && old.outcome == Outcome::Pass
            };
            run.outcome == Outcome::Fail && before.runs.iter().any(passed)
        })
    };
    record.severity == Severity::Error || origin.runs.iter().any(gates)
}

fn is_fixable(record: &Diagnostic, options: &FixOptions) -> bool {
    let suggestion = record.suggestion.as_ref();
    suggestion.is_some_and(|suggestion| {
        let may = match suggestion.applicability {
            Applicability::Safe => true,
            Applicability::Unsafe => options.with_unsafe,
            Applicability::Incomplete => false,
        };
        may && !suggestion.edits.is_empty() && options.only.wants(record)
    })
}

/// Whether a change to `changed` can make `checker` say something else: unless its table names the
/// files that it looks at by their endings, and none of `changed` is one of these nor has a finding
/// of it.
fn is_affected(checker: &Checker, before: &Report, changed: &[Arc<str>]) -> bool {
    let kinds = checker.detect.possible.iter().map(|rule| rule.file.as_str());
    let kinds: Vec<&str> = kinds.collect();
    if kinds.is_empty() || kinds.iter().any(|kind| !kind.starts_with("*.")) {
        return true;
    }
    let mut globs = GlobSet::builder();
    for kind in kinds {
        match globset::Glob::new(kind) {
            Ok(glob) => globs.add(glob),
            Err(_) => return true,
        };
    }
    let Ok(globs) = globs.build() else { return true };
    let has_finding = |path: &str| {
        before.records.iter().zip(&before.origins).any(|(record, origin)| {
            record.path.as_deref() == Some(path)
                && origin.runs.iter().any(|&run| {
                    before.runs.get(run as usize).is_some_and(|run| run.checker == checker.name)
                })
        })
    };
    changed.iter().any(|path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        globs.is_match(name) || has_finding(path)
    })
}

/// The files as they were: those that changed since from memory, the others from disk.
struct Before<'a> {
    old: &'a BTreeMap<Arc<str>, Arc<[u8]>>,
    folder: &'a FolderSources,
}

impl Sources for Before<'_> {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.old.get(path).cloned().or_else(|| self.folder.read(path))
    }

    fn exists(&self, path: &str) -> bool {
        self.old.contains_key(path) || self.folder.exists(path)
    }

    fn ending_in(&self, tail: &str) -> Option<String> {
        self.folder.ending_in(tail)
    }
}
