//! One loop, from the baseline to its end.

use std::path::Path;
use std::time::{Duration, Instant};

use obelus_core::agent_loop::{
    Ask, Event, Feedback, Judged, Limits, Machine, State, feedback, first_prompt,
};
use obelus_core::reason::adopted::FILE;
use obelus_core::reason::attribute::FailOn;
use obelus_core::tokens::{Estimate, Tokens as _};
use obelus_record::{
    AgentTurn, LOOP_VERSION, LoopBaseline, LoopReport, LoopRound, Outcome, PolicyChange, Report,
    RoundDecision, Termination,
};

use super::agent::{Agent, Asking};
use super::gate::{self, Gate};
use super::journal::Claim;
use super::ledger::{Ledger, Plan, SavedCheck, SavedRound, gate_result};
use super::{LoopError, LoopEvents};
use crate::baseline::{Running, Sides, hold_against};
use crate::check::{Options, milliseconds, run_checkers};
use crate::fixing::{FixOptions, Only, fix};
use crate::plan::Request;
use crate::process::stop::{Level, Stop};
use crate::repository::Repository;
use crate::snapshot::{Snapshot, Snapshots, replace_file};
use crate::sources::FolderSources;

/// Tokens that one text to the agent has at most, besides the task.
const FEEDBACK: u64 = 4000;

/// How long an agent or a gate may take where the loop has no limit of its own.
const LONGEST: Duration = Duration::from_secs(2 * 60 * 60);

/// What a loop is asked for.
pub struct LoopRequest<'a> {
    /// The repository, with the configuration that judges all rounds.
    pub repository: &'a Repository,
    /// The task.
    pub task: &'a str,
    /// The name of the agent's table, if it has one.
    pub table: Option<&'a str>,
    /// How far it may go.
    pub limits: Limits,
    /// Which findings count.
    pub fail_on: FailOn,
    /// What is applied without the agent.
    pub fixes: Fixes,
    /// How to check.
    pub options: &'a Options,
    /// What stops it.
    pub stop: &'a Stop,
    /// Who watches.
    pub events: &'a dyn LoopEvents,
}

/// What is applied to what the agent left, before it is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fixes {
    /// What the tools themselves call safe.
    #[default]
    Safe,
    /// Nothing.
    Nothing,
}

/// Runs the loop. At its end the files of the best round are in place.
pub fn run(request: &LoopRequest<'_>, agent: &mut dyn Agent) -> Result<LoopReport, LoopError> {
    let root = &request.repository.root;
    crate::store::Store::of(root).prepare()?;
    let claim = Claim::new(root)?;
    let ledger = Ledger::begin(root)?;
    let snapshots = ledger.snapshots(root)?;
    let first = snapshots.take(None)?;
    ledger.put_tree(0, &first)?;
    // From here on a kill at any moment leaves a ledger that has the user's files.
    claim.at_work(&ledger.id)?;
    request.events.began(&ledger.id);
    let mut running = Loop::new(request, agent, &ledger, &snapshots, first)?;
    let report = running.to_the_end()?;
    ledger.put_report(&report)?;
    claim.done()?;
    Ok(report)
}

/// A loop that runs.
struct Loop<'a> {
    request: &'a LoopRequest<'a>,
    agent: &'a mut dyn Agent,
    ledger: &'a Ledger,
    snapshots: &'a Snapshots,
    machine: Machine,
    plan: Plan,
    began: Instant,
    /// The files after each round, with those before the first.
    trees: Vec<Snapshot>,
    /// What the check of the baseline, and then of each round that was checked, came to.
    reports: Vec<(u32, Report)>,
    rounds: Vec<SavedRound>,
    tokens: u64,
    /// What the checkers said of the files as they are, where that is known already.
    looked_at: Option<Report>,
}

impl<'a> Loop<'a> {
    fn new(
        request: &'a LoopRequest<'a>,
        agent: &'a mut dyn Agent,
        ledger: &'a Ledger,
        snapshots: &'a Snapshots,
        first: Snapshot,
    ) -> Result<Self, LoopError> {
        let gate = request.repository.config.gate.clone();
        let plan = Plan {
            agent: agent.name(),
            table: request.table.map(str::to_owned),
            task: request.task.to_owned(),
            rounds: request.limits.rounds,
            tokens: request.limits.tokens,
            milliseconds: request.limits.milliseconds,
            all_count: request.fail_on == FailOn::Any,
            gate: gate.clone(),
            config: request.repository.config_text.clone(),
            baseline_checks: Vec::new(),
        };
        ledger.put_plan(&plan)?;
        let machine = Machine::new(request.limits.clone(), gate.is_some(), &first.tree);
        let (trees, reports, rounds) = (vec![first], Vec::new(), Vec::new());
        let began = Instant::now();
        Ok(Loop {
            request,
            agent,
            ledger,
            snapshots,
            machine,
            plan,
            began,
            trees,
            reports,
            rounds,
            tokens: 0,
            looked_at: None,
        })
    }

