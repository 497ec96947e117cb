//! The artifact of a review: what one run of a reviewer came to, and on what evidence.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Severity, Termination};

/// The version of the artifact's shape. A field may be added without a new number.
pub const REVIEW_VERSION: u32 = 1;

/// What one run of a reviewer came to.
///
/// An artifact is accepted where [`Review::accepted`] says so, and nowhere else: findings of a run
/// that did not end well, or that the saved conversation contradicts, are evidence and no verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Review {
    /// The version of this shape, [`REVIEW_VERSION`].
    pub version: u32,
    /// What the run came to.
    pub outcome: ReviewOutcome,
    /// The outcome is a review (`findings` or `no_findings`) and nothing contradicts it.
    pub accepted: bool,
    /// Why, in words, with the boundary at which something was lost.
    pub reason: String,
    /// The physical line of standard output for which it was rejected, from 1.
    pub line: Option<u64>,
    /// What was wrong with that line.
    pub kind: Option<StreamFaultKind>,
    /// That line, at most 160 characters (Unicode scalar values) of it.
    pub snippet: Option<String>,
    /// The findings of the governing block, in its order.
    pub findings: Vec<ReviewFinding>,
    /// What was found where.
    pub evidence: ReviewEvidence,
    /// The name of the protocol by which the streams were read.
    pub protocol: String,
    /// The marker that begins a block of findings.
    pub marker: String,
    /// How many events crossed standard output, and what the last of them said.
    pub stream: StreamFacts,
    /// The run that made the streams; absent where they were captured elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Box<ReviewRun>>,
}

/// What a review came to. The first that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReviewOutcome {
    /// A line of standard output is not one JSON object; nothing is taken from such a stream.
    InvalidStream,
    /// The agent used up its turns.
    TurnsExhausted,
    /// The agent failed: an error event, an exit status, a signal, a limit, or no end at all.
    AgentError,
    /// The governing block of findings is broken, or contradicts itself.
    MalformedFindings,
    /// The run ended well, without a block of findings.
    MissingFindings,
    /// A complete block with no finding in it.
    NoFindings,
    /// A complete block with findings.
    Findings,
}

impl ReviewOutcome {
    /// The word that stands in artifacts and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            ReviewOutcome::InvalidStream => "invalid_stream",
            ReviewOutcome::TurnsExhausted => "turns_exhausted",
            ReviewOutcome::AgentError => "agent_error",
            ReviewOutcome::MalformedFindings => "malformed_findings",
            ReviewOutcome::MissingFindings => "missing_findings",
            ReviewOutcome::NoFindings => "no_findings",
            ReviewOutcome::Findings => "findings",
        }
    }

    /// Whether this is a review at all.
    pub fn is_review(self) -> bool {
        matches!(self, ReviewOutcome::Findings | ReviewOutcome::NoFindings)
    }
}

impl fmt::Display for ReviewOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a line rejects a stream of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StreamFaultKind {
    /// It is not exactly one JSON value in UTF-8.
    InvalidJson,
    /// It is one JSON value, and not an object.
    NotAnObject,
}

impl fmt::Display for StreamFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StreamFaultKind::InvalidJson => "not JSON",
            StreamFaultKind::NotAnObject => "JSON, but not an object",
        })
    }
}

/// One finding as the reviewer stated it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewFinding {
    /// The file as the reviewer named it; not empty.
    pub path: String,
    /// The first line, from 1.
    pub line: Option<u64>,
    /// The last line, from 1, not before `line`.
    pub end_line: Option<u64>,
    /// How severe it is.
    pub severity: Severity,
    /// The kind of finding, in the reviewer's words.
    pub code: Option<String>,
    /// It in a few words.
    pub title: Option<String>,
    /// It in full; not empty.
    pub message: String,
    /// What to do about it, in words.
    pub suggestion: Option<String>,
    /// Whether its place is one; absent where nobody looked. It never decides anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceCheck>,
}

