//! A small repository for loops, and what is asserted of them.

#![allow(dead_code, reason = "each test binary uses its own part of this")]

use serde_json::Value;

use super::support::{Done, Repo};

/// A checker that finds the lines that hold `BAD`, and breaks down where there is a file `crash`.
pub const CHECK: &str = "\
[ -e crash ] && { echo 'internal error' >&2; exit 99; }
out=$(for file in src/*.txt; do grep -n BAD \"$file\" | sed \"s|^\\([0-9]*\\):|$file:\\1:1: H1 |\"; done)
[ -z \"$out\" ] && exit 0
echo \"$out\"
exit 1
";

/// Its table.
pub const CONFIG: &str = "\
[checker.house]
summary = \"lines that hold BAD\"
binary = { name = \"sh\", version = [\"-c\", \"echo 1.0\"], install = \"-\" }
exits = { clean = [0], findings = [1] }
run = [{ argv = [\"{binary}\", \"check\"], format = \"flake8-text\" }]
";

/// A repository with that checker, a finding of old, and work that no commit has.
pub fn repo() -> Repo {
    let repo = Repo::empty();
    repo.write("obelus.toml", CONFIG).write("check", CHECK);
    repo.write("src/a.txt", "one\ntwo\n").write("src/old.txt", "BAD from before\n");
    repo.write(".gitignore", "ignored\n").write("ignored", "x").committed();
    // Work of the user that no commit has.
    repo.write("src/mine.txt", "mine\r\nand mine");
    repo
}

/// A loop whose agent runs this piece of shell script for each round.
pub fn run(repo: &Repo, rounds: &[&str], more: &[&str]) -> Done {
    let cases: Vec<String> =
        (1..).zip(rounds).map(|(number, script)| format!("{number}) {script} ;;")).collect();
    let agent = format!("cat > .obelus/sent; case $OBELUS_LOOP_ROUND in {} esac", cases.join(" "));
    let mut args = vec!["loop", "--agent-command", &agent, "do it", "--output", "json"];
    args.extend(more);
    repo.obelus(&args)
}

/// Decision, best round, and of each round the decision and what is new, fixed and older.
pub fn story(report: &Value) -> (String, Value, Vec<String>) {
    let rounds = report["rounds"].as_array().expect("there are rounds");
    let line = |round: &Value| {
        let word = round["decision"].as_str().unwrap_or_default();
        format!("{word} {} {} {}", round["new"], round["fixed"], round["standing"])
    };
    let decision = report["decision"].as_str().expect("it was decided").to_owned();
    (decision, report["best_round"].clone(), rounds.iter().map(line).collect())
}

/// The name of the one loop.
pub fn id(repo: &Repo) -> String {
    let list = repo.obelus(&["runs", "list"]).stdout;
    let line = list.lines().find(|line| line.contains("-loop")).expect("there is a loop");
    line.split_whitespace().next().unwrap_or_default().to_owned()
}
