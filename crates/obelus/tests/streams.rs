//! The specification of reviews: one named trial for each folder of `corpus-streams/`.
//!
//! A case holds what a reviewer printed (`stdout`, `stderr`), perhaps the conversation that it saved,
//! how it was run (`case.json`), and the right answer (`expect.json`). The real program reads the
//! captured bytes; outcome, fault, findings, evidence and exit status must agree.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

const FINDING: [&str; 8] =
    ["path", "line", "end_line", "severity", "code", "title", "message", "suggestion"];

fn main() {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus-streams");
    let mut cases = Vec::new();
    for protocol in folders(&root) {
        cases
            .extend(folders(&protocol).into_iter().filter(|case| case.join("case.json").is_file()));
    }
    let trials = cases
        .into_iter()
        .map(|case| {
            let name = case.strip_prefix(&root).unwrap_or(&case).display().to_string();
            Trial::test(name, move || check(&case))
        })
        .collect();
    libtest_mimic::run(&args, trials).exit();
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the corpus can be listed").flatten();
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn check(folder: &Path) -> Result<(), Failed> {
    let case = load(&folder.join("case.json"))?;
    let expect = load(&folder.join("expect.json"))?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_obelus"));
    command.args(["review", "parse", "--output", "json", "--protocol"]);
    command.arg(case["protocol"].as_str().unwrap_or_default());
    match (case["signal"].as_str(), case["exit"].as_i64()) {
        (Some(signal), _) => command.args(["--signal", signal]),
        (None, Some(code)) => command.args(["--exit", &code.to_string()]),
        (None, None) => &mut command,
    };
    if let Some(marker) = case["marker"].as_str() {
        command.args(["--marker", marker]);
    }
    if let Some(conversation) = case["conversation"].as_str() {
        command.arg("--conversation").arg(folder.join(conversation));
    }
    command.arg("--stderr").arg(folder.join("stderr")).arg(folder.join("stdout"));
    let done = command.output()?;
    let got: Value = serde_json::from_slice(&done.stdout).map_err(|error| {
        format!("no artifact: {error}; {}", String::from_utf8_lossy(&done.stderr))
    })?;

    let mut faults = String::new();
    let mut compare = |what: &str, want: &Value, got: &Value| {
        if want != got {
            faults += &format!("{what}: want {want}, got {got}\n");
        }
    };
    for key in ["outcome", "line", "kind", "snippet"] {
        compare(key, &expect[key], &got[key]);
    }
    compare("findings", &findings(&expect["findings"]), &findings(&got["findings"]));
    for (key, want) in expect["evidence"].as_object().into_iter().flatten() {
        compare(key, want, &got["evidence"][key]);
    }
    let agree = expect["evidence"]["agree"] != false;
    let status = match expect["outcome"].as_str() {
        Some("findings") if agree => 1,
        Some("no_findings") if agree => 0,
        _ => 70,
    };
    compare("exit status", &json!(status), &json!(done.status.code()));
    compare("accepted", &json!(status != 70), &got["accepted"]);
    let told = String::from_utf8_lossy(&done.stderr);
    compare("words on stderr", &json!(status == 70), &json!(!told.is_empty()));
    if faults.is_empty() { Ok(()) } else { Err(faults.into()) }
}

fn findings(list: &Value) -> Value {
    let items = list.as_array().into_iter().flatten();
    items.map(|item| FINDING.iter().map(|key| item[key].clone()).collect::<Value>()).collect()
}

fn load(path: &Path) -> Result<Value, Failed> {
    Ok(serde_json::from_slice(&std::fs::read(path)?)?)
}
