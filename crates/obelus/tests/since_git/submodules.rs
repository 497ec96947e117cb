//! Submodules: which files they had, and whose lines are followed.

use serde_json::{Value, json};

use crate::support::{Repo, git, lines};
use crate::{Fake, finding, new, refused};

#[test]
fn files_of_a_submodule_are_those_of_the_commit_that_the_revision_names() {
    let fake = Fake::new();
    let library = Repo::empty();
    library.write("findings.txt", &finding("a.ts", 1)).committed();
    let url = library.root().display().to_string();
    fake.repo.git(&["submodule", "--quiet", "add", &url, "lib"]);
    let config = fake.repo.read("obelus.toml").replace("findings.txt", "lib/findings.txt");
    fake.repo.write("obelus.toml", &config).commit();
    fake.repo.write("lib/findings.txt", &(finding("a.ts", 1) + &finding("b.ts", 1)));
    fake.repo.write("b.ts", "x\n");
    let report = fake.since("HEAD").report();
    assert_eq!((new(&report), lines(&report).len()), (vec!["b.ts"], 2), "{report}");
    // Where the commit is not there, nobody can say.
    git(&fake.repo.root().join("lib"), &["commit", "--quiet", "--all", "--message=x"]);
    fake.repo.commit();
    let hidden = fake.repo.root().join(".git/modules/lib/objects");
    git(&fake.repo.root().join("lib"), &["reset", "--quiet", "--hard", "HEAD~1"]);
    let tip = fake.repo.git(&["rev-parse", "HEAD:lib"]);
    let object = hidden.join(&tip[..2]).join(tip[2..].trim());
    std::fs::remove_file(object).expect("the commit can be taken away");
    refused(&fake.since("HEAD"), "the submodule lib of that revision can't be had");
}

/// A repository with a submodule `lib`, whose checker finds something on line 3 of its `a.ts`, where
/// the same is found on line 1.
fn with_submodule() -> Fake {
    let fake = Fake::new();
    let library = Repo::empty();
    library.write("a.ts", SOURCE).committed();
    let url = library.root().display().to_string();
    fake.repo.git(&["submodule", "--quiet", "add", &url, "lib"]);
    fake.repo.write("findings.txt", &(finding("lib/a.ts", 1) + &finding("lib/a.ts", 3))).commit();
    fake
}

const SOURCE: &str = "first(one);\nlet b = start();\nfirst(one);\nend(b);\n";
/// With a line above, another finding, and without the first one.
const EDITED: &str = "import x;\nlet b = start();\nfirst(one);\nend(b);\nanother();\n";

/// What became of the findings after the edit of `lib/a.ts`: lines of what is new, pairs of what
/// stayed, what was fixed, and whether everything is certain.
fn told(fake: &Fake) -> (Vec<u64>, Value, Value, bool) {
    let found: String = [3, 5].map(|line| finding("lib/a.ts", line)).concat();
    fake.repo.write("findings.txt", &found);
    let report = fake.since("HEAD").report();
    let attribution = &report["attribution"];
    let line = |index: &Value| report["records"][index.as_u64()? as usize]["line"].as_u64();
    let new = attribution["new"].as_array().expect("a list").iter().filter_map(line).collect();
    let certain = attribution["evidence"].as_array().is_none_or(Vec::is_empty);
    let pairs = [&attribution["unchanged"], &attribution["fixed"]];
    (new, pairs[0].clone(), pairs[1].clone(), certain)
}

fn wanted() -> (Vec<u64>, Value, Value, bool) {
    (vec![5], json!([[1, 0]]), json!([0]), true)
}

