//! Runs every test with the locked checkers at hand, and adds the results of all test programs up.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result};

use crate::{run, toolchain};

pub(crate) fn run(rest: &[OsString]) -> Result<ExitCode> {
    let repository = crate::repository()?;
    let toolchain = toolchain::install(&repository)?;
    let arguments = match rest.split_first() {
        Some((dashes, rest)) if dashes == "--" => rest,
        _ => rest,
    };
    let mut tally = Tally::default();
    if arguments.is_empty() {
        tally.add_run(&mut cargo_test(&repository, &toolchain, &["--all-targets"]))?;
        tally.add_run(&mut cargo_test(&repository, &toolchain, &["--doc"]))?;
    } else {
        tally.add_run(cargo_test(&repository, &toolchain, &[]).args(arguments))?;
    }
    if tally.passed + tally.failed == 0 {
        eprintln!("error: no test ran");
    }
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(match tally.failed == 0 && tally.passed > 0 {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn cargo_test(repository: &Path, toolchain: &Path, arguments: &[&str]) -> Command {
    let mut command = run::cargo(repository);
    command
        .args(["test", "--workspace", "--no-fail-fast"])
        .args(arguments)
        .env(toolchain::FOLDER, toolchain);
    command
}

#[derive(Default)]
struct Tally {
    passed: u64,
    failed: u64,
}

impl Tally {
    /// Passes the output of one `cargo test` through and counts what its test programs say of themselves.
    fn add_run(&mut self, command: &mut Command) -> Result<()> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("could not start cargo test")?;
        let failed_before = self.failed;
        if let Some(stdout) = child.stdout.take() {
            self.read(BufReader::new(stdout), &mut io::stdout())
                .context("reading the output of cargo test")?;
        }
        let status = child.wait().context("waiting for cargo test")?;
        if !status.success() && self.failed == failed_before {
            // A test program that did not build, or died before its summary, has no line to be counted by.
            eprintln!(
                "error: cargo test ended with {status}, and no failed test says why; it counts as one"
            );
            self.failed += 1;
        }
        Ok(())
    }

    fn read(&mut self, mut from: impl BufRead, to: &mut impl Write) -> io::Result<()> {
        let mut line = Vec::new();
        while from.read_until(b'\n', &mut line)? > 0 {
            to.write_all(&line)?;
            to.flush()?;
            if let Some((passed, failed)) = result_line(&line) {
                self.passed += passed;
                self.failed += failed;
            }
            line.clear();
        }
        Ok(())
    }
}

/// Reads `test result: ok. 3 passed; 0 failed; …`, which closes the output of every test program.
fn result_line(line: &[u8]) -> Option<(u64, u64)> {
    let line = str::from_utf8(line).ok()?.strip_prefix("test result: ")?;
    let (_, counts) = line.split_once(". ")?;
    let mut counts = counts.split(';').map(str::trim);
    let mut next = |word: &str| counts.next()?.strip_suffix(word)?.trim().parse().ok();
    Some((next("passed")?, next("failed")?))
}

#[cfg(test)]
mod tests {
    use super::{Tally, result_line};

    #[test]
    fn a_result_line_is_read() {
        let line = b"test result: FAILED. 31 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s\n";
        assert_eq!(result_line(line), Some((31, 2)));
        assert_eq!(result_line(b"test result: ok\n"), None);
        assert_eq!(result_line(b"     test result: ok. 1 passed; 0 failed;\n"), None);
    }

    #[test]
    fn results_of_all_programs_are_added_and_passed_through() {
        let output = "test a ... ok\ntest result: ok. 3 passed; 0 failed; 1 ignored;\n\
                      test result: FAILED. 1 passed; 2 failed; 0 ignored;";
        let (mut tally, mut seen) = (Tally::default(), Vec::new());
        tally.read(output.as_bytes(), &mut seen).unwrap();
        assert_eq!((tally.passed, tally.failed), (4, 2));
        assert_eq!(seen, output.as_bytes());
    }
}
