//! Installs the locked versions of the checkers that the tests run.
//!
//! Each folder of `tests/toolchain/` becomes one of `target/toolchain/`. A stamp, written last, holds what was asked for:
//! an install that was interrupted has none and is done again, one whose lock has changed has another.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{run, tools};

/// ESLint 10 asks for this one.
const NODE: (u32, u32) = (20, 19);
/// mypy 2 and basedpyright ask for this one.
const PYTHON: (u32, u32) = (3, 10);

const NODE_SETS: [&str; 4] = ["ts5", "ts6", "ts7", "js"];
const PYTHON_SETS: [&str; 2] = ["python", "python-mypy1"];

/// Agent programs, which are large: without them their tests are skipped, and say so.
const AGENT_NODE_SETS: [&str; 1] = ["agents"];
const AGENT_PYTHON_SETS: [&str; 2] = ["gptme", "gptme-0.32"];

/// Tells the tests where the checkers are.
pub(crate) const FOLDER: &str = "OBELUS_TOOLCHAIN";

const STAMP: &str = ".installed";

/// The folder that holds it all: the one that the environment names, else what is installed now.
pub(crate) fn installed(repository: &Path) -> Result<PathBuf> {
    match std::env::var_os(FOLDER) {
        Some(folder) => Ok(PathBuf::from(folder)),
        None => install(repository),
    }
}

/// Installs what is missing or out of date and returns the folder that holds it all.
pub(crate) fn install(repository: &Path) -> Result<PathBuf> {
    let node = need_node()?;
    let python = need_python()?;
    let folder = crate::target(repository).join("toolchain");
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    // Two test runs at once must not install into each other's folders; the lock ends with the file.
    let lock = folder.join(".lock");
    let lock = File::create(&lock).with_context(|| format!("creating {}", lock.display()))?;
    lock.lock().context("waiting for another install to finish")?;

    let locked = repository.join("tests/toolchain");
    tools::install(&locked, &folder, &node, &python)?;
    for set in NODE_SETS {
        node_set(&locked.join(set), &folder.join(set), &node)?;
    }
    for set in PYTHON_SETS {
        python_set(&locked.join(set), &folder.join(set), &python)?;
    }
    for set in AGENT_NODE_SETS {
        if_possible(&folder.join(set), || node_set(&locked.join(set), &folder.join(set), &node))?;
    }
    for set in AGENT_PYTHON_SETS {
        if_possible(&folder.join(set), || {
            python_set(&locked.join(set), &folder.join(set), &python)
        })?;
    }
    browser();
    Ok(folder)
}

/// Installs a set that the tests can do without; of one that fails nothing is left.
pub(crate) fn if_possible(folder: &Path, install: impl FnOnce() -> Result<()>) -> Result<()> {
    if let Err(error) = install() {
        eprintln!("warning: without {}: {error:#}", folder.display());
        run::remove_folder(folder)?;
    }
    Ok(())
}

/// Installs Debian's Chromium where it is missing and may be installed; without one, the tests of the
/// page are ignored by name. Its version is the system's affair: no test depends on it. Without a font, it
/// draws no text.
fn browser() {
    let there = |program: &str| {
        let mut found = Command::new("sh");
        found.args(["-c", "command -v \"$1\"", "sh", program]);
        found.stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
    };
    let root = answer(Command::new("id").arg("-u")).is_ok_and(|id| id == "0");
    if ["chromium", "chromium-browser", "google-chrome"].into_iter().any(there) {
        return;
    }
    let apt = |arguments: &[&str]| {
        let mut apt = Command::new("apt-get");
        apt.args(["--quiet", "--yes"]).args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        run::quietly(&mut apt, "installing Chromium")
    };
    let installed = root
        && there("apt-get")
        && apt(&["update"])
            .and_then(|()| {
                apt(&["install", "--no-install-recommends", "chromium", "fonts-dejavu-core"])
            })
            .is_ok();
    if !installed {
        eprintln!("no Chromium here: the tests of the page for a browser are ignored");
    }
}

/// Whether packages may run the scripts that they bring for their own installation.
#[derive(Clone, Copy)]
pub(crate) enum Scripts {
    Run,
    Skip,
}

/// Installs the locked packages of a folder that holds package.json and its lock, beside them.
pub(crate) fn npm_ci(folder: &Path, scripts: Scripts) -> Result<()> {
    let scripts = match scripts {
        Scripts::Run => "--ignore-scripts=false",
        Scripts::Skip => "--ignore-scripts",
    };
    // Some users' settings leave development dependencies out.
    run::quietly(
        run::npm()
            .args(["ci", "--include=dev", scripts, "--no-audit"])
            .args(["--no-fund", "--loglevel=error"])
            .current_dir(folder),
        &format!("installing the locked packages of {}", folder.display()),
    )
    .context("npm could not install; it needs its registry, directly or through a mirror")
}

