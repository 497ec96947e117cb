//! Findings that vanish because they were fixed, and because they were silenced, by real checkers
//! on the example repositories.

mod support;

use serde_json::Value;
use support::Repo;

/// `code path:line` of what silences.
fn silencing(report: &Value) -> Vec<String> {
    let records = report["records"].as_array().expect("records");
    let ours = records.iter().filter(|record| record["tool"] == "obelus");
    let place = |record: &Value| {
        let path = record["path"].as_str().unwrap_or("-");
        format!("{} {path}:{}", record["code"].as_str().unwrap_or("-"), record["line"])
    };
    ours.map(place).collect()
}

/// `code line` of the findings before in a list of the attribution.
fn before(report: &Value, list: &str) -> Vec<String> {
    let attribution = &report["attribution"];
    let indices = attribution[list].as_array().expect("a list").iter();
    let index = |one: &Value| one.as_u64().or_else(|| one["before"].as_u64()).expect("an index");
    let indices: Vec<u64> = indices.map(index).collect();
    let shown = attribution["baseline"]["records"].as_array().expect("the records of the baseline");
    let of = shown.iter().filter(|one| indices.contains(&one["index"].as_u64().expect("one")));
    let place = |one: &Value| {
        let record = &one["record"];
        format!("{} {}", record["code"].as_str().unwrap_or("-"), record["line"])
    };
    of.map(place).collect()
}

fn since(repo: &Repo, checker: &str, more: &[&str]) -> (Option<i32>, Value) {
    let args = ["check", checker, "--since", "HEAD", "--output", "json"];
    let done = repo.obelus(&[&args[..], more].concat());
    (done.status, done.report())
}

#[test]
fn tsc() {
    let repo = Repo::example("ts-app");
    repo.with_node_modules("ts6").write(".gitignore", "node_modules\n").committed();
    repo.replace("src/carriers.ts", "days: \"2\"", "days: 2");
    repo.replace("src/carriers.ts", "cents: parcel.gramms", "cents: (parcel as any).gramms");
    repo.replace(
        "src/main.ts",
        "  to: {",
        "  // @ts-expect-error Austria is not served yet\n  to: {",
    );
    let (status, report) = since(&repo, "tsc", &[]);
    assert_eq!(
        silencing(&report),
        ["silenced/as-any src/carriers.ts:12", "silenced/ts-expect-error src/main.ts:7"]
    );
    assert_eq!(before(&report, "silenced"), ["TS2551 12", "TS2322 7"], "{report}");
    assert_eq!(before(&report, "fixed"), ["TS2322 5"]);
    assert_eq!(status, Some(0), "{}", report["reason"]);
    // One error stands, and what silences comes behind it.
    let record = &report["records"][1];
    assert_eq!(record["severity"], "warning");
    assert_eq!(record["related"][0]["path"], "src/carriers.ts");
    let message = record["message"].as_str().expect("a message");
    assert!(
        message.starts_with("as any silences a finding that stood before: tsc TS2551: "),
        "{message}"
    );
    assert_eq!(report["attribution"]["new"], serde_json::json!([1, 2]));
    assert_eq!(report["counts"]["warning"], 2);

    let (status, denied) = since(&repo, "tsc", &["--deny-silencing"]);
    assert_eq!(status, Some(1));
    assert_eq!(denied["reason"], "2 silencing, which is denied (2 silenced)");

    let agent = repo.obelus(&["check", "tsc", "--since", "HEAD", "--output", "agent"]);
    let first = agent.stdout.lines().next().expect("a line").to_owned();
    assert!(first.contains("2 new warnings, 1 fixed, 2 silenced, not fixed"), "{first}");
    let human = repo.obelus(&["check", "tsc", "--since", "HEAD"]);
    assert!(human.stdout.contains("\nfixed: 1\nsilenced: 2 ("), "{}", human.stdout);
}

