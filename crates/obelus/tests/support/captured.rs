//! The captured runs in `corpus/`, and the command that reads one.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Every case with its name, `tool/case`.
pub fn cases() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut cases = Vec::new();
    find(&root, &mut cases);
    cases.sort();
    let name = |case: &Path| case.strip_prefix(&root).unwrap_or(case).display().to_string();
    cases.into_iter().map(|case| (name(&case), case)).collect()
}

fn find(folder: &Path, cases: &mut Vec<PathBuf>) {
    if folder.join("case.json").is_file() {
        cases.push(folder.to_owned());
        return;
    }
    for entry in std::fs::read_dir(folder).expect("the corpus can be listed").flatten() {
        if entry.path().is_dir() {
            find(&entry.path(), cases);
        }
    }
}

/// `obelus parse` on the bytes of the case in a folder, which its `case.json` says how to read.
pub fn parse(case_dir: &Path, case: &Value) -> Command {
    let text = |key: &str, default: &str| case[key].as_str().unwrap_or(default).to_owned();
    let mut command = Command::new(env!("CARGO_BIN_EXE_obelus"));
    command.args(["parse", "--format", &text("format", ""), "--tool", &text("tool", "")]);
    command.args(["--root", &text("root", "/repo"), "--cwd", &text("cwd", ".")]);
    if let Some(real) = case["root_real"].as_str() {
        command.args(["--root", real]);
    }
    let source = case_dir.join("src");
    if source.is_dir() {
        command.arg("--source").arg(source);
    }
    match (case["signal"].as_i64(), case["exit"].as_i64()) {
        (Some(signal), _) => command.args(["--signal", &signal.to_string()]),
        (None, Some(code)) => command.args(["--exit", &code.to_string()]),
        (None, None) => &mut command,
    };
    command.arg("--stderr").arg(case_dir.join("stderr"));
    match case["artifacts"][0].as_str() {
        Some(report) => {
            command.arg("--stdout").arg(case_dir.join("stdout")).arg(case_dir.join(report))
        }
        None => command.arg(case_dir.join("stdout")),
    };
    command
}
