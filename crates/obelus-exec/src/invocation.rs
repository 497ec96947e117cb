//! One planned run: placeholders of a checker's table filled in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use obelus_core::checker::{Checker, Grouping, Place, asset, contents_needed, holds};
use obelus_record::Stream;

use crate::discover::matcher;
use crate::locate::{Program, VENV_PROGRAMS, comparable, on_path_named, venvs};
use crate::plan::{Ground, Project};

/// Where a table names no time limit.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// Where a table names no output limit, in bytes on one stream.
const OUTPUT_LIMIT: u64 = 1 << 30;

/// What stands for the report's file until the run has a folder.
pub const REPORT_PLACEHOLDER: &str = "{report}";

/// One planned run of one checker.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The checker.
    pub checker: Checker,
    /// The project as people name it: its folder, or `.`, or how many there are.
    pub project: String,
    /// The command line; `{report}` is still to be filled in.
    pub argv: Vec<String>,
    /// The working folder relative to the root, `""` for the root.
    pub cwd: String,
    /// Environment variables that are set.
    pub env: BTreeMap<String, String>,
    /// Environment variables that are removed.
    pub unset_env: Vec<String>,
    /// The format of what it prints.
    pub format: String,
    /// The stream that holds the findings.
    pub stream: Stream,
    /// When it is stopped.
    pub time_limit: Duration,
    /// How many bytes it may print on one stream.
    pub output_limit: u64,
    /// The program.
    pub program: Program,
}

/// A run that should be and can't.
#[derive(Clone, Debug)]
pub struct Unrunnable {
    /// The checker's name.
    pub checker: String,
    /// The program as records name it.
    pub tool: String,
    /// The format that would have read it.
    pub format: String,
    /// The project's folder.
    pub project: String,
    /// Why it can't, and what to do.
    pub reason: String,
}

impl Unrunnable {
    /// `checker` can't be run in `folder`.
    pub fn new(checker: &Checker, folder: &str, reason: String) -> Self {
        Unrunnable {
            checker: checker.name.clone(),
            tool: checker.tool.clone(),
            format: checker.runs.first().map(|run| run.format.clone()).unwrap_or_default(),
            project: shown(folder),
            reason,
        }
    }
}

/// A folder relative to the root, as people read it.
fn shown(folder: &str) -> String {
    if folder.is_empty() { ".".to_owned() } else { folder.to_owned() }
}

/// Builds the run of `checker` by `program` over `projects` (one, unless they go together).
pub fn build(
    checker: &Checker,
    mut program: Program,
    projects: &[Project],
    ground: Ground<'_>,
) -> Result<Invocation, Unrunnable> {
    let together = checker.project.grouping == Grouping::Together;
    let folder =
        if together { "" } else { projects.first().map_or("", |project| project.folder.as_str()) };
    let blocked = |reason: String| Unrunnable::new(checker, folder, reason);
    if program.version.is_none() && checker.depends_on_version() {
        program.version = (ground.version)(checker, &program);
    }
    let version = program.version.as_deref().and_then(comparable);
    let run = checker.run_for(version.as_ref()).ok_or_else(|| {
        blocked(match &program.version {
            Some(version) => format!(
                "version {version} of {} is not one that its table covers",
                program.path.display()
            ),
            None => format!(
                "{} does not tell its version, on which its command line depends",
                program.path.display()
            ),
        })
    })?;
    let fill = Fill { checker, program: &program, projects, folder, ground };
    let mut argv = Vec::new();
    for argument in &run.argv {
        fill.argument(argument, &mut argv).map_err(&blocked)?;
    }
    let cwd = match run.cwd.as_deref() {
        None | Some("{project}") => folder.to_owned(),
        Some("{root}" | ".") => String::new(),
        Some(other) => other.trim_matches('/').to_owned(),
    };
    let mut env = venv_variables(checker, folder, ground);
    for (name, value) in &run.env {
        env.insert(name.clone(), fill.text(value).map_err(&blocked)?);
    }
    let format = checker.format(&run.format).ok_or_else(|| {
        blocked(obelus_core::checker::unknown_format(&run.format, &checker.patterns))
    })?;
    Ok(Invocation {
        checker: checker.clone(),
        project: match projects {
            [_] | [] => shown(projects.first().map_or("", |project| project.folder.as_str())),
            many => format!("{} projects", many.len()),
        },
        argv,
        cwd,
        env,
        unset_env: run.unset_env.clone(),
        format: run.format.clone(),
        stream: run.stream.unwrap_or_else(|| format.stream()),
        time_limit: run.time_limit.map_or(TIME_LIMIT, Duration::from_secs),
        output_limit: run.output_limit.map_or(OUTPUT_LIMIT, |megabytes| megabytes << 20),
        program,
    })
}

