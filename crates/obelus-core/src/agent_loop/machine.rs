//! The states of a loop, and what leads from one to the next.

use obelus_record::{AgentEnding, AgentTurn, LoopDecision, Outcome};

use super::decide::{Limits, decide};
use super::judged::Judged;

/// What is to be done next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The files as they are before the first round are to be checked.
    Baseline,
    /// The agent is to be asked.
    Agent {
        /// The round.
        round: u32,
        /// For what.
        ask: Ask,
    },
    /// What tools call safe is to be applied.
    Fixes {
        /// The round.
        round: u32,
    },
    /// The files are to be checked.
    Check {
        /// The round.
        round: u32,
    },
    /// Every checker is clean: the gate is to be run.
    Gate {
        /// The round.
        round: u32,
    },
    /// Nothing is left to be done.
    Ended(Ending),
}

/// What the agent is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The task.
    Task,
    /// To do something about what its edit caused.
    Feedback,
    /// The same, with the word that its last edit changed nothing of the findings.
    Unchanged,
    /// The same, with the word that its last edit left more errors than there were.
    Worse,
    /// To correct what its edit only hides from the checkers, which pass.
    Silenced,
}

/// Why a loop ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Why.
    pub decision: LoopDecision,
    /// In words.
    pub reason: String,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The baseline was checked. Its findings are no reason for anything, but a check that failed
    /// itself is.
    BaselineChecked(Judged),
    /// The agent has ended, and left the files as `tree`.
    AgentEnded {
        /// How.
        turn: AgentTurn,
        /// What tells the files from all others.
        tree: String,
    },
    /// What is safe was applied, or there was nothing; the files are `tree` now.
    Fixed {
        /// What tells the files from all others.
        tree: String,
    },
    /// The files were checked.
    Checked {
        /// What that came to.
        judged: Judged,
        /// What the loop has used so far.
        spent: Spent,
    },
    /// The gate was run: nothing where it passed, else why not, in words.
    GatePassed(Result<(), String>),
    /// The gate could not be run.
    GateBroken(String),
}

/// What the loop has used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Tokens that were sent.
    pub tokens: u64,
    /// Milliseconds since the beginning.
    pub milliseconds: u64,
}

/// What was seen of one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its number, from 1.
    pub round: u32,
    /// How the agent ended.
    pub turn: AgentTurn,
    /// What tells the files from all others.
    pub tree: String,
    /// What the check came to; absent while, or where, nothing was checked.
    pub judged: Option<Judged>,
    /// Why the gate failed, if it did.
    pub gate: Option<String>,
}

impl Seen {
    /// The check, if it was really one.
    pub fn checked(&self) -> Option<&Judged> {
        self.judged.as_ref().filter(|judged| judged.outcome != Outcome::HarnessError)
    }
}

/// A loop, as far as it has come.
#[derive(Clone, Debug)]
pub struct Machine {
    limits: Limits,
    has_gate: bool,
    state: State,
    /// The files before the first round.
    baseline: String,
    rounds: Vec<Seen>,
    spent: Spent,
    /// A check that failed itself is made once more.
    retried: bool,
}

impl Machine {
    /// A loop over the files `baseline` that has done nothing yet.
    pub fn new(limits: Limits, has_gate: bool, baseline: &str) -> Self {
        Machine {
            limits,
            has_gate,
            state: State::Baseline,
            baseline: baseline.to_owned(),
            rounds: Vec::new(),
            spent: Spent::default(),
            retried: false,
        }
    }

    /// What is to be done next.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What was seen of each round so far.
    pub fn rounds(&self) -> &[Seen] {
        &self.rounds
    }

    /// The round with the fewest new errors among those that were really checked, the earliest of
    /// equals; what is only hidden counts as well, and a gate that failed breaks a tie.
    pub fn best_round(&self) -> Option<u32> {
        best(&self.rounds).map(|seen| seen.round)
    }

