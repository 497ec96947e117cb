//! What needs several runs, or files that can't be read; the rest is in `tests/cases/attribute/`.

use obelus_record::{Certainty, Report, Say};
use serde_json::{Value, json};

use super::*;
use crate::present::samples::MapSources;
use crate::{NoSources, reports};

fn report(runs: Value, records: Value) -> Report {
    reports::read(json!({"runs": runs, "records": records}).to_string().as_bytes()).unwrap()
}

fn run(tool: &str, project: &str, version: &str, outcome: &str) -> Value {
    json!({"tool": tool, "project": project, "version": version, "exit": 1, "outcome": outcome})
}

fn record(tool: &str, path: &str, line: u32) -> Value {
    json!({"tool": tool, "severity": "error", "code": "E", "path": path, "line": line, "message": "m"})
}

fn told(before: &Report, after: &Report) -> Attribution {
    let side = |report| Side { report, sources: &NoSources };
    attribute(&side(before), &side(after), &FilePairs::unknown())
}

#[test]
fn each_checker_is_compared_by_itself() {
    let before = report(
        json!([run("tsc", ".", "5.8", "fail"), run("mypy", ".", "1", "harness_error")]),
        json!([record("tsc", "a.ts", 1), record("mypy", "a.py", 1)]),
    );
    let after = report(
        json!([
            run("mypy", ".", "1", "fail"),
            run("tsc", ".", "5.8", "fail"),
            run("ruff", ".", "1", "fail")
        ]),
        json!([
            record("mypy", "a.py", 1),
            record("tsc", "a.ts", 1),
            record("tsc", "b.ts", 1),
            record("ruff", "a.py", 1)
        ]),
    );
    let told = told(&before, &after);
    assert!(!told.attributable);
    assert_eq!(told.say, [Say::BaselineFailed, Say::NotRunBefore]);
    assert_eq!(
        (&told.new[..], &told.fixed[..], &told.unchanged[..]),
        (&[2][..], &[][..], &[(0, 1)][..])
    );
    assert_eq!(told.unattributed.before, [1]);
    assert_eq!(told.unattributed.after, [0, 3]);
    let compared: Vec<(&str, bool)> =
        told.runs.iter().map(|run| (run.checker.as_str(), run.attributable)).collect();
    assert_eq!(compared, [("mypy", false), ("tsc", true), ("ruff", false)]);
}

#[test]
fn a_project_that_came_with_the_change_is_its_own() {
    let before = report(json!([run("tsc", "a", "5", "pass")]), json!([]));
    let after = report(
        json!([run("tsc", "a", "5", "pass"), run("tsc", "b", "5", "fail")]),
        json!([record("tsc", "b/new.ts", 1), record("tsc", "b/old.ts", 1)]),
    );
    let (new, old) = (("b/new.ts", &b"x\n"[..]), ("b/old.ts", &b"x\n"[..]));
    let (was, is) = (MapSources::new(&[old]), MapSources::new(&[new, old]));
    let told = attribute(
        &Side { report: &before, sources: &was },
        &Side { report: &after, sources: &is },
        &FilePairs::unknown(),
    );
    // The file that was there was not checked before: nobody knows.
    assert_eq!((&told.new[..], &told.unattributed.after[..]), (&[0][..], &[1][..]));
    assert_eq!(told.say, [Say::NotRunBefore]);
}

#[test]
fn without_the_files_a_shift_is_likely() {
    let list = |lines: &[u32]| -> Value {
        lines.iter().map(|&line| record("tsc", "a.ts", line)).collect()
    };
    let runs = || json!([run("tsc", ".", "5", "fail")]);
    let told = told(&report(runs(), list(&[1, 5])), &report(runs(), list(&[1, 8, 9])));
    assert_eq!(told.unchanged, [(0, 0), (1, 1)]);
    assert_eq!(told.new, [2]);
    assert_eq!((told.evidence[0].pair, told.evidence[0].certainty), (1, Certainty::Likely));
}

#[test]
fn bare_records_are_held_against_any_run() {
    let bare = reports::read(record("tsc", "a.ts", 1).to_string().as_bytes()).unwrap();
    let runs = json!([run("tsc", ".", "5", "fail"), run("ruff", ".", "5", "fail")]);
    let after = report(runs, json!([record("tsc", "a.ts", 1), record("ruff", "a.py", 1)]));
    let told = told(&bare, &after);
    assert!(told.attributable);
    assert_eq!((&told.unchanged[..], &told.new[..]), (&[(0, 0)][..], &[1][..]));
}

#[test]
fn a_compiler_that_fails_warns_of_nothing() {
    let warning = json!({"tool": "rustc", "severity": "warning", "code": "unused", "path": "a.rs", "line": 1, "message": "m"});
    let error = json!({"tool": "rustc", "severity": "error", "code": "E0308", "path": "b.rs", "line": 1, "message": "m"});
    let runs = |outcome| json!([run("cargo", ".", "1", outcome)]);
    let before = report(runs("pass"), json!([warning]));
    let after = report(runs("fail"), json!([error]));
    let sources = MapSources::new(&[("a.rs", b"let x;\n"), ("b.rs", b"x\n")]);
    let side = |report| Side { report, sources: &sources };
    let told = attribute(&side(&before), &side(&after), &FilePairs::unknown());
    assert_eq!((&told.hidden[..], &told.fixed[..], &told.new[..]), (&[0][..], &[][..], &[0][..]));
    assert_eq!(told.say, [Say::NotAnalysedAfter]);
    assert_eq!(told.baseline.records[0].index, 0);
}

