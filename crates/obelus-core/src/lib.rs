//! Bytes of checkers in, records and outcomes out.
//!
//! The crate is pure: it starts no process, opens no file, asks no clock and no environment (its
//! own `clippy.toml` says so). What it must know about files it asks of a [`Sources`].
//!
//! The data flows one way, each step a plain function from one type to the next:
//! a [`mod@format`] turns the streams of a run into [`Finding`]s, [`normalise`] turns these into
//! records, [`outcome`] judges the run, [`assemble`] puts runs together into a report, and
//! [`present`] writes it. [`agent_loop`] decides, check after check, whether an agent is asked again.

pub mod agent;
pub mod agent_loop;
pub mod assemble;
pub mod checker;
pub mod contract;
mod finding;
pub mod fix;
pub mod format;
mod git_path;
mod json;
pub mod normalise;
mod notebook;
pub mod outcome;
pub mod present;
pub mod read;
pub mod reason;
pub mod recognise;
pub mod reports;
pub mod review;
mod sources;
pub mod tokens;
mod watched;

pub use finding::{
    End, Finding, LineEnds, Place, Position, Positions, Proposal, Replacement, Span, Unit, Width,
};
pub use sources::{NoSources, SourceText, Sources};
