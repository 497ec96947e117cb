//! mypy, pyright, basedpyright and ruff, as installed, on the example repository.

mod support;

use support::{Done, Repo, lines, path_of, toolchain};

const FILE: &str = "billing/invoice.py";

fn billing() -> Repo {
    let repo = Repo::example("python-billing");
    repo.with_venv("python");
    repo
}

/// The check by one checker alone.
fn check(repo: &Repo, checker: &str) -> Done {
    repo.obelus(&["check", checker, "--output", "json"])
}

/// Places, with the file's name left out.
fn short(done: &Done) -> Vec<String> {
    lines(&done.report()).iter().map(|line| line.replace(FILE, "")).collect()
}

const MYPY: [&str; 2] = [
    "mypy error operator :19:34-19:35 Unsupported operand types for * (\"None\" and \"int\")",
    "mypy error assignment :29:30-29:36 Incompatible types in assignment (expression has type \"int\", variable has type \"str\")",
];

#[test]
fn mypy_columns_count_code_points_in_every_version() {
    for (set, version) in [("python", "2.4.1"), ("python-mypy1", "1.20.2")] {
        let repo = Repo::example("python-billing");
        repo.with_venv(set);
        let done = check(&repo, "mypy");
        assert_eq!(
            (done.status, short(&done)),
            (Some(1), MYPY.map(str::to_owned).to_vec()),
            "{set}"
        );
        assert_eq!(done.report()["runs"][0]["version"], version);
        assert_eq!(
            done.report()["records"][0]["related"][0]["message"],
            "Left operand is of type \"int | None\"",
            "{set}"
        );
    }
}

#[test]
fn pyright_and_basedpyright() {
    let pyright = [
        "pyright error reportOptionalOperand :19:34-19:49 Operator \"*\" not supported for \"None\"",
        "pyright error reportAssignmentType :29:30-29:36 Type \"int\" is not assignable to declared type \"str\"",
        "pyright warning reportUnusedVariable :30:5-30:11 Variable \"unused\" is not accessed",
    ];
    let repo = billing();
    repo.with_node_modules("js");
    let done = check(&repo, "pyright");
    assert_eq!((done.status, short(&done)), (Some(1), pyright.map(str::to_owned).to_vec()));
    let done = check(&repo, "basedpyright");
    let based = short(&done);
    assert_eq!((done.status, based.len()), (Some(1), 6), "{based:?}");
    for line in pyright {
        assert!(based.contains(&format!("based{line}")), "{line} is among {based:?}");
    }
}

#[test]
fn ruff_findings_and_what_may_be_applied() {
    let done = check(&billing(), "ruff");
    assert_eq!(
        (done.status, short(&done)),
        (
            Some(1),
            [
                "ruff error F401 :5:8-5:12 `json` imported but unused",
                "ruff error B006 :22:49-22:51 Do not use mutable data structures for argument defaults",
                "ruff error E702 :29:15-29:16 Multiple statements on one line (semicolon)",
                "ruff error F841 :30:5-30:11 Local variable `unused` is assigned to but never used",
            ]
            .map(str::to_owned)
            .to_vec()
        )
    );
    let report = done.report();
    let applicability = |i: usize| report["records"][i]["suggestion"]["applicability"].clone();
    assert_eq!(
        [applicability(0), applicability(1), applicability(2), applicability(3)],
        ["safe".into(), "unsafe".into(), serde_json::Value::Null, "unsafe".into()]
    );
}

#[test]
fn everything_that_is_declared_runs_and_nothing_else() {
    let repo = billing();
    repo.with_node_modules("js");
    let done = repo.obelus(&["check", "--output", "json"]);
    let report = done.report();
    assert_eq!(done.status, Some(1));
    let mut ran: Vec<&str> = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|run| run["checker"].as_str())
        .collect();
    ran.sort_unstable();
    assert_eq!(ran, ["mypy", "pyright", "ruff"]);
}

#[test]
fn clean_code_passes() {
    let repo = billing();
    repo.with_node_modules("js").write(FILE, "\"\"\"Nothing yet.\"\"\"\n");
    let done = repo.obelus(&["check", "--output", "json"]);
    assert_eq!((done.status, lines(&done.report())), (Some(0), vec![]), "{}", done.stdout);
}

#[test]
fn a_broken_configuration_is_a_harness_error() {
    let repo = billing();
    repo.replace("pyproject.toml", "[tool.ruff]", "[tool.ruff]\nno-such-key = 1");
    let done = check(&repo, "ruff");
    assert_eq!(done.status, Some(70));
    let report = done.report();
    let reason = report["runs"][0]["reason"].as_str().unwrap_or_default();
    assert!(reason.starts_with("exit status 2 means that it failed"), "{reason}");
}

#[test]
fn a_configuration_that_mypy_ignores_is_told() {
    let repo = billing();
    repo.write("mypy.ini", "[mypy\n").write(FILE, "\"\"\"Nothing yet.\"\"\"\n");
    let done = check(&repo, "mypy");
    // mypy itself goes on with its defaults and exits with 0.
    assert_eq!(done.status, Some(0), "{}", done.stdout);
    assert_eq!(
        done.report()["runs"][0]["notes"],
        serde_json::json!([
            "it said on stderr: \"mypy.ini: File contains no section headers.\" and 2 lines more"
        ])
    );
}

