//! What other programs read and write: each output holds the findings of every captured run in the
//! shape that its readers expect, and what is read back is what was written.

mod support;

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use jsonschema::Validator;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};
use support::captured;

/// An output, the format that reads it back, and the parts of a record that it can hold.
struct Pair {
    output: &'static str,
    format: &'static str,
    holds: &'static [&'static str],
    /// What has to stand there, so that a record without it is said to be at the first line or column.
    requires: &'static [&'static str],
}

const WHOLE: &[&str] = &["tool", "code", "hint", "end", "related", "suggestion", "help"];

static PAIRS: [Pair; 9] = [
    Pair { output: "json", format: "obelus-json", holds: WHOLE, requires: &[] },
    Pair { output: "jsonl", format: "obelus-jsonl", holds: WHOLE, requires: &[] },
    Pair {
        output: "sarif",
        format: "sarif",
        holds: &["tool", "code", "end", "related", "help"],
        requires: &[],
    },
    Pair {
        output: "rdjson",
        format: "rdjson",
        holds: &["tool", "code", "end", "related", "help"],
        requires: &[],
    },
    Pair {
        output: "rdjsonl",
        format: "rdjsonl",
        holds: &["tool", "code", "end", "related", "help"],
        requires: &[],
    },
    Pair { output: "gitlab", format: "gitlab-codequality", holds: &[], requires: &["line"] },
    Pair {
        output: "checkstyle",
        format: "checkstyle-xml",
        holds: &["tool", "code"],
        requires: &[],
    },
    Pair { output: "junit", format: "junit-xml", holds: &["tool", "code", "hint"], requires: &[] },
    Pair {
        output: "lsp",
        format: "lsp-publish",
        holds: &["tool", "code", "hint", "help"],
        requires: &["line", "column"],
    },
];

fn main() {
    let args = Arguments::from_args();
    let trials = captured::cases()
        .into_iter()
        .map(|(name, case)| Trial::test(name, move || check(&case)))
        .collect();
    libtest_mimic::run(&args, trials).exit();
}

fn check(case_dir: &Path) -> Result<(), Failed> {
    let case: Value = serde_json::from_slice(&std::fs::read(case_dir.join("case.json"))?)?;
    let folder = tempfile::tempdir()?;
    let mut command = captured::parse(case_dir, &case);
    for pair in &PAIRS {
        let file = folder.path().join(pair.output);
        command.arg("--output").arg(format!("{}={}", pair.output, file.display()));
    }
    command.arg("--output").arg(format!("html={}", folder.path().join("html").display()));
    let done = command.arg("--all").output()?;
    if !done.stdout.is_empty() || !done.stderr.is_empty() {
        return Err(String::from_utf8_lossy(&done.stderr).into_owned().into());
    }
    let read = |output: &str| std::fs::read_to_string(folder.path().join(output));
    let report: Value = serde_json::from_str(&read("json")?)?;
    sarif(&serde_json::from_str(&read("sarif")?)?, &report)?;
    valid(rdjson_schema(), &serde_json::from_str(&read("rdjson")?)?)?;
    for line in read("rdjsonl")?.lines() {
        valid(rdjson_schema(), &json!({"diagnostics": [serde_json::from_str::<Value>(line)?]}))?;
    }
    gitlab(&serde_json::from_str(&read("gitlab")?)?)?;
    page(&read("html")?, &report)?;
    for pair in &PAIRS {
        same(pair, &folder.path().join(pair.output), &case_dir.join("src"), &report)
            .map_err(|fault| format!("{}: {}", pair.output, fault.message().unwrap_or_default()))?;
    }
    Ok(())
}

/// The log follows the schema, and a checker that failed itself is no success in it.
fn sarif(log: &Value, report: &Value) -> Result<(), Failed> {
    valid(sarif_schema(), log)?;
    let invocations = log["runs"].as_array().into_iter().flatten();
    let failed = invocations
        .flat_map(|run| run["invocations"].as_array().into_iter().flatten())
        .any(|invocation| invocation["executionSuccessful"] == false);
    if failed != (report["outcome"] == "harness_error") {
        return Err(format!("executionSuccessful does not say {}", report["outcome"]).into());
    }
    Ok(())
}

/// Every element of the page for a browser ends where it should, and every record stands in one.
fn page(page: &str, report: &Value) -> Result<(), Failed> {
    let mut open = Vec::new();
    let mut findings = 0;
    let (start, body) = page.split_once("<body>").ok_or("there is no body")?;
    let (body, end) = body.split_once("<script>").ok_or("there is no script")?;
    for tag in body.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').ok_or_else(|| format!("<{tag} is no tag"))?;
        let name = tag.split([' ', '/']).find(|name| !name.is_empty()).unwrap_or_default();
        findings += usize::from(tag.starts_with("article "));
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                return Err(format!("<{tag}> ends nothing that is open").into());
            }
        } else if !tag.ends_with('/') && !["wbr", "input"].contains(&name) {
            open.push(name);
        }
    }
    let records = report["records"].as_array().map_or(0, Vec::len);
    let whole = start.starts_with("<!doctype html>") && end.ends_with("</html>\n");
    if !open.is_empty() || !whole || findings != records {
        return Err(format!("{findings} of {records} findings, open: {open:?}").into());
    }
    Ok(())
}

