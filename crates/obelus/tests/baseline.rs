//! Adopted findings, and changes to what judges.

mod support;

use serde_json::Value;
use support::{Done, Repo};

const FINDINGS: &str = "a.ts(1,1): error TS1: no good\na.ts(2,1): error TS1: no good\n";

/// A repository whose checker prints `findings.txt`.
fn repo() -> Repo {
    let repo = Repo::empty();
    repo.with_fake(&["out-file:findings.txt", "exit:1"], "tsc-text", "");
    repo.write("a.ts", "let one;\nlet two;\n").write("findings.txt", FINDINGS);
    repo
}

fn check(repo: &Repo, more: &[&str]) -> Done {
    repo.obelus(&[&["check", "--output", "json"], more].concat())
}

fn statements(report: &Value) -> Vec<String> {
    let empty = Vec::new();
    let changes = report["policy"].as_array().unwrap_or(&empty);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let told = |change: &Value| {
        format!(
            "{} {}: {}",
            text(&change["effect"]),
            text(&change["file"]),
            text(&change["statement"])
        )
    };
    changes.iter().map(told).collect()
}

#[test]
fn adopted_findings_fail_nothing_and_the_file_only_shrinks() {
    let repo = repo();
    let done = repo.obelus(&["baseline", "adopt"]);
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(done.stdout, "obelus-baseline.txt: 2 findings, 2 added, 0 taken out\n");
    let report = check(&repo, &[]).report();
    assert_eq!(
        (&report["outcome"], &report["adopted"]["standing"]),
        (&"pass".into(), &serde_json::json!([0, 1]))
    );

    // One is gone, the other is elsewhere now, a third one came.
    repo.write("a.ts", "// above\nlet two;\nlet three;\n");
    repo.write("findings.txt", "a.ts(2,1): error TS1: no good\na.ts(3,1): error TS1: no good\n");
    let done = check(&repo, &[]);
    assert_eq!(
        (done.status, done.report()["adopted"]["stale"].clone()),
        (Some(1), serde_json::json!([3]))
    );
    let done = repo.obelus(&["baseline", "adopt"]);
    assert_eq!(
        (done.status, done.stdout.as_str()),
        (
            Some(1),
            "obelus-baseline.txt: 1 finding, 0 added, 1 taken out\n\
             not adopted: a.ts:3: fake: no good\n\
             these are new: fix them, or adopt them with --allow-growth\n"
        )
    );
    let done = repo.obelus(&["baseline", "adopt", "--allow-growth"]);
    assert_eq!(done.stdout, "obelus-baseline.txt: 2 findings, 1 added, 0 taken out\n");
    let file = repo.read("obelus-baseline.txt");
    let lines: Vec<&str> = file.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(
        lines.is_sorted() && lines.iter().all(|line| line.starts_with("a.ts\tfake\tTS1\t")),
        "{file}"
    );
    assert_eq!(check(&repo, &[]).status, Some(0));
}

#[test]
fn what_a_failed_checker_did_not_see_stays_adopted() {
    let repo = repo();
    repo.obelus(&["baseline", "adopt"]);
    let file = repo.read("obelus-baseline.txt");
    repo.remove("findings.txt");
    let done = repo.obelus(&["baseline", "adopt"]);
    assert_eq!(done.status, Some(70));
    assert!(done.stdout.contains("harness error: fake: "), "{}", done.stdout);
    assert_eq!(repo.read("obelus-baseline.txt"), file);
}

#[test]
fn a_damaged_file_is_told_before_anything_runs() {
    let repo = repo();
    repo.write("obelus-baseline.txt", "<<<<<<< HEAD\n");
    let done = check(&repo, &[]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert!(
        done.stderr.contains("obelus-baseline.txt, line 1: a merge conflict"),
        "{}",
        done.stderr
    );
    assert!(!repo.root().join(".obelus").exists());
}

#[test]
fn a_change_that_loosens_what_judges_it_is_told_first() {
    let repo = repo();
    repo.write("tsconfig.json", "{}\n").committed();
    let config = repo.read("obelus.toml");
    repo.write("obelus.toml", &format!("{config}severity = {{ error = \"warning\" }}\n"));
    repo.obelus(&["baseline", "adopt"]);
    let done = repo.obelus(&["check", "fake", "--since", "HEAD", "--output", "json"]);
    assert_eq!(
        statements(&done.report()),
        [
            "loosened obelus.toml: error of fake counts as warning, was error",
            "loosened obelus-baseline.txt: 2 findings more are adopted",
        ]
    );
    let agent = repo.obelus(&["check", "fake", "--since", "HEAD", "--output", "agent"]).stdout;
    let second = agent.lines().nth(1).unwrap_or_default();
    assert!(
        second.starts_with("policy: this change loosens what judges it: obelus.toml: "),
        "{agent}"
    );
}

#[test]
fn the_bases_rules_judge_where_that_is_asked_for() {
    let repo = repo();
    repo.committed();
    let config = repo.read("obelus.toml");
    repo.write(
        "obelus.toml",
        &format!("{config}severity = {{ error = \"info\" }}\nenabled = false\n"),
    );
    repo.write("findings.txt", &format!("{FINDINGS}b.ts(1,1): error TS1: no good\n"))
        .write("b.ts", "\n");
    let since = ["check", "--since", "HEAD", "--output", "json"];
    let work = repo.obelus(&since).report();
    assert_eq!(work["runs"], serde_json::json!([]));
    let done = repo.obelus(&[&since[..], &["--policy", "base"]].concat());
    let base = done.report();
    assert_eq!(
        (done.status, base["attribution"]["new"].clone()),
        // Behind what the checker found stand the two lines that would have silenced it.
        (Some(1), serde_json::json!([2, 3, 4]))
    );
    assert_eq!(base["records"][2]["severity"], "error");
    assert_eq!(statements(&base), statements(&work));
    let told = "loosened obelus.toml: fake is switched off";
    assert!(statements(&work).iter().any(|one| one == told), "{:?}", statements(&work));
}

#[test]
fn a_checkers_own_configuration_is_told_with_who_reads_it() {
    let repo = Repo::example("ts-app");
    repo.with_node_modules("ts6").write(".gitignore", "node_modules\n").committed();
    let config = repo.read("tsconfig.json");
    assert!(config.contains("\"strict\": true"), "{config}");
    repo.replace("tsconfig.json", "\"strict\": true", "\"strict\": false");
    let report = repo.obelus(&["check", "tsc", "--since", "HEAD", "--output", "json"]).report();
    assert_eq!(statements(&report), ["changed tsconfig.json: it changed, and tsc reads it"]);
}

#[test]
fn all_findings_fail_where_that_is_asked_for() {
    let repo = repo();
    repo.committed();
    repo.write("a.ts", "let one;\nlet two;\n\n");
    assert_eq!(check(&repo, &["--since", "HEAD"]).status, Some(0));
    assert_eq!(check(&repo, &["--since", "HEAD", "--fail-on", "any"]).status, Some(1));
    assert_eq!(check(&repo, &["--fail-on", "any"]).status, Some(2));
}
