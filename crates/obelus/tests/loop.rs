//! `obelus loop` with scripted agents: every way in which a loop ends, and what it leaves.
#![cfg(unix)]

mod support;

#[path = "support/loops.rs"]
mod loops;

use loops::{CHECK, CONFIG, id, repo, run, story};
use serde_json::Value;
use support::Repo;

#[track_caller]
fn ends(
    rounds: &[&str],
    more: &[&str],
    status: i32,
    decision: &str,
    best: u32,
    lines: &[&str],
) -> Repo {
    let repo = repo();
    let done = run(&repo, rounds, more);
    let report = done.report();
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    assert_eq!(story(&report), (decision.to_owned(), best.into(), lines), "{}", done.stderr);
    assert_eq!(done.status, Some(status), "{}", done.stderr);
    let replayed = repo.obelus(&[
        "runs",
        "replay",
        report["id"].as_str().expect("a name"),
        "--output",
        "json",
    ]);
    assert_eq!(story(&replayed.report()), story(&report), "{}", replayed.stderr);
    assert_eq!(replayed.status, Some(status), "{}", replayed.stderr);
    assert_eq!(repo.read("src/mine.txt"), "mine\r\nand mine");
    repo
}

#[test]
fn two_rounds_to_clean() {
    let repo = ends(
        &["printf 'BAD\\n' >> src/a.txt", "printf 'good\\n' > src/a.txt"],
        &[],
        0,
        "clean",
        2,
        &["continue 1 0 1", "clean 0 0 1"],
    );
    assert_eq!(repo.read("src/a.txt"), "good\n");
    // What was sent in the second round.
    let sent = repo.read(".obelus/sent");
    let (sent, last) = sent.rsplit_once(" All: ").unwrap();
    assert!(last.starts_with("obelus runs show "), "{last}");
    assert_eq!(
        sent,
        "do it\n\nRound 2 of 4.\n\
         Correct the code itself; hide nothing from the checkers.\n\
         edit applied; checks fail: 1 new error, 1 older error not caused by the edit; failed: house\n\
         new since the edit:\nsrc/a.txt\n1 one\n2 two\n3 BAD\n^1 H1 BAD\n\
         not shown: 1 error in 1 other file (not caused by the edit)."
    );
}

#[test]
fn rounds_used_up() {
    ends(
        &["printf 'BAD 1\\nBAD 2\\n' > src/a.txt", "printf 'BAD 2\\n' > src/a.txt"],
        &["--rounds", "2"],
        1,
        "rounds_used_up",
        2,
        &["continue 2 0 1", "rounds_used_up 1 0 1"],
    );
}

#[test]
fn no_progress_after_one_more_try() {
    let repo = ends(
        &[
            "printf 'BAD\\n' > src/a.txt",
            "printf 'x\\nBAD\\n' > src/a.txt",
            "printf 'x\\ny\\nBAD\\n' > src/a.txt",
        ],
        &[],
        1,
        "no_progress",
        1,
        &["continue 1 0 1", "retry 1 0 1", "no_progress 1 0 1"],
    );
    assert_eq!(repo.read("src/a.txt"), "BAD\n", "the files of the best round are in place");
    let sent = repo.read(".obelus/sent");
    assert!(sent.contains("Since the last round: 0 gone, 0 came, 1 stayed."), "{sent}");
    assert!(sent.contains("Your last edit (src/a.txt) left exactly the same findings."), "{sent}");
}

#[test]
fn oscillation() {
    ends(
        &[
            "printf 'BAD 1\\n' > src/a.txt",
            "printf 'BAD 2\\n' > src/a.txt",
            "printf 'BAD 1\\n' > src/a.txt",
        ],
        &[],
        1,
        "oscillation",
        1,
        &["continue 1 0 1", "continue 1 0 1", "oscillation 1 0 1"],
    );
}

#[test]
fn worse() {
    let repo = ends(
        &[
            "printf 'BAD 1\\n' > src/a.txt",
            "printf 'BAD 2\\nBAD 3\\n' > src/b.txt",
            "printf 'BAD 4\\n' > src/c.txt",
        ],
        &[],
        1,
        "worse",
        1,
        &["continue 1 0 1", "retry 3 0 1", "worse 4 0 1"],
    );
    assert!(!repo.root().join("src/b.txt").exists());
    let list = repo.obelus(&["runs", "list"]).stdout;
    assert!(list.contains("-loop  worse          3 rounds  "), "{list}");
    let done = repo.obelus(&["runs", "restore", "last", "--round", "2"]);
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(repo.read("src/b.txt"), "BAD 2\nBAD 3\n");
    repo.obelus(&["runs", "restore", "last", "--undo"]);
    assert!(!repo.root().join("src/b.txt").exists());
    repo.obelus(&["runs", "restore", "last", "--round", "0"]);
    assert_eq!(repo.read("src/a.txt"), "one\ntwo\n");
}

