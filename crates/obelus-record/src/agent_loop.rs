//! The loop: an agent proposes, the checks run, the findings go back, round after round.

use serde::{Deserialize, Serialize};

use crate::{Diagnostic, Outcome, PolicyChange};

/// The version of the shape of [`LoopReport`]. A field may be added without a new number.
pub const LOOP_VERSION: u32 = 1;

/// What a whole loop came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoopReport {
    /// The version of this shape, [`LOOP_VERSION`].
    pub version: u32,
    /// The ledger under `.obelus/runs`, if the loop was saved.
    #[serde(default)]
    pub id: Option<String>,
    /// Why the loop ended.
    pub decision: LoopDecision,
    /// The same in words.
    pub reason: String,
    /// The round with the fewest new errors among those that were really checked, the earliest of
    /// equals; absent where none was.
    pub best_round: Option<u32>,
    /// The round whose files are in place now, 0 for those from before the loop; absent where the
    /// files are as somebody left them who interrupted the loop.
    #[serde(default)]
    pub in_place: Option<u32>,
    /// The agent, by name or command line.
    #[serde(default)]
    pub agent: String,
    /// The state before the first round.
    #[serde(default)]
    pub baseline: LoopBaseline,
    /// What the agent changed of the rules that judge it, as of the round that is in place.
    #[serde(default)]
    pub policy: Vec<PolicyChange>,
    /// All rounds, the first is number 1.
    pub rounds: Vec<LoopRound>,
    /// Tokens of everything that was sent to the agent, by an estimate that errs high.
    #[serde(default)]
    pub tokens_sent: u64,
    /// How long everything took, in milliseconds.
    #[serde(default)]
    pub duration_ms: u64,
}

/// Why a loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LoopDecision {
    /// The checks pass, and so does the gate.
    Clean,
    /// The last round that was allowed did not get there.
    RoundsUsedUp,
    /// The tokens or the time that were allowed are used up.
    BudgetUsedUp,
    /// The same findings stayed, also after the agent was told so.
    NoProgress,
    /// Files or findings were as in an earlier round.
    Oscillation,
    /// There were more new errors than in the best round, twice in a row.
    Worse,
    /// The checks pass only because findings were silenced.
    Silenced,
    /// The agent program failed.
    AgentError,
    /// The agent used up the turns that it has for one round.
    TurnsExhausted,
    /// What the agent printed is no stream of its protocol.
    InvalidStream,
    /// A checker, the gate or Obelus itself failed, twice.
    HarnessError,
}

impl LoopDecision {
    /// The word that stands in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            LoopDecision::Clean => "clean",
            LoopDecision::RoundsUsedUp => "rounds_used_up",
            LoopDecision::BudgetUsedUp => "budget_used_up",
            LoopDecision::NoProgress => "no_progress",
            LoopDecision::Oscillation => "oscillation",
            LoopDecision::Worse => "worse",
            LoopDecision::Silenced => "silenced",
            LoopDecision::AgentError => "agent_error",
            LoopDecision::TurnsExhausted => "turns_exhausted",
            LoopDecision::InvalidStream => "invalid_stream",
            LoopDecision::HarnessError => "harness_error",
        }
    }

    /// What it means for whoever waits for the loop: clean, ended with findings, or nothing known.
    pub fn outcome(self) -> Outcome {
        match self {
            LoopDecision::Clean => Outcome::Pass,
            LoopDecision::RoundsUsedUp
            | LoopDecision::BudgetUsedUp
            | LoopDecision::NoProgress
            | LoopDecision::Oscillation
            | LoopDecision::Worse
            | LoopDecision::Silenced => Outcome::Fail,
            LoopDecision::AgentError
            | LoopDecision::TurnsExhausted
            | LoopDecision::InvalidStream
            | LoopDecision::HarnessError => Outcome::HarnessError,
        }
    }
}

/// What was decided at the end of one round: how it goes on, or, in the last one, the word of
/// [`LoopDecision`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RoundDecision {
    /// The findings go back to the agent.
    Continue,
    /// They go back once more, with the word that they are the same, or that there are more.
    Retry,
    /// See [`LoopDecision::Clean`].
    Clean,
    /// See [`LoopDecision::RoundsUsedUp`].
    RoundsUsedUp,
    /// See [`LoopDecision::BudgetUsedUp`].
    BudgetUsedUp,
    /// See [`LoopDecision::NoProgress`].
    NoProgress,
    /// See [`LoopDecision::Oscillation`].
    Oscillation,
    /// See [`LoopDecision::Worse`].
    Worse,
    /// See [`LoopDecision::Silenced`].
    Silenced,
    /// See [`LoopDecision::AgentError`].
    AgentError,
    /// See [`LoopDecision::TurnsExhausted`].
    TurnsExhausted,
    /// See [`LoopDecision::InvalidStream`].
    InvalidStream,
    /// See [`LoopDecision::HarnessError`].
    HarnessError,
}

