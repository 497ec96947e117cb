//! `obelus fix` with real checkers: what is applied, what is taken back, and what is left alone.

mod support;

use serde_json::{Value, json};
use support::{Done, Repo, schema};

/// A checker `word` that finds `old` (a word) in a.txt, and proposes `new` for it.
const WORD: &str = r#"
[checker.word]
binary = { name = "sh", install = "none" }
project = { grouping = "root" }
run = [{ argv = ["{binary}", "word.sh"], format = "eslint-json" }]
exits = { clean = [0], findings = [1] }
"#;

fn fix(repo: &Repo, args: &[&str]) -> (Done, Value) {
    let all: Vec<&str> = ["fix", "--output", "json"].iter().chain(args).copied().collect();
    let done = repo.obelus(&all);
    let report = done.report();
    let faults = schema::faults(&report, &schema::committed("fix"));
    assert!(faults.is_empty(), "{faults:#?}");
    (done, report)
}

/// The codes of the records at these indices, sorted.
fn codes(report: &Value, indices: &Value) -> Vec<String> {
    let indices = indices.as_array().expect("a list");
    let code = |index: &Value| {
        let at = index.as_u64().or_else(|| index["index"].as_u64()).expect("an index");
        report["records"][at as usize]["code"].as_str().unwrap_or("-").to_owned()
    };
    let mut codes: Vec<String> = indices.iter().map(code).collect();
    codes.sort();
    codes
}

/// Two modules: one takes from the other what it does not use itself.
fn shop() -> Repo {
    let repo = Repo::empty();
    repo.with_venv("python")
        .write("ruff.toml", "[lint]\nselect = [\"F\", \"I\", \"UP\", \"E711\"]\n")
        .write("mypy.ini", "[mypy]\n")
        .write(".gitignore", ".venv\n.mypy_cache\n")
        .write("shop/__init__.py", "")
        .write("shop/tax.py", "def vat(x: int) -> int:\n    return x\n")
        .write("shop/net.py", "net = 1\n")
        .write("shop/api.py", "from shop.tax import vat\nfrom shop.net import net\n\nprint(net)\n")
        .write("shop/report.py", "from shop.api import vat\n\nvat(1)\n")
        .write(
            "shop/label.py",
            "import os\nimport json\nfrom typing import List\n\nx: List[int] = []\n\
             print(json, x == None)\n",
        )
        .committed();
    repo
}

#[test]
fn a_fix_that_breaks_another_file_is_taken_back_alone() {
    let repo = shop();
    let index = std::fs::read(repo.root().join(".git/index")).expect("an index");
    let (done, report) = fix(&repo, &["ruff", "mypy"]);
    // What is left is an unused import and an unsafe fix.
    assert_eq!(done.status, Some(1));
    assert_eq!(
        repo.read("shop/api.py"),
        "from shop.net import net\nfrom shop.tax import vat\n\nprint(net)\n"
    );
    assert_eq!(
        repo.read("shop/label.py"),
        "import json\n\nx: list[int] = []\nprint(json, x == None)\n"
    );
    assert_eq!(report["skipped"].as_array().map(Vec::len), Some(2));
    assert_eq!(codes(&report, &report["skipped"]), ["E711", "F401"]);
    let back = report["rolled_back"].as_array().expect("a list");
    assert_eq!(back.len(), 1);
    assert_eq!(codes(&report, &back[0]["records"]), ["F401"]);
    assert_eq!(back[0]["caused"][0]["path"], "shop/report.py");
    assert_eq!(back[0]["caused"][0]["code"], "attr-defined");
    assert_eq!(report["ended"], "done");
    assert_eq!(report["outcome"], "fail");
    assert_eq!(report["files"], json!(["shop/api.py", "shop/label.py"]));
    // Nothing else was touched, and no journal is left.
    assert_eq!(repo.git(&["status", "--short"]), " M shop/api.py\n M shop/label.py\n");
    let now = std::fs::read(repo.root().join(".git/index")).expect("an index");
    assert!(index == now || repo.git(&["diff", "--cached", "--name-only"]).is_empty());
    assert!(!repo.root().join(".obelus/fix").exists());
    assert!(!repo.root().join(".obelus/fix.lock").exists());
}

#[test]
fn a_dry_run_is_a_patch_and_writes_nothing() {
    let repo = shop();
    let done = repo.obelus(&["fix", "ruff", "--dry-run", "--only", "shop/label.py"]);
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert!(done.stderr.starts_with("would apply "), "{}", done.stderr);
    assert_eq!(repo.git(&["status", "--short"]), "");
    let patch = repo.root().join("../obelus.patch");
    std::fs::write(&patch, &done.stdout).expect("the patch");
    repo.git(&["apply", "../obelus.patch"]);
    std::fs::remove_file(patch).expect("the patch goes");
    assert_eq!(repo.git(&["status", "--short"]), " M shop/label.py\n");
}

