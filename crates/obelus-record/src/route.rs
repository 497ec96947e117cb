//! Which records are put before whoever acts on them, and why the others are not.

use serde::{Deserialize, Serialize};

/// What is sent to the reader of a report, and what is kept back for which reason.
///
/// Indices count from 0 into [`Report::records`](crate::Report::records). Each record stands in
/// exactly one of [`sent`](Self::sent) and [`withheld`](Self::withheld). That nothing is sent
/// doesn't mean that the code is clean: [`unsent`](Self::unsent) says what stands elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Route {
    /// What the reader should see, sorted. A consequence of a cause is told as a place under it.
    pub sent: Vec<u32>,
    /// What else is wrong.
    pub unsent: Unsent,
    /// All other records, sorted, each with the reason.
    #[serde(default)]
    pub withheld: Vec<Withheld>,
    /// The files that the change touched, relative to the root and sorted; absent where that is not
    /// known.
    #[serde(default)]
    pub touched: Option<Vec<String>>,
}

/// Errors that are not sent. Nothing below an error is counted here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unsent {
    /// How many records of severity error.
    pub errors: u64,
    /// In how many files.
    pub files: u64,
}

/// A record that is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Withheld {
    /// The record.
    pub record: u32,
    /// Why.
    pub reason: WithheldReason,
}

/// Why a record is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WithheldReason {
    /// It follows from a cause that is told in its place.
    Consequence,
    /// The repository has adopted it: it is let stand.
    Adopted,
    /// It was there before the change.
    Unchanged,
    /// It lies in a file that the change did not touch.
    UntouchedFile,
    /// It lies outside the paths that were asked about.
    OtherPath,
    /// It is less severe than what was asked for.
    BelowLevel,
    /// It lies in the code of a dependency.
    Dependency,
    /// It lies in a file that a program writes.
    Generated,
    /// It lies outside the repository.
    OutsideRepository,
    /// The same finding is among the records once more.
    Duplicate,
}
