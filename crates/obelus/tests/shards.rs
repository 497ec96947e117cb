//! A check that is split over several machines comes to what one machine would have come to.

mod support;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::{Done, Repo};

/// A checker that is the fake one, with `steps`.
fn checker(name: &str, tool: &str, steps: &[&str]) -> String {
    let steps: Vec<String> = steps.iter().map(|step| format!("{step:?}")).collect();
    format!(
        "[checker.{name}]\nsummary = \"a fake\"\ntool = {tool:?}\n\
         binary = {{ name = \"fake-checker\", version = [\"--version\"], install = \"make fake\" }}\n\
         exits = {{ clean = [0], findings = [1] }}\n\
         run = [{{ argv = [\"{{binary}}\", {}], format = \"tsc-text\" }}]\n\n",
        steps.join(", ")
    )
}

const TWICE: &str = r"out:src/b.ts(2,3): error TS2: seen by several\n";

/// Seven checkers: of them two of one tool find the same, one of these twice; two pass; one can't be started.
fn config() -> String {
    let table = |name, tool, steps: &[&str]| checker(name, tool, steps);
    [
        table("a-types", "tsc", &[r"out:src/a.ts(1,1): error TS1: first\n", TWICE, "exit:1"]),
        table("b-clean", "b", &["exit:0"]),
        table(
            "c-types",
            "tsc",
            &[TWICE, TWICE, r"out:src/c.ts(1,1): error TS3: third\n", "exit:1"],
        ),
        table("d-warns", "d", &[r"out:src/a.ts(1,1): warning TS9: careful\n", "exit:1"]),
        table("e-clean", "e", &["exit:0"]),
        table("f-types", "tsc", &[r"out:src/a.ts(3,1): error TS1: first\n", "exit:1"]),
        "[checker.g-missing]\nsummary = \"none\"\n\
         binary = { name = \"no-such-program\", install = \"make it\" }\n\
         run = [{ argv = [\"{binary}\"], format = \"tsc-text\" }]\n"
            .to_owned(),
    ]
    .concat()
}

fn repo() -> Repo {
    let repo = Repo::empty();
    for file in ["a", "b", "c"] {
        repo.write(&format!("src/{file}.ts"), "one\ntwo  \nthree\n");
    }
    repo.write("obelus.toml", &config()).committed();
    repo
}

/// The report of shard `number` of `of`, in a file whose name says so.
fn shard(repo: &Repo, number: u32, of: u32) -> PathBuf {
    let file = repo.root().join(format!(".obelus/shard-{number}-{of}.json"));
    let output = format!("json={}", file.display());
    let done = repo.obelus(&["check", "--shard", &format!("{number}/{of}"), "--output", &output]);
    assert!(file.is_file(), "{}", done.stderr);
    file
}

fn read(file: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(file).expect("the report")).expect("it is JSON")
}

fn change(file: &PathBuf, with: impl FnOnce(&mut Value)) {
    let mut report: Value = read(file);
    with(&mut report);
    std::fs::write(file, report.to_string()).expect("the file");
}

/// What a clock measured is all that may differ between two checks of one tree.
fn without_durations(report: &mut Value) {
    report["duration_ms"] = json!(0);
    for run in report["runs"].as_array_mut().expect("there are runs") {
        run["duration_ms"] = json!(0);
    }
}

/// All shards, merged.
fn merged(repo: &Repo, of: u32, more: &[&str]) -> Done {
    let files: Vec<PathBuf> = (1..=of).map(|number| shard(repo, number, of)).collect();
    files.iter().for_each(|file| change(file, without_durations));
    // In any order.
    merge(repo, &files.into_iter().rev().collect::<Vec<_>>(), more)
}

fn merge(repo: &Repo, files: &[PathBuf], more: &[&str]) -> Done {
    let mut args = vec!["report", "--output", "json"];
    args.extend(more);
    args.extend(files.iter().map(|file| file.to_str().expect("it is UTF-8")));
    repo.obelus(&args)
}

