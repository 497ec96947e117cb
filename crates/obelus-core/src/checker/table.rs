//! The grammar of a checker's table, and of `obelus.toml` around it.

use std::collections::BTreeMap;

use obelus_record::Stream;
use serde::Deserialize;
use thiserror::Error;

use crate::read::Rules;

use super::{ExitTable, Fatal, FatalFinding, SeverityMap};

/// A repository's `obelus.toml`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// Only these checkers run, where the command line names none.
    pub only: Option<Vec<String>>,
    /// Folders and files that are no part of the check, as globs relative to the root.
    pub exclude: Vec<String>,
    /// How many checkers run at once; the number of processors where absent.
    pub jobs: Option<usize>,
    /// Saved runs that are kept; older ones are pruned.
    pub keep_runs: Option<usize>,
    /// The size in megabytes that all saved runs together may take; the oldest are pruned.
    pub keep_megabytes: Option<u64>,
    /// The tables of checkers, by name.
    pub checker: BTreeMap<String, Table>,
}

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
    /// What its exit codes mean.
    pub exits: Option<ExitTable>,
    /// Words by which it says that it failed.
    pub fatal: Option<Vec<Fatal>>,
    /// Findings by which it says that it could not begin.
    pub fatal_findings: Option<Vec<FatalFinding>>,
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
/// Placeholders in `argv`, `cwd` and `env`: `{binary}`, `{package}` (the folder of the npm package
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

/// A complete checker.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of Table")]
pub struct Checker {
    pub name: String,
    /// Whether Obelus ships it (perhaps changed by the user) or the user defined it.
    pub builtin: bool,
    pub enabled: bool,
    pub summary: String,
    pub docs: Option<String>,
    pub tool: String,
    pub known_good: Vec<semver::VersionReq>,
    pub covers: Vec<String>,
    pub detect: Detect,
    pub configuration: Option<Vec<Rule>>,
    pub binary: Binary,
    pub project: Project,
    pub runs: Vec<Run>,
    pub exits: ExitTable,
    pub fatal: Vec<Fatal>,
    pub fatal_findings: Vec<FatalFinding>,
    pub severity: SeverityMap,
    pub order: Order,
}

impl Checker {
    /// The way to run version `version` of it. An entry with `when` needs a known version.
    pub fn run_for(&self, version: Option<&semver::Version>) -> Option<&Run> {
        self.runs.iter().find(|run| match &run.when {
            None => true,
            Some(requirement) => version.is_some_and(|version| {
                semver::VersionReq::parse(requirement).is_ok_and(|req| req.matches(version))
            }),
        })
    }

    /// The rules by which its runs are read.
    pub fn rules(&self) -> Rules<'_> {
        Rules {
            tool: &self.tool,
            exits: &self.exits,
            fatal: &self.fatal,
            fatal_findings: &self.fatal_findings,
            severity: &self.severity,
            order: self.order,
        }
    }

    /// The files that configure it.
    pub fn configuration(&self) -> impl Iterator<Item = &Rule> {
        let declared = || self.detect.declared.iter().filter(|rule| rule.dependency.is_none());
        let named = self.configuration.as_ref();
        named.into_iter().flatten().chain(named.is_none().then(declared).into_iter().flatten())
    }

    /// Whether the choice of [`Checker::run_for`] depends on the version.
    pub fn depends_on_version(&self) -> bool {
        self.runs.iter().any(|run| run.when.is_some())
    }
}

/// What is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// It is no TOML, or has a key or value that the grammar doesn't know.
    #[error("{file}, line {line}: {message}")]
    Grammar {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong there, with the nearest valid key.
        message: String,
    },
    /// A checker's table lacks a key, or holds a value that can't be used.
    #[error("{file}, [checker.{checker}], {key}: {message}")]
    Checker {
        /// The file.
        file: String,
        /// The checker.
        checker: String,
        /// The key.
        key: String,
        /// What is wrong with it.
        message: String,
    },
}

/// Reads a repository's configuration; `file` is its name for messages.
pub fn parse_config(file: &str, text: &str) -> Result<Config, ConfigError> {
    parse(file, text)
}

/// Reads one TOML text of the grammar `T`.
pub(super) fn parse<T: for<'de> Deserialize<'de>>(
    file: &str,
    text: &str,
) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start.min(text.len()));
        ConfigError::Grammar {
            file: file.to_owned(),
            line: text.as_bytes()[..offset].iter().filter(|&&b| b == b'\n').count() + 1,
            message: with_nearest(error.message()),
        }
    })
}

