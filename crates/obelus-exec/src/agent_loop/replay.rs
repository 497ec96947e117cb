//! A loop decided again from what its ledger holds, with today's program: no agent is asked, no
//! checker and no gate is run.

use std::path::Path;

use obelus_core::agent_loop::{Event, Judged, Machine, State};
use obelus_core::assemble::RecordSet;
use obelus_core::checker;
use obelus_core::reason::attribute::FailOn;
use obelus_record::{LoopReport, Report, RoundDecision};

use super::LoopError;
use super::agent::Agent;
use super::ledger::{Ledger, Plan, SavedRound, gate_result};
use super::round::{decided, tell};
use crate::baseline::{Sides, hold_against};
use crate::check::{self, CheckError};
use crate::repository::{CONFIG_FILE, Repository, RepositoryError};
use crate::snapshot::{Snapshot, Snapshots};
use crate::sources::FolderSources;

/// What a replay came to.
pub struct Replayed {
    /// The loop, decided again.
    pub report: LoopReport,
    /// Where that differs from what was decided then, a sentence each.
    pub differences: Vec<String>,
}

/// Decides the loop `ledger` of `repository` again. `agent` reads what its program printed.
pub fn replay(
    repository: &Repository,
    ledger: &Ledger,
    agent: &dyn Agent,
) -> Result<Replayed, LoopError> {
    let plan = ledger.plan()?;
    let before = ledger.report()?;
    let saved = ledger.rounds()?;
    let mut replay = Replay::new(repository, ledger, &plan)?;
    let mut differences = Vec::new();
    let mut rounds = Vec::new();
    for one in &saved {
        let (decision, round) = replay.round(one, agent)?;
        if decision != one.round.decision {
            differences.push(format!(
                "round {}: {} then, {} now",
                round.round,
                one.round.decision.as_str(),
                decision.as_str()
            ));
        }
        rounds.push(round);
    }
    let mut report = before.clone().unwrap_or_else(|| unfinished(&plan, ledger));
    let State::Ended(ending) = replay.machine.state() else {
        differences.push("the loop did not end with what the ledger holds".to_owned());
        report.rounds = rounds;
        return Ok(Replayed { report, differences });
    };
    if before.is_some() && ending.decision != report.decision {
        differences.push(format!(
            "the loop: {} then, {} now",
            report.decision.as_str(),
            ending.decision.as_str()
        ));
    }
    if before.is_some() && replay.machine.best_round() != report.best_round {
        differences.push("another round is the best one now".to_owned());
    }
    (report.decision, report.reason) = (ending.decision, ending.reason.clone());
    report.best_round = replay.machine.best_round();
    report.rounds = rounds;
    Ok(Replayed { report, differences })
}

/// The report of a loop that has none, as it was interrupted.
fn unfinished(plan: &Plan, ledger: &Ledger) -> LoopReport {
    LoopReport {
        version: obelus_record::LOOP_VERSION,
        id: Some(ledger.id.clone()),
        decision: obelus_record::LoopDecision::HarnessError,
        reason: "the loop was interrupted".to_owned(),
        best_round: None,
        in_place: None,
        agent: plan.agent.clone(),
        baseline: obelus_record::LoopBaseline::default(),
        policy: Vec::new(),
        rounds: Vec::new(),
        tokens_sent: 0,
        duration_ms: 0,
    }
}

struct Replay<'a> {
    /// With the configuration from before the loop.
    repository: Repository,
    ledger: &'a Ledger,
    plan: &'a Plan,
    snapshots: Snapshots,
    machine: Machine,
    first: Snapshot,
    baseline: Report,
}

impl<'a> Replay<'a> {
    fn new(repository: &Repository, ledger: &'a Ledger, plan: &'a Plan) -> Result<Self, LoopError> {
        let config =
            checker::parse_config(CONFIG_FILE, &plan.config).map_err(RepositoryError::from)?;
        let repository =
            Repository { config, config_text: plan.config.clone(), ..repository.clone() };
        let snapshots = ledger.snapshots(&repository.root)?;
        let first = ledger.tree(0)?;
        let machine = Machine::new(plan.limits(), plan.gate.is_some(), &first.tree);
        let mut replay = Replay {
            repository,
            ledger,
            plan,
            snapshots,
            machine,
            first: first.clone(),
            baseline: RecordSet::default().report(Vec::new(), Vec::new()),
        };
        for id in &plan.baseline_checks {
            replay.baseline = replay.read(id, &first)?.0;
            let judged = Judged::of(&replay.baseline, FailOn::Any);
            replay.machine.step(Event::BaselineChecked(judged));
        }
        Ok(replay)
    }

    /// Reads the bytes of a saved check again, with the files as they were then.
    fn read(&self, id: &str, tree: &Snapshot) -> Result<(Report, tempfile::TempDir), LoopError> {
        let folder = tempfile::tempdir().map_err(CheckError::Temporary)?;
        self.snapshots.check_out(tree, folder.path())?;
        let root = self.root_in(folder.path());
        let there = Repository { root, ..self.repository.clone() };
        let saved = self.ledger.check(id)?;
        Ok((check::replay(&there, &saved)?, folder))
    }

    /// The root of the repository where its top is `top`.
    fn root_in(&self, top: &Path) -> std::path::PathBuf {
        match self.repository.root.strip_prefix(self.snapshots.top()) {
            Ok(below) => top.join(below),
            Err(_) => top.to_owned(),
        }
    }

    /// Decides one round again.
    fn round(
        &mut self,
        saved: &SavedRound,
        agent: &dyn Agent,
    ) -> Result<(RoundDecision, obelus_record::LoopRound), LoopError> {
        let mut round = saved.round.clone();
        let turn = agent.ended(&self.ledger.round(round.round)?)?;
        round.agent = turn.clone();
        self.machine.step(Event::AgentEnded { turn, tree: saved.agent_tree.clone() });
        if let State::Fixes { .. } = self.machine.state() {
            let tree = round.tree.clone().unwrap_or_default();
            self.machine.step(Event::Fixed { tree });
        }
        for check in &saved.checks {
            let tree = self.ledger.tree(round.round)?;
            let (mut report, files) = self.read(&check.id, &tree)?;
            let before = self.snapshots.sources(&self.first);
            let changes = self.snapshots.changes(&self.first, &tree)?;
            let now = FolderSources::new(self.root_in(files.path()));
            let sides = Sides { before: &before, after: &now, changes: &changes };
            let fail_on = self.plan.fail_on();
            hold_against(&mut report, &self.baseline, &sides, &self.repository, fail_on)?;
            let judged = Judged::of(&report, self.plan.fail_on());
            tell(&mut round, &judged, &report);
            self.machine.step(Event::Checked { judged, spent: check.spent() });
        }
        if let State::Gate { .. } = self.machine.state() {
            let event = match (&saved.gate_broken, &round.gate) {
                (Some(reason), _) => Event::GateBroken(reason.clone()),
                (None, Some(gate)) => Event::GatePassed(gate_result(gate)),
                (None, None) => Event::GateBroken("the gate was not run then".to_owned()),
            };
            self.machine.step(event);
        }
        (round.decision, round.reason) = decided(&self.machine);
        Ok((round.decision, round))
    }
}