#[test]
fn only_a_code_and_the_unsafe_ones() {
    let repo = shop();
    let (_, report) = fix(&repo, &["ruff", "--only", "E711", "--unsafe"]);
    assert_eq!(report["applied"], 1);
    assert_eq!(report["skipped"], json!([]));
    assert!(repo.read("shop/label.py").ends_with("print(json, x is None)\n"));
    assert_eq!(report["files"], json!(["shop/label.py"]));
}

#[test]
fn check_fixes_and_reports_what_is_left() {
    let repo = shop();
    let done = repo.obelus(&["check", "ruff", "--fix", "--output", "json"]);
    assert_eq!(done.status, Some(1));
    let report = done.report();
    let left: Vec<&str> = report["records"]
        .as_array()
        .expect("records")
        .iter()
        .filter_map(|record| record["code"].as_str())
        .collect();
    assert_eq!(left, ["E711"]);
    assert!(done.stderr.contains("applied "), "{}", done.stderr);
}

#[test]
fn eslint_edits_are_applied() {
    let repo = Repo::example("eslint-shop");
    repo.with_node_modules("js").committed();
    let (_, report) = fix(&repo, &["eslint"]);
    assert_eq!(codes(&report, &report["applied_records"]), ["prefer-const"]);
    assert_eq!(repo.git(&["diff", "--stat", "--", "src"]).lines().count(), 2);
    assert_eq!(report["ended"], "done");
}

#[test]
fn rules_that_undo_each_other_end_and_are_told() {
    let repo = Repo::empty();
    let rule = |from: &str, to: &str| {
        format!(
            "{{ meta: {{ fixable: 'code' }}, create: (context) => ({{ Identifier(node) {{ \
             if (node.name === '{from}') context.report({{ node, message: 'not {from}', \
             fix: (fixer) => fixer.replaceText(node, '{to}') }}); }} }}) }}"
        )
    };
    let config = format!(
        "const plugin = {{ rules: {{ one: {}, two: {} }} }};\n\
         export default [{{ plugins: {{ my: plugin }}, rules: {{ 'my/one': 'error', 'my/two': 'error' }} }}];\n",
        rule("one", "two"),
        rule("two", "one"),
    );
    repo.with_node_modules("js")
        .write("package.json", "{\"type\": \"module\"}\n")
        .write("eslint.config.js", &config)
        .write("src/a.js", "export const one = 1;\n");
    let (done, report) = fix(&repo, &["eslint", "--only", "src"]);
    assert_eq!(done.status, Some(1));
    assert_eq!(report["ended"], "oscillation");
    assert_eq!(report["applied"], 0);
    assert_eq!(codes(&report, &report["skipped"]), ["my/one", "my/two"]);
    assert_eq!(report["skipped"][0]["reason"], "oscillation");
    assert_eq!(repo.read("src/a.js"), "export const one = 1;\n");
}

#[test]
fn clippy_edits_are_applied_once_for_all_targets() {
    let repo = Repo::empty();
    repo.write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
        .write("src/lib.rs", "pub fn net(x: u32) -> u32 {\n    return x;\n}\n\npub fn zero() -> String {\n    let mut s = String::new();\n    s\n}\n");
    let (done, report) = fix(&repo, &["clippy"]);
    let fixed = "pub fn net(x: u32) -> u32 {\n    x\n}\n\npub fn zero() -> String {\n    \n    String::new()\n}\n";
    assert_eq!(repo.read("src/lib.rs"), fixed);
    assert_eq!(report["rolled_back"], json!([]));
    assert_eq!(done.status, Some(0));
    assert_eq!(report["outcome"], "pass");
}

#[test]
fn a_formatter_fixes_by_itself() {
    let repo = Repo::empty();
    repo.with_venv("python")
        .write("ruff.toml", "[format]\n")
        .write("a.py", "x = {  'a':1 }\n")
        .write("sub/b.py", "y = 1\n");
    let (done, report) = fix(&repo, &["ruff-format"]);
    assert_eq!(repo.read("a.py"), "x = {\"a\": 1}\n");
    assert_eq!(report["tools"][0]["checker"], "ruff-format");
    assert_eq!(report["tools"][0]["files"], json!(["a.py"]));
    assert_eq!(report["tools"][0]["kept"], true);
    assert_eq!(report["files"], json!(["a.py"]));
    assert_eq!((done.status, &report["outcome"]), (Some(0), &json!("pass")));
}

#[test]
fn what_a_tool_makes_worse_is_taken_back() {
    let repo = Repo::empty();
    repo.with_venv("python")
        .write("ruff.toml", "")
        .write("a.py", "x = 1\n")
        .write("b.py", "y = 1\n")
        .write(
            "obelus.toml",
            "[checker.mess]\nbinary = { name = \"sh\", install = \"none\" }\n\
             project = { grouping = \"root\" }\n\
             run = [{ argv = [\"{binary}\", \"-c\", \"grep -l x a.py; true\"], format = \"path-list\" }]\n\
             exits = { clean = [0], findings = [1] }\n\
             fix = [\"{binary}\", \"-c\", \"echo 'def (' > a.py; echo z >> b.py\"]\n",
        );
    let (_, report) = fix(&repo, &["mess", "ruff"]);
    assert_eq!(repo.read("a.py"), "x = 1\n");
    assert_eq!(repo.read("b.py"), "y = 1\n");
    assert_eq!(report["tools"][0]["files"], json!(["a.py", "b.py"]));
    assert_eq!(report["tools"][0]["kept"], false);
    assert_eq!(report["rolled_back"][0]["checker"], "mess");
    assert_eq!(report["rolled_back"][0]["caused"][0]["code"], "invalid-syntax");
    assert_eq!(report["files"], json!([]));
}

