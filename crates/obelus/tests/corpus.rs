//! The specification of every format: one named trial for each folder of `corpus/`.
//!
//! A case holds what a real checker printed (`stdout`, `stderr`, perhaps report files), the tree it
//! ran on (`src/`), how it was run (`case.json`), and the right answer (`expect.json`). The real
//! program reads the captured bytes; outcome and every record must agree. White space in messages
//! is folded; records, related places and edits are compared as sets.

mod support;

use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};
use support::{captured, schema};

fn main() {
    let args = Arguments::from_args();
    let trials = captured::cases()
        .into_iter()
        .map(|(name, case)| Trial::test(name, move || check(&case)))
        .collect();
    libtest_mimic::run(&args, trials).exit();
}

fn check(case_dir: &Path) -> Result<(), Failed> {
    let case = load(&case_dir.join("case.json"))?;
    let expect = load(&case_dir.join("expect.json"))?;
    let report = parse(case_dir, &case)?;
    let ignored: Vec<&str> =
        case["compare_ignore"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut wanted = shapes(&expect["records"], &ignored);
    let mut got = shapes(&report["records"], &ignored);
    let common: Vec<String> = wanted.iter().filter(|shape| got.contains(shape)).cloned().collect();
    for shape in &common {
        // Multisets: one removal on each side for each common record.
        if let Some(at) = got.iter().position(|other| other == shape) {
            got.remove(at);
            wanted.remove(wanted.iter().position(|other| other == shape).expect("it is common"));
        }
    }
    if expect["records_optional"] == true {
        // What a failed run said before it failed is evidence: none, some or all of it.
        wanted.clear();
    }
    let mut faults = String::new();
    if report["outcome"] != expect["outcome"] {
        faults += &format!(
            "outcome: want {}, got {} ({})\n",
            expect["outcome"], report["outcome"], report["reason"]
        );
    }
    faults.extend(wanted.iter().map(|shape| format!("missing:  {shape}\n")));
    faults.extend(got.iter().map(|shape| format!("too much: {shape}\n")));
    if faults.is_empty() { Ok(()) } else { Err(faults.into()) }
}

/// Runs the real program on the captured bytes.
fn parse(case_dir: &Path, case: &Value) -> Result<Value, Failed> {
    let mut command = captured::parse(case_dir, case);
    command.args(["--output", "json"]);
    let done = command.output()?;
    let status = done.status.code();
    let report: Value = serde_json::from_slice(&done.stdout).map_err(|e| {
        format!("exit {status:?}, no report: {e}; {}", String::from_utf8_lossy(&done.stderr))
    })?;
    let promised = match report["outcome"].as_str() {
        Some("pass") => 0,
        Some("fail") => 1,
        _ => 70,
    };
    if status != Some(promised) {
        return Err(format!("outcome {} with exit {status:?}", report["outcome"]).into());
    }
    let faults = schema::faults(&report, &schema::committed("report"));
    if !faults.is_empty() {
        return Err(format!("not as the schema says: {}", faults.join("\n")).into());
    }
    Ok(report)
}

fn load(path: &Path) -> Result<Value, Failed> {
    let text = std::fs::read(path)?;
    Ok(serde_json::from_slice(&text)?)
}

/// Records as comparable texts.
fn shapes(records: &Value, ignored: &[&str]) -> Vec<String> {
    records.as_array().into_iter().flatten().map(|record| shape(record, ignored)).collect()
}

fn shape(record: &Value, ignored: &[&str]) -> String {
    let mut out = json!({});
    let fields =
        ["tool", "severity", "code", "path", "line", "column", "end_line", "end_column", "cell"];
    for field in fields.into_iter().filter(|field| !ignored.contains(field)) {
        out[field] = record[field].clone();
    }
    if !ignored.contains(&"message") {
        out["message"] = folded(&record["message"]).into();
    }
    if !ignored.contains(&"related") {
        out["related"] = sorted(&record["related"], |place| {
            json!([place["path"], place["line"], place["column"], folded(&place["message"])])
        });
    }
    if !ignored.contains(&"suggestion") && !record["suggestion"].is_null() {
        let edits = sorted(&record["suggestion"]["edits"], |edit| {
            json!([
                edit["path"],
                edit["line"],
                edit["column"],
                edit["end_line"],
                edit["end_column"],
                edit["text"]
            ])
        });
        out["suggestion"] = json!([record["suggestion"]["applicability"], edits]);
    }
    out.to_string()
}

fn sorted(list: &Value, shape: impl Fn(&Value) -> Value) -> Value {
    let mut texts: Vec<String> =
        list.as_array().into_iter().flatten().map(|item| shape(item).to_string()).collect();
    texts.sort();
    texts.into()
}

fn folded(message: &Value) -> String {
    message.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}
