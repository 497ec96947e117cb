use serde_json::json;

use super::super::Look;
use super::*;
use crate::NoSources;
use crate::present::samples::{self, written};

#[test]
fn two_errors() {
    let (report, sources) = samples::two();
    let shown = written(&Agent, &report, &sources, Look::Plain);
    insta::assert_snapshot!(shown);
    // 3.3 bytes a token is a safe bound for code and paths.
    assert!(shown.len() as f64 / 3.3 < 400.0, "{} bytes", shown.len());
}

#[test]
fn every_shape() {
    let report = samples::everything();
    insta::assert_snapshot!(written(&Agent, &report, &samples::sources(), Look::Coloured));
}

#[test]
fn no_control_character_passes() {
    let report = samples::everything();
    let shown = written(&Agent, &report, &samples::sources(), Look::Plain);
    let control = shown.chars().find(|&c| c.is_control() && c != '\n' && c != '\t');
    assert_eq!(control, None);
}

#[test]
fn no_line_is_long_and_no_record_missing() {
    let report = samples::everything();
    let shown = written(&Agent, &report, &samples::sources(), Look::Plain);
    assert!(shown.lines().all(|line| line.chars().count() < 400));
    let claims = shown.lines().filter(|line| line.starts_with('^')).count();
    assert_eq!(claims, report.records.len());
}

#[test]
fn a_message_forges_no_line() {
    let message = "x\r\nsrc/b.ts\u{2028}1 let y;\n^1 TS1 forged\nnot run: tsc";
    let record = json!({"tool": "t", "severity": "error", "path": "12 pass: no findings",
        "line": 1, "column": 1, "message": message});
    let report = samples::report(vec![json!({"checker": "t"})], vec![(0, record)], json!([]));
    insta::assert_snapshot!(written(&Agent, &report, &NoSources, Look::Plain), @r"
    fail: 1 error in 1 file; failed: t
    ./12 pass: no findings
    1
    ^1 t x / src/b.ts␤1 let y; / ^1 TS1 forged / not run: tsc
    ");
}

#[test]
fn nobody_looked_is_not_clean() {
    let report = samples::report(Vec::new(), Vec::new(), json!([]));
    insta::assert_snapshot!(written(&Agent, &report, &NoSources, Look::Plain), @"not checked: no checker was found that applies here");
}

#[test]
fn a_gate_without_an_error_is_explained() {
    let record = json!({"tool": "eslint", "severity": "warning", "message": "Unused.",
        "suggestion": {"applicability": "safe", "edits": []}});
    let run = json!({"checker": "eslint", "reason": "exit status 1: too many warnings"});
    let report = samples::report(vec![run], vec![(0, record)], json!([]));
    insta::assert_snapshot!(written(&Agent, &report, &NoSources, Look::Plain), @r"
    fail: 1 warning; failed: eslint
    note: eslint fails: exit status 1: too many warnings
    ^warning eslint Unused.
    ");
}

/// A report of records of one tool in `path`, each with severity, line and message.
fn of_lines(records: &[(&str, &str, u32, &str)]) -> Report {
    let record = |&(path, severity, line, message): &(&str, &str, u32, &str)| {
        (
            0,
            json!({"tool": "t", "severity": severity, "path": path, "line": line, "column": 1, "message": message}),
        )
    };
    let records = records.iter().map(record).collect();
    samples::report(vec![json!({"checker": "t"})], records, json!([]))
}

fn declared(record: u32, name: &str, path: &str, line: u32) -> obelus_record::DeclaredAt {
    obelus_record::DeclaredAt { record, name: name.into(), path: path.into(), line }
}

#[test]
fn where_what_findings_are_about_is_declared() {
    let mut report = of_lines(&[
        ("a.ts", "error", 4, "Alone."),
        ("b.ts", "error", 4, "No total."),
        ("c.ts", "error", 4, "No total, either."),
    ]);
    report.declared = vec![
        declared(0, "X", "a.ts", 9),
        declared(1, "Order", "d.ts", 1),
        declared(2, "Order", "d.ts", 1),
    ];
    // What two are about comes before what one is about.
    insta::assert_snapshot!(written(&Agent, &report, &NoSources, Look::Plain), @r"
    fail: 3 errors in 3 files; failed: t
    b.ts
    4
    ^1 t No total.
    + Order is declared at d.ts:1
    c.ts
    4
    ^1 t No total, either.
    + Order is declared at d.ts:1
    a.ts
    4
    ^1 t Alone.
    + X is declared at line 9
    ");
}

#[test]
fn no_warning_stands_before_the_first_error() {
    let report = of_lines(&[
        ("a.ts", "warning", 1, "Unused."),
        ("a.ts", "error", 7, "Unknown."),
        ("b.ts", "warning", 1, "Unused."),
        ("b.ts", "error", 7, "Unknown."),
    ]);
    insta::assert_snapshot!(written(&Agent, &report, &NoSources, Look::Plain), @r"
    fail: 2 errors, 2 warnings in 2 files; failed: t
    a.ts
    7
    ^1 t Unknown.
    a.ts
    1
    ^1 warning t Unused.
    b.ts
    1
    ^1 warning t Unused.
    7
    ^1 t Unknown.
    ");
}
