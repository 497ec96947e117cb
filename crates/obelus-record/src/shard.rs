//! What a check is a part of, where it was split over several machines.

use serde::{Deserialize, Serialize};

/// Which part of a check a report is, and what the other parts must agree with.
///
/// The reports of all parts make the report of the whole; anything in here but `number` is the same
/// in all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shard {
    /// Which part this is, from 1.
    pub number: u32,
    /// How many parts there are.
    pub of: u32,
    /// The version of Obelus.
    pub obelus: String,
    /// What tells the files that were checked from all others: git's object ids of the tree of the
    /// work tree and of its submodules; absent outside git.
    #[serde(default)]
    pub tree: Option<String>,
    /// A digest of the tables of all checkers, and of what else `obelus.toml` says about which run where.
    pub configuration: String,
    /// A digest of the file of adopted findings, where there is one.
    #[serde(default)]
    pub adopted: Option<String>,
    /// Every run of the whole check, in its order.
    pub plan: Vec<PlannedRun>,
}

/// One run of a check that was split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedRun {
    /// The name of the checker's definition.
    pub checker: String,
    /// The project.
    pub project: String,
    /// The version that the program states, if it does.
    #[serde(default)]
    pub version: Option<String>,
    /// A digest of the command line, as seen from the root; absent where the run can't begin.
    #[serde(default)]
    pub command: Option<String>,
    /// The part that it falls to, from 1.
    pub shard: u32,
}
