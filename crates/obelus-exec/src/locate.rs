//! Where a checker's program is, which version it has, and how it would be installed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use obelus_core::checker::{Binary, Place};

use crate::discover::upwards;

/// What the environment says about where programs are.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `$PATH`.
    pub path: Option<OsString>,
    /// `$VIRTUAL_ENV`.
    pub virtual_env: Option<PathBuf>,
}

impl Environment {
    /// The environment of this process.
    pub fn current() -> Self {
        Environment {
            path: std::env::var_os("PATH"),
            virtual_env: std::env::var_os("VIRTUAL_ENV").map(PathBuf::from),
        }
    }
}

/// A program that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file, as it was found (a link is not resolved: some programs look at their own name).
    pub path: PathBuf,
    /// The folder of the npm package that holds it.
    pub package: Option<PathBuf>,
    /// The version that the package's metadata state.
    pub version: Option<String>,
}

/// A program that was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// Where it was looked for, in order.
    pub searched: Vec<String>,
}

/// Looks for `binary` as its table says, for a project in `folder` (relative to `root`).
pub fn locate(
    binary: &Binary,
    root: &Path,
    folder: &str,
    environment: &Environment,
) -> Result<Program, NotFound> {
    let mut searched = Vec::new();
    for place in &binary.search {
        let hit = match place {
            Place::NodeModules => in_node_modules(binary, root, folder, &mut searched),
            Place::Venv => in_venv(binary, root, folder, environment, &mut searched),
            Place::Path => on_path(binary, environment, &mut searched),
        };
        if let Some(program) = hit {
            return Ok(program);
        }
    }
    Err(NotFound { searched })
}

fn in_node_modules(
    binary: &Binary,
    root: &Path,
    folder: &str,
    searched: &mut Vec<String>,
) -> Option<Program> {
    searched.push("node_modules/.bin".to_owned());
    upwards(root, folder).find_map(|at| {
        let modules = at.join("node_modules");
        let path = executable(&modules.join(".bin"), &binary.name)?;
        let Some(name) = &binary.package else {
            return Some(Program { path, package: None, version: None });
        };
        // Another package may answer to the same command name (`tsc` is also a package of its own).
        let package = modules.join(name);
        let version = npm_version(&package)?;
        let linked = std::fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
        if linked && !path.canonicalize().ok()?.starts_with(package.canonicalize().ok()?) {
            return None;
        }
        Some(Program { path, package: Some(package), version: Some(version) })
    })
}

fn npm_version(package: &Path) -> Option<String> {
    let manifest = std::fs::read(package.join("package.json")).ok()?;
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).ok()?;
    manifest.get("version")?.as_str().map(str::to_owned)
}

fn in_venv(
    binary: &Binary,
    root: &Path,
    folder: &str,
    environment: &Environment,
    searched: &mut Vec<String>,
) -> Option<Program> {
    searched.push(".venv and venv".to_owned());
    let own = upwards(root, folder).flat_map(|at| [at.join(".venv"), at.join("venv")]);
    let active = environment.virtual_env.clone();
    if active.is_some() {
        searched.push("$VIRTUAL_ENV".to_owned());
    }
    own.chain(active).find_map(|venv| {
        let path =
            executable(&venv.join(if cfg!(windows) { "Scripts" } else { "bin" }), &binary.name)?;
        let version = binary.package.as_deref().and_then(|package| python_version(&venv, package));
        Some(Program { path, package: None, version })
    })
}

/// The folder of a virtual environment that holds its programs.
pub const VENV_PROGRAMS: &str = if cfg!(windows) { "Scripts" } else { "bin" };

/// The virtual environments of a project in `folder`, nearest first.
pub fn venvs(root: &Path, folder: &str) -> impl Iterator<Item = PathBuf> {
    let all = upwards(root, folder).flat_map(|at| [at.join(".venv"), at.join("venv")]);
    // PEP 405: a folder with this file is one.
    all.filter(|venv| venv.join("pyvenv.cfg").is_file()).collect::<Vec<_>>().into_iter()
}

/// The version of a Python package installed below `prefix`, from the name of its `.dist-info`.
fn python_version(prefix: &Path, package: &str) -> Option<String> {
    let wanted = package.replace('-', "_").to_ascii_lowercase();
    let libraries: Vec<PathBuf> = if cfg!(windows) {
        vec![prefix.join("Lib").join("site-packages")]
    } else {
        let pythons = std::fs::read_dir(prefix.join("lib")).ok()?.flatten();
        pythons.map(|python| python.path().join("site-packages")).collect()
    };
    libraries
        .iter()
        .filter_map(|library| std::fs::read_dir(library).ok())
        .flatten()
        .flatten()
        .find_map(|entry| {
            let name = entry.file_name().to_str()?.to_owned();
            let (package, version) = name.strip_suffix(".dist-info")?.split_once('-')?;
            (package.to_ascii_lowercase() == wanted).then(|| version.to_owned())
        })
}

