use serde_json::json;

use super::super::Look;
use super::*;
use crate::NoSources;
use crate::present::samples::{self, MapSources, written};

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

/// Functions with blocks, blank lines and comments.
fn code(functions: u32) -> String {
    let function = |n| {
        format!(
            "// Number {n}.\nexport function get{n}(id: string) {{\n  const found = read(id);\n\n  if (!found) {{\n    \
             throw new Error(id);\n  }} else {{\n    log(found, {n});\n  }}\n  return found.value{n};\n}}\n\n"
        )
    };
    (0..functions).map(function).collect()
}

/// What the text says: path, line, column, code, message, and what is in brackets.
fn read_back(text: &str, sources: &MapSources) -> Vec<serde_json::Value> {
    let (mut path, mut line, mut said) = ("", 0, Vec::new());
    for text in text.lines().skip(1) {
        if let Some(claim) = text.strip_prefix('^') {
            let (column, claim) = claim.split_once(' ').unwrap();
            let (code, claim) = claim.split_once(' ').unwrap();
            let (message, see) = claim.split_once(" (see ").unwrap_or((claim, ""));
            let (at, what) = see.trim_end_matches(')').split_once(": ").unwrap_or_default();
            let (other, at) = match at.strip_prefix("line ") {
                Some(line) => (path, line),
                None => at.rsplit_once(':').unwrap_or_default(),
            };
            said.push(json!([
                path,
                line,
                column.parse::<u32>().unwrap(),
                code,
                message,
                other,
                at,
                what
            ]));
        } else if text.starts_with(|c: char| c.is_ascii_digit()) {
            let (number, code) = text.split_once(' ').unwrap();
            line = number.parse::<usize>().unwrap();
            let source = String::from_utf8(sources.read(path).unwrap().to_vec()).unwrap();
            assert_eq!(source.lines().nth(line - 1), Some(code));
        } else if text != "…" {
            path = text;
        }
    }
    said
}

#[test]
fn everything_can_be_read_back() {
    let code = code(9);
    let sources = MapSources::new(&[("src/a.ts", code.as_bytes()), ("src/b.ts", code.as_bytes())]);
    let (mut records, mut want) = (Vec::new(), Vec::new());
    for (n, path) in (1..=94_u32).map(|n| (n, ["src/a.ts", "src/b.ts"][n as usize / 48])) {
        let line = n % 47 * 2 + 1;
        let (column, message) = (n % 5 + 1, format!("Cannot find name 'x{n}'."));
        let (other, at, what) = match n % 4 {
            0 => (path, line + 3, format!("'x{n}' is declared here.")),
            1 => ("src/c.ts", n, "Or this.".to_owned()),
            _ => ("", 0, String::new()),
        };
        let related = json!([{"path": other, "line": at, "column": 1, "message": &what}]);
        let related = if what.is_empty() { json!([]) } else { related };
        let code = format!("TS{n}");
        let at = if at == 0 { String::new() } else { at.to_string() };
        want.push(json!([path, line, column, &code, &message, other, at, what]));
        records.push((
            0,
            json!({"tool": "tsc", "severity": "error", "code": code, "path": path,
            "line": line, "column": column, "message": message, "related": related}),
        ));
    }
    let report = samples::report(vec![json!({"checker": "tsc"})], records, json!([]));
    let mut said = read_back(&written(&Agent, &report, &sources, Look::Plain), &sources);
    for list in [&mut said, &mut want] {
        list.sort_by_key(|said| said[3].to_string());
    }
    assert_eq!(said, want);
}

/// Warnings above an error wait for it; one that lies right below it is told with it.
#[test]
fn a_page_opens_with_its_errors() {
    let text: &[u8] = b"use a;\nlet b;\nlet c;\nlet d;\nlet e;\nlet f;\nlet g;\nlet h;\nlet i;\n";
    let sources = MapSources::new(&[("a.rs", text), ("b.rs", text)]);
    let at = |severity: &str, path: &str, line: u32| {
        let record = json!({"tool": "t", "severity": severity, "path": path, "line": line,
            "column": 5, "message": format!("{severity} of line {line}")});
        (0, record)
    };
    let records = vec![
        at("warning", "b.rs", 1),
        at("warning", "a.rs", 1),
        at("warning", "a.rs", 6),
        at("error", "a.rs", 7),
        at("warning", "a.rs", 8),
    ];
    let report = samples::report(vec![json!({"checker": "t"})], records, json!([]));
    insta::assert_snapshot!(written(&Agent, &report, &sources, Look::Plain), @r"
    fail: 1 error, 4 warnings in 2 files; failed: t
    a.rs
    2 let b;
    3 let c;
    4 let d;
    5 let e;
    6 let f;
    7 let g;
    ^5 t error of line 7
    8 let h;
    ^5 warning t warning of line 8
    9 let i;
    …
    1 use a;
    ^5 warning t warning of line 1
    6 let f;
    ^5 warning t warning of line 6
    b.rs
    1 use a;
    ^5 warning t warning of line 1
    2 let b;
    3 let c;
    4 let d;
    5 let e;
    6 let f;
    ");
}

/// Of two files with errors, the one that the other imports comes first; warnings come last.
#[test]
fn what_others_are_built_on_comes_first() {
    let sources = MapSources::new(&[
        ("app.py", b"import base\nimport warned\nx()\n"),
        ("base.py", b"y()\n"),
        ("warned.py", b"z()\n"),
    ]);
    let at = |severity: &str, path: &str, line: u32| {
        let record = json!({"tool": "t", "severity": severity, "path": path, "line": line,
            "column": 1, "message": "no"});
        (0, record)
    };
    let records =
        vec![at("error", "app.py", 3), at("warning", "warned.py", 1), at("error", "base.py", 1)];
    let report = samples::report(vec![json!({"checker": "t"})], records, json!([]));
    let shown = written(&Agent, &report, &sources, Look::Plain);
    let files: Vec<&str> = shown.lines().filter(|line| line.ends_with(".py")).collect();
    assert_eq!(files, ["base.py", "app.py", "warned.py"]);
}

/// What lies in the body of a function comes before others where its head was edited.
#[test]
fn a_body_belongs_to_its_edited_head() {
    let sources = MapSources::new(&[
        ("a.py", b"x = 1\ny()\n"),
        ("b.py", b"def f(n):\n    if n:\n        return g(n)\n\nz()\n"),
    ]);
    let at = |path: &str, line: u32| {
        let record = json!({"tool": "t", "severity": "error", "path": path, "line": line,
            "column": 1, "message": "no"});
        (0, record)
    };
    let edit = |line: u32| obelus_record::EditedLines {
        path: "b.py".into(),
        line,
        end_line: line + 1,
        names: Vec::new(),
        within: Vec::new(),
    };
    let told = |record: u32, line: u32| {
        let records = vec![at("a.py", 2), at("b.py", record)];
        let mut report = samples::report(vec![json!({"checker": "t"})], records, json!([]));
        report.attribution = Some(Box::new(obelus_record::Attribution {
            attributable: true,
            new: vec![0, 1],
            edits: vec![edit(line)],
            ..Default::default()
        }));
        let shown = written(&Agent, &report, &sources, Look::Plain);
        let files = shown.lines().filter(|line| line.ends_with(".py"));
        files.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(told(3, 1), ["b.py", "a.py"]);
    assert_eq!(told(5, 1), ["a.py", "b.py"]);
    // The file is shorter by now.
    assert_eq!(told(9, 1), ["a.py", "b.py"]);
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
