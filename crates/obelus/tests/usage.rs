//! Bad input: one clear message each, the right exit status, and nothing written outside `.obelus/`.

mod support;

use serde_json::json;
use support::Repo;

#[test]
fn an_empty_folder_is_not_clean() {
    let repo = Repo::empty();
    let done = repo.obelus(&["check", "--root", ".", "--output", "json"]);
    assert_eq!(done.status, Some(70));
    assert_eq!(done.report()["reason"], "no checker was run, so nothing is known about the code");
    let done = repo.obelus(&["check", "--root", "."]);
    assert!(done.stdout.to_lowercase().contains("no checker"), "{}", done.stdout);
}

#[test]
fn a_root_that_is_not_there() {
    let repo = Repo::empty();
    let done = repo.obelus(&["check", "--root", "nowhere"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert!(done.stderr.starts_with("obelus: cannot use "), "{}", done.stderr);
    assert!(done.stderr.contains("nowhere as the repository root: "), "{}", done.stderr);
}

#[test]
fn a_configuration_that_is_wrong_is_told_with_its_line() {
    let repo = Repo::empty();
    for (text, message) in [
        ("[checker.tsc\n", "obelus: obelus.toml, line 1: "),
        (
            "jobs = 2\n\n[checker.tsc]\nenabeld = false\n",
            "obelus: obelus.toml, line 4: unknown key `enabeld`; did you mean `enabled`?",
        ),
        ("jobs = \"many\"\n", "obelus: obelus.toml, line 1: invalid type: string \"many\""),
        (
            "[checker.tsc]\nrun = [{ argv = [\"x\"], format = \"tsc-txt\" }]\n",
            "obelus: obelus.toml, line 2, [checker.tsc], run.format: there is no format \"tsc-txt\"; did you mean \"tsc-text\"?",
        ),
        ("exclude = [\"[\"]\n", "obelus: obelus.toml, exclude \"[\": "),
    ] {
        repo.write("obelus.toml", text);
        let done = repo.obelus(&["check"]);
        assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""), "{text}");
        assert!(done.stderr.starts_with(message), "{text}: {}", done.stderr);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    }
}

