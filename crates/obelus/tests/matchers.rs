//! `obelus parse --problem-matcher`: matchers of VS Code and GitHub on what real tools printed.

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{Done, Repo, captured};

fn case(name: &str) -> PathBuf {
    let cases = captured::cases().into_iter();
    cases.filter(|(known, _)| known == name).map(|(_, folder)| folder).next().expect("the case")
}

/// `obelus parse` on the captured output of a case, by a matcher or a format.
fn parse(folder: &Path, how: [&str; 2]) -> Value {
    let text = std::fs::read(folder.join("case.json")).expect("the case is described");
    let case: Value = serde_json::from_slice(&text).expect("it is JSON");
    let root = case["root"].as_str().expect("it has a root");
    let done: Done = std::process::Command::new(env!("CARGO_BIN_EXE_obelus"))
        .args(["parse", "--tool", "t", "--root", root, "--exit", "1", "--output", "json"])
        .args(how)
        .arg("--source")
        .arg(folder.join("src"))
        .arg(folder.join("stdout"))
        .output()
        .expect("obelus runs")
        .into();
    done.report()
}

/// Where each record is, and what, sorted: a matcher knows no ends, and no order of projects.
fn places(report: &Value) -> Vec<String> {
    let records = report["records"].as_array().expect("there are records").iter();
    let shape = |r: &Value| {
        format!("{} {} {} {} {}", r["path"], r["line"], r["column"], r["severity"], r["code"])
    };
    let mut places: Vec<String> = records.map(shape).collect();
    places.sort();
    places
}

#[test]
fn named_matchers_place_findings_as_the_formats_do() {
    for (name, matcher, format, count) in [
        ("tsc/fail-basic", "$tsc", "tsc-text", 5),
        ("tsc/build-mode", "$tsc", "tsc-text", 4),
        ("tsc/crlf", "$tsc", "tsc-text", 3),
        ("eslint/stylish", "$eslint-stylish", "eslint-stylish", 9),
    ] {
        let folder = case(name);
        let by_matcher = places(&parse(&folder, ["--problem-matcher", matcher]));
        assert_eq!(by_matcher, places(&parse(&folder, ["--format", format])), "{name}");
        assert_eq!(by_matcher.len(), count, "{name}");
    }
}

#[test]
fn a_file_defines_a_matcher_and_what_is_wrong_in_it_is_told() {
    let repo = Repo::empty();
    repo.write("src/a.x", "caf\u{E9} \u{1F642} x\n").write("out", "hello\n[W] src/a.x@1:8 odd\n");
    let args = ["parse", "--problem-matcher", "m.json", "--tool", "house", "--output", "json"];
    let root = repo.root().to_str().expect("the root is UTF-8");
    let run = |more: &[&str]| {
        let rest = ["--root", root, "--source", root, "--exit"];
        repo.obelus(&[&args[..], &rest, more].concat())
    };
    repo.write(
        "m.json",
        r#"{"problemMatcher": [{"owner": "house", "pattern": [{
            "regexp": "^\\[(\\w)\\] (.+)@(\\d+):(\\d+) (.*)$",
            "severity": 1, "file": 2, "line": 3, "column": 4, "message": 5}]}]}"#,
    );
    // Column 8 in UTF-16 is behind the smiling face, which is one character.
    let report = run(&["0", "out"]).report();
    assert_eq!(support::lines(&report), ["house warning - src/a.x:1:7--:- odd"]);
    assert_eq!(
        (&report["outcome"], &report["runs"][0]["format"]),
        (&"pass".into(), &"house".into())
    );
    assert_eq!(report["runs"][0]["unrecognised"]["count"], 1);
    repo.write("clean", "all is well\n");
    assert_eq!(run(&["0", "clean"]).report()["outcome"], "pass");
    assert_eq!(run(&["1", "clean"]).report()["outcome"], "harness_error");

    repo.replace("m.json", "^\\\\[", "(?!x)");
    let done = run(&["0", "out"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert!(
        done.stderr.starts_with("obelus: m.json, line 2, column 24: looking ahead ((?!…)"),
        "{}",
        done.stderr
    );
}

#[test]
fn one_of_format_and_matcher_is_needed() {
    let repo = Repo::empty();
    let done = repo.obelus(&["parse", "--tool", "t", "--root", "/r"]);
    assert_eq!(done.status, Some(2));
    let done = repo.obelus(&["parse", "--problem-matcher", "$nope", "--tool", "t", "--root", "/r"]);
    assert_eq!(done.status, Some(2));
    assert!(done.stderr.contains("there is no matcher \"$nope\""), "{}", done.stderr);
}