/// serde's "unknown field `x`, expected one of `a`, `b`" with the nearest of these in front.
fn with_nearest(message: &str) -> String {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let Some((unknown, valid)) = names.split_first().filter(|_| message.starts_with("unknown "))
    else {
        return message.to_owned();
    };
    let what = message.split_whitespace().nth(1).unwrap_or("key");
    let what = if what == "field" { "key" } else { "value" };
    let near = valid
        .iter()
        .map(|name| (strsim::damerau_levenshtein(unknown, name), name))
        .min()
        .filter(|(distance, name)| *distance <= name.len().div_ceil(2));
    match near {
        Some((_, near)) => format!(
            "unknown {what} `{unknown}`; did you mean `{near}`? (valid here: {})",
            valid.join(", ")
        ),
        None => format!("unknown {what} `{unknown}` (valid here: {})", valid.join(", ")),
    }
}

impl Table {
    /// This table with the keys of `over` in place of its own.
    pub fn overlaid(self, over: &Table) -> Table {
        let over = over.clone();
        Table {
            enabled: over.enabled.or(self.enabled),
            summary: over.summary.or(self.summary),
            docs: over.docs.or(self.docs),
            tool: over.tool.or(self.tool),
            known_good: over.known_good.or(self.known_good),
            covers: over.covers.or(self.covers),
            detect: over.detect.or(self.detect),
            configuration: over.configuration.or(self.configuration),
            binary: over.binary.or(self.binary),
            project: over.project.or(self.project),
            run: over.run.or(self.run),
            exits: over.exits.or(self.exits),
            fatal: over.fatal.or(self.fatal),
            fatal_findings: over.fatal_findings.or(self.fatal_findings),
            severity: over.severity.or(self.severity),
            order: over.order.or(self.order),
        }
    }

    /// The complete checker `name`; `file` is where the table stands, for messages.
    pub fn complete(self, name: &str, builtin: bool, file: &str) -> Result<Checker, ConfigError> {
        let error = |key: &str, message: String| ConfigError::Checker {
            file: file.to_owned(),
            checker: name.to_owned(),
            key: key.to_owned(),
            message,
        };
        let missing = |key: &str| {
            error(key, "is missing, and no built-in checker of this name has it".to_owned())
        };
        let runs = self.run.filter(|runs| !runs.is_empty()).ok_or_else(|| missing("run"))?;
        for run in &runs {
            if run.argv.is_empty() {
                return Err(error("run.argv", "names no program".to_owned()));
            }
            if crate::format::find(&run.format).is_none() {
                return Err(error("run.format", unknown_format(&run.format)));
            }
            if let Some(when) = &run.when {
                semver::VersionReq::parse(when)
                    .map_err(|e| error("run.when", format!("{when:?}: {e}")))?;
            }
        }
        let known_good = self
            .known_good
            .unwrap_or_default()
            .iter()
            .map(|text| {
                semver::VersionReq::parse(text)
                    .map_err(|e| error("known-good", format!("{text:?}: {e}")))
            })
            .collect::<Result<_, _>>()?;
        Ok(Checker {
            name: name.to_owned(),
            builtin,
            enabled: self.enabled.unwrap_or(true),
            summary: self.summary.unwrap_or_default(),
            docs: self.docs,
            tool: self.tool.unwrap_or_else(|| name.to_owned()),
            known_good,
            covers: self.covers.unwrap_or_default(),
            // A user's own checker without rules is there because the user wrote it down.
            detect: self.detect.unwrap_or_default(),
            configuration: self.configuration,
            binary: self.binary.ok_or_else(|| missing("binary"))?,
            project: self.project.unwrap_or_default(),
            runs,
            exits: self.exits.unwrap_or_default(),
            fatal: self.fatal.unwrap_or_default(),
            fatal_findings: self.fatal_findings.unwrap_or_default(),
            severity: self.severity.unwrap_or_default(),
            order: self.order.unwrap_or_default(),
        })
    }
}

/// What to say of a format that there is not.
pub fn unknown_format(name: &str) -> String {
    let near = crate::format::FORMATS
        .iter()
        .map(|format| (strsim::damerau_levenshtein(name, format.name()), format.name()))
        .min();
    match near {
        Some((distance, near)) if distance <= near.len() / 2 => {
            format!("there is no format {name:?}; did you mean {near:?}?")
        }
        _ => format!("there is no format {name:?}; `obelus list --formats` names them all"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_key_is_told_with_its_line_and_the_nearest_valid_one() {
        let error =
            parse_config("obelus.toml", "jobs = 2\n\n[checker.tsc]\nseverty = {}\n").unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with(
                "obelus.toml, line 4: unknown key `severty`; did you mean `severity`? (valid here: "
            ),
            "{text}"
        );
    }

    #[test]
    fn a_table_of_a_users_own_must_be_complete() {
        let config = parse_config("obelus.toml", "[checker.house]\nsummary = \"x\"\n").unwrap();
        let error =
            config.checker["house"].clone().complete("house", false, "obelus.toml").unwrap_err();
        assert_eq!(
            error.to_string(),
            "obelus.toml, [checker.house], run: is missing, and no built-in checker of this name has it"
        );
    }
}
