//! Whether a loop goes on, and why not.

use obelus_record::{AgentEnding, LoopDecision, Outcome};

use super::judged::Judged;
use super::machine::{Ask, Ending, Seen, Spent, best};
use crate::present::plural;

/// How far a loop may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rounds at most.
    pub rounds: u32,
    /// Tokens that may be sent at most, over all rounds.
    pub tokens: Option<u64>,
    /// Milliseconds that all rounds may take.
    pub milliseconds: Option<u64>,
    /// How many rounds in a row may repeat the findings of the round before; the last of them ends
    /// the loop.
    pub same_findings: u32,
    /// How many rounds in a row may have more new errors than the best one; the last ends the loop.
    pub worse: u32,
    /// How many rounds in a row may have no fewer new errors than the best one; the last ends the
    /// loop. Nothing for no such limit.
    pub without_progress: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            // Most of what repair gains, it gains in the first two rounds.
            rounds: 4,
            tokens: None,
            milliseconds: None,
            same_findings: 2,
            worse: 2,
            without_progress: None,
        }
    }
}

/// What the agent is asked for next, or why the loop ends with the last of `rounds`.
pub(super) fn decide(
    limits: &Limits,
    baseline: &str,
    rounds: &[Seen],
    spent: Spent,
) -> Result<Ask, Ending> {
    let Some((last, earlier)) = rounds.split_last() else { return Ok(Ask::Task) };
    if let Some(ending) = agent_failed(last) {
        return Err(ending);
    }
    let Some(judged) = &last.judged else {
        return Err(end(LoopDecision::HarnessError, "nothing was checked".to_owned()));
    };
    if judged.outcome == Outcome::HarnessError {
        return Err(end(LoopDecision::HarnessError, format!("twice in a row: {}", judged.reason)));
    }
    if let Some(decided) = passed(limits, last, earlier, baseline) {
        return decided;
    }
    if let Some(ending) = oscillation(last, earlier, baseline) {
        return Err(ending);
    }
    let counts = Counts::of(rounds);
    if let Some(ending) = stalled(limits, &counts, rounds) {
        return Err(ending);
    }
    if let Some(ending) = used_up(limits, last, judged, spent) {
        return Err(ending);
    }
    Ok(if counts.worse > 0 {
        Ask::Worse
    } else if counts.same > 0 {
        Ask::Unchanged
    } else {
        Ask::Feedback
    })
}

fn end(decision: LoopDecision, reason: String) -> Ending {
    Ending { decision, reason }
}

/// An agent that did not end well outranks what it left: that may be half of an edit.
fn agent_failed(last: &Seen) -> Option<Ending> {
    let decision = match last.turn.ended {
        AgentEnding::Done => return None,
        AgentEnding::AgentError => LoopDecision::AgentError,
        AgentEnding::TurnsExhausted => LoopDecision::TurnsExhausted,
        AgentEnding::InvalidStream => LoopDecision::InvalidStream,
        AgentEnding::OutOfTime => LoopDecision::BudgetUsedUp,
    };
    Some(end(decision, last.turn.reason.clone()))
}

/// What follows from checks that pass; nothing where they don't.
fn passed(
    limits: &Limits,
    last: &Seen,
    earlier: &[Seen],
    baseline: &str,
) -> Option<Result<Ask, Ending>> {
    let judged = passing(last)?;
    if judged.silenced > 0 {
        // Told once. An agent that does it again has no other answer.
        let again = earlier.last().and_then(passing).is_some_and(|before| before.silenced > 0);
        if !again && last.round < limits.rounds {
            return Some(Ok(Ask::Silenced));
        }
        let findings = plural(judged.silenced, "finding is", "findings are");
        let reason = format!("the checks pass only because {findings} silenced, not fixed");
        return Some(Err(end(LoopDecision::Silenced, reason)));
    }
    let reason = match last.tree == baseline {
        true => "the checks pass, and the files are as they were before the first round".to_owned(),
        false => "the checks pass".to_owned(),
    };
    Some(Err(end(LoopDecision::Clean, reason)))
}

/// The check of a round in which everything passes, the gate too.
fn passing(seen: &Seen) -> Option<&Judged> {
    seen.checked().filter(|judged| judged.outcome == Outcome::Pass && seen.gate.is_none())
}