/// Installs the npm packages that the folder `locked` names into `folder`, unless they are there.
pub(crate) fn node_set(locked: &Path, folder: &Path, node: &str) -> Result<()> {
    let files = ["package.json", "package-lock.json", ".npmrc"];
    let wanted = stamp(locked, &files, node)?;
    if is_installed(folder, &wanted) {
        return Ok(());
    }
    eprintln!("installing {}", folder.display());
    start_over(folder)?;
    for file in files {
        fs::copy(locked.join(file), folder.join(file))
            .with_context(|| format!("copying {file} of {}", locked.display()))?;
    }
    npm_ci(folder, Scripts::Skip)?;
    finish(folder, &wanted)
}

/// Makes a virtual environment with the packages that the folder `locked` names in `folder`, unless it is there.
pub(crate) fn python_set(locked: &Path, folder: &Path, python: &str) -> Result<()> {
    let wanted = stamp(locked, &["requirements.txt"], python)?;
    if is_installed(folder, &wanted) {
        return Ok(());
    }
    eprintln!("installing {}", folder.display());
    // A virtual environment knows its own place, so it is made where it will stay.
    start_over(folder)?;
    run::quietly(
        run::python().args(["-m", "venv"]).arg(folder),
        &format!("making a virtual environment in {}", folder.display()),
    )
    .context("Python needs its venv module (on Debian and Ubuntu: apt install python3-venv)")?;
    let inside = match cfg!(windows) {
        true => folder.join("Scripts/python.exe"),
        false => folder.join("bin/python"),
    };
    run::quietly(
        Command::new(inside)
            .args(["-m", "pip", "install", "--quiet"])
            .args(["--disable-pip-version-check", "--require-hashes", "-r"])
            .arg(locked.join("requirements.txt")),
        &format!("installing the requirements of {}", locked.display()),
    )
    .context("pip could not install; it needs its index, directly or through a mirror")?;
    finish(folder, &wanted)
}

/// All that an install depends on, in one text.
fn stamp(locked: &Path, files: &[&str], interpreter: &str) -> Result<Vec<u8>> {
    let mut wanted = format!("{interpreter}\n").into_bytes();
    for file in files {
        let path = locked.join(file);
        let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        wanted.extend(bytes);
    }
    Ok(wanted)
}

fn is_installed(folder: &Path, wanted: &[u8]) -> bool {
    fs::read(folder.join(STAMP)).is_ok_and(|found| found == wanted)
}

fn start_over(folder: &Path) -> Result<()> {
    run::remove_folder(folder)?;
    fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))
}

fn finish(folder: &Path, wanted: &[u8]) -> Result<()> {
    let path = folder.join(STAMP);
    fs::write(&path, wanted).with_context(|| format!("writing {}", path.display()))
}

/// The version of Node; it and npm must be there.
pub(crate) fn need_node() -> Result<String> {
    let install = "install Node.js 20.19 or later, which brings npm";
    let node = answer(Command::new("node").arg("--version"))
        .with_context(|| format!("Node.js is needed: {install}"))?;
    if version(&node) < NODE {
        bail!("Node.js {node} is too old: {install}");
    }
    answer(run::npm().arg("--version")).with_context(|| format!("npm is needed: {install}"))?;
    Ok(node)
}

fn need_python() -> Result<String> {
    let install = "install Python 3.10 or later with its venv module (on Debian and Ubuntu: apt install python3-venv)";
    let program = "import sys, venv, ensurepip; print(*sys.version_info[:3], sep='.')";
    let python = answer(run::python().args(["-c", program]))
        .with_context(|| format!("Python with venv is needed: {install}"))?;
    if version(&python) < PYTHON {
        bail!("Python {python} is too old: {install}");
    }
    Ok(python)
}

/// What a program says on one line when asked for its version.
fn answer(command: &mut Command) -> Result<String> {
    let name = command.get_program().display().to_string();
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("could not start {name}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{name} ended with {}: {}", output.status, said.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Major and minor of `v20.19.1` or `3.11.7`; what is no number counts as 0, hence as too old.
fn version(text: &str) -> (u32, u32) {
    let mut numbers = text.trim_start_matches('v').split('.').map(str::parse);
    let mut next = || numbers.next().and_then(Result::ok).unwrap_or(0);
    (next(), next())
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(version("v20.19.1"), (20, 19));
        assert_eq!(version("3.9.2"), (3, 9));
        assert!(version("3.9.2") < (3, 10));
        assert!(version("v22.1.0") > (20, 19));
        assert_eq!(version("unknown"), (0, 0));
    }
}
