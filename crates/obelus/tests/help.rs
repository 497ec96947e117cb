//! The page about a kind of finding, where the tool itself names one: from the bytes that real tools
//! printed to the outputs that can hold it.

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::captured;

/// What `output` says of a captured run.
fn said(case: &str, output: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(case);
    let text = std::fs::read(folder.join("case.json")).expect("the case is there");
    let case = serde_json::from_slice(&text).expect("it is JSON");
    let done = captured::parse(&folder, &case).args(["--all", "--output", output]).output();
    let line = done.expect("obelus runs").stdout;
    let last = line.split(|&byte| byte == b'\n').rfind(|line| !line.is_empty()).expect("a line");
    serde_json::from_slice(last).expect("it is JSON")
}

#[test]
fn each_tool_that_names_a_page_is_heard() {
    for (case, code, page) in [
        ("ruff/json-basic", "F401", "https://docs.astral.sh/ruff/rules/unused-import"),
        ("ruff/jsonlines-basic", "F401", "https://docs.astral.sh/ruff/rules/unused-import"),
        ("ruff/sarif-basic", "F401", "https://docs.astral.sh/ruff/rules/unused-import"),
        (
            "bandit/json-basic",
            "B404",
            "https://bandit.readthedocs.io/en/1.9.4/blacklists/blacklist_imports.html#b404-import-subprocess",
        ),
        (
            "oxlint/fail-basic",
            "eslint(no-unused-vars)",
            "https://oxc.rs/docs/guide/usage/linter/rules/eslint/no-unused-vars.html",
        ),
        (
            "zizmor/json-basic",
            "dangerous-triggers",
            "https://docs.zizmor.sh/audits/#dangerous-triggers",
        ),
        (
            "markdownlint-cli2/json-file",
            "MD040",
            "https://github.com/DavidAnson/markdownlint/blob/v0.42.1/doc/md040.md",
        ),
        (
            "biome/lint-basic-rdjson",
            "lint/suspicious/noExplicitAny",
            "https://biomejs.dev/linter/rules/no-explicit-any",
        ),
        (
            "gcc/warnings",
            "-Wtype-limits",
            "https://gcc.gnu.org/onlinedocs/gcc/Warning-Options.html#index-Wtype-limits",
        ),
        (
            "clippy/warnings-only",
            "clippy::clone_on_copy",
            "https://rust-lang.github.io/rust-clippy/rust-1.95.0/index.html#clone_on_copy",
        ),
    ] {
        let report = said(case, "json");
        let records = report["records"].as_array().expect("records");
        let record = records.iter().find(|record| record["code"] == code).expect("the record");
        assert_eq!(record["help"], page, "{case}");
    }
}

#[test]
fn a_tool_that_names_none_has_none() {
    let report = said("tsc/fail-basic", "json");
    assert_eq!(report["records"][0].get("help"), None);
}

#[test]
fn outputs_that_can_hold_it_do() {
    let (case, page) = ("ruff/json-basic", "https://docs.astral.sh/ruff/rules/unused-import");
    let rules = said(case, "sarif")["runs"][0]["tool"]["driver"]["rules"].take();
    let rule = rules.as_array().into_iter().flatten().find(|rule| rule["id"] == "F401");
    assert_eq!(rule, Some(&json!({"id": "F401", "helpUri": page})));
    let rdjson = said(case, "rdjson");
    let mut codes = rdjson["diagnostics"].as_array().into_iter().flatten().map(|one| &one["code"]);
    assert_eq!(
        codes.find(|code| code["value"] == "F401"),
        Some(&json!({"value": "F401", "url": page}))
    );
    let lsp = said(case, "lsp");
    let mut all = lsp["params"]["diagnostics"].as_array().into_iter().flatten();
    let one = all.find(|one| one["code"] == "F401").expect("the diagnostic");
    assert_eq!(one["codeDescription"], json!({"href": page}));
}
