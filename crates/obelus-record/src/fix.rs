//! What became of the edits that tools proposed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Diagnostic, Outcome};

/// The version of [`FixReport`]; another one is another shape.
pub const FIX_REPORT_VERSION: u32 = 1;

/// Which suggestions were applied, which were not and why, and what was taken back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FixReport {
    /// [`FIX_REPORT_VERSION`] of the program that wrote it.
    pub version: u32,
    /// Whether nothing was written: what the report tells would have been done.
    pub dry_run: bool,
    /// How many suggestions were applied and still stand.
    pub applied: u64,
    /// Which these are, as indices: into the records that were given, or into [`records`](Self::records).
    pub applied_records: Vec<u32>,
    /// The suggestions that were not applied, or were taken back; sorted by index.
    pub skipped: Vec<Skipped>,
    /// What was applied and taken back, with what it had caused.
    pub rolled_back: Vec<RolledBack>,
    /// What tools did that edit files by themselves.
    pub tools: Vec<ToolFix>,
    /// The files that are now others than before, sorted.
    pub files: Vec<String>,
    /// How often suggestions were applied and what came of them looked at.
    pub rounds: u32,
    /// How often checkers, or the command that verifies, were run again.
    pub reruns: u32,
    /// Why no more was done.
    pub ended: FixEnd,
    /// What somebody should know besides.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The records that [`applied_records`](Self::applied_records) and [`skipped`](Self::skipped)
    /// speak of, where Obelus ran the checkers itself.
    #[serde(default)]
    pub records: Vec<Diagnostic>,
    /// What would be changed, as a unified diff, where nothing was written.
    #[serde(default)]
    pub diff: Option<String>,
    /// The verdict on the files as they are now, where checkers were run.
    #[serde(default)]
    pub outcome: Option<Outcome>,
}

/// A suggestion that was not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Skipped {
    /// The record that has it, from 0.
    pub index: u32,
    /// Why.
    pub reason: SkipReason,
}

/// Why a suggestion was not applied. Where several reasons hold, it is the first in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// Its tool leaves the decision to somebody, and nobody asked for such edits.
    Unsafe,
    /// It holds placeholders that somebody must fill in, or no edit at all.
    Incomplete,
    /// An edit is of a file outside the repository: by an absolute path, by `..`, or through a
    /// symbolic link; or of what version control and Obelus keep for themselves.
    OutsideRepository,
    /// A symbolic link on the way leads nowhere, or came there after the file had been looked at.
    Symlink,
    /// The file is a dependency's, or version control ignores it.
    Dependency,
    /// A file is not the one that the checker saw.
    Stale,
    /// A file is not UTF-8.
    NotUtf8,
    /// A file must not be written.
    ReadOnly,
    /// A place lies beyond the end of its line or file.
    OutOfRange,
    /// The same edits were applied already.
    Duplicate,
    /// Edits of another suggestion cover the same text, or insert at the same point.
    Overlap,
    /// It was applied, made things worse, and was taken back.
    MadeWorse,
    /// It was applied, another undid it again and again, and both were taken back.
    Oscillation,
    /// It was applied, could not be verified, and was taken back.
    Unverified,
}

impl SkipReason {
    /// The word that stands in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            SkipReason::Unsafe => "unsafe",
            SkipReason::Incomplete => "incomplete",
            SkipReason::OutsideRepository => "outside_repository",
            SkipReason::Symlink => "symlink",
            SkipReason::Dependency => "dependency",
            SkipReason::Stale => "stale",
            SkipReason::NotUtf8 => "not_utf8",
            SkipReason::ReadOnly => "read_only",
            SkipReason::OutOfRange => "out_of_range",
            SkipReason::Duplicate => "duplicate",
            SkipReason::Overlap => "overlap",
            SkipReason::MadeWorse => "made_worse",
            SkipReason::Oscillation => "oscillation",
            SkipReason::Unverified => "unverified",
        }
    }

    /// The same as the end of a sentence about the suggestion.
    pub fn in_words(self) -> &'static str {
        match self {
            SkipReason::Unsafe => "its tool calls it unsafe",
            SkipReason::Incomplete => "it has a gap that somebody must fill",
            SkipReason::OutsideRepository => "it edits a file outside the repository",
            SkipReason::Symlink => "a symbolic link leads nowhere, or was made meanwhile",
            SkipReason::Dependency => "it edits a dependency, or a file that git ignores",
            SkipReason::Stale => "the file is not the one that the checker saw",
            SkipReason::NotUtf8 => "the file is not UTF-8",
            SkipReason::ReadOnly => "the file is read-only",
            SkipReason::OutOfRange => "its place lies beyond the end of the line or file",
            SkipReason::Duplicate => "the same edit was applied already",
            SkipReason::Overlap => "another edit covers the same text",
            SkipReason::MadeWorse => "it made things worse and was taken back",
            SkipReason::Oscillation => "another fix undid it again, so both were taken back",
            SkipReason::Unverified => "it could not be verified and was taken back",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Suggestions, or what a tool did, that were taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RolledBack {
    /// The suggestions, as in [`FixReport::applied_records`]; empty where it was a tool's own work.
    pub records: Vec<u32>,
    /// The checker whose own work it was.
    #[serde(default)]
    pub checker: Option<String>,
    /// Why, in words.
    pub why: String,
    /// The findings that were there with it and not without it.
    #[serde(default)]
    pub caused: Vec<Diagnostic>,
}

/// A tool that edited files by itself, as its checker's definition says under `fix`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolFix {
    /// The checker.
    pub checker: String,
    /// The command line.
    pub argv: Vec<String>,
    /// The files that it changed, sorted.
    pub files: Vec<String>,
    /// Whether what it did still stands.
    pub kept: bool,
}

/// Why no more was fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FixEnd {
    /// Nothing is left that may be applied.
    #[default]
    Done,
    /// One pass was asked for.
    OnePass,
    /// What was applied changed no file.
    NoChange,
    /// Fixes undo each other.
    Oscillation,
    /// The most rounds were made, or the most re-runs.
    Limit,
    /// A checker failed itself, so that nothing can be verified.
    HarnessError,
    /// Somebody stopped it.
    Interrupted,
}

impl FixEnd {
    /// The same in words.
    pub fn in_words(self) -> &'static str {
        match self {
            FixEnd::Done => "nothing is left that may be applied",
            FixEnd::OnePass => "one pass was asked for",
            FixEnd::NoChange => "what was applied changed no file",
            FixEnd::Oscillation => "fixes undo each other",
            FixEnd::Limit => "the limit of rounds or re-runs was reached",
            FixEnd::HarnessError => "a checker failed, so nothing can be verified",
            FixEnd::Interrupted => "interrupted",
        }
    }
}
