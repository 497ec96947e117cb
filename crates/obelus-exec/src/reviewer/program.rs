//! Which agent reviews, and where its program is.

use std::path::{Path, PathBuf};

use obelus_core::agent::{self, Agent};
use obelus_record::Program;

use super::ReviewError;
use super::store::digest_of;
use crate::locate::{Environment, Program as Found, on_path_named};
use crate::process::stop::Stop;
use crate::repository::Repository;
use crate::version::version_of;

/// An agent with its program.
#[derive(Clone, Debug)]
pub struct Located {
    /// The agent.
    pub agent: Agent,
    /// Its program.
    pub program: Program,
}

/// In this order an installed agent is taken where none is named.
const PREFERRED: [&str; 8] =
    ["claude", "codex", "gemini", "opencode", "qwen", "cursor", "pi", "gptme"];

/// The agent called `name`, or the one that `obelus.toml` names, or the first that is installed;
/// its program is `binary` where that is given.
pub fn locate(
    repository: &Repository,
    name: Option<&str>,
    binary: Option<&Path>,
    stop: &Stop,
) -> Result<Located, ReviewError> {
    let named = name.or(repository.config.reviewer.as_deref());
    let agent = match named {
        Some(name) => agent_of(repository, name)?,
        None => first_installed(repository)?,
    };
    let path = match binary {
        Some(path) => std::path::absolute(path).map_err(ReviewError::Temporary)?,
        None => program_of(&agent, repository).ok_or_else(|| {
            ReviewError::NoReviewer(format!(
                "the reviewer {} is not installed: there is no {} on $PATH; install it by: {}",
                agent.name, agent.command, agent.install
            ))
        })?,
    };
    if !path.is_file() {
        let path = path.display();
        return Err(ReviewError::NoReviewer(format!(
            "--reviewer-bin {path}: there is no such file"
        )));
    }
    let program = Program {
        version: version(&agent, &path, &repository.root, stop),
        sha256: digest_of(&path).ok().map(|(_, digest)| digest),
        overridden: binary.is_some(),
        path: path.display().to_string(),
    };
    Ok(Located { agent, program })
}

/// The agent of this name: the built-in table under what `obelus.toml` says.
pub fn agent_of(repository: &Repository, name: &str) -> Result<Agent, ReviewError> {
    let own = repository.config.agents.get(name);
    let builtin = agent::builtin(name);
    let is_builtin = builtin.is_some();
    let table = match (builtin, own) {
        (Some(table), Some(over)) => table.overlaid(over),
        (Some(table), None) => table,
        (None, Some(own)) => own.clone(),
        (None, None) => {
            let mut names: Vec<&str> = agent::builtin_names().collect();
            names.extend(repository.config.agents.keys().map(String::as_str));
            names.sort_unstable();
            names.dedup();
            return Err(ReviewError::NoReviewer(format!(
                "there is no reviewer {name:?}; there are {}",
                names.join(", ")
            )));
        }
    };
    table.complete(name, is_builtin).map_err(|(key, message)| ReviewError::Table {
        agent: name.to_owned(),
        key,
        message,
    })
}

fn first_installed(repository: &Repository) -> Result<Agent, ReviewError> {
    for name in PREFERRED {
        let agent = agent_of(repository, name)?;
        if program_of(&agent, repository).is_some() {
            return Ok(agent);
        }
    }
    Err(ReviewError::NoReviewer(format!(
        "no reviewer is installed; these are known: {}. Name another in obelus.toml, [agents.NAME]",
        PREFERRED.join(", ")
    )))
}

/// A command with a slash is a path from the root; the change under review can't replace a program
/// that is looked up in `$PATH`.
fn program_of(agent: &Agent, repository: &Repository) -> Option<PathBuf> {
    if agent.command.contains(['/', '\\']) {
        let path = repository.root.join(&agent.command);
        return path.is_file().then_some(path);
    }
    on_path_named(&agent.command, &Environment::current())
}

fn version(agent: &Agent, path: &Path, cwd: &Path, stop: &Stop) -> Option<String> {
    let binary = obelus_core::checker::Binary {
        name: agent.command.clone(),
        search: Vec::new(),
        package: None,
        version: agent.version.clone(),
        probe: false,
        install: agent.install.clone(),
    };
    let found = Found { path: path.to_owned(), package: None, version: None };
    version_of(&binary, &found, cwd, stop)
}
