//! The report: all runs, all records, and what was derived from them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::{
    Adopted, Attribution, Cause, CauseRule, DeclaredAt, Diagnostic, Fault, Outcome, PolicyChange,
    Route, Severity, Shard, Stream, Termination,
};

/// The version of the report's shape. A field may be added without a new number.
pub const REPORT_VERSION: u32 = 1;

/// Everything that one check, or one reading of captured output, came to.
///
/// Records never travel without the outcomes of the runs that they come from, so that "no records"
/// can't be read as "clean".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// The version of this shape, [`REPORT_VERSION`].
    pub version: u32,
    /// The verdict: harness error if any run is, else fail if any is, else pass. Held against a
    /// baseline, a failure that nothing new is part of is a pass, unless all findings were to count.
    pub outcome: Outcome,
    /// Why the verdict is what it is, in words.
    pub reason: String,
    /// The saved run under `.obelus/runs`, if this report was saved.
    #[serde(default)]
    pub id: Option<String>,
    /// The folder below the root that the check was limited to, if it was.
    #[serde(default)]
    pub scope: Vec<String>,
    /// All runs, in the order of the plan.
    pub runs: Vec<Run>,
    /// Checkers that may apply here and were not run, each with the reason.
    #[serde(default)]
    pub not_run: Vec<NotRun>,
    /// All records, in stable order: by run, and within a run as its checker's definition says.
    pub records: Vec<Diagnostic>,
    /// Beside the records, one for one: where each comes from.
    pub origins: Vec<Origin>,
    /// How many records there are of each kind.
    pub counts: Counts,
    /// Causes with what follows from them, most important first; absent where nobody looked for any.
    #[serde(default)]
    pub causes: Option<Vec<Cause>>,
    /// Beside the causes, one for one: the rule by which each was found.
    #[serde(default)]
    pub cause_rules: Vec<CauseRule>,
    /// All records that belong to no cause, sorted; absent where nobody looked for causes.
    #[serde(default)]
    pub independent: Option<Vec<u32>>,
    /// Where what records are about is declared, in the order of the records: of those that belong
    /// to no cause, or only to one of equal messages, where nothing is known of a change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declared: Vec<DeclaredAt>,
    /// What is put before the reader; absent where nobody decided.
    #[serde(default)]
    pub route: Option<Route>,
    /// What the change caused, where the records were held against a baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribution: Option<Box<Attribution>>,
    /// Changes to the rules themselves, made by the change that is judged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policy: Vec<PolicyChange>,
    /// The records that the repository has adopted, where it has a file that names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adopted: Option<Box<Adopted>>,
    /// Which part of a check this is, where it was split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Box<Shard>>,
    /// How long everything took, in milliseconds.
    #[serde(default)]
    pub duration_ms: u64,
}

/// One run of one checker in one project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// The name of the checker's definition: `tsc`, `cargo-check`.
    pub checker: String,
    /// The program whose findings these are, as records name it.
    pub tool: String,
    /// The format that read the output.
    pub format: String,
    /// The project: a path relative to the root, `.` for the root itself.
    #[serde(default)]
    pub project: Option<String>,
    /// The version that the program states, if it was asked.
    #[serde(default)]
    pub version: Option<String>,
    /// The command line that was run. In a part of a check, `{report}` stands for the file that it
    /// was told to write.
    #[serde(default)]
    pub argv: Vec<String>,
    /// The working folder, relative to the root.
    #[serde(default)]
    pub cwd: String,
    /// The exit status, if the process ended by itself.
    pub exit: Option<i32>,
    /// The signal that ended it, if one did.
    #[serde(default)]
    pub signal: Option<i32>,
    /// How the process ended, with what an exit status alone can't say.
    pub termination: Termination,
    /// What the run came to.
    pub outcome: Outcome,
    /// Why, in words.
    pub reason: String,
    /// Why a stream was rejected, if one was.
    #[serde(default)]
    pub fault: Option<Fault>,
    /// The records of this run are not all that there are: it was cut off or its stream rejected.
    #[serde(default)]
    pub partial: bool,
    /// Lines that the format does not know.
    #[serde(default)]
    pub unrecognised: Unrecognised,
    /// What else somebody should know: a version that was never tried, an outcome that contradicts itself.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Findings of this run that lie outside the scope of the check and are not among the records.
    #[serde(default)]
    pub out_of_scope: u64,
    /// How long the process ran, in milliseconds.
    #[serde(default)]
    pub duration_ms: u64,
}