impl RoundDecision {
    /// The word that stands in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            RoundDecision::Continue => "continue",
            RoundDecision::Retry => "retry",
            RoundDecision::Clean => LoopDecision::Clean.as_str(),
            RoundDecision::RoundsUsedUp => LoopDecision::RoundsUsedUp.as_str(),
            RoundDecision::BudgetUsedUp => LoopDecision::BudgetUsedUp.as_str(),
            RoundDecision::NoProgress => LoopDecision::NoProgress.as_str(),
            RoundDecision::Oscillation => LoopDecision::Oscillation.as_str(),
            RoundDecision::Worse => LoopDecision::Worse.as_str(),
            RoundDecision::Silenced => LoopDecision::Silenced.as_str(),
            RoundDecision::AgentError => LoopDecision::AgentError.as_str(),
            RoundDecision::TurnsExhausted => LoopDecision::TurnsExhausted.as_str(),
            RoundDecision::InvalidStream => LoopDecision::InvalidStream.as_str(),
            RoundDecision::HarnessError => LoopDecision::HarnessError.as_str(),
        }
    }
}

impl From<LoopDecision> for RoundDecision {
    fn from(decision: LoopDecision) -> Self {
        match decision {
            LoopDecision::Clean => RoundDecision::Clean,
            LoopDecision::RoundsUsedUp => RoundDecision::RoundsUsedUp,
            LoopDecision::BudgetUsedUp => RoundDecision::BudgetUsedUp,
            LoopDecision::NoProgress => RoundDecision::NoProgress,
            LoopDecision::Oscillation => RoundDecision::Oscillation,
            LoopDecision::Worse => RoundDecision::Worse,
            LoopDecision::Silenced => RoundDecision::Silenced,
            LoopDecision::AgentError => RoundDecision::AgentError,
            LoopDecision::TurnsExhausted => RoundDecision::TurnsExhausted,
            LoopDecision::InvalidStream => RoundDecision::InvalidStream,
            LoopDecision::HarnessError => RoundDecision::HarnessError,
        }
    }
}

/// The state before the first round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoopBaseline {
    /// What the checks came to.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// How many findings there were.
    #[serde(default)]
    pub findings: u64,
    /// What tells its files from all others.
    #[serde(default)]
    pub tree: String,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoopRound {
    /// Its number, from 1.
    pub round: u32,
    /// What was decided at its end.
    pub decision: RoundDecision,
    /// The same in words.
    pub reason: String,
    /// What the checks came to; absent where nothing was checked.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// Findings that fail the verdict: those that the rounds up to here caused, unless all count.
    pub new: u64,
    /// Findings of the baseline that are gone.
    pub fixed: u64,
    /// Findings of the baseline that are gone because something hides them.
    pub silenced: u64,
    /// Findings that stood before and were not sent.
    #[serde(default)]
    pub standing: u64,
    /// Tokens of what was sent to the agent in this round, by an estimate that errs high.
    pub tokens_sent: u64,
    /// Suggestions of tools that were applied without the agent.
    #[serde(default)]
    pub fixes_applied: u64,
    /// How the agent ended.
    pub agent: AgentTurn,
    /// What tells the files after this round from all others.
    #[serde(default)]
    pub tree: Option<String>,
    /// The gate, if it was run.
    #[serde(default)]
    pub gate: Option<GateRun>,
    /// The saved check, as in [`Report::id`](crate::Report::id).
    #[serde(default)]
    pub check: Option<String>,
    /// How long it took, in milliseconds.
    #[serde(default)]
    pub duration_ms: u64,
}

/// How the agent ended in one round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentTurn {
    /// How.
    pub ended: AgentEnding,
    /// Why, in words.
    #[serde(default)]
    pub reason: String,
}

/// The ways in which an agent ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AgentEnding {
    /// It ended well; what it did is in the files.
    Done,
    /// It failed.
    AgentError,
    /// It used up its turns.
    TurnsExhausted,
    /// It printed what is no stream of its protocol.
    InvalidStream,
    /// The loop's own time was over.
    OutOfTime,
}

/// One run of the gate: the command that has the last word where every checker is clean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateRun {
    /// The command line.
    pub argv: Vec<String>,
    /// Its exit status, if it ended by itself.
    pub exit: Option<i32>,
    /// Whether it passed.
    pub passed: bool,
    /// The last lines of its log, for people.
    #[serde(default)]
    pub last_lines: Vec<String>,
    /// What the log of a gate that failed says in a form that is known. Nothing is decided by it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Diagnostic>,
}
