//! Rules of this repository that no compiler checks.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

/// Places outside a checkout that no committed file may name. Written in two parts, as this file is checked too.
const MACHINE_PATHS: [&str; 2] = [concat!("/wo", "rk/"), concat!("/ro", "ot/")];
const UNFINISHED: [&str; 4] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("to", "do!("),
    concat!("unimple", "mented!("),
];
/// What a pure crate may not reach for.
const IMPURE: [&str; 4] = ["std::fs", "std::process", "std::env", "std::time"];
const PURE_CRATES: [&str; 2] = ["crates/obelus-core/src/", "crates/obelus-record/src/"];
const PRINTING: [&str; 4] = ["println!(", "print!(", "dbg!(", "io::stdout("];
/// The one file that writes to stdout.
const WRITER: &str = "crates/obelus/src/output.rs";
/// The one place that builds a diagnostic.
const NORMALISE: &str = "crates/obelus-core/src/normalise";
const BUILDS_DIAGNOSTIC: &str = concat!("Diagnostic::norm", "alised(");

pub(crate) fn run() -> Result<ExitCode> {
    let complaints = complaints(&crate::repository()?)?;
    for complaint in &complaints {
        println!("{complaint}");
    }
    Ok(match complaints.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn complaints(repository: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for path in tracked_files(repository)? {
        let Ok(bytes) = fs::read(repository.join(&path)) else {
            continue; // Deleted, but not yet committed so; or a link to nowhere.
        };
        let text = String::from_utf8_lossy(&bytes);
        for (number, line) in text.lines().enumerate() {
            let found = complaint(&path, line);
            complaints.extend(found.map(|what| format!("{path}:{}: {what}", number + 1)));
        }
    }
    Ok(complaints)
}

fn tracked_files(repository: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(repository)
        .output()
        .context("listing the tracked files: could not start git")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("listing the tracked files: git said: {}", said.trim());
    }
    let names = String::from_utf8_lossy(&output.stdout);
    let names = names.split('\0').filter(|name| !name.is_empty());
    Ok(names.map(str::to_owned).collect())
}

/// The line without its string literals: what stands in one is text and no code.
fn without_strings(line: &str) -> String {
    line.replace("\\\"", "").split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
}

/// What is wrong with one line of a file, if anything is.
fn complaint(path: &str, line: &str) -> Option<String> {
    // Captured bytes are what they are.
    if path.starts_with("corpus/") || path.starts_with("corpus-streams/") {
        return None;
    }
    if let Some(found) = first_of(&MACHINE_PATHS, line) {
        return Some(format!("names a path of one machine: {found}"));
    }
    if !path.ends_with(".rs") || path.starts_with("examples/") {
        return None;
    }
    if let Some(found) = first_of(&UNFINISHED, line) {
        return Some(format!("is unfinished: {found}"));
    }
    if line.trim_start().starts_with("//") {
        return None;
    }
    let line = &without_strings(line);
    if PURE_CRATES.iter().any(|pure| path.starts_with(pure))
        && !path.contains("/tests/")
        && let Some(found) = first_of(&IMPURE, line)
    {
        return Some(format!("{found} in a crate that is pure"));
    }
    if line.contains(BUILDS_DIAGNOSTIC) && !path.starts_with(NORMALISE) {
        return Some(format!("builds a diagnostic outside {NORMALISE}"));
    }
    let is_program = path.starts_with("crates/") && path.contains("/src/");
    if is_program
        && path != WRITER
        && let Some(found) = first_of(&PRINTING, line)
    {
        return Some(format!("{found} outside {WRITER}"));
    }
    None
}

/// The first of some needles that stands in a line as a word of its own: `println!(` is not in `eprintln!(`.
fn first_of<'a>(needles: &[&'a str], line: &str) -> Option<&'a str> {
    let starts_a_word = |at: usize| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|before| before.is_alphanumeric() || before == '_')
    };
    let is_there = |needle: &str| line.match_indices(needle).any(|(at, _)| starts_a_word(at));
    needles.iter().copied().find(|needle| is_there(needle))
}

#[cfg(test)]
mod tests {
    use super::{BUILDS_DIAGNOSTIC, MACHINE_PATHS, UNFINISHED, complaint, complaints};

    #[test]
    fn the_repository_is_tidy() {
        let found = complaints(&crate::repository().unwrap()).unwrap();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn each_rule_finds_what_it_is_for() {
        let core = "crates/obelus-core/src/format/a.rs";
        let cases = [
            ("README.md", format!("see {}notes", MACHINE_PATHS[0])),
            (core, format!("// {}: more", UNFINISHED[0])),
            (core, "use std::fs;".to_owned()),
            (core, format!("let d = {BUILDS_DIAGNOSTIC}f);")),
            ("crates/obelus-exec/src/lib.rs", "println!(\"a\");".to_owned()),
        ];
        for (path, line) in &cases {
            assert!(complaint(path, line).is_some(), "{path}: {line}");
        }
    }

    #[test]
    fn what_a_rule_is_not_for_passes() {
        let cases = [
            ("crates/obelus-core/src/lib.rs", "// no std::fs here"),
            ("crates/obelus-exec/src/lib.rs", "use std::fs;"),
            ("crates/obelus/src/output.rs", "println!(\"a\");"),
            ("crates/obelus/src/main.rs", "eprintln!(\"a\");"),
            ("crates/obelus/tests/fakes/a.rs", "println!(\"a\");"),
            ("docs/a.md", "in framework/src"),
        ];
        for (path, line) in cases {
            assert_eq!(complaint(path, line), None, "{path}: {line}");
        }
    }
}
