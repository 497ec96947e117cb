//! Apply, check, and again, until nothing is left that may be applied.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use obelus_core::fix::{Plan, unified_diff};
use obelus_core::reason::attribute::{FailOn, decide};
use obelus_record::{
    FIX_REPORT_VERSION, FixEnd, FixReport, Report, SkipReason, Termination, ToolFix,
};

use super::bisect::{Sorted, Tried, bisect};
use super::desk::{Desk, changes};
use super::ledger::Ledger;
use super::proposal::propose;
use super::seen::Seen;
use super::verify::{Base, Judgement, Verifier, Worse};
use super::{FixError, FixOptions, Fixed, MOST_ROUNDS, left, recovered};
use crate::adopted;
use crate::apply::{Change, Transaction, io, sha256};
use crate::baseline::Running;
use crate::check::{CheckError, run_checkers};
use crate::sources::FolderSources;

/// Checks the repository, applies what may be applied, and verifies it by checking again. What is
/// there afterwards is no worse than before: no new error, and no checker that fails where it
/// passed. Nothing else than these files is changed.
pub fn fix(running: Running<'_>, options: &FixOptions) -> Result<Fixed, FixError> {
    let root = &running.repository.root;
    let began = if options.dry_run { None } else { Some(Transaction::begin(root)?) };
    let time = SystemTime::now();
    let Running { repository, request, options: pace, stop, events } = running;
    let checked = run_checkers(repository, request, pace, stop, events)?;
    let current = checked.save(repository)?;
    let Some((transaction, restored)) = began else {
        return propose(running, options, current, time);
    };
    let notes = recovered(&restored);
    let mut work = Work {
        running,
        options,
        desk: Desk::new(root),
        transaction,
        ledger: Ledger::default(),
        verifier: Verifier::new(running)?,
        base: Base { report: current.clone(), old: BTreeMap::new() },
        current,
        seen_at: time,
        written: BTreeMap::new(),
        origin: BTreeMap::new(),
        states: Vec::new(),
        pending: Vec::new(),
        rounds: 0,
        tools: Vec::new(),
        notes,
    };
    let ended = work.run()?;
    work.finish(ended)
}

/// Findings that the repository has adopted fail no verdict here either.
pub(super) fn judge_adopted(running: Running<'_>, check: &mut Report) -> Result<(), FixError> {
    let root = &running.repository.root;
    if let Some(file) = adopted::read(root).map_err(CheckError::from)? {
        check.adopted = Some(Box::new(file.hold(check, &FolderSources::new(root))));
        decide(check, FailOn::Any);
    }
    Ok(())
}

/// The contents of files that are not as in the beginning, by path.
type State = BTreeMap<Arc<str>, String>;

/// A state in which the files were.
struct Visited {
    state: State,
    report: Report,
    in_debt: bool,
    /// What was applied to come here, last of all.
    applied: Vec<u32>,
}

/// Fixing under way.
pub(super) struct Work<'a> {
    pub running: Running<'a>,
    pub options: &'a FixOptions,
    desk: Desk,
    pub transaction: Transaction,
    pub ledger: Ledger,
    pub verifier: Verifier<'a>,
    /// The last state that was no worse than the one in the beginning.
    pub base: Base,
    /// What the checkers say now.
    pub current: Report,
    /// When the first check began.
    seen_at: SystemTime,
    /// What Obelus has written, as sha256.
    written: BTreeMap<Arc<str>, String>,
    /// What the files that were ever changed held in the beginning.
    origin: BTreeMap<Arc<str>, Arc<[u8]>>,
    states: Vec<Visited>,
    /// Applied since the base.
    pending: Vec<u32>,
    rounds: u32,
    pub tools: Vec<ToolFix>,
    pub notes: Vec<String>,
}

