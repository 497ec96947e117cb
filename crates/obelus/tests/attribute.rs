//! What a change caused: one named trial for each folder of `tests/cases/attribute/`.
//!
//! A case holds two trees (`before/`, `after/`), the records of a checker on each (`before.jsonl`,
//! `after.jsonl`), how its two runs went (`meta.json`), and the right answer (`expect.json`), of
//! which the order within lists does not count. `README.md` says what the case is about.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};
use support::schema;

fn main() {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/attribute");
    let mut trials = Vec::new();
    for entry in std::fs::read_dir(root).expect("the cases can be listed").flatten() {
        let (case, name) = (entry.path(), entry.file_name().display().to_string());
        if case.join("expect.json").is_file() {
            trials.push(Trial::test(name, move || check(&case)));
        }
    }
    libtest_mimic::run(&args, trials).exit();
}

fn check(case: &Path) -> Result<(), Failed> {
    compared(case, false)?;
    // Where the files that differ are listed, no others are looked at, and the answer is the same.
    compared(case, true).map_err(|fault| format!("with a list of changed files: {fault:?}").into())
}

fn compared(case: &Path, listed: bool) -> Result<(), Failed> {
    let want: Value = serde_json::from_slice(&std::fs::read(case.join("expect.json"))?)?;
    let report = report(case, listed)?;
    let faults = schema::faults(&report, &schema::committed("report"));
    if !faults.is_empty() {
        return Err(format!("not as the schema says: {}", faults.join("\n")).into());
    }
    let got = &report["attribution"];
    let mut faults = String::new();
    for (key, want) in want.as_object().into_iter().flatten() {
        if sorted(want) != sorted(&got[key]) {
            faults += &format!("{key}: want {want}, got {}\n", got[key]);
        }
    }
    let listed = number_listed(got);
    let records = report["records"].as_array().map_or(0, Vec::len) as u64;
    if listed != (got["baseline"]["total"].as_u64().unwrap_or(0), records) {
        faults += &format!("not every record is in exactly one list: {listed:?}\n");
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.into()) }
}

/// How many records before and after stand in the lists of an attribution.
fn number_listed(attribution: &Value) -> (u64, u64) {
    let count = |pointer: &str| {
        attribution.pointer(pointer).and_then(Value::as_array).map_or(0, Vec::len) as u64
    };
    let sum = |pointers: &[&str]| pointers.iter().map(|pointer| count(pointer)).sum::<u64>();
    (
        sum(&["/fixed", "/hidden", "/unchanged", "/duplicates/before", "/unattributed/before"]),
        sum(&["/new", "/revealed", "/unchanged", "/duplicates/after", "/unattributed/after"]),
    )
}

/// The files of the two trees of a case that differ, as `git diff --name-status` lists them.
fn changed(case: &Path) -> Result<String, Failed> {
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    files(&case.join("before"), "", &mut before)?;
    files(&case.join("after"), "", &mut after)?;
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let row = |path: &String| match (before.get(path), after.get(path)) {
        (Some(old), Some(new)) if old == new => String::new(),
        (Some(_), Some(_)) => format!("M\t{path}\n"),
        (None, _) => format!("A\t{path}\n"),
        (_, None) => format!("D\t{path}\n"),
    };
    Ok(paths.into_iter().map(row).collect())
}

/// The contents of the files below `folder`, by their paths behind `prefix`.
fn files(folder: &Path, prefix: &str, found: &mut BTreeMap<String, Vec<u8>>) -> Result<(), Failed> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().display());
        match entry.file_type()?.is_dir() {
            true => files(&entry.path(), &format!("{path}/"), found)?,
            false => drop(found.insert(path, std::fs::read(entry.path())?)),
        }
    }
    Ok(())
}

/// Runs the real program on the two reports of a case.
fn report(case: &Path, listed: bool) -> Result<Value, Failed> {
    let meta: Value = serde_json::from_slice(&std::fs::read(case.join("meta.json"))?)?;
    let folder = tempfile::tempdir()?;
    let mut files = Vec::new();
    for side in ["before", "after"] {
        let records: Result<Vec<Value>, _> =
            std::fs::read_to_string(case.join(format!("{side}.jsonl")))?
                .lines()
                .filter(|line| !line.trim().is_empty())
                .map(serde_json::from_str)
                .collect();
        let file = folder.path().join(format!("{side}.json"));
        std::fs::write(&file, json!({"runs": [meta[side]], "records": records?}).to_string())?;
        files.push(file);
    }
    let list = folder.path().join("changed");
    std::fs::write(&list, changed(case)?)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_obelus"));
    command
        .arg("report")
        .arg(&files[1])
        .arg("--baseline")
        .arg(&files[0])
        .arg("--source")
        .arg(case.join("after"))
        .arg("--baseline-source")
        .arg(case.join("before"))
        .args(["--output", "json"]);
    if listed {
        command.arg("--changed").arg(list);
    }
    let done = command.output()?;
    let parsed = serde_json::from_slice(&done.stdout);
    parsed.map_err(|error| {
        format!("no report: {error}; {}", String::from_utf8_lossy(&done.stderr)).into()
    })
}

/// A value in which the order within lists does not count.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(list) => {
            let mut list: Vec<Value> = list.iter().map(sorted).collect();
            list.sort_by_key(Value::to_string);
            Value::Array(list)
        }
        Value::Object(map) => {
            Value::Object(map.iter().map(|(key, value)| (key.clone(), sorted(value))).collect())
        }
        other => other.clone(),
    }
}
