//! Tools whose output is read but which are not run: what to hand them only the project's own build
//! knows (compilers), or they run others (make).

use serde::Deserialize;

use super::{ExitTable, Fatal, FatalFinding, Order, SeverityMap};
use crate::read::Rules;

/// The rules by which a tool's output is read (`checkers/readers/*.toml`); its keys are those of
/// [`Table`](super::Table) that have to do with reading.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reader {
    /// The tool as records name it: the file's name.
    #[serde(skip)]
    pub tool: String,
    /// What it is, in one line.
    pub summary: String,
    /// Where its documentation is.
    pub docs: String,
    /// Versions whose output this was tried with, as requirements.
    #[serde(default)]
    pub known_good: Vec<String>,
    /// The formats that it alone prints: a tool that nobody knows is read by its rules.
    #[serde(default)]
    pub formats: Vec<String>,
    /// What its exit codes mean.
    #[serde(default)]
    pub exits: ExitTable,
    /// Words by which it says that it failed.
    #[serde(default)]
    pub fatal: Vec<Fatal>,
    /// Findings by which it says that it could not begin.
    #[serde(default)]
    pub fatal_findings: Vec<FatalFinding>,
    /// What its severities and codes count as here.
    #[serde(default)]
    pub severity: SeverityMap,
    /// In which order its records stand.
    #[serde(default)]
    pub order: Order,
}

impl Reader {
    /// The rules by which its output is read.
    pub fn rules(&self) -> Rules<'_> {
        Rules {
            tool: &self.tool,
            exits: &self.exits,
            fatal: &self.fatal,
            fatal_findings: &self.fatal_findings,
            quiet_stderr: false,
            severity: &self.severity,
            order: self.order,
        }
    }
}
