//! `obelus check --since`: what a change caused, by real checkers on the example repositories.

mod support;

use serde_json::{Value, json};
use support::{Done, Repo};

/// `path:line code` of the records at these indices.
fn places(report: &Value, list: &str) -> Vec<String> {
    let indices = report["attribution"][list].as_array().expect("a list");
    let record = |index: &Value| {
        let record = &report["records"][index.as_u64().expect("an index") as usize];
        format!(
            "{}:{} {}",
            record["path"].as_str().unwrap_or("-"),
            record["line"],
            record["code"].as_str().unwrap_or("-")
        )
    };
    indices.iter().map(record).collect()
}

fn count(report: &Value, list: &str) -> usize {
    report["attribution"][list].as_array().expect("a list").len()
}

fn since(repo: &Repo, checker: &str) -> Done {
    repo.obelus(&["check", checker, "--since", "HEAD", "--output", "json"])
}

/// Everything that git has, byte for byte: the index, all objects, all references.
fn git_folder(repo: &Repo) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![repo.root().join(".git")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder").flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    files.push((path.display().to_string(), std::fs::read(&path).expect("it")));
                }
            }
        }
    }
    files.sort();
    files
}

#[test]
fn tsc_errors_in_files_that_nobody_touched_are_new_and_standing_ones_are_not() {
    let repo = Repo::example("ts-app");
    repo.with_node_modules("ts6").write(".gitignore", "node_modules\n");
    repo.write("src/rates.ts", "export const rate = (grams: number): number => grams * 2;\n");
    repo.write("src/a.ts", "import { rate } from \"./rates.js\";\nexport const a = rate(1);\n");
    repo.write("src/b.ts", "import { rate } from \"./rates.js\";\nexport const b = rate(2);\n");
    repo.committed();
    repo.replace("src/rates.ts", "grams: number", "grams: bigint").replace(
        "src/rates.ts",
        "grams * 2",
        "Number(grams) * 2",
    );
    let (before, status) = (git_folder(&repo), repo.git(&["status", "--porcelain"]));
    let done = since(&repo, "tsc");
    let report = done.report();
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert_eq!(places(&report, "new"), ["src/a.ts:2 TS2345", "src/b.ts:2 TS2345"]);
    assert_eq!((count(&report, "unchanged"), count(&report, "fixed")), (4, 0));
    assert_eq!(report["attribution"]["baseline"]["obtained"], "run");
    assert_eq!(report["reason"], "2 new");

    let again = since(&repo, "tsc").report();
    assert_eq!(again["attribution"]["baseline"]["obtained"], "kept");
    assert_eq!(again["attribution"]["new"], report["attribution"]["new"]);
    // The run that was saved tells the same.
    let shown = repo.obelus(&["runs", "show", "last", "--output", "json"]).report();
    assert_eq!(shown["attribution"], again["attribution"]);
    assert_eq!(git_folder(&repo), before);
    assert_eq!(repo.git(&["status", "--porcelain"]), status);
}

#[test]
fn a_renamed_file_with_shifted_lines_has_nothing_new() {
    let repo = Repo::example("ts-app");
    repo.with_node_modules("ts6").write(".gitignore", "node_modules\n").committed();
    repo.git(&["mv", "src/main.ts", "src/app.ts"]);
    let text = repo.read("src/app.ts");
    repo.write("src/app.ts", &format!("// One line more.\n{text}"));
    let done = since(&repo, "tsc");
    let report = done.report();
    assert_eq!(done.status, Some(0), "{}", report["reason"]);
    assert_eq!((count(&report, "new"), count(&report, "fixed")), (0, 0));
    assert_eq!(count(&report, "unchanged"), 4);
    let evidence = report["attribution"]["evidence"].as_array().expect("evidence");
    assert_eq!(evidence.iter().filter(|one| one["moved"] == true).count(), 2, "{evidence:?}");
}

#[test]
fn eslint_findings_of_the_edit_are_new() {
    let repo = Repo::example("eslint-shop");
    repo.with_node_modules("js").write(".gitignore", "node_modules\n").committed();
    let standing = repo.obelus(&["check", "eslint", "--output", "json"]).report();
    let standing = standing["records"].as_array().expect("records").len();
    assert!(standing > 0);
    let first = std::fs::read_dir(repo.root().join("src")).expect("src").flatten().next();
    let path = format!("src/{}", first.expect("a file").file_name().to_string_lossy());
    let text = repo.read(&path);
    repo.write(&path, &format!("undefinedName();\n{text}"));
    let report = since(&repo, "eslint").report();
    assert_eq!(places(&report, "new"), [format!("{path}:1 no-undef")]);
    assert_eq!(count(&report, "unchanged"), standing);
}

#[test]
fn mypy_errors_of_callers_are_new() {
    let repo = Repo::example("python-billing");
    repo.with_venv("python").write(".gitignore", ".venv\n.mypy_cache\n");
    repo.write("billing/rates.py", "def rate(grams: int) -> int:\n    return 2 * grams\n");
    let caller = "from billing.rates import rate\n\nprice = rate(1)\n";
    repo.write("billing/one.py", caller).write("billing/two.py", caller).committed();
    repo.replace("billing/rates.py", "grams: int", "grams: list[int]").replace(
        "billing/rates.py",
        "2 * grams",
        "len(grams)",
    );
    let report = since(&repo, "mypy").report();
    assert_eq!(
        places(&report, "new"),
        ["billing/one.py:3 arg-type", "billing/two.py:3 arg-type"],
        "{report}"
    );
    assert_eq!((count(&report, "unchanged"), count(&report, "fixed")), (2, 0));
}