#[test]
fn known_edits_and_renames_spare_the_reading() {
    let runs = || json!([run("tsc", ".", "5", "fail")]);
    let before = report(runs(), json!([record("tsc", "a.ts", 1), record("tsc", "b.ts", 2)]));
    let after = report(runs(), json!([record("tsc", "a.ts", 1), record("tsc", "c.ts", 3)]));
    let was = MapSources::new(&[("b.ts", b"one();\ntwo();\n")]);
    let is = MapSources::new(&[("c.ts", b"zero();\none();\ntwo();\n")]);
    let told = attribute(
        &Side { report: &before, sources: &was },
        &Side { report: &after, sources: &is },
        &FilePairs::known(["c.ts".into()], [("b.ts".into(), "c.ts".into())]),
    );
    assert_eq!(told.unchanged, [(0, 0), (1, 1)]);
    assert!(told.evidence[0].moved);
}

fn in_cell(cell: u32, line: u32) -> Value {
    let mut record = record("ruff", "a.ipynb", line);
    record["cell"] = json!(cell);
    record
}

const NOTEBOOK: &[u8] =
    b"{\"cells\": [\n{\"source\": [\"one()\\n\"]},\n{\"source\": [\"two()\\n\"]}\n]}\n";
/// With a cell above.
const LONGER: &[u8] = b"{\"cells\": [\n{\"source\": \"zero()\"},\n{\"source\": [\"one()\\n\"]},\n{\"source\": [\"two()\\n\"]}\n]}\n";

#[test]
fn lines_of_a_notebook_and_of_its_cells_are_told_apart() {
    let runs = || json!([run("ruff", ".", "1", "fail")]);
    let before =
        report(runs(), json!([in_cell(1, 1), in_cell(2, 1), record("ruff", "a.ipynb", 2)]));
    let after = report(
        runs(),
        json!([in_cell(1, 1), in_cell(2, 1), in_cell(3, 1), record("ruff", "a.ipynb", 3)]),
    );
    let (was, is) =
        (MapSources::new(&[("a.ipynb", NOTEBOOK)]), MapSources::new(&[("a.ipynb", LONGER)]));
    let told = attribute(
        &Side { report: &before, sources: &was },
        &Side { report: &after, sources: &is },
        &FilePairs::unknown(),
    );
    assert_eq!((&told.new[..], &told.fixed[..]), (&[0][..], &[][..]));
    assert_eq!(told.unchanged, [(0, 1), (1, 2), (2, 3)]);
    assert!(told.evidence.is_empty(), "{:?}", told.evidence);
}

#[test]
fn a_notebook_that_cannot_be_read_on_one_side_is_compared_by_what_is_said() {
    let runs = || json!([run("ruff", ".", "1", "fail")]);
    let before = report(runs(), json!([in_cell(1, 1)]));
    let after = report(runs(), json!([in_cell(1, 4)]));
    let is = MapSources::new(&[("a.ipynb", NOTEBOOK)]);
    let cut = MapSources::new(&[("a.ipynb", &NOTEBOOK[..20])]);
    for was in [&NoSources as &dyn Sources, &cut] {
        let told = attribute(
            &Side { report: &before, sources: was },
            &Side { report: &after, sources: &is },
            &FilePairs::unknown(),
        );
        assert_eq!(told.unchanged, [(0, 0)]);
        assert_eq!(told.evidence[0].certainty, Certainty::Likely);
    }
}

#[test]
fn a_file_that_says_little_is_known_again_by_all_of_it() {
    let runs = || json!([run("tsc", ".", "5", "fail")]);
    let report = |paths: &[&str]| {
        let records: Vec<Value> = paths.iter().map(|path| record("tsc", path, 1)).collect();
        report(runs(), json!(records))
    };
    type Files<'a> = &'a [(&'static str, &'static [u8])];
    let told = |was: Files<'_>, is: Files<'_>| {
        let paths = |files: Files<'_>| report(&files.iter().map(|file| file.0).collect::<Vec<_>>());
        let (before, after) = (paths(was), paths(is));
        let (was, is) = (MapSources::new(was), MapSources::new(is));
        attribute(
            &Side { report: &before, sources: &was },
            &Side { report: &after, sources: &is },
            &FilePairs::unknown(),
        )
    };
    // Of two that went, the one of the same name.
    let moved = told(&[("b/a.ts", b"f()\n"), ("a/b.ts", b"f()\n")], &[("c/b.ts", b"f()\n")]);
    assert_eq!((&moved.unchanged[..], &moved.fixed[..]), (&[(1, 0)][..], &[0][..]));
    // The file is there still, and was edited: the other one is new.
    let edited = told(&[("a.ts", b"f()\n")], &[("a.ts", b"f()\ng()\nh()\n"), ("b.ts", b"f()\n")]);
    assert_eq!((&edited.unchanged[..], &edited.new[..]), (&[(0, 0)][..], &[1][..]));
    // However many there are, each is one of the others.
    let each: Vec<(u32, u32)> = (0..40).map(|number| (number, number)).collect();
    for (was, is) in [("p#/__init__.py", "src/p#/__init__.py"), ("a#.ts", "b#.ts")] {
        let files = |path: &str| -> Vec<(&'static str, &'static [u8])> {
            let path = |number: u32| path.replace('#', &number.to_string()).leak();
            (0..40).map(|number| (&*path(number), &b"f()\n"[..])).collect()
        };
        assert_eq!(told(&files(was), &files(is)).unchanged, each);
    }
    // Nothing tells one empty file from another.
    let blank = told(&[("a.ts", b" \n")], &[("b.ts", b" \n")]);
    assert_eq!((&blank.fixed[..], &blank.new[..]), (&[0][..], &[0][..]));
}