/// Files or findings as in an earlier round than the one before: going on can only repeat.
fn oscillation(last: &Seen, earlier: &[Seen], baseline: &str) -> Option<Ending> {
    let (before, older) = earlier.split_last()?;
    let told = |what: &str, round: u32| {
        let reason = match round {
            0 => format!("the {what} are those from before the first round again"),
            round => format!("the {what} are those of round {round} again"),
        };
        Some(end(LoopDecision::Oscillation, reason))
    };
    if last.tree != before.tree {
        if let Some(seen) = older.iter().find(|seen| seen.tree == last.tree) {
            return told("files", seen.round);
        }
        if last.tree == baseline {
            return told("files", 0);
        }
    }
    let (keys, keys_before) = (keys(last)?, keys(before)?);
    if keys != keys_before {
        let same = |seen: &&Seen| self::keys(seen).is_some_and(|known| known == keys);
        if let Some(seen) = older.iter().find(same) {
            return told("findings", seen.round);
        }
    }
    None
}

/// What the findings of a round are known by, together with a gate that failed.
fn keys(seen: &Seen) -> Option<(&super::keys::KeySet, &Option<String>)> {
    seen.checked().map(|judged| (&judged.keys, &seen.gate))
}

/// How many rounds at the end have something in common.
struct Counts {
    /// They repeat the findings of the round before.
    same: u32,
    /// They have more new errors than the best round.
    worse: u32,
    /// They have no fewer new errors than the best round before them.
    stalled: u32,
}

impl Counts {
    fn of(rounds: &[Seen]) -> Self {
        let mut counts = Counts { same: 0, worse: 0, stalled: 0 };
        for (index, seen) in rounds.iter().enumerate() {
            let Some(judged) = seen.checked() else { continue };
            let before = rounds[..index].iter().rev().find(|seen| seen.checked().is_some());
            let best = best(&rounds[..index]).and_then(Seen::checked).map(Judged::faults);
            let same = before.is_some_and(|before| keys(before) == keys(seen));
            counts.same = if same { counts.same + 1 } else { 0 };
            let worse = best.is_some_and(|best| judged.faults() > best);
            counts.worse = if worse { counts.worse + 1 } else { 0 };
            let stalled = best.is_some_and(|best| judged.faults() >= best);
            counts.stalled = if stalled { counts.stalled + 1 } else { 0 };
        }
        counts
    }
}

fn stalled(limits: &Limits, counts: &Counts, rounds: &[Seen]) -> Option<Ending> {
    let best = best(rounds)?;
    let errors =
        |seen: &Seen| plural(seen.checked().map_or(0, |judged| judged.new), "error", "errors");
    if counts.worse >= limits.worse {
        let reason = format!(
            "{} rounds in a row left more than the {} of round {}",
            counts.worse,
            errors(best),
            best.round
        );
        return Some(end(LoopDecision::Worse, reason));
    }
    if counts.same >= limits.same_findings {
        let reason = format!("the findings stayed the same over {} rounds", counts.same + 1);
        return Some(end(LoopDecision::NoProgress, reason));
    }
    if limits.without_progress.is_some_and(|limit| counts.stalled >= limit) {
        let reason = format!(
            "{} in a row without fewer than the {} of round {}",
            plural(counts.stalled.into(), "round", "rounds"),
            errors(best),
            best.round
        );
        return Some(end(LoopDecision::NoProgress, reason));
    }
    None
}

fn used_up(limits: &Limits, last: &Seen, judged: &Judged, spent: Spent) -> Option<Ending> {
    let left = match &last.gate {
        Some(gate) => format!("every checker is clean, and {gate}"),
        None => format!("{} left", plural(judged.new, "finding is", "findings are")),
    };
    if let Some(limit) = limits.tokens.filter(|&limit| spent.tokens >= limit) {
        let reason = format!("{} of {limit} tokens are sent; {left}", spent.tokens);
        return Some(end(LoopDecision::BudgetUsedUp, reason));
    }
    if let Some(limit) = limits.milliseconds.filter(|&limit| spent.milliseconds >= limit) {
        let reason = format!("the time of {} s is over; {left}", limit / 1000);
        return Some(end(LoopDecision::BudgetUsedUp, reason));
    }
    if last.round >= limits.rounds {
        let rounds = plural(limits.rounds.into(), "round", "rounds");
        return Some(end(LoopDecision::RoundsUsedUp, format!("after {rounds} {left}")));
    }
    None
}
