//! What a change caused: one named trial for each folder of `tests/cases/attribute/`.
//!
//! A case holds two trees (`before/`, `after/`), the records of a checker on each (`before.jsonl`,
//! `after.jsonl`), how its two runs went (`meta.json`), and the right answer (`expect.json`), of
//! which the order within lists does not count. `README.md` says what the case is about.

mod support;

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
    let want: Value = serde_json::from_slice(&std::fs::read(case.join("expect.json"))?)?;
    let report = report(case)?;
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

/// Runs the real program on the two reports of a case.
fn report(case: &Path) -> Result<Value, Failed> {
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
    let done = Command::new(env!("CARGO_BIN_EXE_obelus"))
        .arg("report")
        .arg(&files[1])
        .arg("--baseline")
        .arg(&files[0])
        .arg("--source")
        .arg(case.join("after"))
        .arg("--baseline-source")
        .arg(case.join("before"))
        .args(["--output", "json"])
        .output()?;
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