#[test]
fn a_configuration_that_pyright_cannot_read_is_a_harness_error() {
    let repo = billing();
    repo.with_node_modules("js").write("pyrightconfig.json", "{ \"include\": [\n");
    for checker in ["pyright", "basedpyright"] {
        let done = check(&repo, checker);
        assert_eq!(done.status, Some(70), "{checker}: {}", done.stdout);
        assert_eq!(done.report()["outcome"], "harness_error");
    }
}

#[test]
fn a_run_that_looked_at_no_file_is_not_clean() {
    let repo = billing();
    repo.with_node_modules("js").write("pyrightconfig.json", "{ \"include\": [\"nowhere\"] }\n");
    for checker in ["pyright", "basedpyright"] {
        let done = check(&repo, checker);
        assert_eq!(done.status, Some(70), "{checker}: {}", done.stdout);
    }
    let repo = Repo::empty();
    repo.with_venv("python");
    let done = repo.obelus(&["check", "ruff", "--root", ".", "--output", "json"]);
    assert_eq!(done.status, Some(70), "{}", done.stdout);
}

#[test]
fn a_configuration_of_ruff_that_would_edit_files_edits_none() {
    let repo = billing();
    repo.replace(
        "pyproject.toml",
        "[tool.ruff]",
        "[tool.ruff]\nfix = true\nfix-only = true\nunsafe-fixes = true",
    );
    let before = repo.read(FILE);
    let done = check(&repo, "ruff");
    assert_eq!((done.status, short(&done).len()), (Some(1), 4));
    assert_eq!(repo.read(FILE), before);
}

#[test]
fn a_syntax_error_is_a_finding_although_mypy_exits_as_if_it_had_failed() {
    let repo = billing();
    repo.write(FILE, "def broken(:\n    pass\n");
    let done = check(&repo, "mypy");
    assert_eq!(done.status, Some(1), "{}", done.stdout);
    assert_eq!(done.report()["runs"][0]["exit"], 2);
    assert_eq!(done.report()["records"][0]["code"], "syntax");
}

#[test]
fn a_corrupt_cache_of_mypy_changes_no_answer() {
    let repo = billing();
    assert_eq!(check(&repo, "mypy").status, Some(1));
    let mut spoilt = 0;
    spoil(&repo.root().join(".mypy_cache"), &mut spoilt);
    assert!(spoilt > 0, "mypy left a cache");
    let done = check(&repo, "mypy");
    // Either mypy sees through it, or it fails and that is said: never a pass.
    match done.status {
        Some(1) => assert_eq!(short(&done), MYPY),
        status => assert_eq!(status, Some(70), "{}", done.stdout),
    }
}

/// Overwrites every cache file with bytes that are none.
fn spoil(folder: &std::path::Path, spoilt: &mut usize) {
    for entry in std::fs::read_dir(folder).expect("a cache").flatten() {
        if entry.path().is_dir() {
            spoil(&entry.path(), spoilt);
        } else if entry.file_name() != "CACHEDIR.TAG" && entry.file_name() != ".gitignore" {
            std::fs::write(entry.path(), b"\x00\xffnot a cache").expect("the cache can be spoilt");
            *spoilt += 1;
        }
    }
}

#[test]
fn declared_and_not_installed_is_a_harness_error_and_undeclared_is_not_run() {
    let repo = Repo::example("python-billing");
    let path = path_of(&[]);
    let run = |repo: &Repo| -> Done {
        repo.command(&["check", "--output", "json"])
            .env("PATH", path.path())
            .output()
            .expect("obelus runs")
            .into()
    };
    let done = run(&repo);
    assert_eq!(done.status, Some(70));
    let report = done.report();
    let runs = report["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 3);
    for run in runs {
        let reason = run["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(" is not installed, although "), "{reason}");
        assert!(reason.contains("; to install it: "), "{reason}");
    }
    // Python files alone declare nothing: what could check them is listed, and nothing is clean.
    let repo = Repo::empty();
    repo.write("a.py", "x: int = ''\n");
    let done = run(&repo);
    let report = done.report();
    assert_eq!(done.status, Some(70));
    assert_eq!(report["reason"], "no checker was run, so nothing is known about the code");
    let names: Vec<&str> = report["not_run"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|entry| entry["checker"].as_str())
        .collect();
    assert_eq!(names, ["basedpyright", "mypy", "pyright", "ruff"]);
}

#[test]
fn the_active_environment_counts_as_well() {
    let repo = Repo::example("python-billing");
    let done: Done = repo
        .command(&["check", "ruff", "--output", "json"])
        .env("VIRTUAL_ENV", toolchain("python"))
        .output()
        .expect("obelus runs")
        .into();
    assert_eq!((done.status, short(&done).len()), (Some(1), 4));
}
