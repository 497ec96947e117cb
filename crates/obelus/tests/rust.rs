//! cargo check, clippy and rustc, as installed, on the example repositories.

mod support;

use support::{Done, Repo, lines, path_of};

const LEDGER: [&str; 2] = [
    "rustc error E0507 ledger/src/lib.rs:16:21-16:35 cannot move out of `entry.customer` which is behind a shared reference",
    "rustc error E0308 ledger/src/lib.rs:23:39-23:50 mismatched types",
];
const TAX: &str =
    "rustc warning unused_variables tax/src/lib.rs:12:37-12:43 unused variable: `unused`";

fn check(repo: &Repo, checker: &str) -> Done {
    repo.obelus(&["check", checker, "--output", "json"])
}

#[test]
fn cargo_check_reports_each_target_once() {
    let repo = Repo::example("rust-workspace");
    let done = check(&repo, "cargo-check");
    let report = done.report();
    assert_eq!(done.status, Some(1));
    assert_eq!(lines(&report), [LEDGER[0], LEDGER[1], TAX]);
    // The library and its tests both say it.
    assert_eq!(report["origins"][0]["count"], 2);
    assert_eq!(report["records"][2]["suggestion"]["applicability"], "safe");
}

#[test]
fn clippy_speaks_for_cargo_check() {
    let repo = Repo::example("rust-workspace");
    let done = repo.obelus(&["check", "--output", "json"]);
    let report = done.report();
    assert_eq!(done.status, Some(1));
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["runs"][0]["checker"], "clippy");
    let not_run = report["not_run"].as_array().expect("what was not run");
    let cargo_check = not_run.iter().find(|entry| entry["checker"] == "cargo-check");
    assert_eq!(cargo_check.expect("it is told")["reason"], "clippy reports what it would report");
    let found = lines(&report);
    for line in LEDGER.into_iter().chain([
        TAX,
        "clippy warning clippy::needless_return tax/src/lib.rs:14:29-14:38 unneeded `return` statement",
        "clippy warning clippy::needless_range_loop tax/src/lib.rs:22:14-22:30 the loop variable `i` is only used to index `amounts`",
    ]) {
        assert!(found.iter().any(|other| other == line), "{line} is among {found:#?}");
    }
    assert_eq!(found.len(), 5);
}

#[test]
fn clean_code_passes() {
    let repo = Repo::example("rust-workspace");
    repo.write("ledger/src/lib.rs", "//! Nothing.\n").write("tax/src/lib.rs", "//! Nothing.\n");
    let done = repo.obelus(&["check", "--output", "json"]);
    assert_eq!((done.status, lines(&done.report())), (Some(0), vec![]), "{}", done.stdout);
}

#[test]
fn a_manifest_that_does_not_parse_is_a_harness_error() {
    let repo = Repo::example("rust-workspace");
    repo.write("tax/Cargo.toml", "[package\n");
    let done = check(&repo, "cargo-check");
    let report = done.report();
    assert_eq!(done.status, Some(70));
    assert_eq!(report["runs"][0]["exit"], 101);
    assert_eq!(
        report["runs"][0]["reason"],
        "cargo printed no message at all, so it did not begin to build; it said: \"error: unclosed table, expected `]`\""
    );
}

#[test]
fn cargo_missing_is_a_harness_error() {
    let repo = Repo::example("rust-workspace");
    let path = path_of(&[]);
    let done: Done = repo
        .command(&["check", "--output", "json"])
        .env("PATH", path.path())
        .output()
        .expect("obelus runs")
        .into();
    assert_eq!(done.status, Some(70));
    let report = done.report();
    let reason = report["runs"][0]["reason"].as_str().unwrap_or_default();
    assert!(
        reason.starts_with("cargo is not installed, although Cargo.toml declares it"),
        "{reason}"
    );
}

#[test]
fn rustc_checks_a_file_outside_a_package() {
    let repo = Repo::example("rust-single");
    let done = check(&repo, "rustc");
    let report = done.report();
    assert_eq!(done.status, Some(1), "{}", done.stdout);
    assert_eq!(lines(&report), ["rustc error E0308 main.rs:11:43-11:57 mismatched types"]);
    let related: Vec<&str> = report["records"][0]["related"]
        .as_array()
        .expect("related places")
        .iter()
        .filter_map(|place| place["message"].as_str())
        .collect();
    assert_eq!(related, ["expected `i64`, found `Option<i64>`", "expected due to this"]);
    assert_eq!(report["records"][0]["suggestion"]["applicability"], "incomplete");
    let mut left: Vec<String> = std::fs::read_dir(repo.root())
        .expect("the folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    assert_eq!(left, [".obelus", "README.md", "main.rs", "obelus.toml"]);
}
