//! A table becomes a checker: what is built in under what the user changed, nothing missing.

use super::{
    Binary, ConfigError, Detect, ExitTable, Fatal, FatalFinding, Order, Project, Rule, Run,
    SeverityMap, Table, unknown_format,
};
use crate::format::Format;
use crate::format::pattern::Patterns;
use crate::read::Rules;

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
    pub exclusive: Option<String>,
    pub covers: Vec<String>,
    pub detect: Detect,
    pub configuration: Option<Vec<Rule>>,
    pub binary: Binary,
    pub project: Project,
    pub runs: Vec<Run>,
    /// Empty where the tool does not fix by itself.
    pub fix: Vec<String>,
    pub exits: ExitTable,
    pub fatal: Vec<Fatal>,
    pub fatal_findings: Vec<FatalFinding>,
    pub quiet_stderr: bool,
    pub severity: SeverityMap,
    pub order: Order,
    /// Formats of the repository's own, which its runs may name.
    pub patterns: Patterns,
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

    /// The format called `name`, built-in or one of the repository's own.
    pub fn format(&self, name: &str) -> Option<&dyn Format> {
        self.patterns.find(name)
    }

    /// The checker whose command line is that of `fix`.
    pub fn fixing(&self) -> Checker {
        let run = |run: &Run| Run { argv: self.fix.clone(), ..run.clone() };
        Checker { runs: self.runs.iter().map(run).collect(), ..self.clone() }
    }

    /// The rules by which its runs are read.
    pub fn rules(&self) -> Rules<'_> {
        Rules {
            tool: &self.tool,
            exits: &self.exits,
            fatal: &self.fatal,
            fatal_findings: &self.fatal_findings,
            quiet_stderr: self.quiet_stderr,
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
            exclusive: over.exclusive.or(self.exclusive),
            covers: over.covers.or(self.covers),
            detect: over.detect.or(self.detect),
            configuration: over.configuration.or(self.configuration),
            binary: over.binary.or(self.binary),
            project: over.project.or(self.project),
            run: over.run.or(self.run),
            fix: over.fix.or(self.fix),
            exits: over.exits.or(self.exits),
            fatal: over.fatal.or(self.fatal),
            fatal_findings: over.fatal_findings.or(self.fatal_findings),
            quiet_stderr: over.quiet_stderr.or(self.quiet_stderr),
            severity: over.severity.or(self.severity),
            order: over.order.or(self.order),
        }
    }

    /// The complete checker `name`; `file` is where the table stands, for messages, and `patterns`
    /// are the formats that it defines.
    pub fn complete(
        self,
        name: &str,
        builtin: bool,
        file: &str,
        patterns: &Patterns,
    ) -> Result<Checker, ConfigError> {
        let error = |key: &str, message: String| ConfigError::Checker {
            file: file.to_owned(),
            line: None,
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
            if patterns.find(&run.format).is_none() {
                return Err(error("run.format", unknown_format(&run.format, patterns)));
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
            exclusive: self.exclusive,
            covers: self.covers.unwrap_or_default(),
            // A user's own checker without rules is there because the user wrote it down.
            detect: self.detect.unwrap_or_default(),
            configuration: self.configuration,
            binary: self.binary.ok_or_else(|| missing("binary"))?,
            project: self.project.unwrap_or_default(),
            runs,
            fix: self.fix.unwrap_or_default(),
            exits: self.exits.unwrap_or_default(),
            fatal: self.fatal.unwrap_or_default(),
            fatal_findings: self.fatal_findings.unwrap_or_default(),
            quiet_stderr: self.quiet_stderr.unwrap_or_default(),
            severity: self.severity.unwrap_or_default(),
            order: self.order.unwrap_or_default(),
            patterns: patterns.clone(),
        })
    }
}
