//! What a check costs above the commands it runs: `obelus check` beside `sh`, which starts the same ones side by side.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::measure::{self, median};
use crate::{run, toolchain};

/// The examples, and where each finds its checkers: a folder of the toolchain, by the name that checkers are looked up in.
const EXAMPLES: [(&str, &[(&str, &str)]); 2] = [
    ("eslint-shop", &[("js/node_modules", "node_modules")]),
    ("python-billing", &[("python", ".venv"), ("js/node_modules", "node_modules")]),
];
const ROUNDS: usize = 7;
const MILLISECONDS: f64 = 1000.0;

pub(crate) fn run(repository: &Path, folder: &Path, obelus: &Path) -> Result<()> {
    let toolchain = toolchain::install(repository)?;
    println!(
        "\nA whole check beside the same commands from sh; wall milliseconds of {ROUNDS} runs"
    );
    println!(
        "{:16}{:>10}{:>10}{:>12}{:>10}{:>10}{:>12}",
        "", "check", "sh", "difference", "ratio", "allowed", "of fastest"
    );
    for (name, links) in EXAMPLES {
        let example = folder.join(name);
        run::remove_folder(&example)?;
        run::copy_sources(&repository.join("examples").join(name), &example)?;
        for (set, link) in links {
            link_folder(&toolchain.join(set), &example.join(link))?;
        }
        compare(name, &example, obelus)?;
    }
    Ok(())
}

fn compare(name: &str, example: &Path, obelus: &Path) -> Result<()> {
    let mut check = Command::new(obelus);
    check.args(["check", "--root", ".", "--output", "jsonl"]).current_dir(example);
    // This first check also fills the checkers' own caches.
    let script = script_of_a_check(obelus, example)?;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(&script).current_dir(example);
    measure::run(&shell, Stdio::null())?;

    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(measure::run(&check, Stdio::null())?.wall * MILLISECONDS);
        theirs.push(measure::run(&shell, Stdio::null())?.wall * MILLISECONDS);
    }
    let fastest = |walls: &[f64]| walls.iter().copied().fold(f64::INFINITY, f64::min);
    let least = fastest(&ours) - fastest(&theirs);
    let (ours, theirs) = (median(ours.into_iter()), median(theirs.into_iter()));
    let allowed = 15.0 + theirs * 0.02;
    println!(
        "{name:16}{ours:>10.1}{theirs:>10.1}{:>12.1}{:>10.3}{allowed:>10.1}{least:>12.1}",
        ours - theirs,
        ours / theirs
    );
    Ok(())
}

/// A shell script that starts the commands of a check all at once and waits for them, as its report names them.
fn script_of_a_check(obelus: &Path, example: &Path) -> Result<String> {
    let output = Command::new(obelus)
        .args(["check", "--root", ".", "--output", "json"])
        .current_dir(example)
        .output()
        .with_context(|| format!("could not start {}", obelus.display()))?;
    let report: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("reading the report of a check of {}", example.display()))?;
    let runs = report["runs"].as_array().context("the report has no runs")?;
    let mut script = String::new();
    for run in runs {
        script += &command_line(run).with_context(|| format!("reading the run {run}"))?;
    }
    if script.is_empty() {
        bail!("the check of {} ran nothing", example.display());
    }
    Ok(script + "wait\n")
}

fn command_line(run: &Value) -> Option<String> {
    let argv = run["argv"].as_array()?;
    let words: Option<Vec<String>> = argv.iter().map(|word| Some(quoted(word.as_str()?))).collect();
    let cwd = run["cwd"].as_str().filter(|cwd| !cwd.is_empty());
    let cwd = quoted(cwd.unwrap_or("."));
    Some(format!("(cd {cwd} && exec {}) &\n", words?.join(" ")))
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(unix)]
fn link_folder(to: &Path, link: &Path) -> Result<()> {
    std::os::unix::fs::symlink(to, link).with_context(|| format!("linking {}", link.display()))
}

#[cfg(not(unix))]
fn link_folder(_: &Path, link: &Path) -> Result<()> {
    bail!("{} can't be linked on this system", link.display())
}

#[cfg(test)]
mod tests {
    use super::command_line;
    use serde_json::json;

    #[test]
    fn a_run_becomes_a_line_of_a_script() {
        let run = json!({"argv": ["eslint", "it's"], "cwd": "a b"});
        let line = command_line(&run).unwrap();
        assert_eq!(line, "(cd 'a b' && exec 'eslint' 'it'\\''s') &\n");
        assert!(command_line(&json!({"argv": null})).is_none());
    }
}