#[test]
fn rustc_errors_of_callers_are_new_and_the_users_target_stays_as_it_is() {
    let repo = Repo::example("rust-workspace");
    repo.write(".gitignore", "target\n");
    let lib = repo.read("tax/src/lib.rs");
    repo.write("tax/src/lib.rs", &format!("{lib}\npub mod one;\npub mod rates;\npub mod two;\n"));
    repo.write("tax/src/rates.rs", "pub fn rate(grams: u32) -> u32 {\n    grams * 2\n}\n");
    let caller = "pub fn price() -> u32 {\n    crate::rates::rate(1)\n}\n";
    repo.write("tax/src/one.rs", caller).write("tax/src/two.rs", caller).committed();
    repo.replace("tax/src/rates.rs", "grams: u32", "grams: &str").replace(
        "tax/src/rates.rs",
        "grams * 2",
        "grams.len() as u32",
    );
    let report = since(&repo, "cargo-check").report();
    let new = places(&report, "new");
    assert_eq!(new, ["tax/src/one.rs:2 E0308", "tax/src/two.rs:2 E0308"], "{report}");
    assert!(repo.root().join(".obelus/cache/cargo-target").is_dir());
}

/// npm and pnpm link each package of a workspace into `node_modules`: followed to the user's files
/// it would show the baseline the code after the change.
#[cfg(unix)]
#[test]
fn a_package_of_the_workspace_is_that_of_the_revision() {
    let repo = Repo::empty();
    let modules = repo.root().join("node_modules");
    std::fs::create_dir(&modules).expect("a folder");
    let installed = support::toolchain("ts6").join("node_modules");
    for name in ["typescript", ".bin"] {
        std::os::unix::fs::symlink(installed.join(name), modules.join(name)).expect("a link");
    }
    std::os::unix::fs::symlink("../packages/rates", modules.join("rates")).expect("a link");
    repo.write(".gitignore", "node_modules/\n");
    let options =
        "{\"compilerOptions\": {\"module\": \"nodenext\", \"strict\": true, \"noEmit\": true}}\n";
    repo.write("app/tsconfig.json", options).write("app/package.json", "{\"type\": \"module\"}\n");
    let package = "{\"name\": \"rates\", \"type\": \"module\", \"exports\": \"./index.ts\"}\n";
    repo.write("packages/rates/package.json", package);
    repo.write(
        "packages/rates/index.ts",
        "export const rate = (grams: number): number => grams;\n",
    );
    repo.write("app/main.ts", "import { rate } from \"rates\";\nrate(1);\nrate(\"standing\");\n");
    repo.committed();
    repo.replace("packages/rates/index.ts", "grams: number", "grams: string").replace(
        "packages/rates/index.ts",
        "=> grams",
        "=> grams.length",
    );
    let report = since(&repo, "tsc").report();
    assert_eq!(places(&report, "new"), ["app/main.ts:2 TS2345"], "{report}");
    assert_eq!(count(&report, "fixed"), 1);
}

/// A notebook of code cells with their ids.
fn notebook(cells: &[(&str, &[&str])]) -> String {
    let cell = |(id, source): &(&str, &[&str])| {
        json!({"cell_type": "code", "execution_count": null, "id": id, "metadata": {}, "outputs": [],
            "source": source})
    };
    let cells: Vec<Value> = cells.iter().map(cell).collect();
    json!({"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4,
        "nbformat_minor": 5})
    .to_string()
}

#[test]
fn a_cell_above_makes_nothing_in_a_notebook_new() {
    let repo = Repo::empty();
    repo.with_venv("python").write(".gitignore", ".venv\n").write("ruff.toml", "");
    let load: (&str, &[&str]) = ("a7d2", &["import json\n", "\n", "frame = read()\n"]);
    let draw: (&str, &[&str]) = ("c3e9", &["draw(frame)\n"]);
    repo.write("sales.ipynb", &notebook(&[load, draw])).committed();
    let edited: (&str, &[&str]) = ("c3e9", &["width = 3\n", "draw(frame, height)\n"]);
    repo.write("sales.ipynb", &notebook(&[("90aa", &["import re\n"]), load, edited]));
    let done = since(&repo, "ruff");
    let report = done.report();
    assert_eq!(places(&report, "new"), ["sales.ipynb:1 F401", "sales.ipynb:2 F821"]);
    assert_eq!((count(&report, "unchanged"), count(&report, "fixed")), (3, 0), "{report}");
    let shown = repo.obelus(&["runs", "show", "last", "--output", "agent"]).stdout;
    let first = "edit applied; checks fail: 2 new errors, 3 older errors not";
    assert!(shown.starts_with(first), "{shown}");
    let last = "sales.ipynb cell 3\n1 width = 3\n2 draw(frame, height)\n^13 F821 Undefined name `height`\n";
    assert!(shown.contains(last), "{shown}");
}

#[test]
fn findings_that_moved_are_counted() {
    let repo = Repo::empty();
    repo.with_venv("python").write(".gitignore", ".venv\n").write("ruff.toml", "");
    repo.write(
        "shop/a.py",
        "import json\n\n\ndef total(rows):\n    return sum(row.price for row in rowz)\n",
    );
    repo.committed();
    std::fs::rename(repo.root().join("shop/a.py"), repo.root().join("shop/b.py")).expect("it");
    let shown = repo.obelus(&["check", "ruff", "--since", "HEAD", "--output", "agent"]).stdout;
    assert!(
        shown.contains("nothing new, 2 older errors not caused by the edit (2 moved)"),
        "{shown}"
    );
}