/// A repository whose checker is a script that prints what ESLint would, with one fix in a.txt.
fn word(script: &str) -> Repo {
    let repo = Repo::empty();
    let fix = r#"printf '[{"filePath":"%s/a.txt","messages":[{"ruleId":"r","severity":2,"message":"m","line":1,"column":1,"endLine":1,"endColumn":4,"fix":{"range":[0,3],"text":"new"}}],"errorCount":1}]' "$PWD""#;
    repo.write("obelus.toml", WORD)
        .write("a.txt", "old\n")
        .write("word.sh", &script.replace("FINDING", fix));
    repo
}

const CLEAN: &str = r#"printf '[{"filePath":"%s/a.txt","messages":[],"errorCount":0}]' "$PWD""#;

#[test]
fn what_changed_while_it_was_checked_is_stale() {
    let repo = word("FINDING\nsleep 0.05\necho more >> a.txt\nexit 1\n");
    let (_, report) = fix(&repo, &["word"]);
    assert_eq!(report["skipped"], json!([{"index": 0, "reason": "stale"}]));
    assert_eq!(repo.read("a.txt"), "old\nmore\n");
}

#[test]
fn a_checker_that_fails_afterwards_takes_the_fix_back() {
    let repo = word("grep -q new a.txt && exit 3\nFINDING\nexit 1\n");
    let (done, report) = fix(&repo, &["word"]);
    assert_eq!(done.status, Some(1));
    assert_eq!(report["skipped"], json!([{"index": 0, "reason": "made_worse"}]));
    let why = report["rolled_back"][0]["why"].as_str().expect("a reason");
    assert!(why.starts_with("word failed afterwards: "), "{why}");
    assert_eq!(repo.read("a.txt"), "old\n");
}

#[test]
fn what_is_fixed_passes() {
    let repo = word(&format!("grep -q new a.txt && {{ {CLEAN}; exit 0; }}\nFINDING\nexit 1\n"));
    let (done, report) = fix(&repo, &["word"]);
    assert_eq!((done.status, &report["applied"]), (Some(0), &json!(1)));
    assert_eq!((&report["rounds"], &report["reruns"]), (&json!(1), &json!(1)));
    let again = repo.obelus(&["fix", "word"]);
    assert_eq!(
        again.stdout,
        "applied 0 suggestions in 0 files\n0 rounds, 0 re-runs: nothing is left that may be applied\nverdict: pass\n"
    );
}

#[test]
fn words_that_make_no_sense_are_usage() {
    let repo = word("exit 0\n");
    repo.write("seen.json", "[]")
        .write("records.jsonl", "{\"tool\": \"t\", \"severity\": \"error\", \"message\": \"m\"}\n");
    for (args, said) in [
        (vec!["fix", "--records", "gone.jsonl"], "obelus: cannot read the records gone.jsonl: "),
        (
            vec!["fix", "--records", "records.jsonl", "--source", "nowhere"],
            "obelus: --source nowhere: there is no such folder",
        ),
        (
            vec!["fix", "--records", "records.jsonl", "--seen", "seen.json"],
            "obelus: --seen seen.json: it is not {\"files\": ",
        ),
        (vec!["fix", "--seen", "seen.json"], "error: "),
    ] {
        let done = repo.obelus(&args);
        assert_eq!(done.status, Some(2), "{args:?}");
        assert!(done.stderr.starts_with(said), "{args:?}: {}", done.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_folder_of_obelus_that_leads_elsewhere_is_refused() {
    let repo = Repo::empty();
    let outside = Repo::empty();
    std::os::unix::fs::symlink(outside.root(), repo.root().join(".obelus")).expect("a link");
    repo.write("a.txt", "old\n").write(
        "records.jsonl",
        "{\"tool\": \"t\", \"severity\": \"error\", \"message\": \"m\", \"suggestion\": {\"applicability\": \"safe\", \
         \"edits\": [{\"path\": \"a.txt\", \"line\": 1, \"column\": 1, \"end_line\": 1, \"end_column\": 4, \"text\": \"new\"}]}}\n",
    );
    let done = repo.obelus(&["fix", "--records", "records.jsonl"]);
    assert_eq!(done.status, Some(70));
    assert!(done.stderr.contains("is a symbolic link"), "{}", done.stderr);
    assert_eq!(repo.read("a.txt"), "old\n");
    assert_eq!(std::fs::read_dir(outside.root()).expect("a folder").count(), 0);
}