    /// Takes in what came of what was to be done. An event that does not belong to the state ends
    /// the loop: it means that Obelus itself is wrong.
    pub fn step(&mut self, event: Event) -> &State {
        self.state = match (&self.state, event) {
            (State::Baseline, Event::BaselineChecked(judged)) => self.on_baseline(&judged),
            (&State::Agent { round, .. }, Event::AgentEnded { turn, tree }) => {
                self.on_agent(round, turn, tree)
            }
            (&State::Fixes { round }, Event::Fixed { tree }) => {
                if let Some(seen) = self.rounds.last_mut() {
                    seen.tree = tree;
                }
                State::Check { round }
            }
            (&State::Check { round }, Event::Checked { judged, spent }) => {
                self.on_check(round, judged, spent)
            }
            (&State::Gate { .. }, Event::GatePassed(passed)) => {
                if let Some(seen) = self.rounds.last_mut() {
                    seen.gate = passed.err();
                }
                self.decided()
            }
            (&State::Gate { .. }, Event::GateBroken(reason)) => {
                ended(LoopDecision::HarnessError, reason)
            }
            (state, event) => {
                let reason = format!("Obelus itself failed: {event:?} in {state:?}");
                ended(LoopDecision::HarnessError, reason)
            }
        };
        &self.state
    }

    fn on_baseline(&mut self, judged: &Judged) -> State {
        if judged.outcome != Outcome::HarnessError {
            self.retried = false;
            return State::Agent { round: 1, ask: Ask::Task };
        }
        if !std::mem::replace(&mut self.retried, true) {
            return State::Baseline;
        }
        let reason =
            format!("the files could not be checked before the first round: {}", judged.reason);
        ended(LoopDecision::HarnessError, reason)
    }

    fn on_agent(&mut self, round: u32, turn: AgentTurn, tree: String) -> State {
        let before = self.rounds.last().map_or(&self.baseline, |seen| &seen.tree);
        let changed = *before != tree;
        let done = turn.ended == AgentEnding::Done;
        self.rounds.push(Seen { round, turn, tree, judged: None, gate: None });
        match (done, changed) {
            (true, _) => State::Fixes { round },
            // What it did before it failed is looked at as it is.
            (false, true) => State::Check { round },
            (false, false) => self.decided(),
        }
    }

    fn on_check(&mut self, round: u32, judged: Judged, spent: Spent) -> State {
        self.spent = spent;
        let failed = judged.outcome == Outcome::HarnessError;
        let gate = self.has_gate && judged.outcome == Outcome::Pass;
        let Some(seen) = self.rounds.last_mut() else {
            return ended(LoopDecision::HarnessError, "there is no round".to_owned());
        };
        seen.judged = Some(judged);
        let done = seen.turn.ended == AgentEnding::Done;
        if failed && !std::mem::replace(&mut self.retried, true) {
            return State::Check { round };
        }
        if !failed {
            self.retried = false;
        }
        if gate && done { State::Gate { round } } else { self.decided() }
    }

    fn decided(&self) -> State {
        match decide(&self.limits, &self.baseline, &self.rounds, self.spent) {
            Ok(ask) => {
                let round = self.rounds.last().map_or(1, |seen| seen.round + 1);
                State::Agent { round, ask }
            }
            Err(ending) => State::Ended(ending),
        }
    }
}

/// The best of `rounds`, as [`Machine::best_round`] says.
pub(super) fn best(rounds: &[Seen]) -> Option<&Seen> {
    let checked = rounds.iter().filter(|seen| seen.checked().is_some());
    // Of equals `min_by_key` takes the first.
    checked.min_by_key(|seen| {
        let faults = seen.checked().map_or(u64::MAX, Judged::faults);
        (faults, seen.gate.is_some())
    })
}

fn ended(decision: LoopDecision, reason: String) -> State {
    State::Ended(Ending { decision, reason })
}