#[test]
fn one_two_and_eight_shards_come_to_the_same_bytes() {
    let repo = repo();
    let one = merged(&repo, 1, &[]);
    assert_eq!(one.status, Some(70), "{}", one.stderr);
    for of in [2, 8] {
        let some = merged(&repo, of, &[]);
        assert_eq!((some.status, some.stdout), (Some(70), one.stdout.clone()), "{of} shards");
    }
    // And what one check comes to that was never split.
    let mut whole = repo.obelus(&["check", "--output", "json"]).report();
    without_durations(&mut whole);
    whole["id"] = Value::Null;
    let mut one = one.report();
    // Causes and what is sent are derived with the sources at hand.
    for report in [&mut whole, &mut one] {
        for derived in ["route", "causes", "cause_rules", "independent", "declared"] {
            report[derived] = Value::Null;
        }
    }
    assert_eq!(one, whole);
    let origins = json!([
        {"runs": [0], "count": 1},
        {"runs": [0, 2], "count": 3},
        {"runs": [2], "count": 1},
        {"runs": [3], "count": 1},
        {"runs": [5], "count": 1},
    ]);
    assert_eq!(one["origins"], origins);
    assert_eq!(one["runs"].as_array().unwrap().len(), 7);
}

#[test]
fn real_checkers_in_a_real_repository_come_to_the_same_bytes() {
    let repo = Repo::example("python-billing");
    repo.with_venv("python")
        .write(".gitignore", ".venv\n.mypy_cache/\n.ruff_cache/\n__pycache__/\n")
        .committed();
    let [one, three] = [1, 3].map(|of| merged(&repo, of, &[]));
    assert_eq!((one.status, &one.stdout), (three.status, &three.stdout), "{}", one.stderr);
    let report = one.report();
    let names: Vec<&str> = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|run| run["checker"].as_str())
        .collect();
    assert!(names.contains(&"mypy") && names.contains(&"ruff"), "{names:?}");
    assert_ne!(support::lines(&report), [] as [String; 0]);
}

#[test]
fn what_does_not_fit_together_is_refused_with_the_reason() {
    let repo = repo();
    let (first, second) = (shard(&repo, 1, 2), shard(&repo, 2, 2));
    let third_of_four = shard(&repo, 3, 4);
    let refused = |files: &[&PathBuf]| {
        let files: Vec<PathBuf> = files.iter().copied().cloned().collect();
        let done = merge(&repo, &files, &[]);
        assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
        done.stderr
    };
    let says = |files: &[&PathBuf], words: &str| {
        let said = refused(files);
        assert!(said.contains(words), "{said}");
    };
    says(&[&second], "of 2 shards there is one missing: 1; give the reports of all");
    says(&[&first, &second, &first], "are both shard 1");
    says(&[&first, &third_of_four], "the one is of 2 shards, the other of 4");
    let whole = repo.root().join(".obelus/whole.json");
    repo.obelus(&["check", "--output", &format!("json={}", whole.display())]);
    says(&[&first, &whole], "is a shard of a check and");

    let other = repo.root().join(".obelus/other.json");
    let differs = |with: &dyn Fn(&mut Value), words: &str| {
        std::fs::copy(&second, &other).unwrap();
        change(&other, with);
        says(&[&first, &other], words);
    };
    differs(&|report| report["shard"]["obelus"] = json!("9.9"), "Obelus 0.1.0 made the one, 9.9");
    differs(
        &|report| report["shard"]["configuration"] = json!("x"),
        "their configuration differs (obelus.toml)",
    );
    differs(
        &|report| report["shard"]["plan"][2]["version"] = json!("2.0.0"),
        "c-types in . is of version 1.0.0 in the one, 2.0.0 in the other",
    );
    differs(
        &|report| report["shard"]["plan"][6]["command"] = json!("x"),
        "g-missing in . can begin on one of the two machines alone",
    );
    differs(&|report| report["shard"]["plan"][0]["shard"] = json!(2), "--durations FILE");
    differs(&|report| report["runs"][0]["checker"] = json!("x"), "does not hold the runs");

    repo.replace("src/a.ts", "two", "too");
    let of_another_tree = shard(&repo, 2, 2);
    says(&[&first, &of_another_tree], "the files that were checked differ (tree ");
}