fn on_path(
    binary: &Binary,
    environment: &Environment,
    searched: &mut Vec<String>,
) -> Option<Program> {
    searched.push("$PATH".to_owned());
    let folders = environment.path.as_ref()?;
    std::env::split_paths(folders).find_map(|folder| {
        let path = executable(&folder, &binary.name)?;
        let real = path.canonicalize().ok()?;
        let Some(name) = &binary.package else {
            return Some(Program { path, package: None, version: None });
        };
        // npm installs a link into the package; pip installs a script beside the library.
        let package =
            real.ancestors().find(|at| at.ends_with(Path::new("node_modules").join(name)));
        let version = match package {
            Some(package) => npm_version(package),
            None => {
                real.parent().and_then(Path::parent).and_then(|prefix| python_version(prefix, name))
            }
        };
        Some(Program { path, package: package.map(Path::to_owned), version })
    })
}

/// The program called `name` in `folder`, if there is one that may be run.
pub fn executable(folder: &Path, name: &str) -> Option<PathBuf> {
    let names: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat", ""] } else { &[""] };
    names.iter().map(|ending| folder.join(format!("{name}{ending}"))).find(|path| may_run(path))
}

#[cfg(unix)]
fn may_run(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn may_run(path: &Path) -> bool {
    path.is_file()
}

/// The program called `name` on `$PATH`.
pub fn on_path_named(name: &str, environment: &Environment) -> Option<PathBuf> {
    std::env::split_paths(environment.path.as_ref()?).find_map(|folder| executable(&folder, name))
}

/// The command that installs what is missing: that of the lock file nearest to the project, if it
/// would bring the program, else that of the checker's table.
pub fn install_command(binary: &Binary, root: &Path, folder: &str) -> String {
    const NODE: [(&str, &str); 5] = [
        ("package-lock.json", "npm ci"),
        ("pnpm-lock.yaml", "pnpm install --frozen-lockfile"),
        ("yarn.lock", "yarn install"),
        ("bun.lock", "bun install"),
        ("bun.lockb", "bun install"),
    ];
    const PYTHON: [(&str, &str); 4] = [
        ("uv.lock", "uv sync"),
        ("poetry.lock", "poetry install"),
        ("Pipfile.lock", "pipenv sync --dev"),
        ("pdm.lock", "pdm sync"),
    ];
    let locks: &[(&str, &str)] =
        match (binary.search.contains(&Place::NodeModules), binary.search.contains(&Place::Venv)) {
            (true, _) => &NODE,
            (_, true) => &PYTHON,
            _ => &[],
        };
    let package = binary.package.as_deref().unwrap_or(&binary.name);
    for at in upwards(root, folder) {
        for (lock, command) in locks {
            // A lock file names each package that it brings, in quotes or at the start of an entry.
            let text = std::fs::read(at.join(lock)).unwrap_or_default();
            if memchr::memmem::find(&text, package.as_bytes()).is_some() {
                let place =
                    at.strip_prefix(root).ok().filter(|place| !place.as_os_str().is_empty());
                return match place {
                    Some(place) => format!("{command} (in {})", place.display()),
                    None => (*command).to_owned(),
                };
            }
        }
    }
    binary.install.clone()
}

/// A version as tools print it (`mypy 2.4.1 (compiled: yes)`, `cargo 1.95.0 (f2d3ce0bd 2026-03-21)`,
/// `v10.15.0`), or nothing: the first word that begins with a number and holds a dot.
pub fn version_in(text: &str) -> Option<String> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')'))
        // Go calls its version `go1.27.3`.
        .map(|word| word.strip_prefix('v').or(word.strip_prefix("go")).unwrap_or(word))
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.'))
        .map(str::to_owned)
}

/// A version as the requirements of a table compare it: its first three numbers. What follows them
/// (`1.20.0a1`, `7.0.0-dev.20260707`) is left out, so that a requirement holds for it too.
pub fn comparable(version: &str) -> Option<semver::Version> {
    let mut numbers = version.split(['.', '-', '+']).map_while(|part| {
        let digits: &str = &part[..part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len())];
        digits.parse::<u64>().ok()
    });
    let major = numbers.next()?;
    Some(semver::Version::new(major, numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_as_tools_print_them() {
        assert_eq!(version_in("mypy 2.4.1 (compiled: yes)").as_deref(), Some("2.4.1"));
        assert_eq!(version_in("v10.15.0\n").as_deref(), Some("10.15.0"));
        assert_eq!(version_in("cargo 1.95.0 (f2d3ce0bd 2026-03-21)").as_deref(), Some("1.95.0"));
        assert_eq!(version_in("go version go1.27.3 linux/amd64").as_deref(), Some("1.27.3"));
        assert_eq!(version_in("no version"), None);
        assert_eq!(comparable("7.0.0-dev.20260707.2"), Some(semver::Version::new(7, 0, 0)));
        assert_eq!(comparable("1.20a1"), Some(semver::Version::new(1, 20, 0)));
    }
}
