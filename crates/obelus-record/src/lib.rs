//! The contract of Obelus: what other programs parse.
//!
//! The crate holds types and their meaning, and no behaviour beyond serialisation, so that a
//! program that only reads reports depends on nothing else. Every type is versioned through
//! [`REPORT_VERSION`]: a field is added, never given another meaning.
//!
//! Units, everywhere in this crate: lines count from 1; columns count Unicode code points from 1;
//! an end is exclusive; a byte order mark is no character of its line.

mod attribution;
mod causes;
mod diagnostic;
mod exit;
mod fix;
mod outcome;
mod policy;
mod report;
mod route;
mod shard;
mod suggestion;

pub use attribution::{
    Attribution, Baseline, BaselineRecord, Certainty, Comparison, Duplicates, Evidence, Obtained,
    PairEvidence, Say, Silenced, Unattributed,
};
pub use causes::{Cause, CauseLocation, CauseRule};
pub use diagnostic::{Diagnostic, DiagnosticParts, Related, Severity};
pub use exit::ExitStatus;
pub use fix::{FIX_REPORT_VERSION, FixEnd, FixReport, RolledBack, SkipReason, Skipped, ToolFix};
pub use outcome::{Fault, FaultKind, Outcome, Stream, Termination};
pub use policy::{Adopted, PolicyChange, PolicyEffect};
pub use report::{
    Counts, NotRun, Origin, REPORT_VERSION, Report, Run, Shape, Unrecognised, UnrecognisedLine,
};
pub use route::{Route, Unsent, Withheld, WithheldReason};
pub use shard::{PlannedRun, Shard};
pub use suggestion::{Alternative, Applicability, Edit, Suggestion};
