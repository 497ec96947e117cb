//! One loop, from the baseline to its end.

use std::time::Instant;

use obelus_core::agent_loop::{Limits, Machine, State};
use obelus_core::reason::attribute::FailOn;
use obelus_record::{LOOP_VERSION, LoopBaseline, LoopDecision, LoopReport, PolicyChange, Report};

use super::agent::Agent;
use super::journal::Claim;
use super::ledger::{Ledger, Plan, SavedRound};
use super::round::decided;
use super::{LoopError, LoopEvents};
use crate::check::{Options, milliseconds};
use crate::process::stop::Stop;
use crate::repository::Repository;
use crate::snapshot::{Snapshot, Snapshots};

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
    let report = running.run_on()?;
    ledger.put_report(&report)?;
    claim.done()?;
    Ok(report)
}

/// A loop that runs.
pub(super) struct Loop<'a> {
    pub(super) request: &'a LoopRequest<'a>,
    pub(super) agent: &'a mut dyn Agent,
    pub(super) ledger: &'a Ledger,
    pub(super) snapshots: &'a Snapshots,
    pub(super) machine: Machine,
    pub(super) plan: Plan,
    pub(super) began: Instant,
    /// The files after each round, with those before the first.
    pub(super) trees: Vec<Snapshot>,
    /// What the check of the baseline, and then of each round that was checked, came to.
    pub(super) reports: Vec<(u32, Report)>,
    pub(super) rounds: Vec<SavedRound>,
    pub(super) tokens: u64,
    /// What the checkers said of the files as they are, where that is known already.
    pub(super) looked_at: Option<Report>,
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

    fn run_on(&mut self) -> Result<LoopReport, LoopError> {
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
        decision: LoopDecision,
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