/// What a look at the files and at the change says about a finding's place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaceCheck {
    /// The file exists.
    pub path_exists: Option<bool>,
    /// All its lines lie in the file; absent where it has no line, or there is no file.
    pub line_in_file: Option<bool>,
    /// Any of its lines lies in the change as it is afterwards (where it has no line: its file was
    /// changed); absent where the change is not known.
    pub line_in_change: Option<bool>,
}

/// The pieces of evidence side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewEvidence {
    /// The governing block in the bytes that crossed standard output.
    pub stdout: BlockState,
    /// The governing block in the saved conversation; absent where there is none.
    pub conversation: Option<ConversationEvidence>,
    /// Whether both say the same; absent where there is no conversation to compare with.
    pub agree: Option<bool>,
}

/// The governing block in a saved conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConversationEvidence {
    /// What became of it.
    pub block: BlockState,
    /// How many findings it holds, if it is complete.
    pub findings: u64,
}

/// What became of a block of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BlockState {
    /// The stream that might hold it was rejected, so nobody looked.
    Rejected,
    /// There is one, and all of it.
    Complete,
    /// There is none.
    Absent,
    /// There is one that is broken, or several that differ.
    Malformed,
}

impl BlockState {
    /// The word that stands in artifacts and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            BlockState::Rejected => "rejected",
            BlockState::Complete => "complete",
            BlockState::Absent => "absent",
            BlockState::Malformed => "malformed",
        }
    }
}

/// What was seen of a stream of events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StreamFacts {
    /// How many events there were.
    pub events: u64,
    /// How many turns the agent took, as far as its events tell.
    pub turns: u64,
    /// Whether an end event was seen, in protocols that have one.
    pub ended: bool,
    /// What the last end event, or the agent's own error, said, if it was not a clean end.
    pub error: Option<String>,
    /// The reviewer's own name of its session, if it told one.
    pub session: Option<String>,
}

/// How the streams of a review came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewRun {
    /// The name of the saved run, its folder under `.obelus/reviews`.
    pub id: String,
    /// The reviewer's name, as tables and records have it.
    pub reviewer: String,
    /// The program that was run.
    pub program: Program,
    /// The command line.
    pub argv: Vec<String>,
    /// The working folder.
    pub cwd: String,
    /// The names of all variables of its environment, sorted; values are never kept.
    pub environment: Vec<String>,
    /// Names of variables that were taken away from it.
    pub removed: Vec<String>,
    /// How the process ended.
    pub termination: Termination,
    /// Why Obelus itself ended the process, if it did so though the process was within its limits.
    pub stopped: Option<StopReason>,
    /// When it began, in UTC (RFC 3339).
    pub began: String,
    /// How long it ran, in milliseconds.
    pub duration_ms: u64,
    /// The version of Obelus.
    pub obelus: String,
    /// The exact bytes that were kept, by name.
    pub kept: Vec<Kept>,
    /// What somebody who trusts the review should know.
    #[serde(default)]
    pub notes: Vec<String>,
    /// What was reviewed.
    pub change: ReviewedChange,
}

/// Why Obelus ended a reviewer that was within the limits of its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It went on running after its end event, which is no failure.
    AfterEndEvent,
    /// It took more turns than its table grants.
    OutOfTurns,
}

/// The program of a reviewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Program {
    /// Where it lies.
    pub path: String,
    /// Whether it was named on the command line, in place of the table's.
    pub overridden: bool,
    /// What it says its version is.
    pub version: Option<String>,
    /// The SHA-256 of the file, in lower-case hexadecimal digits.
    pub sha256: Option<String>,
}

/// A file that was kept as evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Kept {
    /// Its name in the run's folder: `stdout`, `stderr`, `prompt`, `conversation`.
    pub name: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// The SHA-256 of its bytes, in lower-case hexadecimal digits.
    pub sha256: String,
    /// Where it was copied from, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// What a reviewer was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewedChange {
    /// What names the change: a revision since which it was made, or a file.
    pub of: String,
    /// How many files it touches.
    pub files: u64,
    /// The SHA-256 of the text, in lower-case hexadecimal digits.
    pub sha256: String,
}
