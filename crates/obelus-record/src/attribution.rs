//! What a change caused: the records of a report held against those of a baseline.

use serde::{Deserialize, Serialize};

use crate::{Diagnostic, EditedLines, Outcome};

/// Which records are new, which are gone, which stayed, and what can't be told.
///
/// Indices count from 0: those of the side *after* into [`Report::records`](crate::Report::records)
/// of the report that holds this, those of the side *before* into the records of the baseline, in
/// their order there. Each index stands in exactly one list: in [`new`](Self::new),
/// [`fixed`](Self::fixed), [`silenced`](Self::silenced), [`unchanged`](Self::unchanged),
/// [`hidden`](Self::hidden), [`revealed`](Self::revealed), as a copy in
/// [`duplicates`](Self::duplicates), or in [`unattributed`](Self::unattributed). Lists are sorted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Attribution {
    /// Whether every run of both sides could be compared. Where not, [`runs`](Self::runs) says
    /// which could; their records are attributed all the same.
    pub attributable: bool,
    /// What a reader must be told, over all runs.
    pub say: Vec<Say>,
    /// After: caused by the change.
    pub new: Vec<u32>,
    /// Before: gone because of the change.
    pub fixed: Vec<u32>,
    /// Before: not printed any more because the change silenced it; not fixed. With each, what
    /// silences it.
    #[serde(default)]
    pub silenced: Vec<Silenced>,
    /// Pairs of before and after: the same finding, be it at another place.
    pub unchanged: Vec<(u32, u32)>,
    /// Before: not printed any more because the checker stopped early; not fixed.
    pub hidden: Vec<u32>,
    /// After: was there before, but the checker had stopped early; not new.
    pub revealed: Vec<u32>,
    /// Findings that one side holds more than once.
    pub duplicates: Duplicates,
    /// What can't be compared: neither new nor fixed, and no proof of anything.
    pub unattributed: Unattributed,
    /// About those pairs of [`unchanged`](Self::unchanged) that are not simply the same finding in
    /// the same file with the same message on a line that stayed. Sorted by pair.
    #[serde(default)]
    pub evidence: Vec<PairEvidence>,
    /// How each run of either side fared.
    #[serde(default)]
    pub runs: Vec<Comparison>,
    /// The files that the change added, edited or gave a new name, where they are known.
    #[serde(default)]
    pub touched: Option<Vec<String>>,
    /// What was edited in files that are on both sides, as far as it could be read; by path and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<EditedLines>,
    /// What the records were held against.
    #[serde(default)]
    pub baseline: Baseline,
}

/// A finding that vanished because the change keeps its checker from saying it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Silenced {
    /// The finding, as an index into the records of the baseline.
    pub before: u32,
    /// What silences it, as an index into [`Report::records`](crate::Report::records): a record of
    /// the tool `obelus` with a code `silenced/…`.
    pub by: u32,
}

/// What must be said to whoever reads an attribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Say {
    /// The run before was a harness error: its records are no set to compare with.
    BaselineFailed,
    /// The run after was a harness error.
    AfterFailed,
    /// Before and after are of another tool, or of another version of it.
    CheckerChanged,
    /// The configuration of the checker is another.
    ConfigurationChanged,
    /// The checker was not run before.
    NotRunBefore,
    /// The checker was not run after.
    NotRunAfter,
    /// The checker stopped early before, as at a syntax error: some findings were there unseen.
    NotAnalysedBefore,
    /// The checker stopped early after: findings that are not printed any more may still be there.
    NotAnalysedAfter,
}

impl Say {
    /// The word that stands in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Say::BaselineFailed => "baseline_failed",
            Say::AfterFailed => "after_failed",
            Say::CheckerChanged => "checker_changed",
            Say::ConfigurationChanged => "configuration_changed",
            Say::NotRunBefore => "not_run_before",
            Say::NotRunAfter => "not_run_after",
            Say::NotAnalysedBefore => "not_analysed_before",
            Say::NotAnalysedAfter => "not_analysed_after",
        }
    }

    /// Whether it makes a comparison impossible; else it only says what a comparison can't show.
    pub fn forbids_comparison(self) -> bool {
        !matches!(self, Say::NotAnalysedBefore | Say::NotAnalysedAfter)
    }
}

/// Copies within one side: pairs of the record that is kept and its copy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Duplicates {
    /// Of the baseline.
    pub before: Vec<(u32, u32)>,
    /// Of the report.
    pub after: Vec<(u32, u32)>,
}

/// What can't be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unattributed {
    /// Of the baseline.
    pub before: Vec<u32>,
    /// Of the report.
    pub after: Vec<u32>,
}

/// Why a pair is one finding, where that has to be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairEvidence {
    /// The pair, as an index into [`Attribution::unchanged`].
    pub pair: u32,
    /// What made the pair.
    pub evidence: Evidence,
    /// How sure that is.
    pub certainty: Certainty,
    /// Whether the code itself is elsewhere now: in another file, or moved within one. Lines that
    /// only shifted because others came or went above are not moved.
    pub moved: bool,
}

/// What made a pair. A pair that [`Attribution::evidence`] does not name is `exact` and `certain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The same message on code that stayed.
    Exact,
    /// On code that stayed, with a message that differs in what it quotes.
    Reworded,
    /// On the same code at another place.
    Moved,
    /// On code that was edited, at what is left of it.
    Nearest,
}

/// How sure a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// Nothing else can be meant.
    Certain,
    /// The best answer among several.
    Likely,
}

/// How one run fared in the comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The name of the checker's definition, as in [`Run::checker`](crate::Run::checker).
    pub checker: String,
    /// The project, as in [`Run::project`](crate::Run::project).
    #[serde(default)]
    pub project: Option<String>,
    /// The run in the baseline, as an index into its runs; absent where there was none.
    #[serde(default)]
    pub before: Option<u32>,
    /// The run in the report, as an index into its runs; absent where there was none.
    #[serde(default)]
    pub after: Option<u32>,
    /// Whether the two could be compared.
    pub attributable: bool,
    /// Why not, and what else must be said.
    pub say: Vec<Say>,
    /// The same in words, one sentence each, for what needs more than its word: which versions.
    #[serde(default)]
    pub details: Vec<String>,
}

/// What a report was held against, with those of its records that the report has no other place for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Baseline {
    /// What the user named it by: a revision or a file.
    #[serde(default)]
    pub name: Option<String>,
    /// The full name of the revision, if it is one.
    #[serde(default)]
    pub revision: Option<String>,
    /// The saved run, if it is one: [`Report::id`](crate::Report::id) of the baseline.
    #[serde(default)]
    pub id: Option<String>,
    /// How its records were had.
    #[serde(default)]
    pub obtained: Option<Obtained>,
    /// What limits the comparison: a sparse checkout, other lock files.
    #[serde(default)]
    pub notes: Vec<String>,
    /// What the baseline came to.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// How many records it holds.
    #[serde(default)]
    pub total: u32,
    /// Its records that are fixed, silenced or hidden, in their order.
    #[serde(default)]
    pub records: Vec<BaselineRecord>,
}

/// How the records of a baseline were had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Obtained {
    /// The checkers were run on it for this report.
    Run,
    /// An earlier check had been kept.
    Kept,
}

/// A record of the baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BaselineRecord {
    /// Its index among the records of the baseline.
    pub index: u32,
    /// The record, at its place before the change.
    pub record: Diagnostic,
}
