//! Edits that a tool itself proposes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// How far the tool itself vouches for an edit. Nothing here is Obelus's own opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// The tool says that the edit may be applied without a look (rustc `MachineApplicable`,
    /// ruff `safe`, ESLint `fix`).
    Safe,
    /// The tool proposes the edit and leaves the decision to somebody.
    Unsafe,
    /// The edit holds placeholders that somebody must fill in (rustc `HasPlaceholders`).
    Incomplete,
}

/// An edit, in one or several pieces that are made together or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Suggestion {
    /// How far the tool vouches for it.
    pub applicability: Applicability,
    /// What the tool says that the edit does.
    #[serde(default)]
    pub message: Option<Box<str>>,
    /// The pieces, in the order in which the tool gave them.
    pub edits: Vec<Edit>,
    /// Other edits that the tool offers in place of this one.
    #[serde(default)]
    pub alternatives: Vec<Alternative>,
}

/// An edit that a tool offers in place of the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Alternative {
    /// As in [`Suggestion::applicability`].
    pub applicability: Applicability,
    /// As in [`Suggestion::message`].
    #[serde(default)]
    pub message: Option<Box<str>>,
    /// As in [`Suggestion::edits`].
    pub edits: Vec<Edit>,
}

/// One replacement in one file; an insertion has its end at its start.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edit {
    /// The file, as in [`Diagnostic::path`](crate::Diagnostic::path).
    pub path: Arc<str>,
    /// Line of the start, from 1.
    pub line: u32,
    /// Column of the start in code points, from 1.
    pub column: u32,
    /// Line of the end, from 1.
    pub end_line: u32,
    /// Column just behind the end in code points, from 1.
    pub end_column: u32,
    /// The text that stands there afterwards.
    pub text: Box<str>,
}
