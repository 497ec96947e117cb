//! The report of `obelus contract`: whether a program keeps its standard output clean.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Outcome, Stream, StreamFaultKind, Termination};

/// The version of this report's shape. A field may be added without a new number.
pub const CONTRACT_VERSION: u32 = 1;

/// What came of running a program under several circumstances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contract {
    /// The version of this shape, [`CONTRACT_VERSION`].
    pub version: u32,
    /// Pass: the promise was kept in all runs. Fail: it was broken in one. Harness error: it was not
    /// broken, and of one run nothing is known.
    pub outcome: Outcome,
    /// The command line that was tested.
    pub argv: Vec<String>,
    /// The protocol by which its standard output was read.
    pub protocol: String,
    /// All runs, in the order in which they were made.
    pub runs: Vec<ContractRun>,
}

/// One run of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContractRun {
    /// What was special about it.
    pub circumstance: Circumstance,
    /// What it came to.
    pub outcome: Outcome,
    /// Why, in words.
    pub reason: String,
    /// How the process ended.
    pub termination: Termination,
    /// How many events there are on standard output.
    pub events: u64,
    /// How many lines of standard output are no events.
    pub faults: u64,
    /// The first few of these lines.
    pub breaches: Vec<Breach>,
}

/// What is special about a run. No run has a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Circumstance {
    /// Nothing: the caller's own environment.
    Plain,
    /// Telemetry is switched on, and its collector is not there.
    Telemetry,
    /// Logging and warnings are switched on.
    Logging,
    /// Colour is asked for, in spite of the pipe.
    Colour,
    /// Standard input is closed.
    ClosedStdin,
    /// Standard output is a pipe that is read slowly.
    SlowReader,
}

impl Circumstance {
    /// The word that stands in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Circumstance::Plain => "plain",
            Circumstance::Telemetry => "telemetry",
            Circumstance::Logging => "logging",
            Circumstance::Colour => "colour",
            Circumstance::ClosedStdin => "closed_stdin",
            Circumstance::SlowReader => "slow_reader",
        }
    }
}

impl fmt::Display for Circumstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Circumstance::Plain => "as it is",
            Circumstance::Telemetry => "telemetry on, collector not there",
            Circumstance::Logging => "logging and warnings on",
            Circumstance::Colour => "colour asked for",
            Circumstance::ClosedStdin => "stdin closed",
            Circumstance::SlowReader => "stdout read slowly",
        })
    }
}

/// A line that is no event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Breach {
    /// The stream it is on.
    pub stream: Stream,
    /// The physical line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub kind: StreamFaultKind,
    /// At most 160 characters (Unicode scalar values) of it.
    pub snippet: String,
    /// Who wrote it, where its words are known.
    pub writer: Option<Writer>,
}

/// Who likely wrote a line, and what keeps it off standard output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Writer {
    /// Its name.
    pub name: String,
    /// What to do.
    pub remedy: String,
}