#[test]
fn budget_used_up() {
    ends(
        &["printf 'BAD 1\\n' > src/a.txt"],
        &["--budget", "4"],
        1,
        "budget_used_up",
        1,
        &["budget_used_up 1 0 1"],
    );
}

#[test]
fn the_time_of_the_loop_is_over() {
    let repo = repo();
    let done = run(&repo, &["sleep 60"], &["--time-limit", "1"]);
    let report = done.report();
    assert_eq!((report["decision"].as_str(), done.status), (Some("budget_used_up"), Some(1)));
}

#[test]
fn an_agent_that_fails_is_no_finding() {
    let repo = ends(
        &["printf 'BAD\\n' > src/a.txt; echo 'no credentials' >&2; exit 3"],
        &[],
        70,
        "agent_error",
        1,
        &["agent_error 1 0 1"],
    );
    let report: Value = serde_json::from_str(
        &repo.obelus(&["runs", "show", &id(&repo), "--output", "json"]).stdout,
    )
    .unwrap();
    let reason = report["reason"].as_str().unwrap();
    assert!(
        reason.ends_with("failed with exit status 3; it said last: no credentials"),
        "{reason}"
    );
}

#[test]
fn a_checker_that_breaks_down_twice_is_never_shown_to_the_agent() {
    let repo = repo();
    let done = run(&repo, &["touch crash", "true"], &[]);
    let report = done.report();
    let (decision, best, lines) = story(&report);
    assert_eq!((decision.as_str(), best, lines.len()), ("harness_error", Value::Null, 1));
    assert_eq!(done.status, Some(70));
    assert_eq!(repo.read(".obelus/sent"), "do it\n", "the agent was asked once");
    assert!(
        !repo.root().join("crash").exists(),
        "nothing was checked: the user's files are in place"
    );
}

#[test]
fn everything_counts_where_that_is_wanted() {
    let repo = ends(
        &["printf 'good\\n' > src/old.txt"],
        &["--fail-on", "any"],
        0,
        "clean",
        1,
        &["clean 0 1 0"],
    );
    let sent = repo.read(".obelus/sent");
    assert!(sent.starts_with("do it\n\nWhat the checks say before any edit:\nfail: "), "{sent}");
    assert!(sent.contains("src/old.txt\n1 BAD from before\n^1 H1"), "{sent}");
}

#[test]
fn the_rules_of_before_judge_and_changes_to_them_come_first() {
    let weaken = "printf 'exclude = [\"src\"]\\n' > obelus.toml; printf 'BAD\\n' > src/a.txt";
    let repo = ends(
        &[weaken, "git checkout --quiet obelus.toml; printf 'ok\\n' > src/a.txt"],
        &[],
        0,
        "clean",
        2,
        &["continue 1 0 1", "clean 0 0 1"],
    );
    let sent = repo.read(".obelus/sent");
    assert!(sent.contains("policy: this change loosens what judges it: obelus.toml: "), "{sent}");
    // What stands at the end is told first.
    let repo =
        ends(&[weaken], &["--rounds", "1"], 1, "rounds_used_up", 1, &["rounds_used_up 1 0 1"]);
    let show = repo.obelus(&["runs", "show", &id(&repo)]).stdout;
    assert!(show.starts_with("policy: the agent loosened what judges it: obelus.toml: "), "{show}");
}

#[test]
fn the_gate_has_the_last_word() {
    let repo = repo();
    let gate = "gate = [\"sh\", \"-c\", \"echo building; test -e built\"]\n";
    repo.write("obelus.toml", &format!("{gate}{CONFIG}"));
    let done = run(&repo, &["true", "touch built"], &[]);
    let report = done.report();
    let (decision, best, lines) = story(&report);
    assert_eq!((decision.as_str(), best), ("clean", 2.into()), "{lines:?} {}", done.stderr);
    assert_eq!(report["rounds"][0]["gate"]["exit"], 1);
    assert_eq!(report["rounds"][0]["gate"]["last_lines"], serde_json::json!(["building"]));
    let sent = repo.read(".obelus/sent");
    let told = "Every checker is clean, but the gate `sh -c echo building; test -e built` fails with exit status 1.";
    assert!(sent.contains(told), "{sent}");
    assert!(!sent.contains("\nbuilding"), "its log is not sent: {sent}");
    let replayed = repo.obelus(&["runs", "replay", &id(&repo), "--output", "json"]);
    assert_eq!(story(&replayed.report()), story(&report));
}

