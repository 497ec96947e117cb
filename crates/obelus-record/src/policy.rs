//! What judges: the findings that a team has adopted, and changes to the rules themselves.

use serde::{Deserialize, Serialize};

/// A change to what decides the verdict, made by the change that is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PolicyChange {
    /// The file that holds the rule, relative to the root.
    pub file: String,
    /// The checkers that it concerns, by the names of their definitions; none means all.
    #[serde(default)]
    pub checkers: Vec<String>,
    /// What is known of it.
    pub effect: PolicyEffect,
    /// What was changed, in one sentence.
    pub statement: String,
}

/// What a change to a rule does to the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PolicyEffect {
    /// Something that failed the check before may pass now.
    Loosened,
    /// It may be looser or stricter: only the checker itself knows.
    Changed,
}

/// The records that the repository's file of adopted findings names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Adopted {
    /// The file, relative to the root.
    pub file: String,
    /// The records that it names, as indices into [`Report::records`](crate::Report::records),
    /// sorted. They fail no verdict.
    pub standing: Vec<u32>,
    /// Lines of the file, from 1, whose finding is gone: `obelus baseline adopt` removes them.
    #[serde(default)]
    pub stale: Vec<u32>,
}
