//! The grammar of a checker's table.

use std::collections::BTreeMap;

use obelus_record::Stream;
use serde::Deserialize;

use super::{ExitTable, Fatal, FatalFinding, SeverityMap};

/// One checker's table. Every key may be absent where a built-in table of the same name has it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Table {
    /// Whether it takes part at all; true where absent.
    pub enabled: Option<bool>,
    /// What it is, in one line.
    pub summary: Option<String>,
    /// Where its documentation is.
    pub docs: Option<String>,
    /// The program as records name it; the checker's own name where absent.
    pub tool: Option<String>,
    /// Versions against which this table was tried, as requirements (`2.4`, `>=5, <7`).
    pub known_good: Option<Vec<String>>,
    /// A lock or a cache, by any name, that its program holds while it runs: of the checkers that name
    /// the same one only one runs at a time.
    pub exclusive: Option<String>,
    /// Checkers that need not run beside this one, because it says what they say.
    pub covers: Option<Vec<String>>,
    /// How to tell that it applies.
    pub detect: Option<Detect>,
    /// Files that configure it; where absent, those that declare it by more than a dependency.
    pub configuration: Option<Vec<Rule>>,
    /// Where its program is.
    pub binary: Option<Binary>,
    /// What is checked in one run.
    pub project: Option<Project>,
    /// How it is run: the first entry whose `when` the version meets.
    pub run: Option<Vec<Run>>,
    /// The command line by which the tool fixes what it finds, in place of the one of `run`; where
    /// absent, it has no such thing, or hands its edits over with its findings. `{paths}` are then
    /// the files with findings.
    pub fix: Option<Vec<String>>,
    /// What its exit codes mean.
    pub exits: Option<ExitTable>,
    /// Words by which it says that it failed.
    pub fatal: Option<Vec<Fatal>>,
    /// Findings by which it says that it could not begin.
    pub fatal_findings: Option<Vec<FatalFinding>>,
    /// It prints nothing on standard error unless there is something to know, so what stands there
    /// is told as a note even where the run succeeds.
    pub quiet_stderr: Option<bool>,
    /// What its severities and codes count as here.
    pub severity: Option<SeverityMap>,
    /// In which order its records stand.
    pub order: Option<Order>,
}

/// How to tell that a checker applies to a repository.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Detect {
    /// Any of these says: the repository uses it. If it then can't be run, that is a harness error.
    pub declared: Vec<Rule>,
    /// Any of these says: there is something for it. If it isn't installed, it is not run.
    pub possible: Vec<Rule>,
    /// It can't do anything where nothing declares it, so it is then never run.
    pub needs_declaration: bool,
}

/// A fact about the files of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rule {
    /// A file of this name (a glob without slashes) in any folder, or at this place from the root
    /// (a glob with slashes).
    pub file: String,
    /// The file must hold this key: its parts joined by dots (TOML, JSON), or the name of a section,
    /// perhaps with a dot and one of its options (INI).
    #[serde(default)]
    pub key: Option<String>,
    /// The file (package.json, pyproject.toml, requirements*.txt) must name this package as a dependency.
    #[serde(default)]
    pub dependency: Option<String>,
}

/// Where a checker's program is looked up.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Binary {
    /// Its file name.
    pub name: String,
    /// The places, in order.
    #[serde(default = "path_only")]
    pub search: Vec<Place>,
    /// The package that holds it (npm or Python), whose metadata state the version without a run.
    #[serde(default)]
    pub package: Option<String>,
    /// Arguments that make it print its version.
    #[serde(default)]
    pub version: Vec<String>,
    /// The program alone does not tell that the checker is there (`cargo` is there without
    /// `cargo clippy`): where nothing declares the checker, it is only run if it tells its version.
    #[serde(default)]
    pub probe: bool,
    /// The command that installs it, for people.
    pub install: String,
}

fn path_only() -> Vec<Place> {
    vec![Place::Path]
}

/// A kind of place in which programs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// `node_modules/.bin`, from the project's folder upwards to the root.
    NodeModules,
    /// `.venv` and `venv`, from the project's folder upwards to the root, then `$VIRTUAL_ENV`.
    Venv,
    /// The folders of `$PATH`.
    Path,
}

/// What one run of a checker covers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Project {
    /// Files that mark a project's folder; without any the root is the one project.
    pub markers: Vec<Rule>,
    /// How projects become runs.
    pub grouping: Grouping,
    /// A marker that holds this key owns the markers below it (a Cargo workspace its members).
    pub owner_key: Option<String>,
    /// If the project's marker file holds any of these, the tool's own configuration says what to
    /// check: `{paths}` is then nothing, unless the user gives paths. Where several markers stand
    /// in one folder, the first in the order of `markers` is the marker file.
    pub own_paths: Vec<Rule>,
    /// No project where a folder above, or the same one, has a file of one of these names.
    pub unless_above: Vec<String>,
}

/// How projects become runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grouping {
    /// One run a project; the root is the project where there is no marker.
    #[default]
    Each,
    /// One run for all projects that share a program: the tool orders them itself.
    Together,
    /// One run in the root, whatever the markers.
    Root,
}

/// One way to run a checker.
///
/// `cwd` is `{root}`, `{project}` or a folder from the root. Placeholders in `argv` and `env`: `{binary}`, `{package}` (the folder of the npm package
/// that holds it), `{node}`, `{root}`, `{project}` (the project's folder), `{marker}` (its marker
/// file), `{report}` (a file for its report), `{asset:NAME}` (a script that Obelus ships). As an
/// argument of their own: `{markers}` (the marker files of all projects in the run) and `{paths}`
/// (what is to be checked: the paths given by the user, else `.`, else nothing where
/// [`Project::own_paths`] says so).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Run {
    /// The versions for which this entry is: a requirement such as `>=2, <3`.
    #[serde(default)]
    pub when: Option<String>,
    /// The command line.
    pub argv: Vec<String>,
    /// The format of what it prints.
    pub format: String,
    /// The stream that holds it, where that is not the format's own.
    #[serde(default)]
    pub stream: Option<Stream>,
    /// The working folder; the project's where absent.
    #[serde(default)]
    pub cwd: Option<String>,
    /// Environment variables that are set.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Environment variables that are removed.
    #[serde(default)]
    pub unset_env: Vec<String>,
    /// Seconds after which it is stopped; 600 where absent.
    #[serde(default)]
    pub time_limit: Option<u64>,
    /// Megabytes on one stream after which it is stopped; 1024 where absent.
    #[serde(default)]
    pub output_limit: Option<u64>,
}

/// In which order a checker's records stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// By path, line and column: what the tool prints first depends on its threads.
    #[default]
    Place,
    /// As printed: the tool's order means something and is the same in every run.
    Printed,
}