#[test]
fn a_weaker_tsconfig() {
    let repo = Repo::example("ts-app");
    repo.with_node_modules("ts6").write(".gitignore", "node_modules\n");
    repo.write("src/loose.ts", "export function f(a) {\n  return a;\n}\n").committed();
    repo.replace(
        "tsconfig.json",
        "\"strict\": true",
        "\"strict\": true,\n    \"noImplicitAny\": false",
    );
    repo.replace("src/carriers.ts", "days: \"2\"", "days: 2");
    let (_, report) = since(&repo, "tsc", &[]);
    let line = repo.read("tsconfig.json").lines().position(|line| line.contains("noImplicitAny"));
    let line = line.expect("the line") + 1;
    assert_eq!(silencing(&report), [format!("silenced/tsconfig-option tsconfig.json:{line}")]);
    assert_eq!(before(&report, "silenced"), ["TS7006 1"], "{report}");
    assert_eq!(before(&report, "fixed").first().map(String::as_str), Some("TS2322 5"));
}

#[test]
fn eslint() {
    let repo = Repo::example("eslint-shop");
    repo.with_node_modules("js").write(".gitignore", "node_modules\n").committed();
    repo.replace("src/cart.js", "lines.length == 0", "lines.length === 0");
    repo.replace(
        "src/cart.js",
        "    const count = line.count;",
        "    // eslint-disable-next-line no-unused-vars\n    const count = line.count;",
    );
    repo.replace("eslint.config.js", "\"no-console\": \"warn\"", "\"no-console\": \"off\"");
    repo.replace(
        "src/price.js",
        "/** The price",
        "// The // eslint-disable-next-line is gone.\n/** The price",
    );
    repo.replace("src/price.js", "${artikel}", "${article}");
    let (_, report) = since(&repo, "eslint", &[]);
    assert_eq!(
        silencing(&report),
        [
            "silenced/rule-off eslint.config.js:9",
            "silenced/eslint-disable-next-line src/cart.js:18"
        ]
    );
    assert_eq!(
        before(&report, "silenced"),
        ["no-console 15", "no-unused-vars 18", "no-console 19"],
        "{report}"
    );
    assert_eq!(before(&report, "fixed"), ["eqeqeq 16", "no-undef 9"]);
}

#[test]
fn mypy() {
    let repo = Repo::example("python-billing");
    repo.with_venv("python").write(".gitignore", ".venv\n.mypy_cache\n").committed();
    repo.replace(
        "billing/invoice.py",
        "find_rate(plan) * months)",
        "find_rate(plan) * months)  # type: ignore[operator]",
    );
    repo.replace("billing/invoice.py", "label: str = number", "label: str = str(number)");
    let (status, report) = since(&repo, "mypy", &[]);
    assert_eq!(silencing(&report), ["silenced/type-ignore billing/invoice.py:19"]);
    assert_eq!(before(&report, "silenced"), ["operator 19"], "{report}");
    assert_eq!(before(&report, "fixed"), ["assignment 29"]);
    assert_eq!(status, Some(0), "{}", report["reason"]);
}

#[test]
fn ruff() {
    let repo = Repo::example("python-billing");
    repo.with_venv("python").write(".gitignore", ".venv\n.ruff_cache\n").committed();
    repo.replace("billing/invoice.py", "import json\n", "import json  # noqa: F401\n");
    repo.replace("billing/invoice.py", "    unused = len(sign)", "    print(len(sign))");
    repo.replace("pyproject.toml", "select = [\"B\", \"E\", \"F\"]", "select = [\"E\", \"F\"]");
    let (_, report) = since(&repo, "ruff", &[]);
    assert_eq!(
        silencing(&report),
        ["silenced/noqa billing/invoice.py:5", "silenced/rule-off pyproject.toml:null"]
    );
    assert_eq!(before(&report, "silenced"), ["F401 5", "B006 22"], "{report}");
    assert_eq!(before(&report, "fixed"), ["F841 30"]);
}

