//! Installs the checkers whose tests can be left out: each set that can't be had here is named, and the rest goes on.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{run, toolchain};

const NODE_SETS: [&str; 1] = ["web"];
const PYTHON_SETS: [&str; 3] = ["python-lint", "cxx", "go"];

/// Programs that no package registry for a language has in a form that works without a download of its own, and the
/// Debian package that holds each.
const DEBIAN: [(&str, &str); 2] = [("clang", "clang"), ("javac", "default-jdk-headless")];

/// Installs each set of `locked` into its folder of `folder`.
pub(crate) fn install(locked: &Path, folder: &Path, node: &str, python: &str) -> Result<()> {
    for set in NODE_SETS {
        let into = folder.join(set);
        toolchain::if_possible(&into, || toolchain::node_set(&locked.join(set), &into, node))?;
    }
    for set in PYTHON_SETS {
        let into = folder.join(set);
        toolchain::if_possible(&into, || toolchain::python_set(&locked.join(set), &into, python))?;
    }
    if let Err(error) = gofmt(&folder.join("go")) {
        eprintln!("warning: without gofmt: {error:#}");
    }
    for (program, package) in DEBIAN {
        if let Err(error) = debian(program, package) {
            eprintln!("warning: without {program}: {error:#}");
        }
    }
    Ok(())
}

/// Builds gofmt beside Go: its package has the program's source alone.
fn gofmt(set: &Path) -> Result<()> {
    let programs = set.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let gofmt = programs.join(format!("gofmt{}", std::env::consts::EXE_SUFFIX));
    if gofmt.exists() {
        return Ok(());
    }
    let go = programs.join(format!("go{}", std::env::consts::EXE_SUFFIX));
    run::quietly(
        Command::new(go).args(["build", "-o"]).arg(gofmt).arg("cmd/gofmt").current_dir(set),
        "building gofmt",
    )
}

/// Installs a Debian package for a program that is not there, where that is allowed.
fn debian(program: &str, package: &str) -> Result<()> {
    if run::answers(Command::new(program).arg("--version")) {
        return Ok(());
    }
    if !is_root() || !run::answers(Command::new("apt-get").arg("--version")) {
        bail!("it is not installed; the Debian package {package} has it");
    }
    eprintln!("installing the Debian package {package}");
    // The list of packages of a new machine is empty or old; a list that can't be renewed may still do.
    let _ = run::quietly(
        Command::new("apt-get").args(["update", "-qq"]),
        "renewing the list of packages",
    );
    run::quietly(
        Command::new("apt-get")
            .args(["install", "--yes", "--quiet", "--no-install-recommends", package])
            .env("DEBIAN_FRONTEND", "noninteractive"),
        &format!("installing {package}"),
    )
    .context("apt-get could not install")
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").stdin(Stdio::null()).output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