#[test]
fn adopted_findings_let_a_split_check_pass_as_a_whole_one() {
    let repo = repo();
    let config = config();
    let (passing, _) = config.split_once("[checker.g-missing]").unwrap();
    repo.write("obelus.toml", passing);
    assert_eq!(repo.obelus(&["baseline", "adopt"]).status, Some(0));
    assert_eq!(repo.obelus(&["check"]).status, Some(0));
    let root = repo.root().to_str().unwrap();
    let done = merged(&repo, 3, &["--source", root]);
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(done.report()["adopted"]["standing"], json!([0, 1, 2, 3, 4]));

    let without = merge(&repo, &[1, 2, 3].map(|number| shard(&repo, number, 3)), &[]);
    assert_eq!(without.status, Some(2));
    assert!(without.stderr.contains("name its folder by --source"), "{}", without.stderr);

    // Two findings that one line of the file stands for, each of another shard: one is too much.
    let text = repo.read("obelus-baseline.txt");
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("TS1")).collect();
    let first = text.lines().find(|line| line.contains("TS1")).unwrap();
    repo.write("obelus-baseline.txt", &format!("{}\n{first}\n", lines.join("\n")));
    let done = merged(&repo, 6, &["--source", root]);
    assert_eq!(done.status, Some(1), "{}", done.stderr);
}

#[test]
fn the_split_is_by_how_long_runs_took() {
    let repo = repo();
    let runs = |of: &str, durations: &Value| {
        let file = repo.root().join(".obelus/durations.json");
        let runs: Vec<Value> = durations
            .as_object()
            .unwrap()
            .iter()
            .map(
                |(name, ms)| json!({"checker": name, "project": ".", "exit": 0, "duration_ms": ms}),
            )
            .collect();
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, json!({"runs": runs}).to_string()).unwrap();
        let file = file.to_str().unwrap();
        let report = repo
            .obelus(&["check", "--output", "json", "--shard", of, "--durations", file])
            .report();
        let of = report["runs"].as_array().unwrap().iter();
        of.map(|run| run["checker"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let slow = json!({"c-types": 9000, "a-types": 10, "b-clean": 10, "d-warns": 10, "e-clean": 10,
        "f-types": 10, "g-missing": 10});
    assert_eq!(runs("1/2", &slow), ["c-types"]);
    assert_eq!(runs("2/2", &slow).len(), 6);
    assert_eq!(runs("1/2", &json!({})), ["a-types", "c-types", "e-clean", "g-missing"]);
}

#[test]
fn saved_shards_of_the_same_files_change_nothing_for_the_next_one() {
    let repo = repo();
    repo.replace("obelus.toml", "\"exit:0\"", "\"sleep:300\", \"exit:0\"");
    let split = |file: &PathBuf| read(file)["shard"]["plan"].clone();
    let (first, second) = (shard(&repo, 1, 3), shard(&repo, 2, 3));
    assert_eq!(split(&first), split(&second));
    // Of other files they tell how long the runs take.
    repo.replace("src/a.ts", "two", "too");
    assert_ne!(split(&shard(&repo, 3, 3)), split(&second));
}

#[test]
fn a_shard_without_a_run_passes_and_says_so() {
    let repo = repo();
    let report = repo.obelus(&["check", "--shard", "8/8", "--output", "json"]).report();
    assert_eq!(report["outcome"], "pass");
    assert_eq!(report["reason"], "none of the runs falls to shard 8 of 8");
    assert_eq!(report["shard"]["plan"].as_array().unwrap().len(), 7);
}

#[test]
fn a_shard_that_is_none_is_wrong_usage() {
    let repo = repo();
    for (shard, says) in [
        ("0/8", "shards are counted from 1"),
        ("9/8", "there is no shard 9 of 8"),
        ("x", "a shard is written like 3/8, the third of eight"),
    ] {
        let done = repo.obelus(&["check", "--shard", shard]);
        assert_eq!(done.status, Some(2));
        assert!(done.stderr.contains(says), "{}", done.stderr);
    }
}
