//! Tools that fix by themselves, as their checkers' tables say under `fix`.
//!
//! What a tool changes is measured as a suggestion is: the checkers run again, and if anything is
//! worse, every file is put back. So the bytes of all files that the tool may change are kept
//! before it starts.

use std::collections::BTreeSet;
use std::sync::Arc;

use obelus_core::checker::{Checker, ExitClass};
use obelus_core::reason::attribute::Tree as _;
use obelus_record::{Outcome, Termination, ToolFix};

use super::FixError;
use super::rounds::Work;
use super::verify::Judgement;
use crate::apply::{Change, Kept};
use crate::discover::discover;
use crate::invocation::Invocation;
use crate::locate::{Environment, Program};
use crate::plan::{Ground, Request, Step, plan};
use crate::process::{self, Limits};
use crate::sources::FolderSources;
use crate::store::Store;
use crate::version::version_of;

impl Work<'_> {
    /// Lets each tool that can fix by itself, and has findings left, do so once; whether anything
    /// was changed and still stands.
    pub fn run_tools(&mut self) -> Result<bool, FixError> {
        // A tool knows nothing of single codes.
        if !self.options.only.codes.is_empty() {
            return Ok(false);
        }
        let mut names: Vec<String> =
            self.current.runs.iter().map(|run| run.checker.clone()).collect();
        names.dedup();
        let mut changed = false;
        for name in names {
            let ran_before = self.tools.iter().any(|done| done.checker == name);
            let Some(checker) = self.verifier.checker(&name).cloned() else { continue };
            if checker.fix.is_empty() || ran_before || !self.verifier.may_rerun() {
                continue;
            }
            let findings = self.findings_of(&name);
            if !findings.is_empty() {
                changed |= self.run_tool(&checker, &findings)?;
            }
        }
        Ok(changed)
    }

    /// The files in which the checker has findings that are wanted, in runs that did not fail.
    fn findings_of(&self, checker: &str) -> BTreeSet<String> {
        let report = &self.current;
        let is_of = |run: &u32| {
            report
                .runs
                .get(*run as usize)
                .is_some_and(|run| run.checker == checker && run.outcome != Outcome::HarnessError)
        };
        let of_checker = report.records.iter().zip(&report.origins).filter(|(record, origin)| {
            origin.runs.iter().any(is_of) && self.options.only.wants(record)
        });
        of_checker.filter_map(|(record, _)| record.path.as_deref().map(str::to_owned)).collect()
    }

    /// Runs the tool on `paths` and keeps what it did if nothing is worse; whether it did anything.
    fn run_tool(&mut self, checker: &Checker, paths: &BTreeSet<String>) -> Result<bool, FixError> {
        let root = self.running.repository.root.clone();
        let sources = FolderSources::new(&root);
        let may_change = files_of_kind(&sources, paths);
        let kept: Vec<Kept> = may_change
            .iter()
            .filter_map(|path| {
                let file = self.transaction.tree().look(path).ok()?;
                Some(Kept { path: file.path, bytes: file.bytes })
            })
            .collect();
        self.transaction.keep(&kept)?;
        for invocation in self.plan_tool(checker, paths)? {
            let ended = self.run_invocation(&invocation)?;
            if let Some(note) = ended {
                self.notes.push(format!("{}: {note}", checker.name));
            }
            self.tools.push(ToolFix {
                checker: checker.name.clone(),
                argv: invocation.argv,
                files: Vec::new(),
                kept: false,
            });
        }
        let changes = self.changes_since(&kept);
        let files: Vec<String> = changes.iter().map(|change| change.path.to_string()).collect();
        let paths: Vec<Arc<str>> = changes.iter().map(|change| change.path.clone()).collect();
        let kept = !changes.is_empty() && self.measure(checker, &changes, &paths)?;
        if changes.is_empty() {
            self.transaction.commit()?;
        }
        for done in self.tools.iter_mut().filter(|done| done.checker == checker.name) {
            (done.files, done.kept) = (files.clone(), kept);
        }
        Ok(kept)
    }

    /// Whether the files are no worse with `changes`; else they are put back.
    fn measure(
        &mut self,
        checker: &Checker,
        changes: &[Change],
        paths: &[Arc<str>],
    ) -> Result<bool, FixError> {
        self.changed_by_tool(changes);
        let after = self.verifier.check(&self.current, paths)?;
        let (why, caused) = match self.verifier.judge(&self.base, &after, self.options) {
            Judgement::NoWorse { in_debt: false } => {
                self.accept(Vec::new(), after, false)?;
                return Ok(true);
            }
            Judgement::NoWorse { in_debt: true } => {
                ("new errors appeared, though each has a fix".to_owned(), Vec::new())
            }
            Judgement::Worse(worse) => (worse.why, worse.caused),
            Judgement::Interrupted => ("interrupted before it was verified".to_owned(), Vec::new()),
        };
        self.ledger.take_back_tool(&checker.name, why, caused);
        self.undo()?;
        Ok(false)
    }

    /// What the tool made of the files that were kept.
    fn changes_since(&self, kept: &[Kept]) -> Vec<Change> {
        let tree = self.transaction.tree();
        let changed = kept.iter().filter_map(|Kept { path, bytes: from }| {
            let to = tree.read(path).ok().flatten().unwrap_or_default();
            (**from != *to).then(|| Change {
                path: path.clone(),
                from: from.clone(),
                to: to.into(),
            })
        });
        changed.collect()
    }

    /// The runs by which the tool fixes `paths`: its checker's, with the command line of `fix`.
    fn plan_tool(
        &self,
        checker: &Checker,
        paths: &BTreeSet<String>,
    ) -> Result<Vec<Invocation>, FixError> {
        let repository = self.running.repository;
        let fixing = checker.fixing();
        let all = [fixing];
        let found = discover(&repository.root, &repository.config.exclude, &all)
            .map_err(crate::check::CheckError::from)?;
        let environment = Environment::current();
        let assets = Store::of(&repository.root).assets();
        let stop = self.running.stop;
        let ask = |checker: &Checker, program: &Program| {
            version_of(&checker.binary, program, &repository.root, stop)
        };
        let ground = Ground {
            root: &repository.root,
            found: &found,
            environment: &environment,
            assets: &assets,
            version: &ask,
        };
        let request = Request {
            checkers: vec![checker.name.clone()],
            scope: paths.iter().cloned().collect(),
        };
        let steps = plan(&all, &request, None, ground).steps;
        let runs = steps.into_iter().filter_map(|step| match step {
            Step::Run(invocation) => Some(*invocation),
            Step::Blocked(_) => None,
        });
        Ok(runs.collect())
    }

    /// Runs the tool; what should be told of how it ended, if anything.
    fn run_invocation(&self, invocation: &Invocation) -> Result<Option<String>, FixError> {
        let command = process::Command {
            argv: invocation.argv.iter().map(Into::into).collect(),
            cwd: self.running.repository.root.join(&invocation.cwd),
            env: invocation.env.clone(),
            unset_env: invocation.unset_env.clone(),
            limits: Limits {
                time: invocation.time_limit,
                output_bytes: invocation.output_limit,
                ..Limits::default()
            },
        };
        let unusable = |error: std::io::Error| FixError::Verify {
            command: invocation.argv.join(" "),
            why: error.to_string(),
        };
        let (stdout, stderr) =
            (tempfile::tempfile().map_err(unusable)?, tempfile::tempfile().map_err(unusable)?);
        let capture =
            process::run(&command, stdout, stderr, self.running.stop).map_err(unusable)?;
        let exits = &invocation.checker.exits;
        Ok(match capture.termination {
            // What it could not fix is told by the check that follows.
            Termination::Exited { code } | Termination::Undrained { code }
                if exits.class(code) != ExitClass::Failure =>
            {
                None
            }
            Termination::Exited { code } | Termination::Undrained { code } => {
                Some(format!("exited with {code} while it fixed"))
            }
            Termination::NotStarted { reason } => Some(reason),
            _ => Some("did not end by itself while it fixed".to_owned()),
        })
    }
}

/// The files that end as one of `paths` does: those that the tool may change.
fn files_of_kind(sources: &FolderSources, paths: &BTreeSet<String>) -> BTreeSet<String> {
    let ending = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.rsplit_once('.').map(|(_, ending)| ending.to_owned())
    };
    let endings: BTreeSet<Option<String>> = paths.iter().map(|path| ending(path)).collect();
    let files = sources.files().into_iter().map(|(path, _)| path);
    files.filter(|path| endings.contains(&ending(path))).chain(paths.iter().cloned()).collect()
}
