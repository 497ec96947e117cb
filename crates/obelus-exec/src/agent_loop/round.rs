//! What is written down of a round.

use obelus_core::agent_loop::{Ask, Judged, Machine, State};
use obelus_record::{AgentTurn, LoopRound, Report, RoundDecision};

use super::ledger::SavedRound;
use crate::snapshot::Snapshot;

/// A round of which nothing is known but how the agent ended.
pub(super) fn begun(
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
