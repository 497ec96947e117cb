//! The repository: its root, the folder in which the user stands, its configuration.

use std::path::{Path, PathBuf};

use obelus_core::checker::{self, Checker, Config, ConfigError, Table};
use thiserror::Error;

/// The name of a repository's configuration.
pub const CONFIG_FILE: &str = "obelus.toml";

/// Folders by which a version control system marks its root.
const VERSION_CONTROL: [&str; 5] = [".git", ".jj", ".hg", ".svn", ".fossil"];

/// A repository on disk.
#[derive(Clone, Debug)]
pub struct Repository {
    /// The root, with symbolic links resolved.
    pub root: PathBuf,
    /// Other absolute names of the root, as the user or a tool may call it.
    pub other_names: Vec<PathBuf>,
    /// The folder in which the user stands relative to the root, `""` for the root.
    pub standing_in: String,
    /// Its configuration; the default where it has none.
    pub config: Config,
    /// The configuration's text, for saying in which line of it something is wrong.
    pub config_text: String,
}

/// Why a repository can't be used.
#[derive(Debug, Error)]
pub enum RepositoryError {
    /// The root that was named, or the current folder, is no folder that can be read.
    #[error("cannot use {} as the repository root: {error}", path.display())]
    Root {
        /// The folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The configuration can't be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl Repository {
    /// The repository at `root`, as if it had no configuration.
    pub fn without_config(root: &Path) -> Result<Self, RepositoryError> {
        let root = root
            .canonicalize()
            .map_err(|error| RepositoryError::Root { path: root.to_owned(), error })?;
        Ok(Repository {
            root,
            other_names: Vec::new(),
            standing_in: String::new(),
            config: Config::default(),
            config_text: String::new(),
        })
    }

    /// Finds the repository: `root` if it was named, else the nearest folder from `current` upwards
    /// with an `obelus.toml`, else the root of version control, else `current`.
    pub fn open(root: Option<&Path>, current: &Path) -> Result<Self, RepositoryError> {
        let named = match root {
            Some(root) => current.join(root),
            None => above(current, |folder| folder.join(CONFIG_FILE).is_file())
                .or_else(|| {
                    above(current, |folder| {
                        VERSION_CONTROL.iter().any(|name| folder.join(name).exists())
                    })
                })
                .unwrap_or_else(|| current.to_owned()),
        };
        let root_error = |error| RepositoryError::Root { path: named.clone(), error };
        let root = named.canonicalize().map_err(root_error)?;
        if !root.is_dir() {
            return Err(root_error(std::io::ErrorKind::NotADirectory.into()));
        }
        let standing = current.canonicalize().unwrap_or_else(|_| current.to_owned());
        let standing_in = relative(&root, &standing).unwrap_or_default();
        let config_text = read_config(&root)?;
        let config = checker::parse_config(CONFIG_FILE, &config_text)?;
        let other_names = if named == root { Vec::new() } else { vec![named] };
        Ok(Repository { root, other_names, standing_in, config, config_text })
    }

    /// Every name by which tools may call the root.
    pub fn root_names(&self) -> impl Iterator<Item = String> {
        std::iter::once(&self.root)
            .chain(&self.other_names)
            .map(|path| path.to_string_lossy().into_owned())
    }

    /// All checkers, built-in and the user's own, in alphabetical order.
    pub fn checkers(&self) -> Result<Vec<Checker>, RepositoryError> {
        let mut checkers = Vec::new();
        for name in checker::builtin_names() {
            let table = checker::builtin(name).unwrap_or_default();
            let table = match self.config.checker.get(name) {
                Some(over) => table.overlaid(over),
                None => table,
            };
            checkers.push(self.complete(table, name, true)?);
        }
        for (name, table) in &self.config.checker {
            if checker::builtin(name).is_none() {
                checkers.push(self.complete(table.clone(), name, false)?);
            }
        }
        checkers.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(checkers)
    }
}

impl Repository {
    fn complete(&self, table: Table, name: &str, builtin: bool) -> Result<Checker, ConfigError> {
        table
            .complete(name, builtin, CONFIG_FILE, &self.config.patterns)
            .map_err(|error| error.located(&self.config_text))
    }
}

fn above(from: &Path, is_it: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    from.ancestors().find(|folder| is_it(folder)).map(Path::to_owned)
}

/// The configuration's text; nothing where there is no such file.
fn read_config(root: &Path) -> Result<String, RepositoryError> {
    let path = root.join(CONFIG_FILE);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(String::new()),
        Err(error) => return Err(RepositoryError::Read { path, error }),
    };
    String::from_utf8(bytes).map_err(|error| RepositoryError::Read {
        path,
        error: std::io::Error::new(
            std::io::ErrorKind::InvalidData,
            format!("it is not UTF-8: {error}"),
        ),
    })
}

/// `path` relative to `root`, with forward slashes, `""` for the root itself; nothing if it does
/// not lie below it or is not UTF-8.
pub fn relative(root: &Path, path: &Path) -> Option<String> {
    let rest = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> =
        rest.components().map(|part| part.as_os_str().to_str()).collect();
    Some(parts?.join("/"))
}