    fn to_the_end(&mut self) -> Result<LoopReport, LoopError> {
        loop {
            let event = match self.machine.state().clone() {
                State::Baseline => self.check_baseline()?,
                State::Agent { round, ask } => self.ask(round, ask)?,
                State::Fixes { round } => self.fix(round)?,
                State::Check { round } => self.check(round)?,
                State::Gate { round } => self.run_gate(round)?,
                State::Ended(ending) => {
                    self.round_decided()?;
                    return self.conclude(ending.decision, ending.reason);
                }
            };
            self.machine.step(event);
            if matches!(self.machine.state(), State::Agent { .. }) {
                self.round_decided()?;
            }
        }
    }

    fn root(&self) -> &'a Path {
        &self.request.repository.root
    }

    fn interrupted(&self) -> LoopError {
        LoopError::Interrupted { id: self.ledger.id.clone() }
    }

    /// How long what is begun now may take.
    fn time_left(&self) -> Duration {
        let limit = self.request.limits.milliseconds.map(Duration::from_millis);
        let left = limit.map_or(LONGEST, |limit| limit.saturating_sub(self.began.elapsed()));
        left.max(Duration::from_millis(1))
    }

    /// The checkers on the files as they are; what they print is kept in the ledger too.
    fn run_checkers(
        &self,
        hold: impl FnOnce(&mut Report) -> Result<(), LoopError>,
    ) -> Result<Report, LoopError> {
        let LoopRequest { repository, options, stop, events, .. } = self.request;
        let mut checked = run_checkers(repository, &Request::default(), options, stop, *events)?;
        if checked.report.runs.iter().any(|run| run.termination == Termination::Interrupted) {
            return Err(self.interrupted());
        }
        hold(&mut checked.report)?;
        let report = checked.save(repository)?;
        if let Some(id) = &report.id {
            self.ledger.keep_check(self.root(), id)?;
        }
        Ok(report)
    }

    fn check_baseline(&mut self) -> Result<Event, LoopError> {
        let report = self.run_checkers(|_| Ok(()))?;
        self.plan.baseline_checks.extend(report.id.clone());
        self.ledger.put_plan(&self.plan)?;
        let judged = Judged::of(&report, FailOn::Any);
        self.reports = vec![(0, report)];
        Ok(Event::BaselineChecked(judged))
    }

    fn ask(&mut self, round: u32, ask: Ask) -> Result<Event, LoopError> {
        let began = Instant::now();
        let folder = self.ledger.round(round)?;
        let text = self.prompt(round, ask)?;
        let tokens = Estimate.count(&text) as u64;
        self.tokens += tokens;
        let prompt = folder.join("prompt.txt");
        replace_file(&prompt, text.as_bytes())?;
        let time = self.time_left();
        let asking = Asking {
            prompt: &prompt,
            folder: &folder,
            root: self.root(),
            time,
            round,
            stop: self.request.stop,
        };
        self.agent.ask(&asking)?;
        if self.request.stop.level() != Level::Run {
            return Err(self.interrupted());
        }
        let turn = self.agent.ended(&folder)?;
        let tree = self.snapshots.take(self.trees.last())?;
        self.ledger.put_tree(round, &tree)?;
        self.rounds.push(saved(round, tokens, turn.clone(), &tree, milliseconds(began.elapsed())));
        self.trees.push(tree);
        let tree = self.trees.last().map(|tree| tree.tree.clone()).unwrap_or_default();
        Ok(Event::AgentEnded { turn, tree })
    }

    /// What is sent.
    fn prompt(&self, round: u32, ask: Ask) -> Result<String, LoopError> {
        let left =
            self.request.limits.tokens.map_or(u64::MAX, |limit| limit.saturating_sub(self.tokens));
        let budget = usize::try_from(left.min(FEEDBACK)).unwrap_or(usize::MAX);
        let sources = FolderSources::new(self.root());
        let Some((_, report)) = self.reports.last() else {
            return Ok(self.request.task.to_owned());
        };
        let fail_on = self.request.fail_on;
        if ask == Ask::Task {
            return Ok(first_prompt(self.request.task, report, &sources, fail_on, budget));
        }
        let checked: Vec<&Judged> =
            self.machine.rounds().iter().filter_map(|seen| seen.checked()).collect();
        let Some((judged, before)) = checked.split_last() else {
            return Ok(self.request.task.to_owned());
        };
        let gate = self.machine.rounds().last().and_then(|seen| seen.gate.as_deref());
        let text = feedback(
            &Feedback {
                round: (round, self.request.limits.rounds),
                ask,
                judged,
                before: before.last().copied(),
                changed: &self.changed()?,
                fixes_applied: self.rounds.last().map_or(0, |saved| saved.round.fixes_applied),
                gate,
                budget,
                fail_on,
            },
            report,
            &sources,
        );
        // An agent that starts anew knows nothing of what it was asked before.
        Ok(match self.agent.remembers() {
            true => text,
            false => format!("{}\n\n{text}", self.request.task.trim_end()),
        })
    }

    /// The files that the last round changed, from the root.
    fn changed(&self) -> Result<Vec<String>, LoopError> {
        let [.., before, after] = &self.trees[..] else { return Ok(Vec::new()) };
        let changes = self.snapshots.changes(before, after)?;
        Ok(changes.into_iter().filter_map(|change| change.after.or(change.before)).collect())
    }

    /// Applies what tools call safe to the files that this loop has changed. What their owner had
    /// left as it was is not the loop's to tidy.
    fn fix(&mut self, round: u32) -> Result<Event, LoopError> {
        let touched = self.touched()?;
        if !touched.is_empty() && self.request.fixes == Fixes::Safe {
            let LoopRequest { repository, options, stop, events, .. } = self.request;
            let request = Request::default();
            let running = Running { repository, request: &request, options, stop, events: *events };
            // What the loop itself adopts excuses nothing.
            let may_judge = !touched.iter().any(|path| path == FILE);
            let wanted = FixOptions {
                only: Only { paths: touched, ..Only::default() },
                ..FixOptions::default()
            };
            let fixed = fix(running, &wanted)?;
            if stop.level() != Level::Run {
                return Err(self.interrupted());
            }
            if let Some(saved) = self.rounds.last_mut() {
                saved.round.fixes_applied = fixed.report.applied;
            }
            self.looked_at = fixed.check.filter(|report| may_judge && report.id.is_some());
        }
        let tree = self.snapshots.take(self.trees.last())?;
        // Where nothing was there to be applied, the files were checked as they are.
        if self.trees.last().is_some_and(|before| before.tree != tree.tree) {
            self.looked_at = None;
        }
        self.ledger.put_tree(round, &tree)?;
        let id = tree.tree.clone();
        if let Some(saved) = self.rounds.last_mut() {
            saved.round.tree = Some(id.clone());
        }
        if let Some(last) = self.trees.last_mut() {
            *last = tree;
        }
        Ok(Event::Fixed { tree: id })
    }

    /// The files that are there and differ from before the loop, from the root.
    fn touched(&self) -> Result<Vec<String>, LoopError> {
        let [first, .., last] = &self.trees[..] else { return Ok(Vec::new()) };
        let changes = self.snapshots.changes(first, last)?;
        Ok(changes.into_iter().filter_map(|change| change.after).collect())
    }

    fn check(&mut self, round: u32) -> Result<Event, LoopError> {
        let began = Instant::now();
        let report = match self.looked_at.take() {
            Some(mut report) => {
                if let Some(id) = &report.id {
                    self.ledger.keep_check(self.root(), id)?;
                }
                self.hold(&mut report)?;
                report
            }
            None => self.run_checkers(|report| self.hold(report))?,
        };
        let judged = Judged::of(&report, self.request.fail_on);
        let spent = obelus_core::agent_loop::Spent {
            tokens: self.tokens,
            milliseconds: milliseconds(self.began.elapsed()),
        };
        if let Some(saved) = self.rounds.last_mut() {
            saved.checks.push(SavedCheck {
                id: report.id.clone().unwrap_or_default(),
                tokens: spent.tokens,
                milliseconds: spent.milliseconds,
            });
            tell(&mut saved.round, &judged, &report);
            saved.round.duration_ms += milliseconds(began.elapsed());
        }
        if report.outcome != Outcome::HarnessError {
            self.reports.push((round, report));
        }
        Ok(Event::Checked { judged, spent })
    }

    /// Holds a report of the files as they are against that of the baseline.
    fn hold(&self, report: &mut Report) -> Result<(), LoopError> {
        let (Some((_, baseline)), Some(after)) = (self.reports.first(), self.trees.last()) else {
            return Ok(());
        };
        let before = self.snapshots.sources(&self.trees[0]);
        let changes = self.snapshots.changes(&self.trees[0], after)?;
        let now = FolderSources::new(self.root());
        let sides = Sides { before: &before, after: &now, changes: &changes };
        Ok(hold_against(report, baseline, &sides, self.request.repository, self.request.fail_on)?)
    }

    fn run_gate(&mut self, round: u32) -> Result<Event, LoopError> {
        let argv = self.plan.gate.clone().unwrap_or_default();
        let logs = self.ledger.gate_logs(round)?;
        let ran = gate::run(&argv, self.root(), &logs, self.time_left(), self.request.stop)?;
        let saved = self.rounds.last_mut();
        Ok(match ran {
            Gate::Interrupted => return Err(self.interrupted()),
            Gate::Broken(reason) => {
                if let Some(saved) = saved {
                    saved.gate_broken = Some(reason.clone());
                }
                Event::GateBroken(reason)
            }
            Gate::Ran(gate) => {
                let result = gate_result(&gate);
                if let Some(saved) = saved {
                    saved.round.gate = Some(gate);
                }
                Event::GatePassed(result)
            }
        })
    }

    /// Writes down what was decided at the end of a round.
    fn round_decided(&mut self) -> Result<(), LoopError> {
        let Some(saved) = self.rounds.last_mut() else { return Ok(()) };
        (saved.round.decision, saved.round.reason) = decided(&self.machine);
        self.ledger.put_round(saved)?;
        self.request.events.round_ended(&saved.round);
        Ok(())
    }

    /// Puts the best files in place, and tells it all.
    fn conclude(
        &mut self,
        decision: obelus_record::LoopDecision,
        reason: String,
    ) -> Result<LoopReport, LoopError> {
        let best = self.machine.best_round();
        let last = self.rounds.last().map_or(0, |saved| saved.round.round);
        // Where nothing was checked, nobody knows what the agent's work is worth.
        let wanted = best.unwrap_or(0);
        if wanted != last
            && let Some(tree) = self.trees.get(wanted as usize)
        {
            self.snapshots.restore(tree)?;
        }
        let policy = self.reports.iter().find(|&&(round, _)| round == wanted);
        let policy: Vec<PolicyChange> =
            policy.map(|(_, report)| report.policy.clone()).unwrap_or_default();
        let baseline = self.reports.first().map(|(_, report)| report);
        Ok(LoopReport {
            version: LOOP_VERSION,
            id: Some(self.ledger.id.clone()),
            decision,
            reason,
            best_round: best,
            in_place: Some(wanted),
            agent: self.plan.agent.clone(),
            baseline: LoopBaseline {
                outcome: baseline.map(|report| report.outcome),
                findings: baseline.map_or(0, |report| report.records.len() as u64),
                tree: self.trees[0].tree.clone(),
            },
            policy,
            rounds: self.rounds.iter().map(|saved| saved.round.clone()).collect(),
            tokens_sent: self.tokens,
            duration_ms: milliseconds(self.began.elapsed()),
        })
    }
}