#[test]
fn clippy() {
    let repo = Repo::example("rust-workspace");
    // What does not compile has no lints.
    let ledger = repo.read("Cargo.toml").replace("\"ledger\", ", "");
    repo.write("Cargo.toml", &ledger).write(".gitignore", "target\n").remove("ledger/src/lib.rs");
    repo.committed();
    repo.replace(
        "tax/src/lib.rs",
        "/// The sum",
        "#[allow(clippy::needless_range_loop)]\n/// The sum",
    );
    repo.replace("tax/src/lib.rs", "=> return 19", "=> 19");
    repo.replace("tax/src/lib.rs", "let unused =", "let _unused =");
    let (_, report) = since(&repo, "clippy", &[]);
    assert_eq!(silencing(&report), ["silenced/allow tax/src/lib.rs:19"], "{report}");
    assert_eq!(before(&report, "silenced"), ["clippy::needless_range_loop 22"], "{report}");
    assert_eq!(before(&report, "fixed"), ["unused_variables 12", "clippy::needless_return 14"]);
}

#[test]
fn an_excluded_folder_a_deleted_test_and_a_command_that_always_passes() {
    let repo = Repo::example("ts-app");
    repo.with_node_modules("ts6").write(".gitignore", "node_modules\n");
    repo.write("package.json", "{\n  \"scripts\": { \"types\": \"tsc --noEmit\" }\n}\n");
    repo.write("src/a.test.ts", "test(\"adds\", () => {\n  expect(1 + 1).toBe(2);\n});\n");
    repo.committed();
    repo.replace("package.json", "tsc --noEmit", "tsc --noEmit || true");
    repo.remove("src/a.test.ts").write("obelus.toml", "exclude = [\"src/carriers.ts\"]\n");
    let (_, report) = since(&repo, "tsc", &[]);
    assert_eq!(
        silencing(&report),
        [
            "silenced/obelus-config obelus.toml:1",
            "silenced/check-command package.json:2",
            "silenced/deleted-test-file src/a.test.ts:null"
        ],
        "{report}"
    );
}

#[test]
fn reports_with_their_trees_tell_the_same_and_text_that_was_there_is_not_told() {
    let repo = Repo::empty();
    let old = "# type: ignore\nimport os  # noqa\nprint(os)\ntotal: int = \"a\"\n";
    repo.write("old/a.py", old);
    repo.write("new/a.py", &old.replace("\"a\"", "\"a\"  # type: ignore[assignment]"));
    let run = r#"{"tool":"mypy","version":"1","exit":1,"outcome":"fail"}"#;
    let record = r#"{"tool":"mypy","severity":"error","code":"assignment","path":"a.py","line":4,"column":14,"message":"no"}"#;
    repo.write("before.json", &format!("{{\"runs\":[{run}],\"records\":[{record}]}}"));
    repo.write("after.json", &format!("{{\"runs\":[{run}],\"records\":[]}}"));
    let args = ["report", "after.json", "--baseline", "before.json", "--source", "new"];
    let args = [&args[..], &["--baseline-source", "old", "--output", "json"]].concat();
    let done = repo.obelus(&args);
    let report = done.report();
    assert_eq!(silencing(&report), ["silenced/type-ignore a.py:4"]);
    assert_eq!(report["attribution"]["silenced"], serde_json::json!([{"before": 0, "by": 0}]));
    assert_eq!(report["attribution"]["fixed"], serde_json::json!([]));
    let denied = repo.obelus(&[&args[..], &["--deny-silencing"]].concat());
    assert_eq!(denied.status, Some(1));
    // Of a listed file, what it was must be known: else all of it would seem to be written now.
    repo.write("changed", "M\ta.py\n");
    let listed = [&args[..], &["--changed", "changed"]].concat();
    assert_eq!(silencing(&repo.obelus(&listed).report()), ["silenced/type-ignore a.py:4"]);
    let old = listed.iter().position(|arg| *arg == "--baseline-source").unwrap();
    let unknown = [&listed[..old], &listed[old + 2..]].concat();
    assert!(silencing(&repo.obelus(&unknown).report()).is_empty());
    // What an earlier comparison told is told of another change.
    repo.write("told.json", &done.stdout);
    let again = ["report", "told.json", "--baseline", "told.json", "--source", "new"];
    let again = [&again[..], &["--baseline-source", "new", "--output", "json"]].concat();
    assert!(silencing(&repo.obelus(&again).report()).is_empty());
}
