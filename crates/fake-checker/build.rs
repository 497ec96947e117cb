//! The fake checker itself.
//!
//! Cargo builds a binary of another package only when that package is selected, so that under
//! `cargo test -p …` a test would look for it in vain, or find an old one. A build script is built
//! before every crate that depends on it, whatever is selected. So the program is the build
//! script: without arguments, as Cargo runs it, it copies itself to where `fake_checker::path()`
//! points; with arguments it is the checker.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs, io};

mod steps;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if !arguments.is_empty() {
        return steps::run(&arguments);
    }
    match install() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            steps::complain(&format!("the fake checker cannot be copied: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Copies the program, and tells Cargo where to.
fn install() -> io::Result<()> {
    let folder = env::var_os("OUT_DIR").map(PathBuf::from).ok_or(io::ErrorKind::NotFound)?;
    let target = folder.join(format!("fake-checker{}", env::consts::EXE_SUFFIX));
    // A new file and a rename: the old one may be running.
    let fresh = folder.join("fake-checker.new");
    fs::copy(env::current_exe()?, &fresh)?;
    fs::rename(&fresh, &target)?;
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=steps.rs");
    println!("cargo::rustc-env=FAKE_CHECKER={}", target.display());
    Ok(())
}