/// A round of which nothing is known but how the agent ended.
fn saved(
    round: u32,
    tokens: u64,
    turn: AgentTurn,
    tree: &Snapshot,
    duration_ms: u64,
) -> SavedRound {
    SavedRound {
        round: LoopRound {
            round,
            decision: RoundDecision::Continue,
            reason: String::new(),
            outcome: None,
            new: 0,
            fixed: 0,
            silenced: 0,
            standing: 0,
            tokens_sent: tokens,
            fixes_applied: 0,
            agent: turn,
            tree: Some(tree.tree.clone()),
            gate: None,
            check: None,
            duration_ms,
        },
        agent_tree: tree.tree.clone(),
        checks: Vec::new(),
        gate_broken: None,
    }
}

/// Tells what a check came to.
pub(super) fn tell(round: &mut LoopRound, judged: &Judged, report: &Report) {
    round.outcome = Some(judged.outcome);
    (round.new, round.fixed) = (judged.new, judged.fixed);
    (round.silenced, round.standing) = (judged.silenced, judged.standing);
    round.check = report.id.clone();
}

/// What was decided at the end of the last round.
pub(super) fn decided(machine: &Machine) -> (RoundDecision, String) {
    match machine.state() {
        State::Ended(ending) => (ending.decision.into(), ending.reason.clone()),
        State::Agent { ask: Ask::Unchanged, .. } => {
            (RoundDecision::Retry, "the findings are the same as in the round before".to_owned())
        }
        State::Agent { ask: Ask::Silenced, .. } => {
            let reason = "the checks pass, but something is silenced rather than fixed";
            (RoundDecision::Retry, reason.to_owned())
        }
        State::Agent { ask: Ask::Worse, .. } => {
            (RoundDecision::Retry, "there are more errors than in the best round".to_owned())
        }
        _ => {
            let last = machine.rounds().last();
            let reason = match last.map(|seen| (&seen.gate, &seen.judged)) {
                Some((Some(gate), _)) => format!("every checker is clean, and {gate}"),
                Some((None, Some(judged))) => judged.reason.clone(),
                _ => String::new(),
            };
            (RoundDecision::Continue, reason)
        }
    }
}