impl Work<'_> {
    fn run(&mut self) -> Result<FixEnd, FixError> {
        if is_interrupted(&self.current) {
            return Ok(FixEnd::Interrupted);
        }
        self.remember(false, Vec::new());
        loop {
            let ended = self.suggestions()?;
            let goes_on = !matches!(ended, FixEnd::Interrupted | FixEnd::Limit);
            if !(goes_on && self.run_tools()?) {
                return Ok(ended);
            }
        }
    }

    /// Makes rounds until there is nothing to apply, or no end to it.
    fn suggestions(&mut self) -> Result<FixEnd, FixError> {
        loop {
            let ended = match self.rounds < MOST_ROUNDS && self.verifier.may_rerun() {
                true => self.round()?,
                false => Some(FixEnd::Limit),
            };
            let Some(ended) = ended else { continue };
            if !self.pending.is_empty() {
                let why = "errors that it caused could not be fixed as well".to_owned();
                self.back_to_base(&[], SkipReason::MadeWorse, why)?;
            }
            return Ok(ended);
        }
    }

    /// One round; why it was the last, if it was.
    fn round(&mut self) -> Result<Option<FixEnd>, FixError> {
        let sources = FolderSources::new(&self.running.repository.root);
        let units = self.ledger.units(&self.current, self.options, &sources);
        let seen = Seen::Since(self.seen_at, self.written.clone());
        let plan = self.desk.apply(&mut self.transaction, &units, &seen)?;
        self.ledger.skip(&plan.skipped);
        if plan.planned.is_empty() {
            return Ok(Some(FixEnd::Done));
        }
        let changes = changes(&plan.files, &plan.with_all());
        if changes.is_empty() {
            return Ok(Some(FixEnd::NoChange));
        }
        self.rounds += 1;
        self.note_written(&changes);
        let indices: Vec<u32> = plan.planned.iter().map(|unit| unit.index).collect();
        let state = self.state();
        if let Some(at) = self.states.iter().position(|visited| visited.state == state) {
            self.end_circle(at, &indices)?;
            return Ok(Some(FixEnd::Oscillation));
        }
        let paths = paths(&changes);
        let after = self.verifier.check(&self.current, &paths)?;
        match self.verifier.judge(&self.base, &after, self.options) {
            Judgement::NoWorse { in_debt } => self.accept(indices, after, in_debt)?,
            Judgement::Worse(worse) => return self.sort_out(&plan, worse),
            Judgement::Interrupted => return self.interrupted(&indices).map(Some),
        }
        Ok(None)
    }

    /// Finds out which of the planned units made things worse, and takes these back.
    fn sort_out(&mut self, plan: &Plan, worse: Worse) -> Result<Option<FixEnd>, FixError> {
        let mut on_disk = plan.with_all();
        let mut last_good: Option<(Report, bool)> = None;
        let mut interrupted = false;
        let sorted = bisect(plan.planned.len(), worse, &mut |set| {
            if interrupted || !self.verifier.may_rerun() {
                return Ok(Tried::NoMore);
            }
            self.switch(&mut on_disk, plan.with(set))?;
            let paths: Vec<Arc<str>> = plan.files.keys().cloned().collect();
            let after = self.verifier.check(&self.current, &paths)?;
            Ok::<_, FixError>(match self.verifier.judge(&self.base, &after, self.options) {
                Judgement::NoWorse { in_debt } => {
                    last_good = Some((after, in_debt));
                    Tried::Good
                }
                Judgement::Worse(worse) => Tried::Worse(worse),
                Judgement::Interrupted => {
                    interrupted = true;
                    Tried::NoMore
                }
            })
        })?;
        let of = |at: usize| plan.planned.get(at).map(|unit| unit.index);
        if interrupted {
            let all: Vec<u32> = plan.planned.iter().map(|unit| unit.index).collect();
            return self.interrupted(&all).map(Some);
        }
        let Sorted { good, worse, unknown } = sorted;
        self.switch(&mut on_disk, plan.with(&good))?;
        for (at, worse) in worse {
            let indices: Vec<u32> = of(at).into_iter().collect();
            self.ledger.take_back(&indices, SkipReason::MadeWorse, worse.why, worse.caused);
        }
        if !unknown.is_empty() {
            let indices: Vec<u32> = unknown.into_iter().filter_map(of).collect();
            let why = "no more re-runs were left to verify it".to_owned();
            self.ledger.take_back(&indices, SkipReason::Unverified, why, Vec::new());
        }
        let indices: Vec<u32> = good.into_iter().filter_map(of).collect();
        if let Some((after, in_debt)) = last_good.filter(|_| !indices.is_empty()) {
            self.accept(indices, after, in_debt)?;
        }
        Ok(None)
    }

    /// Writes the files as `to` says, where they differ.
    fn switch(
        &mut self,
        on_disk: &mut BTreeMap<Arc<str>, Vec<u8>>,
        to: BTreeMap<Arc<str>, Vec<u8>>,
    ) -> Result<(), FixError> {
        let from = on_disk.iter().map(|(path, bytes)| (path.clone(), bytes.as_slice().into()));
        let changes = changes(&from.collect(), &to);
        if let Err((path, reason)) = self.transaction.write(&changes)? {
            // Somebody edits while it is verified: what was written is taken back at the end.
            let error = std::io::Error::other(reason.in_words());
            return Err(io("replace", std::path::Path::new(&*path))(error).into());
        }
        self.note_written(&changes);
        *on_disk = to;
        Ok(())
    }

    fn note_written(&mut self, changes: &[Change]) {
        for change in changes {
            self.origin.entry(change.path.clone()).or_insert_with(|| change.from.clone());
            self.base.old.entry(change.path.clone()).or_insert_with(|| change.from.clone());
            self.written.insert(change.path.clone(), sha256(&change.to));
        }
    }

    /// Which files are not as in the beginning.
    fn state(&self) -> State {
        let differs = |(path, hash): &(&Arc<str>, &String)| {
            self.origin.get(*path).is_none_or(|old| sha256(old) != **hash)
        };
        let written = self.written.iter().filter(differs);
        written.map(|(path, hash)| (path.clone(), hash.clone())).collect()
    }

    fn remember(&mut self, in_debt: bool, applied: Vec<u32>) {
        let (state, report) = (self.state(), self.current.clone());
        self.states.push(Visited { state, report, in_debt, applied });
    }

    /// What was applied stands, for good if there is nothing to make up for.
    pub fn accept(
        &mut self,
        indices: Vec<u32>,
        after: Report,
        in_debt: bool,
    ) -> Result<(), FixError> {
        self.current = after;
        self.ledger.apply(indices.iter().copied());
        self.pending.extend(&indices);
        self.remember(in_debt, indices);
        if !in_debt {
            self.settle()?;
        }
        Ok(())
    }

    /// What is there now is what later states are held against.
    fn settle(&mut self) -> Result<(), FixError> {
        self.transaction.commit()?;
        self.base = Base { report: self.current.clone(), old: BTreeMap::new() };
        self.pending.clear();
        Ok(())
    }

    /// The files are as they were in the state at `at`: what was applied since undoes itself.
    fn end_circle(&mut self, at: usize, indices: &[u32]) -> Result<(), FixError> {
        let mut circle: Vec<u32> =
            self.states[at + 1..].iter().flat_map(|v| v.applied.clone()).collect();
        circle.extend(indices);
        let why =
            "these fixes undo each other, so that there is no end to applying them".to_owned();
        if self.states[at].in_debt {
            return self.back_to_base(&circle, SkipReason::Oscillation, why);
        }
        self.current = self.states[at].report.clone();
        self.ledger.take_back(&circle, SkipReason::Oscillation, why, Vec::new());
        self.settle()
    }

    fn interrupted(&mut self, indices: &[u32]) -> Result<FixEnd, FixError> {
        let why = "interrupted before it was verified".to_owned();
        self.back_to_base(indices, SkipReason::Unverified, why)?;
        Ok(FixEnd::Interrupted)
    }

    /// Puts the files back as they were when nothing was worse. What was applied since, and
    /// `indices`, is taken back.
    fn back_to_base(
        &mut self,
        indices: &[u32],
        reason: SkipReason,
        why: String,
    ) -> Result<(), FixError> {
        let mut all = std::mem::take(&mut self.pending);
        all.extend(indices);
        all.sort_unstable();
        all.dedup();
        self.ledger.take_back(&all, reason, why, Vec::new());
        self.undo()
    }

    /// Puts the files back as they were when nothing was worse.
    pub fn undo(&mut self) -> Result<(), FixError> {
        let restored = self.transaction.undo()?;
        self.notes.extend(left(&restored));
        for (path, old) in &self.base.old {
            self.written.insert(path.clone(), sha256(old));
        }
        self.current = self.base.report.clone();
        self.base.old.clear();
        Ok(())
    }

    /// Another program has changed files.
    pub fn changed_by_tool(&mut self, changes: &[Change]) {
        self.note_written(changes);
    }

    fn finish(mut self, ended: FixEnd) -> Result<Fixed, FixError> {
        let tree = self.transaction.tree();
        let mut diff = Vec::new();
        let mut files = Vec::new();
        for (path, old) in &self.origin {
            let now = tree.read(path).ok().flatten().unwrap_or_default();
            if **old != *now {
                diff.extend(unified_diff(path, old, &now));
                files.push(path.to_string());
            }
        }
        judge_adopted(self.running, &mut self.current)?;
        let mut report = FixReport {
            version: FIX_REPORT_VERSION,
            files,
            rounds: self.rounds,
            reruns: self.verifier.reruns,
            ended,
            tools: self.tools,
            notes: self.notes,
            outcome: Some(self.current.outcome),
            ..FixReport::default()
        };
        self.ledger.report(&mut report);
        Ok(Fixed { report, check: Some(self.current), diff })
    }
}

fn paths(changes: &[Change]) -> Vec<Arc<str>> {
    changes.iter().map(|change| change.path.clone()).collect()
}

fn is_interrupted(report: &Report) -> bool {
    report.runs.iter().any(|run| run.termination == Termination::Interrupted)
}
