//! The contract of Obelus: what other programs parse.
//!
//! The crate holds types and their meaning, and no behaviour beyond serialisation, so that a
//! program that only reads reports depends on nothing else. Every type is versioned through
//! [`REPORT_VERSION`]: a field is added, never given another meaning.
//!
//! Units, everywhere in this crate: lines count from 1; columns count Unicode code points from 1;
//! an end is exclusive; a byte order mark is no character of its line.

mod agent_loop;
mod attribution;
mod causes;
mod contract;
mod declared;
mod diagnostic;
mod edited_lines;
mod exit;
mod fix;
mod outcome;
mod policy;
mod report;
mod review;
mod route;
mod shard;
mod suggestion;

pub use agent_loop::{
    AgentEnding, AgentTurn, GateRun, LOOP_VERSION, LoopBaseline, LoopDecision, LoopReport,
    LoopRound, RoundDecision,
};
pub use attribution::{
    Attribution, Baseline, BaselineRecord, Certainty, Comparison, Duplicates, Evidence, Obtained,
    PairEvidence, Say, Silenced, Unattributed,
};
pub use causes::{Cause, CauseLocation, CauseRule};
pub use contract::{Breach, CONTRACT_VERSION, Circumstance, Contract, ContractRun, Writer};
pub use declared::DeclaredAt;
pub use diagnostic::{Diagnostic, DiagnosticParts, Related, Severity};
pub use edited_lines::EditedLines;
pub use exit::ExitStatus;
pub use fix::{FIX_REPORT_VERSION, FixEnd, FixReport, RolledBack, SkipReason, Skipped, ToolFix};
pub use outcome::{Fault, FaultKind, Outcome, Stream, Termination};
pub use policy::{Adopted, PolicyChange, PolicyEffect};
pub use report::{
    Counts, NotRun, Origin, REPORT_VERSION, Report, Run, Shape, Unrecognised, UnrecognisedLine,
};
pub use review::{
    BlockState, ConversationEvidence, Kept, PlaceCheck, Program, REVIEW_VERSION, Review,
    ReviewEvidence, ReviewFinding, ReviewOutcome, ReviewRun, ReviewedChange, StopReason,
    StreamFacts, StreamFaultKind,
};
pub use route::{Route, Unsent, Withheld, WithheldReason};
pub use shard::{PlannedRun, Shard};
pub use suggestion::{Alternative, Applicability, Edit, Suggestion};