/// Lines of a text stream that its format does not know: counted all, shown a few.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unrecognised {
    /// How many there are.
    pub count: u64,
    /// The first few of them.
    pub lines: Vec<UnrecognisedLine>,
}

/// One line that a format does not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnrecognisedLine {
    /// The stream.
    pub stream: Stream,
    /// The physical line, from 1.
    pub line: u64,
    /// The line, at most 160 characters of it.
    pub text: String,
}

/// A checker that may apply here and was not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotRun {
    /// The name of the checker's definition.
    pub checker: String,
    /// Why not.
    pub reason: String,
}

/// Where a record comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Origin {
    /// The runs that reported it, as indices into [`Report::runs`].
    pub runs: Arc<[u32]>,
    /// How often it was reported: more than once where several targets or projects share a file.
    pub count: u32,
}

/// Totals over the records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counts {
    /// Records of severity error.
    pub error: u64,
    /// Records of severity warning.
    pub warning: u64,
    /// Records of severity info.
    pub info: u64,
    /// Records of severity hint.
    pub hint: u64,
    /// Files with at least one record.
    pub files: u64,
    /// Records by tool.
    pub by_tool: BTreeMap<String, u64>,
    /// Records by code, those without a code under the name of their tool; empty where nothing was
    /// derived.
    #[serde(default)]
    pub by_code: BTreeMap<String, u64>,
    /// Records by file; empty where nothing was derived.
    #[serde(default)]
    pub by_file: BTreeMap<String, u64>,
    /// Records that a change caused; absent where nothing was compared.
    #[serde(default)]
    pub new: Option<u64>,
    /// Records that were there before the change; absent where nothing was compared.
    #[serde(default)]
    pub unchanged: Option<u64>,
    /// What most of the records have in common, where that says something.
    #[serde(default)]
    pub shape: Option<Shape>,
}

/// What most records have in common: `count` of all `of` records of `severity` have the code `code`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shape {
    /// How many.
    pub count: u64,
    /// Of how many.
    pub of: u64,
    /// Of which severity they all are.
    pub severity: Severity,
    /// The code.
    pub code: String,
    /// In how many files.
    pub files: u64,
}

impl Counts {
    /// Counts `records`.
    pub fn of(records: &[Diagnostic]) -> Self {
        let mut counts = Counts::default();
        // Most repeats of a name share its memory: these are sorted out without a look at the text.
        let mut files: FxHashMap<*const u8, &str> = FxHashMap::default();
        let mut tools: FxHashMap<*const u8, (&str, u64)> = FxHashMap::default();
        for record in records {
            *counts.of_severity(record.severity) += 1;
            files.extend(record.path.as_deref().map(|path| (path.as_ptr(), path)));
            tools.entry(record.tool.as_ptr()).or_insert((&record.tool, 0)).1 += 1;
        }
        for (tool, count) in tools.into_values() {
            *counts.by_tool.entry(tool.to_owned()).or_default() += count;
        }
        let files: FxHashSet<&str> = files.into_values().collect();
        counts.files = files.len() as u64;
        counts
    }

    /// All records.
    pub fn total(&self) -> u64 {
        self.error + self.warning + self.info + self.hint
    }

    fn of_severity(&mut self, severity: Severity) -> &mut u64 {
        match severity {
            Severity::Error => &mut self.error,
            Severity::Warning => &mut self.warning,
            Severity::Info => &mut self.info,
            Severity::Hint => &mut self.hint,
        }
    }
}