/// GitLab's rules (<https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>).
fn gitlab(issues: &Value) -> Result<(), Failed> {
    let mut fingerprints = HashSet::new();
    for issue in issues.as_array().ok_or("it is no array")? {
        let text = |pointer: &str| issue.pointer(pointer).and_then(Value::as_str);
        let whole = text("/description").is_some_and(|text| !text.is_empty())
            && text("/check_name").is_some_and(|text| !text.is_empty())
            && text("/location/path").is_some_and(|path| !path.starts_with("./"))
            && ["info", "minor", "major", "critical", "blocker"]
                .contains(&text("/severity").unwrap_or_default());
        let line = issue.pointer("/location/lines/begin");
        let line = line.or(issue.pointer("/location/positions/begin/line"));
        let line = line.and_then(Value::as_u64).is_some_and(|line| line > 0);
        if !whole || !line || !fingerprints.insert(text("/fingerprint").unwrap_or_default()) {
            return Err(format!("GitLab would not take {issue}").into());
        }
    }
    Ok(())
}

/// Reads `file` back and holds what it says against the records of `report`.
fn same(pair: &Pair, file: &Path, source: &Path, report: &Value) -> Result<(), Failed> {
    let root = if source.is_dir() { source.canonicalize()? } else { "/repo".into() };
    let mut command = Command::new(env!("CARGO_BIN_EXE_obelus"));
    command.args(["parse", "--output", "json", "--tool", "x", "--format", pair.format]);
    command.arg("--root").arg(&root).arg(file);
    if source.is_dir() {
        command.arg("--source").arg(source);
    }
    let back: Value = serde_json::from_slice(&command.output()?.stdout)?;
    if report["outcome"] == "harness_error" && pair.output != "jsonl" {
        // However few findings there are, nobody takes it for clean.
        if back["outcome"] != "harness_error" {
            return Err(format!("read back as {}", back["outcome"]).into());
        }
    }
    let (mut wanted, mut got) = (shapes(report, pair), shapes(&back, pair));
    wanted.sort();
    got.sort();
    if wanted == got {
        return Ok(());
    }
    let missing: Vec<&String> = wanted.iter().filter(|shape| !got.contains(shape)).collect();
    let much: Vec<&String> = got.iter().filter(|shape| !wanted.contains(shape)).collect();
    Err(format!("missing {missing:#?}, too much {much:#?}; {}", back["reason"]).into())
}

/// What of each record the pair can hold.
fn shapes(report: &Value, pair: &Pair) -> Vec<String> {
    let records = report["records"].as_array().into_iter().flatten();
    records.map(|record| shape(record, pair)).collect()
}

fn shape(record: &Value, pair: &Pair) -> String {
    let holds = |what| pair.holds.contains(&what);
    let mut shape = json!({
        "path": record["path"], "line": record["line"], "column": record["column"],
        "message": folded(&record["message"]),
        "severity": match record["severity"].as_str() {
            Some("hint") if !holds("hint") => "info",
            severity => severity.unwrap_or_default(),
        },
    });
    for part in ["tool", "code", "suggestion", "help"] {
        if holds(part) {
            shape[part] = record[part].clone();
        }
    }
    if holds("end") {
        shape["end"] = json!([record["end_line"], record["end_column"]]);
    }
    if holds("related") {
        let related = record["related"].as_array().into_iter().flatten().map(|place| {
            json!([place["path"], place["line"], place["column"], folded(&place["message"])])
        });
        shape["related"] = related.collect();
    }
    for part in pair.requires {
        if shape[part].is_null() {
            shape[part] = json!(1);
        }
    }
    if record["path"].is_null() {
        // A place in no file is none.
        shape["line"] = Value::Null;
        shape["column"] = Value::Null;
    }
    shape.to_string()
}

/// A message with its white space folded.
fn folded(message: &Value) -> String {
    let message = message.as_str().unwrap_or_default();
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn valid(schema: &Validator, value: &Value) -> Result<(), Failed> {
    let faults: Vec<String> = schema
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

fn sarif_schema() -> &'static Validator {
    static SCHEMA: OnceLock<Validator> = OnceLock::new();
    SCHEMA.get_or_init(|| schema("sarif-2.1.0-rtm.5.json"))
}

fn rdjson_schema() -> &'static Validator {
    static SCHEMA: OnceLock<Validator> = OnceLock::new();
    SCHEMA.get_or_init(|| schema("rdjson.json"))
}

fn schema(name: &str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/schemas").join(name);
    let text = std::fs::read_to_string(path).expect("the schema is there");
    // As published, the expression for a language has a bracket too many, which ECMAScript lets pass
    // outside its Unicode mode alone.
    let text = text.replace("{2}]?$", "{2}$");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is one")
}