#[test]
fn a_gate_that_fails_is_told_with_what_its_log_says_of_places() {
    let repo = repo();
    let said = "src/a.c:1:3: error: expected ';' before 'x'";
    let gate = format!(
        "gate = [\"sh\", \"-c\", \"echo cc -c src/a.c; echo \\\"{said}\\\" >&2; exit 2\"]\n"
    );
    repo.write("obelus.toml", &format!("{gate}{CONFIG}")).write("src/a.c", "int x\n");
    let done = run(&repo, &["true"], &["--rounds", "1"]);
    let report = done.report();
    assert_eq!((done.status, report["decision"].as_str()), (Some(1), Some("rounds_used_up")));
    let found = &report["rounds"][0]["gate"]["findings"];
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!((&found[0]["path"], &found[0]["line"]), (&"src/a.c".into(), &1.into()));
    // It is for people alone.
    assert_eq!(
        (report["rounds"][0]["new"].clone(), report["rounds"][0]["outcome"].clone()),
        (0.into(), "pass".into())
    );
    assert!(!repo.read(".obelus/sent").contains("expected"), "{}", repo.read(".obelus/sent"));
    let told = repo.obelus(&["runs", "show", &id(&repo)]).stdout;
    assert!(told.contains("  src/a.c:1:3: error by "), "{told}");
}

#[test]
fn without_git() {
    let repo = Repo::empty();
    repo.write("obelus.toml", CONFIG).write("check", CHECK).write("src/a.txt", "one\n");
    let done = run(
        &repo,
        &["printf 'BAD\\n' > src/a.txt", "printf 'BAD\\nBAD\\n' > src/a.txt"],
        &["--rounds", "2"],
    );
    let (decision, best, lines) = story(&done.report());
    assert_eq!(
        (decision.as_str(), best),
        ("rounds_used_up", 1.into()),
        "{lines:?} {}",
        done.stderr
    );
    assert_eq!(repo.read("src/a.txt"), "BAD\n");
    repo.obelus(&["runs", "restore", "last", "--round", "0"]);
    assert_eq!(repo.read("src/a.txt"), "one\n");
}

#[test]
fn git_is_left_as_it_was() {
    let repo = repo();
    let state = |repo: &Repo| {
        let index = std::fs::read(repo.root().join(".git/index")).unwrap();
        (
            repo.git(&["for-each-ref"]),
            repo.git(&["stash", "list"]),
            repo.git(&["rev-parse", "HEAD"]),
            index,
        )
    };
    let before = state(&repo);
    run(
        &repo,
        &["printf 'BAD\\n' > src/a.txt", "printf 'BAD 2\\n' > src/b.txt"],
        &["--rounds", "2"],
    );
    assert_eq!(state(&repo), before);
}

#[test]
fn wrong_usage() {
    let repo = repo();
    assert_eq!(repo.obelus(&["loop", "do it"]).status, Some(2));
    assert_eq!(repo.obelus(&["loop", "--agent-command", "true", " "]).status, Some(2));
    assert_eq!(repo.obelus(&["runs", "restore", "last"]).status, Some(2));
}

#[test]
fn what_only_silences_is_told_once_and_then_ends_the_loop() {
    let repo = Repo::empty();
    // A checker that obeys `# noqa`, as flake8 does.
    let check = "\
out=$(grep -n BAD a.py | grep -v noqa | sed 's|^\\([0-9]*\\):|a.py:\\1:1: H1 |')
[ -z \"$out\" ] && exit 0
echo \"$out\"
exit 1
";
    let config = CONFIG.replace("house", "flake8");
    repo.write(".flake8", "[flake8]\n");
    repo.write("obelus.toml", &format!("only = [\"flake8\"]\n{config}"));
    repo.write("check", check).write("a.py", "x = 1\n").committed();
    let done = run(
        &repo,
        &["printf 'x = BAD\\n' > a.py", "printf 'x = BAD  # noqa\\n' > a.py", "true"],
        &[],
    );
    let report = done.report();
    let (decision, best, lines) = story(&report);
    assert_eq!(decision, "silenced", "{lines:?} {}", done.stderr);
    assert_eq!(
        (best, done.status),
        (1.into(), Some(1)),
        "an error that stands is as good as one that is hidden"
    );
    assert_eq!(report["rounds"][1]["silenced"], 1);
    assert_eq!(report["rounds"][1]["decision"], "retry");
    let sent = repo.read(".obelus/sent");
    assert!(
        sent.contains("The checks pass only because your edit (a.py) silences checkers"),
        "{sent}"
    );
    assert!(sent.contains("silenced/"), "{sent}");
    assert_eq!(repo.read("a.py"), "x = BAD\n");
}
