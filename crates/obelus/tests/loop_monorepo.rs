//! The example monorepo, from its broken state to clean, with the real compiler and a scripted agent.
#![cfg(unix)]

mod support;

use serde_json::Value;
use support::{Done, Repo};

/// A tenth of three raw build logs of more than 5,000 tokens each.
const MOST_TOKENS: u64 = 1500;

const FILE: &str = "packages/billing/src/proration.ts";

fn repo() -> Repo {
    let repo = Repo::example("monorepo");
    repo.write(".gitignore", "node_modules\n").committed().with_node_modules("ts6");
    repo
}

/// A loop whose agent puts one of these in place of the faulty expression, round after round.
fn run(repo: &Repo, expressions: &[&str]) -> Done {
    let case =
        |(number, expression): (usize, &&str)| format!("{}) new='{expression}' ;;", number + 1);
    let cases: Vec<String> = expressions.iter().enumerate().map(case).collect();
    let agent = format!(
        "case $OBELUS_LOOP_ROUND in {} esac; sed \"s/return findRate(plan).*/return $new;/\" {FILE} > .obelus/new && cat .obelus/new > {FILE}",
        cases.join(" ")
    );
    let task = "Make the build pass.";
    repo.obelus(&["loop", "--fail-on", "any", "--agent-command", &agent, task, "--output", "json"])
}

fn rounds(report: &Value) -> Vec<(String, u64, u64)> {
    let rounds = report["rounds"].as_array().expect("rounds");
    let number = |value: &Value| value.as_u64().expect("a number");
    rounds
        .iter()
        .map(|round| {
            let word = round["decision"].as_str().expect("a word").to_owned();
            (word, number(&round["new"]), number(&round["fixed"]))
        })
        .collect()
}

#[test]
fn two_rounds_lead_from_broken_to_clean() {
    let repo = repo();
    let done = run(&repo, &["findRate(plan)?.monthly", "findRate(plan)?.monthly ?? 0"]);
    let report = done.report();
    assert_eq!(
        rounds(&report),
        [("continue".to_owned(), 1, 1), ("clean".to_owned(), 0, 2)],
        "{}",
        done.stderr
    );
    assert_eq!(done.status, Some(0));
    assert!(repo.read(FILE).contains("return findRate(plan)?.monthly ?? 0;"));
    assert_eq!(repo.obelus(&["check"]).status, Some(0));
}

#[test]
fn three_rounds_cost_less_than_a_tenth_of_three_logs() {
    let repo = repo();
    let done = run(
        &repo,
        &[
            "findRate(plan)?.monthly",
            "findRate(plan)?.monthly ?? \\\"0\\\"",
            "findRate(plan)?.monthly ?? 0",
        ],
    );
    let report = done.report();
    let words: Vec<String> = rounds(&report).into_iter().map(|(word, ..)| word).collect();
    assert_eq!(words, ["continue", "continue", "clean"], "{}", done.stderr);
    let sent = report["tokens_sent"].as_u64().expect("a number");
    assert!(sent <= MOST_TOKENS, "{sent} tokens");
    // What was sent, as an agent reads it.
    let id = report["id"].as_str().expect("a name");
    let prompt = |round: u32| repo.read(&format!(".obelus/runs/{id}/rounds/{round}/prompt.txt"));
    assert!(prompt(1).starts_with("Make the build pass.\n\nWhat the checks say before any edit:\nfail: 2 errors in 2 files; failed: tsc\n"), "{}", prompt(1));
    assert!(!prompt(1).contains("worker"), "{}", prompt(1));
    assert!(prompt(2).contains("TS2345") && !prompt(2).contains("TS2532"), "{}", prompt(2));
    assert!(prompt(3).contains("Since the last round: "), "{}", prompt(3));
}