#[test]
fn a_configuration_that_is_not_text() {
    let repo = Repo::empty();
    std::fs::write(repo.root().join("obelus.toml"), b"jobs = 2 # \xff\n").expect("the file");
    let done = repo.obelus(&["check"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert!(done.stderr.contains("obelus.toml: it is not UTF-8"), "{}", done.stderr);
}

#[test]
fn words_that_are_neither_checkers_nor_paths() {
    let repo = Repo::empty();
    repo.write("obelus.toml", "");
    let done = repo.obelus(&["check", "eslnt"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        done.stderr,
        "obelus: \"eslnt\" is neither a checker nor a path that is there; did you mean \"eslint\"?\n"
    );
    let done = repo.obelus(&["check", ".."]);
    assert_eq!(done.status, Some(2));
    assert!(done.stderr.starts_with("obelus: .. lies outside the repository "), "{}", done.stderr);
}

#[test]
fn a_source_that_is_not_utf8_is_shown_all_the_same() {
    let repo = Repo::empty();
    std::fs::write(repo.root().join("a.js"), b"/* caf\xe9 */ x\n").expect("the file");
    let one = r#"out:[{"filePath":"a.js","messages":[{"ruleId":"no-undef","severity":2,"message":"'x' is not defined.","line":1,"column":12}]}]"#;
    repo.with_fake(&[one, "exit:1"], "eslint-json", "");
    for output in ["human", "agent", "json", "jsonl"] {
        let done = repo.obelus(&["check", "--output", output]);
        assert_eq!(done.status, Some(1), "{output}: {}", done.stderr);
        assert!(done.stdout.contains("'x' is not defined."), "{output}: {}", done.stdout);
    }
}

#[test]
fn a_report_for_another_root_keeps_its_absolute_paths() {
    let repo = Repo::empty();
    let one = r#"[{"filePath":"/elsewhere/a.js","messages":[{"ruleId":"no-undef","severity":2,"message":"m","line":1,"column":2}]}]"#;
    repo.write("report.json", one);
    let args = [
        "parse",
        "--format",
        "eslint-json",
        "--tool",
        "eslint",
        "--root",
        "/repo",
        "--source",
        ".",
        "--exit",
        "1",
        "--output",
        "json",
        "report.json",
    ];
    let done = repo.obelus(&args);
    assert_eq!(done.status, Some(1));
    assert_eq!(done.report()["records"][0]["path"], "/elsewhere/a.js");
}

#[test]
fn parse_refuses_what_it_cannot_read() {
    let repo = Repo::empty();
    repo.write("out", "");
    for (args, message) in [
        (
            vec!["--format", "eslint-jsn", "out"],
            "obelus: there is no format \"eslint-jsn\"; did you mean \"eslint-json\"?\n",
        ),
        (
            vec!["--format", "eslint-json", "nowhere"],
            "obelus: cannot read the captured output nowhere: ",
        ),
        (
            vec!["--format", "eslint-json", "."],
            "obelus: cannot read the captured output .: is a directory\n",
        ),
        (
            vec!["--format", "eslint-json", "--source", "nowhere", "out"],
            "obelus: --source nowhere: there is no such folder\n",
        ),
    ] {
        let done =
            repo.obelus(&[vec!["parse", "--tool", "eslint", "--root", "/repo"], args].concat());
        assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
        assert!(done.stderr.starts_with(message), "{}", done.stderr);
    }
    let done = repo.obelus(&["parse", "--tool", "eslint"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
}

#[test]
fn nothing_is_written_outside_the_state_folder() {
    let repo = Repo::empty();
    repo.write("a.js", "x\n").with_fake(&["out:[]"], "eslint-json", "");
    assert_eq!(repo.obelus(&["check"]).status, Some(0));
    let mut names: Vec<_> = std::fs::read_dir(repo.root())
        .expect("the folder")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    names.sort();
    assert_eq!(names, [".obelus", "a.js", "obelus.toml"]);
    assert_eq!(repo.read(".obelus/.gitignore"), "*\n");
}

#[cfg(unix)]
#[test]
fn a_repository_that_cannot_be_written_to_is_checked_and_not_saved() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::empty();
    repo.with_fake(&["out:[]"], "eslint-json", "");
    // A file in the way stands for a read-only folder, which root could write to all the same.
    repo.write(".obelus", "");
    let done = repo.obelus(&["check", "--output", "json"]);
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(done.report()["id"], json!(null));
    assert!(
        done.stderr.starts_with("obelus: this run is not saved: cannot create "),
        "{}",
        done.stderr
    );
    assert!(
        std::fs::metadata(repo.root().join(".obelus"))
            .is_ok_and(|file| file.permissions().mode() & 0o400 != 0)
    );
}

#[test]
fn report_holds_records_against_a_baseline() {
    let repo = Repo::empty();
    let record = |line: u32| {
        format!(
            r#"{{"tool":"tsc","severity":"error","code":"TS1","path":"a.ts","line":{line},"column":1,"message":"no"}}"#
        )
    };
    let report = |records: &[String]| {
        let records = records.join(",");
        format!(
            r#"{{"runs":[{{"tool":"tsc","version":"5","exit":2,"outcome":"fail"}}],"records":[{records}]}}"#
        )
    };
    repo.write("before.json", &report(&[record(1)]));
    repo.write("after.json", &report(&[record(2), record(3)]));
    repo.write("same.json", &report(&[record(2)]));
    repo.write("old/a.ts", "x();\n");
    repo.write("new/a.ts", "// One.\nx();\ny();\n");
    let with = |file: &str, more: &[&str]| {
        let trees = ["--source", "new", "--baseline-source", "old", "--baseline", "before.json"];
        repo.obelus(&[&["report", file][..], &trees, more].concat())
    };
    let done = with("after.json", &["--output", "json"]);
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert_eq!(done.report()["attribution"]["new"], json!([1]));
    assert_eq!(done.report()["attribution"]["baseline"]["name"], "before.json");
    let done = with("same.json", &[]);
    assert_eq!(done.status, Some(0));
    assert_eq!(
        done.stdout,
        "pass: nothing new · objecting to what stood before: tsc\nunchanged: 1\n"
    );
    assert_eq!(with("same.json", &["--fail-on", "any"]).status, Some(1));
    assert_eq!(with("after.json", &["--output", "jsonl"]).stdout.lines().count(), 2);
}

#[test]
fn report_refuses_what_it_cannot_read() {
    let repo = Repo::empty();
    repo.write("list.jsonl", "{\"tool\": \"a\", \"severity\": \"error\", \"message\": \"\"}\nx\n");
    repo.write("none.jsonl", "");
    for (args, message) in [
        (
            vec!["list.jsonl"],
            "obelus: the report list.jsonl, line 2: not a record: expected value (column 1)\n",
        ),
        (vec!["nowhere"], "obelus: cannot read the report nowhere: "),
        (vec!["-", "-"], "obelus: standard input can be read once only\n"),
        (
            vec!["--source", "nowhere", "none.jsonl"],
            "obelus: --source nowhere: there is no such folder\n",
        ),
    ] {
        let done = repo.obelus(&[vec!["report"], args].concat());
        assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
        assert!(done.stderr.starts_with(message), "{}", done.stderr);
    }
    let done = repo.obelus(&["report", "none.jsonl", "--output", "json"]);
    assert_eq!(done.status, Some(70));
    assert_eq!(repo.obelus(&["report", "none.jsonl", "--fail-on", "any"]).status, Some(2));
}

#[test]
fn what_is_shown_is_chosen_before_anything_is_run() {
    let repo = Repo::empty();
    for (flags, message) in [
        (&["--budget", "500"][..], "obelus: --budget is for --output agent"),
        (&["--touched", "nowhere"], "obelus: cannot read the list of touched files nowhere: "),
        (
            &["--output", "agent", "--budget", "1"],
            "error: invalid value '1' for '--budget <TOKENS>'",
        ),
    ] {
        let done = repo.obelus(&[&["check"], flags].concat());
        assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""), "{flags:?}");
        assert!(done.stderr.starts_with(message), "{flags:?}: {}", done.stderr);
    }
}

#[test]
fn what_an_output_costs_is_said_beside_it() {
    let repo = Repo::empty();
    let record =
        r#"{"tool": "tsc", "severity": "error", "path": "a.ts", "line": 1, "message": "no"}"#;
    let other = record.replace("a.ts", "b.ts");
    repo.write("records.jsonl", &[record, &other].join("\n")).write("touched", "a.ts");
    let flags = ["report", "records.jsonl", "--touched", "touched", "--output", "agent"];
    let plain = repo.obelus(&flags);
    let done = repo.obelus(&[&flags[..], &["--stats"]].concat());
    assert_eq!((&done.stdout, done.status), (&plain.stdout, Some(1)));
    let cost = format!("obelus: stats: {} bytes, at most ", plain.stdout.len());
    let tokens = done.stderr.strip_prefix(&cost).expect("the cost");
    let tokens = tokens.strip_suffix(" tokens; 1 finding sent, 1 withheld\n").expect("the counts");
    assert!(tokens.parse::<usize>().expect("a number") > plain.stdout.len() / 5, "{tokens}");
    assert_eq!(plain.stderr, "");
}

#[test]
fn touched_files_are_named_on_standard_input_or_in_a_file() {
    let repo = Repo::empty();
    let record = |path: &str| {
        json!({"tool": "tsc", "severity": "error", "path": path, "line": 1, "message": "no"})
            .to_string()
    };
    repo.write("records.jsonl", &[record("src/a.ts"), record("src/b.ts")].join("\n"));
    repo.write("touched", "./src//a.ts\r\n");
    let flags = ["report", "records.jsonl", "--touched", "touched", "--output"];
    let done = repo.obelus(&[&flags[..], &["json"]].concat());
    let report = done.report();
    assert_eq!((&report["route"]["sent"], done.status), (&json!([0]), Some(1)));
    assert_eq!(report["route"]["unsent"], json!({"errors": 1, "files": 1}));
    let done = repo.obelus(&[&flags[..], &["agent"]].concat());
    assert!(
        done.stdout.contains("src/a.ts") && !done.stdout.contains("src/b.ts"),
        "{}",
        done.stdout
    );
    let done = repo.obelus(&[&flags[..], &["agent", "--all"]].concat());
    assert!(done.stdout.contains("src/b.ts"), "{}", done.stdout);
}

/// A form of a repository's own: `first` begins a finding, the other lines go on with it.
const PATTERN: &str = r#"
[[pattern]]
name = "house-text"
first = '^(?<path>.+?):(?<line>\d+):(?<column>\d+): (?<severity>\w+): (?<message>.*)$'
further = ['^    (?<message>.*)$', '^  see (?<path>.+?):(?<line>\d+): (?<related>.*)$']
ignore = ['^\d+ problems?$']
unit = "bytes"
column-base = 0
severities = { blocker = "error" }
"#;

#[test]
fn a_pattern_of_the_repository_reads_its_own_checker_and_what_was_captured() {
    let repo = Repo::empty();
    let printed =
        "out:a.x:1:5: blocker: no\\n    not at all\\n  see b.x:3: here\\n1 problem\\nwhat\\n";
    repo.write("a.x", "caf\u{E9} x\n").with_fake(&[printed, "exit:1"], "house-text", "");
    let with_pattern = repo.read("obelus.toml") + PATTERN;
    repo.write("obelus.toml", &with_pattern);
    let done = repo.obelus(&["check", "--root", ".", "fake", "--output", "json"]);
    let report = done.report();
    let wanted = json!([{
        "tool": "fake", "severity": "error", "code": null, "path": "a.x", "line": 1, "column": 5,
        "end_line": null, "end_column": null, "message": "no\nnot at all",
        "related": [{ "path": "b.x", "line": 3, "column": null, "end_line": null, "end_column": null, "message": "here" }],
        "suggestion": null
    }]);
    assert_eq!(report["records"], wanted);
    assert_eq!(report["runs"][0]["unrecognised"]["count"], 1);
    assert_eq!((report["outcome"].as_str(), done.status), (Some("fail"), Some(1)));

    repo.write("log", "a.x:1:5: blocker: no\n");
    let root = repo.root().display().to_string();
    let parse =
        ["parse", "--format", "house-text", "--tool", "fake", "--exit", "1", "--output", "json"];
    let done = repo.obelus(&[&parse[..], &["--root", &root, "--source", ".", "log"]].concat());
    assert_eq!(done.report()["records"][0]["column"], 5);
    let done = repo.obelus(&["list", "--format", "--root", ".", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&done.stdout).expect("it is JSON");
    let own = listed.as_array().and_then(|all| all.last()).expect("formats are listed");
    assert_eq!(
        (own["format"].as_str(), own["column_unit"].as_str(), own["column_base"].as_u64()),
        (Some("house-text"), Some("bytes"), Some(0))
    );
}

#[test]
fn a_pattern_that_is_wrong_is_told_at_its_place() {
    let repo = Repo::empty();
    repo.write("obelus.toml", "[[pattern]]\nname = \"x\"\nfirst = '^(?<message>.*'\n");
    let done = repo.obelus(&["check", "--root", "."]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert!(
        done.stderr.starts_with(
            "obelus: obelus.toml, line 3, column 11, [[pattern]] \"x\", first: unclosed group, at offset 1 of the expression: \"(?<message>.*\""
        ),
        "{}",
        done.stderr
    );
}

#[test]
fn a_list_of_changed_files_that_is_wrong_is_told_with_its_line() {
    let repo = Repo::empty();
    let report =
        r#"{"runs":[{"tool":"tsc","version":"5","exit":0,"outcome":"pass"}],"records":[]}"#;
    repo.write("report.json", report);
    repo.write("changed", "M\ta.ts\nR100\tb.ts\n");
    let args = ["report", "report.json", "--baseline", "report.json", "--changed"];
    let done = repo.obelus(&[&args[..], &["changed"]].concat());
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        done.stderr,
        "obelus: the list of changed files changed, line 2: \"R100\\tb.ts\" is no path and no line of `git diff --name-status`\n"
    );
    let done = repo.obelus(&[&args[..], &["nowhere"]].concat());
    assert_eq!(done.status, Some(2));
    assert!(done.stderr.contains("the list of changed files nowhere"), "{}", done.stderr);
    // Without a baseline there is nothing that could have changed.
    assert_eq!(repo.obelus(&["report", "report.json", "--changed", "changed"]).status, Some(2));
}