#[test]
fn lines_of_a_submodule_are_followed_from_the_commit_that_the_revision_names() {
    let fake = with_submodule();
    fake.repo.write("lib/a.ts", EDITED);
    assert_eq!(told(&fake), wanted());
    // The same where it has a commit of its own, which the outer repository does not name yet, and
    // where a saved run is told again.
    git(&fake.repo.root().join("lib"), &["commit", "--quiet", "--all", "--message=x"]);
    assert_eq!(told(&fake), wanted());
    let again = fake.repo.obelus(&["runs", "replay", "last", "--output", "json"]).report();
    assert_eq!(again["attribution"]["unchanged"], json!([[1, 0]]));
}

#[test]
fn a_file_of_a_submodule_is_renamed_and_one_comes() {
    let fake = with_submodule();
    fake.repo.write("lib/b.ts", EDITED);
    std::fs::remove_file(fake.repo.root().join("lib/a.ts")).expect("it can be removed");
    let found: String = [3, 5].map(|line| finding("lib/b.ts", line)).concat();
    fake.repo.write("findings.txt", &found);
    let report = fake.since("HEAD").report();
    assert_eq!(report["attribution"]["unchanged"], json!([[1, 0]]));
    assert_eq!(report["attribution"]["evidence"][0]["moved"], true);
}

#[test]
fn a_submodule_that_came_is_new() {
    let fake = Fake::new();
    let library = Repo::empty();
    library.write("a.ts", SOURCE).write("inner/b.ts", SOURCE).committed();
    fake.repo.git(&["submodule", "--quiet", "add", &library.root().display().to_string(), "lib"]);
    let found = finding("a.ts", 1) + &finding("lib/inner/b.ts", 1);
    fake.repo.write("findings.txt", &found);
    let report = fake.since("HEAD").report();
    assert_eq!(new(&report), ["lib/inner/b.ts"]);
    let touched = report["attribution"]["touched"].as_array().expect("a list");
    assert!(touched.contains(&"lib/inner/b.ts".into()), "{touched:?}");
}

#[test]
fn a_submodule_within_another() {
    let inner = Repo::empty();
    inner.write("a.ts", SOURCE).committed();
    let outer = Repo::empty();
    outer.write("b.ts", "b\n").committed();
    outer.git(&["submodule", "--quiet", "add", &inner.root().display().to_string(), "deep"]);
    outer.commit();
    let fake = Fake::new();
    fake.repo.git(&["submodule", "--quiet", "add", &outer.root().display().to_string(), "lib"]);
    fake.repo.git(&["submodule", "--quiet", "update", "--init", "--recursive"]);
    let found = |lines: [u32; 2]| lines.map(|line| finding("lib/deep/a.ts", line)).concat();
    fake.repo.write("findings.txt", &found([1, 3])).commit();
    fake.repo.write("lib/deep/a.ts", EDITED).write("findings.txt", &found([3, 5]));
    let attribution = &fake.since("HEAD").report()["attribution"];
    assert_eq!(attribution["unchanged"], json!([[1, 0]]), "{attribution}");
    assert_eq!(attribution["new"], json!([1]));
}

#[test]
fn a_stored_baseline_knows_what_was_not_committed_in_a_submodule() {
    let fake = with_submodule();
    let found = |lines: [u32; 2]| lines.map(|line| finding("lib/a.ts", line)).concat();
    fake.repo.write("lib/a.ts", &format!("import x;\n{SOURCE}"));
    fake.repo.write("findings.txt", &found([2, 4]));
    assert_eq!(fake.repo.obelus(&["baseline"]).status, Some(0));
    fake.repo.write("lib/a.ts", &format!("import y;\nimport x;\n{SOURCE}another();\n"));
    fake.repo.write("findings.txt", &found([5, 7]));
    // Once as it was stored, and once checked anew, as it must be where versions differ.
    for _ in 0..2 {
        let report = fake.since("baseline").report();
        let attribution = &report["attribution"];
        assert_eq!(attribution["unchanged"], json!([[1, 0]]), "{attribution}");
        let (new, fixed) = (json!([1]), json!([0]));
        assert_eq!((&attribution["new"], &attribution["fixed"]), (&new, &fixed));
        fake.define("docs = \"https://example.org\"\n");
    }
}