/// What activating the project's virtual environment sets, for a checker that lives in one: it
/// imports what is installed there, which pyright finds by these variables alone (seen with 1.1.414).
fn venv_variables(checker: &Checker, folder: &str, ground: Ground<'_>) -> BTreeMap<String, String> {
    let mut env = BTreeMap::new();
    let in_venvs = checker.binary.search.contains(&Place::Venv);
    if let Some(venv) = in_venvs.then(|| venvs(ground.root, folder).next()).flatten() {
        let before = ground.environment.path.as_deref().unwrap_or_default();
        let folders =
            std::iter::once(venv.join(VENV_PROGRAMS)).chain(std::env::split_paths(before));
        if let Ok(path) = std::env::join_paths(folders) {
            env.insert("PATH".to_owned(), path.to_string_lossy().into_owned());
        }
        env.insert("VIRTUAL_ENV".to_owned(), venv.to_string_lossy().into_owned());
    }
    env
}

/// Fills in the placeholders of one run.
struct Fill<'a> {
    checker: &'a Checker,
    program: &'a Program,
    projects: &'a [Project],
    folder: &'a str,
    ground: Ground<'a>,
}

impl Fill<'_> {
    /// Adds what `argument` stands for: one argument, or several.
    fn argument(&self, argument: &str, argv: &mut Vec<String>) -> Result<(), String> {
        match argument {
            "{markers}" => {
                argv.extend(self.projects.iter().filter_map(|project| project.marker.clone()));
            }
            "{paths}" => argv.extend(self.paths()),
            other => argv.push(self.text(other)?),
        }
        Ok(())
    }

    /// What is to be checked, relative to the project's folder.
    fn paths(&self) -> Vec<String> {
        let parts = self.projects.iter().flat_map(|project| &project.parts);
        let inside: Vec<String> = parts
            .map(|part| part[self.folder.len()..].trim_start_matches('/').to_owned())
            .collect();
        match inside.is_empty() {
            true if self.names_own_paths() => Vec::new(),
            true => vec![".".to_owned()],
            false => inside,
        }
    }

    /// Whether the tool's own configuration names what to check.
    fn names_own_paths(&self) -> bool {
        let Some(marker) = self.projects.first().and_then(|project| project.marker.as_ref()) else {
            return false;
        };
        self.checker.project.own_paths.iter().any(|rule| {
            let fits = matcher(&rule.file).is_ok_and(|glob| glob.is_match(marker));
            fits && {
                let needed = contents_needed(rule);
                let contents =
                    needed.then(|| std::fs::read(self.ground.root.join(marker)).ok()).flatten();
                holds(rule, marker, &contents.unwrap_or_default()).is_some()
            }
        })
    }

    /// `text` with its placeholders filled in.
    fn text(&self, text: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            out += before;
            let Some((name, after)) = after.split_once('}') else {
                out.push('{');
                rest = after;
                continue;
            };
            match self.value(name)? {
                Some(value) => out += &value,
                None => out += &format!("{{{name}}}"),
            }
            rest = after;
        }
        Ok(out + rest)
    }

    fn value(&self, name: &str) -> Result<Option<String>, String> {
        let path = |path: &Path| Ok(Some(path.to_string_lossy().into_owned()));
        match name {
            "binary" => path(&self.program.path),
            "root" => path(self.ground.root),
            "project" => path(&self.ground.root.join(self.folder)),
            "marker" => match self.projects.first().and_then(|project| project.marker.as_ref()) {
                Some(marker) => path(&self.ground.root.join(marker)),
                None => path(&self.ground.root.join(self.folder)),
            },
            "package" => match &self.program.package {
                Some(package) => path(package),
                None => Err(format!(
                    "{} lies in no package of {}",
                    self.program.path.display(),
                    self.checker.binary.name
                )),
            },
            "node" => match on_path_named("node", self.ground.environment) {
                Some(node) => path(&node),
                None => Err("Node.js is needed to run it and is not on $PATH".to_owned()),
            },
            _ => match name.strip_prefix("asset:") {
                Some(script) => self.asset(script).map(Some),
                // `{report}` is filled in when the run has a folder; anything else is the user's own text.
                None => Ok(None),
            },
        }
    }

    /// Lays the shipped script on disk, so that an interpreter can read it.
    fn asset(&self, name: &str) -> Result<String, String> {
        let text = asset(name).ok_or_else(|| format!("there is no shipped script {name:?}"))?;
        let path = self.ground.assets.join(name);
        lay(&path, text.as_bytes())
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok(path.to_string_lossy().into_owned())
    }
}

/// Writes `bytes` to `path` unless they are there already; another process never sees a part of them.
fn lay(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if std::fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = path.parent().map(PathBuf::from).unwrap_or_default();
    std::fs::create_dir_all(&folder)?;
    let mut file = tempfile::NamedTempFile::new_in(&folder)?;
    std::io::Write::write_all(&mut file, bytes)?;
    file.persist(path)?;
    Ok(())
}
