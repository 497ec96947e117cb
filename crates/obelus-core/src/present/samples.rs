//! The one set of records that every output is tested on: each shape that a record, a source line
//! and a run can have.

use std::collections::HashMap;
use std::sync::Arc;

use obelus_record::{Counts, Diagnostic, Origin, REPORT_VERSION, Report, Run};
use serde_json::{Value, json};

use super::{Look, Output};
use crate::{Sources, outcome};

/// Files in memory.
pub struct MapSources(HashMap<&'static str, Arc<[u8]>>);

impl MapSources {
    pub fn new(files: &[(&'static str, &[u8])]) -> Self {
        MapSources(files.iter().map(|&(path, bytes)| (path, Arc::from(bytes))).collect())
    }
}

impl Sources for MapSources {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        // A path outside must not even be asked for.
        assert!(!path.starts_with('/'), "{path} lies outside");
        self.0.get(path).cloned()
    }

    fn exists(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    fn ending_in(&self, _tail: &str) -> Option<String> {
        None
    }

    fn paths(&self, most: usize) -> Option<Vec<String>> {
        let paths = self.0.keys().map(|&path| path.to_owned());
        (self.0.len() <= most).then(|| paths.collect())
    }
}

pub fn written(output: &dyn Output, report: &Report, sources: &dyn Sources, look: Look) -> String {
    let mut out = Vec::new();
    output.write(report, sources, &look.into(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// A report of `runs` (as JSON, with defaults) and `records`, of which each comes from the run at
/// the index beside it.
pub fn report(runs: Vec<Value>, records: Vec<(u32, Value)>, not_run: Value) -> Report {
    let runs: Vec<Run> = runs.into_iter().map(run).collect();
    let origins = records.iter().map(|&(run, _)| Origin { runs: [run].into(), count: 1 }).collect();
    let records: Vec<Diagnostic> =
        records.into_iter().map(|(_, record)| serde_json::from_value(record).unwrap()).collect();
    Report {
        version: REPORT_VERSION,
        outcome: outcome::verdict(runs.iter().map(|run| run.outcome)),
        reason: String::new(),
        id: None,
        scope: Vec::new(),
        counts: Counts::of(&records),
        attribution: None,
        causes: None,
        cause_rules: Vec::new(),
        independent: None,
        declared: Vec::new(),
        route: None,
        policy: Vec::new(),
        adopted: None,
        shard: None,
        runs,
        not_run: serde_json::from_value(not_run).unwrap(),
        records,
        origins,
        duration_ms: 3_210,
    }
}

fn run(given: Value) -> Run {
    let mut run = json!({
        "tool": given["checker"], "format": "none", "exit": 1,
        "termination": {"how": "exited", "code": 1}, "outcome": "fail", "reason": "exit status 1",
    });
    for (key, value) in given.as_object().unwrap() {
        run[key] = value.clone();
    }
    serde_json::from_value(run).unwrap()
}

const PRORATION: &str = include_str!("samples/proration.ts");
const INVOICE: &str = include_str!("samples/invoice.ts");

/// The two errors of the example monorepo.
pub fn two() -> (Report, MapSources) {
    let report = report(
        vec![
            json!({"checker": "tsc", "project": "packages/billing"}),
            json!({"checker": "tsc", "project": "packages/api"}),
            json!({"checker": "eslint", "outcome": "pass", "reason": "exit status 0"}),
        ],
        vec![
            (
                0,
                json!({
                    "tool": "tsc", "severity": "error", "code": "TS2532",
                    "path": "packages/billing/src/proration.ts",
                    "line": 39, "column": 10, "end_line": 39, "end_column": 24,
                    "message": "Object is possibly 'undefined'.",
                }),
            ),
            (
                1,
                json!({
                    "tool": "tsc", "severity": "error", "code": "TS2345",
                    "path": "packages/api/src/routes/invoice.ts",
                    "line": 21, "column": 26, "end_line": 21, "end_column": 51,
                    "message": "Argument of type 'number | undefined' is not assignable to parameter of type 'number'.\n  Type 'undefined' is not assignable to type 'number'.",
                }),
            ),
        ],
        json!([{"checker": "mypy", "reason": "not installed: pip install mypy"}]),
    );
    let sources = MapSources::new(&[
        ("packages/billing/src/proration.ts", PRORATION.as_bytes()),
        ("packages/api/src/routes/invoice.ts", INVOICE.as_bytes()),
    ]);
    (report, sources)
}

/// Every shape of record.
pub fn records() -> Vec<(u32, Value)> {
    let long = |column: u32, end: u32| {
        (
            0,
            json!({"tool": "eslint", "severity": "error", "code": "no-var", "path": "dist/shop.min.js",
            "line": 1, "column": column, "end_line": 1, "end_column": end, "message": "Unexpected var."}),
        )
    };
    vec![
        (
            0,
            json!({"tool": "tsc", "severity": "error", "code": "TS1", "path": "src/plain.ts",
            "line": 3, "column": 3, "end_line": 5, "end_column": 4, "message": "A range of three lines."}),
        ),
        (
            0,
            json!({"tool": "tsc", "severity": "warning", "code": "TS2", "path": "src/plain.ts",
            "line": 8, "column": 9, "message": "No end is given."}),
        ),
        (
            0,
            json!({"tool": "lint", "severity": "info", "path": "src/plain.ts", "line": 8,
            "message": "No column, no code."}),
        ),
        (
            0,
            json!({"tool": "lint", "severity": "hint", "code": "whole-file", "path": "src/plain.ts",
            "message": "No line."}),
        ),
        (
            0,
            json!({"tool": "lint", "severity": "error", "code": "E1",
            "message": "No path.\nSecond line of it."}),
        ),
        (
            0,
            json!({"tool": "rustc", "severity": "error", "code": "E0425", "path": "/usr/lib/rust/core.rs",
            "line": 7, "column": 1, "message": "Outside the repository."}),
        ),
        (
            0,
            json!({"tool": "tsc", "severity": "error", "code": "TS3", "path": "src/gone.ts",
            "line": 4, "column": 2, "end_line": 4, "end_column": 9, "message": "The file can't be read."}),
        ),
        (
            0,
            json!({"tool": "tsc", "severity": "error", "code": "TS4", "path": "src/plain.ts",
            "line": 99, "column": 2, "message": "The file is shorter by now."}),
        ),
        (
            0,
            json!({"tool": "tsc", "severity": "error", "code": "TS5", "path": "src/plain.ts",
            "line": 9, "column": 70, "message": "The line is shorter by now."}),
        ),
        (
            0,
            json!({"tool": "tsc", "severity": "error", "code": "TS6", "path": "src/wide.ts",
            "line": 1, "column": 7, "end_line": 1, "end_column": 10, "message": "Behind a BOM, before CRLF."}),
        ),
        (
            0,
            json!({"tool": "tsc", "severity": "error", "code": "TS7", "path": "src/wide.ts",
            "line": 2, "column": 19, "end_line": 2, "end_column": 22, "message": "Behind tabs, wide characters and an emoji."}),
        ),
        (
            0,
            json!({"tool": "tsc", "severity": "error", "code": "TS8", "path": "src/wide.ts",
            "line": 3, "column": 5, "message": "At the end of a line."}),
        ),
        (
            0,
            json!({"tool": "rustc", "severity": "error", "code": "E0382", "path": "src/main.rs",
            "line": 6, "column": 20, "end_line": 6, "end_column": 24,
            "message": "borrow of moved value: `name`",
            "related": [
                {"path": "src/main.rs", "line": 6, "column": 20, "message": "value borrowed here after move"},
                {"path": "src/main.rs", "line": 4, "column": 9, "end_line": 4, "end_column": 13, "message": "move occurs because it is no copy"},
                {"path": "src/main.rs", "line": 5, "column": 10, "end_line": 5, "end_column": 14, "message": ""},
                {"path": "src/plain.ts", "line": 1, "column": 1, "end_line": 1, "end_column": 6, "message": "declared here"},
                {"path": "/usr/lib/rust/core.rs", "line": 70, "column": 5, "message": "required by this"},
                {"message": "a note without a place"}],
            "suggestion": {"applicability": "unsafe", "message": "consider cloning", "edits": [
                {"path": "src/main.rs", "line": 5, "column": 14, "end_line": 5, "end_column": 14, "text": ".clone()"}]}}),
        ),
        (
            0,
            json!({"tool": "eslint", "severity": "warning", "code": "prefer-const", "path": "src/plain.ts",
            "line": 8, "column": 3, "end_line": 8, "end_column": 6, "message": "Use const.",
            "suggestion": {"applicability": "safe", "edits": [
                {"path": "src/plain.ts", "line": 8, "column": 3, "end_line": 8, "end_column": 6, "text": "const"}],
                "alternatives": [{"applicability": "unsafe", "edits": []}]}}),
        ),
        (
            0,
            json!({"tool": "lint", "severity": "error", "code": "moved", "path": "src/gone.ts",
            "line": 1, "column": 1, "message": "The edit can't be drawn.",
            "suggestion": {"applicability": "incomplete", "message": "move it", "edits": [
                {"path": "src/gone.ts", "line": 1, "column": 1, "end_line": 2, "end_column": 1, "text": ""},
                {"path": "src/other.ts", "line": 3, "column": 1, "end_line": 3, "end_column": 1, "text": "x\n"}]}}),
        ),
        (
            0,
            json!({"tool": "ev\u{1b}[31mil", "severity": "error", "code": "\u{1b}[0mX\n", "path": "src/e\u{1b}[2Jvil\nname: 0 errors.ts",
            "line": 1, "column": 1, "message": "\u{1b}[31mred\u{1b}[0m \u{202e}txet\nsrc/plain.ts\n1 forged"}),
        ),
        (
            0,
            json!({"tool": "ruff", "severity": "error", "code": "F821", "path": "a.ipynb", "cell": 3,
            "line": 2, "column": 1, "message": "In a cell of a notebook."}),
        ),
        long(29_293, 29_308),
        long(29_323, 29_338),
        long(43_648, 43_663),
        (
            1,
            json!({"tool": "mypy", "severity": "error", "code": "name-defined", "path": "api/x.py",
            "line": 1, "column": 7, "end_line": 1, "end_column": 8, "message": "From a run that failed."}),
        ),
    ]
}

/// Files for [`records`].
pub fn sources() -> MapSources {
    let plain = "const a = 1;\n\n  if (a) {\n    b();\n  }\n\nfunction c() {\n  let d = a;\n}\n\n\n\n\n\n\n\n\n\n\nend();\n";
    let wide = "\u{FEFF}const tax = 1;\r\n\t\tconst 名 = \"Ａ🙂\"; tax(名);\r\nx();\r\n";
    let main = "// A comment.\n\nfn main() {\n    let name = String::new();\n    take(name);\n    println!(\"{}\", name);\n}\n";
    let code = ["value = 1\n", "# Of the third cell:\n", "missing(value)\n"];
    let cells = [&code[..1], &code[..1], &code[1..]].map(|source| json!({"source": source}));
    let notebook = json!({"cells": cells, "nbformat": 4, "nbformat_minor": 4}).to_string();
    let mut minified = String::from("!function(){");
    for n in 0.. {
        if minified.len() > 60_000 {
            break;
        }
        minified += &format!("var a{n:04}={n:04};");
    }
    MapSources::new(&[
        ("src/plain.ts", plain.as_bytes()),
        ("src/wide.ts", wide.as_bytes()),
        ("src/main.rs", main.as_bytes()),
        ("src/e\u{1b}[2Jvil\nname: 0 errors.ts", b"\x1b]0;title\x07 evil \xFF\x9B31m\n"),
        ("dist/shop.min.js", minified.as_bytes()),
        ("api/x.py", b"print(x)\n"),
        ("a.ipynb", notebook.as_bytes()),
    ])
}

/// Every shape of run, with [`records`].
pub fn everything() -> Report {
    report(
        vec![
            json!({"checker": "tsc", "notes": ["version 9.9 was never tried"],
                "unrecognised": {"count": 4, "lines": [
                    {"stream": "stdout", "line": 2, "text": "what is \u{1b}[1mthis"},
                    {"stream": "stderr", "line": 9, "text": "and this"}]}}),
            json!({"checker": "mypy", "project": "api", "cwd": "api", "exit": null, "signal": 9,
                "termination": {"how": "signaled", "signal": 9}, "outcome": "harness_error", "partial": true,
                "reason": "ended by signal 9", "argv": ["mypy", "-O", "json", "a dir"],
                "fault": {"stream": "stdout", "line": 2, "kind": "cut_off", "snippet": "{\"file\": \"api/\u{1b}x", "detail": "end of input"}}),
            json!({"checker": "pyright", "exit": null, "outcome": "harness_error",
                "termination": {"how": "not_started", "reason": "not found"},
                "reason": "not found in node_modules/.bin, PATH; install it: npm install -D pyright"}),
            json!({"checker": "eslint", "exit": 0, "outcome": "pass", "reason": "exit status 0",
                "termination": {"how": "exited", "code": 0}, "out_of_scope": 1}),
            json!({"checker": "eslint", "exit": 0, "outcome": "pass", "reason": "exit status 0",
                "termination": {"how": "exited", "code": 0}}),
        ],
        records(),
        json!([{"checker": "ruff", "reason": "not installed: pip install ruff"}]),
    )
}
