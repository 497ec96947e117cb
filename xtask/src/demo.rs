//! Builds the example monorepo as its CI would, then checks it: the raw log's size beside the answer's.

pub(crate) mod looped;

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use crate::run;
use crate::toolchain::{self, Scripts};

/// The two errors of the example, the cause first.
const ERRORS: [(&str, &str); 2] = [
    ("packages/billing/src/proration.ts", "TS2532"),
    ("packages/api/src/routes/invoice.ts", "TS2345"),
];
/// The package that the build log ends with, and in which nothing is wrong.
const INNOCENT: &str = "packages/worker";
const LAST_LINES: usize = 9;

pub(crate) fn run() -> Result<ExitCode> {
    let repository = crate::repository()?;
    toolchain::need_node()?;
    let target = crate::target(&repository);
    let example = target.join("demo/monorepo");
    prepare(&repository.join("examples/monorepo"), &example)?;
    run::build_release(&repository)?;

    let log = build_log(&example)?;
    match &log {
        Some(log) => show_log(log),
        None => println!(
            "make is not installed here, so the build log can't be shown; with make (on Debian and Ubuntu: apt install \
             make) this task shows its size beside the answer.\n"
        ),
    }

    let obelus = target.join("release/obelus");
    let answer = check(&obelus, &example)?;
    println!("$ obelus check --output agent\n");
    println!("{}", answer.text);
    println!("{:24}{:>8}{:>8}{:>10}", "", "lines", "bytes", "tokens");
    if let Some(log) = &log {
        println!("{}", size_row("make", log));
    }
    println!("{}", size_row("obelus check", answer.text.as_bytes()));
    println!("\n(tokens: bytes divided by 3.3, which errs high)");
    answer.must_name_both_errors()?;
    Ok(ExitCode::SUCCESS)
}

/// A fresh copy, so that the checkout stays clean, with the locked dependencies.
pub(crate) fn prepare(from: &Path, example: &Path) -> Result<()> {
    run::remove_folder(example)?;
    run::copy_sources(from, example)?;
    eprintln!("installing the locked dependencies of the example");
    // esbuild puts its own binary in place of a script; the script ends every failed build with a stack trace.
    toolchain::npm_ci(example, Scripts::Run)
}

/// What `make` prints, both streams in one as CI keeps it; `None` where there is no make.
pub(crate) fn build_log(example: &Path) -> Result<Option<Vec<u8>>> {
    let (mut reader, writer) = io::pipe().context("making a pipe for the build log")?;
    let errors = writer.try_clone().context("making a pipe for the build log")?;
    let started = Command::new("make")
        .current_dir(example)
        // A make around this task would hand its own flags down.
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(errors)
        .spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).context("could not start make"),
    };
    let mut log = Vec::new();
    reader.read_to_end(&mut log).context("reading the build log")?;
    let status = child.wait().context("waiting for make")?;
    let path = example.join("build.log");
    fs::write(&path, &log).with_context(|| format!("writing {}", path.display()))?;
    if status.success() {
        bail!("make succeeded, but the example has two errors; see {}", path.display());
    }
    Ok(Some(log))
}

fn show_log(log: &[u8]) {
    let text = String::from_utf8_lossy(log);
    let lines: Vec<&str> = text.lines().collect();
    println!("$ make");
    println!("… {} lines …", lines.len().saturating_sub(LAST_LINES));
    for line in &lines[lines.len().saturating_sub(LAST_LINES)..] {
        println!("{line}");
    }
    println!();
}

fn size_row(name: &str, text: &[u8]) -> String {
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    let tokens = text.len() * 10 / 33;
    format!("{name:24}{lines:>8}{:>8}{tokens:>10}", text.len())
}

struct Answer {
    text: String,
    exit: Option<i32>,
}

fn check(obelus: &Path, example: &Path) -> Result<Answer> {
    // The copy lies below this repository; it is to be seen as one of its own.
    let output = Command::new(obelus)
        .args(["check", "--root", ".", "--output", "agent"])
        .current_dir(example)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("could not start {}", obelus.display()))?;
    Ok(Answer {
        text: String::from_utf8_lossy(&output.stdout).into_owned(),
        exit: output.status.code(),
    })
}

impl Answer {
    fn must_name_both_errors(&self) -> Result<()> {
        if self.exit != Some(1) {
            bail!("the check must end with exit status 1, it ended with {:?}", self.exit);
        }
        let mut rest = self.text.as_str();
        for (path, code) in ERRORS {
            let after_path = rest.split_once(path).map(|(_, rest)| rest);
            let after_code = after_path.and_then(|rest| rest.split_once(code));
            match after_code {
                Some((_, after)) => rest = after,
                None => bail!("the answer must name {code} in {path}, and the cause first"),
            }
        }
        if self.text.contains(INNOCENT) {
            bail!("the answer must not name {INNOCENT}: nothing in it is wrong");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, size_row};

    fn answer(text: &str) -> Answer {
        Answer { text: text.to_owned(), exit: Some(1) }
    }

    #[test]
    fn both_errors_in_their_order_are_wanted() {
        let first = "packages/billing/src/proration.ts\n^10 TS2532 Object\n";
        let second = "packages/api/src/routes/invoice.ts\n^26 TS2345 Argument\n";
        let check = |text: &str| answer(text).must_name_both_errors().is_ok();
        assert!(check(&format!("{first}{second}")));
        assert!(!check(&format!("{second}{first}")));
        assert!(!check(first));
        assert!(!check(&format!("{first}{second}packages/worker/src/main.mjs")));
    }

    #[test]
    fn a_size_counts_lines_bytes_and_tokens() {
        let row = size_row("make", &[b'\n'; 330]);
        let columns: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(columns, ["make", "330", "330", "100"]);
    }
}
