//! `obelus check --since`, with a checker that counts its runs: what is kept, and every state in
//! which a repository can be.

#[path = "since_git/submodules.rs"]
mod submodules;
mod support;

use std::path::PathBuf;

use serde_json::Value;
use support::{Done, Repo, path_of};
use tempfile::TempDir;

/// A repository with a checker that prints `findings.txt` and leaves a trace of each run.
struct Fake {
    repo: Repo,
    outside: TempDir,
}

impl Fake {
    fn new() -> Self {
        let fake = Fake { repo: Repo::empty(), outside: tempfile::tempdir().expect("a folder") };
        fake.define("").write("a.ts", "let a;\n").write("findings.txt", &finding("a.ts", 1));
        fake.repo.committed();
        fake
    }

    fn define(&self, more: &str) -> &Repo {
        let tally = format!("tally:{}", self.tally().display());
        let steps = [&*tally, "out-file:findings.txt", "exit:1"];
        self.repo.with_fake(&steps, "tsc-text", "");
        let text = self.repo.read("obelus.toml");
        self.repo.write("obelus.toml", &format!("{text}{more}"))
    }

    fn tally(&self) -> PathBuf {
        self.outside.path().join("runs")
    }

    /// How often the checker ran so far.
    fn runs(&self) -> usize {
        std::fs::read(self.tally()).map_or(0, |bytes| bytes.len())
    }

    fn since(&self, name: &str) -> Done {
        self.repo.obelus(&["check", "--since", name, "--output", "json"])
    }

    /// Adds a finding in a file that is new.
    fn edit(&self, path: &str) {
        let findings = self.repo.read("findings.txt");
        self.repo.write(path, "let b;\n");
        self.repo.write("findings.txt", &format!("{findings}{}", finding(path, 1)));
    }
}

fn finding(path: &str, line: u32) -> String {
    format!("{path}({line},1): error TS1: no good\n")
}

/// The paths of what is new.
fn new(report: &Value) -> Vec<&str> {
    let indices = report["attribution"]["new"].as_array().expect("a list");
    let path = |index: &Value| report["records"][index.as_u64()? as usize]["path"].as_str();
    indices.iter().filter_map(path).collect()
}

#[track_caller]
fn refused(done: &Done, words: &str) {
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""), "{}", done.stderr);
    assert!(done.stderr.contains(words), "{}", done.stderr);
}

#[test]
fn a_baseline_is_run_once_and_a_commit_needs_none() {
    let fake = Fake::new();
    fake.edit("b.ts");
    let report = fake.since("HEAD").report();
    assert_eq!((new(&report), fake.runs()), (vec!["b.ts"], 2));
    assert_eq!(
        report["attribution"]["baseline"]["revision"],
        fake.repo.git(&["rev-parse", "HEAD"]).trim()
    );
    assert_eq!((new(&fake.since("HEAD").report()), fake.runs()), (vec!["b.ts"], 3));
    // Once committed, what was checked as the work tree is the baseline.
    fake.repo.commit();
    fake.edit("c.ts");
    let done = fake.since("HEAD");
    assert_eq!((new(&done.report()), fake.runs()), (vec!["c.ts"], 4));
    assert_eq!(done.report()["attribution"]["baseline"]["obtained"], "kept");
    // An older revision is another tree, which is kept as well.
    assert_eq!((new(&fake.since("HEAD~1").report()), fake.runs()), (vec!["b.ts", "c.ts"], 5));
    assert_eq!(new(&fake.since("merge-base:main").report()), ["c.ts"]);
}

#[test]
fn a_saved_run_is_held_against_its_baseline_again() {
    let fake = Fake::new();
    fake.edit("b.ts");
    let report = fake.since("HEAD").report();
    let runs = fake.runs();
    let replay = || fake.repo.obelus(&["runs", "replay", "last", "--output", "json"]);
    assert_eq!((replay().status, replay().report()), (Some(1), report.clone()));

    // The bytes that were printed then, the files as they are now, and that this is so.
    fake.repo.write("c.ts", "let c;\n");
    let later = replay().report();
    assert_eq!((new(&later), &later["reason"]), (vec!["b.ts"], &report["reason"]));
    let notes = &later["attribution"]["baseline"]["notes"];
    assert!(notes[0].as_str().expect("a note").starts_with("files have changed since"), "{notes}");

    // What the run was held against is what the revision was then.
    fake.repo.git(&["add", "."]);
    fake.repo.git(&["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "all"]);
    assert_eq!(new(&replay().report()), ["b.ts"]);
    assert_eq!(fake.runs(), runs, "no checker was run");

    let id = report["id"].as_str().expect("a name");
    fake.repo.remove(&format!(".obelus/runs/{id}/baseline.json"));
    refused(
        &replay(),
        &format!(
            "run {id} was held against HEAD, and the baseline was not kept; `obelus runs show"
        ),
    );
}

#[test]
fn a_saved_run_whose_baseline_is_gone_says_so() {
    let fake = Fake::new();
    fake.repo.write("z.ts", "let z;\n");
    assert_eq!(fake.repo.obelus(&["baseline"]).status, Some(0));
    fake.edit("b.ts");
    let report = fake.since("baseline").report();
    let replay = || fake.repo.obelus(&["runs", "replay", "last", "--output", "json"]);
    assert_eq!(replay().report(), report);
    std::fs::remove_dir_all(fake.repo.root().join(".obelus/cache")).expect("it is there");
    refused(&replay(), "was held against baseline, and git does not have its files any more");
}

#[test]
fn another_configuration_is_another_baseline() {
    let fake = Fake::new();
    fake.edit("b.ts");
    fake.since("HEAD").report();
    fake.define("severity = { TS1 = \"warning\" }\n");
    let report = fake.since("HEAD").report();
    // Both sides are read by the rules of the work tree, so that the old finding is the same still;
    // what lowers it is told.
    assert_eq!((new(&report), fake.runs()), (vec!["b.ts", "obelus.toml"], 4));
    assert_eq!(report["attribution"]["unchanged"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_stored_baseline_spares_the_run_even_of_files_that_are_not_committed() {
    let fake = Fake::new();
    fake.edit("b.ts");
    let stored = fake.repo.obelus(&["baseline"]);
    assert_eq!((stored.status, fake.runs()), (Some(0), 1), "{}", stored.stderr);
    assert_eq!(
        stored.stdout,
        "stored, with 2 findings; after the edit: obelus check --since baseline\n"
    );
    fake.edit("c.ts");
    fake.repo.write("b.ts", "// above\nlet b;\n").replace("findings.txt", "b.ts(1", "b.ts(2");
    let report = fake.since("baseline").report();
    assert_eq!((new(&report), fake.runs()), (vec!["c.ts"], 2));
    assert_eq!(report["attribution"]["unchanged"].as_array().map(Vec::len), Some(2));
    // With another configuration the stored files are checked again, from what was kept of them.
    fake.define("severity = { TS1 = \"warning\" }\n");
    let report = fake.since("baseline").report();
    assert_eq!((new(&report), fake.runs()), (vec!["c.ts", "obelus.toml"], 4));
}

#[test]
fn a_baseline_whose_run_failed_proves_nothing() {
    let fake = Fake::new();
    fake.repo.remove("findings.txt").commit();
    fake.repo.write("findings.txt", &finding("a.ts", 1));
    let done = fake.since("HEAD");
    let report = done.report();
    assert_eq!(done.status, Some(1));
    assert_eq!(report["attribution"]["attributable"], false);
    assert_eq!(report["attribution"]["say"][0], "baseline_failed");
    assert_eq!(new(&report), Vec::<&str>::new());
    assert_eq!(report["attribution"]["unattributed"]["after"], serde_json::json!([0]));
}

#[test]
fn errors_of_touched_files_are_sent_with_what_is_new() {
    let fake = Fake::new();
    let standing = format!("{}{}", finding("a.ts", 1), finding("old.ts", 1));
    fake.repo.write("old.ts", "let o;\n").write("findings.txt", &standing).commit();
    fake.repo.write("a.ts", "let a;\nlet more;\n");
    fake.edit("b.ts");
    let report = fake.since("HEAD").report();
    assert_eq!(
        report["attribution"]["touched"],
        serde_json::json!(["a.ts", "b.ts", "findings.txt"])
    );
    let sent = report["route"]["sent"].as_array().expect("a list");
    let path = |index: &Value| report["records"][index.as_u64()? as usize]["path"].as_str();
    assert_eq!(sent.iter().filter_map(path).collect::<Vec<_>>(), ["a.ts", "b.ts"]);
}

#[test]
fn a_new_file_alone_is_held_against_nothing() {
    let fake = Fake::new();
    fake.edit("b.ts");
    let done = fake.repo.obelus(&["check", "b.ts", "--since", "HEAD", "--output", "json"]);
    assert_eq!((new(&done.report()), fake.runs()), (vec!["b.ts"], 1));
}

#[test]
fn a_folder_of_the_repository_may_be_the_root() {
    let fake = Fake::new();
    let inner = Fake { repo: Repo::empty(), outside: tempfile::tempdir().expect("a folder") };
    inner.define("").write("a.ts", "").write("findings.txt", &finding("a.ts", 1));
    let root = fake.repo.root().join("web");
    std::fs::create_dir(&root).expect("a folder");
    for name in ["obelus.toml", "a.ts", "findings.txt"] {
        std::fs::copy(inner.repo.root().join(name), root.join(name)).expect("a copy");
    }
    fake.repo.commit();
    let twice = finding("a.ts", 1) + &finding("b.ts", 1);
    fake.repo.write("web/findings.txt", &twice).write("web/b.ts", "x\n");
    let report =
        fake.repo.obelus_in("web", &["check", "--since", "HEAD", "--output", "json"]).report();
    assert_eq!((new(&report), fake.runs(), inner.runs()), (vec!["b.ts"], 0, 2));
}

#[test]
fn what_git_ignores_is_there_for_the_baseline_too() {
    let fake = Fake::new();
    fake.repo.write(".gitignore", "findings.txt\n").git(&[
        "rm",
        "--quiet",
        "--cached",
        "findings.txt",
    ]);
    fake.repo.commit().write("a.ts", "let a;\nlet b;\n");
    let report = fake.since("HEAD").report();
    assert_eq!((new(&report), report["outcome"].as_str()), (vec![], Some("pass")), "{report}");
}

#[test]
fn revisions_that_are_not_there() {
    let fake = Fake::new();
    refused(&fake.since("nope"), "there is no revision \"nope\" in this repository");
    refused(&fake.since("--output"), "a value is required");
    refused(&fake.since("baseline"), "no baseline is stored; `obelus baseline` stores one");
    fake.repo.git(&["checkout", "--quiet", "--orphan", "other"]);
    fake.repo.commit();
    fake.repo.git(&["commit", "--quiet", "--amend", "--message=another"]);
    refused(&fake.since("merge-base:main"), "HEAD and \"main\" have no common ancestor");
    assert_eq!(fake.runs(), 0);
}

#[test]
fn a_shallow_clone_without_the_revision() {
    let fake = Fake::new();
    fake.edit("b.ts");
    fake.repo.commit();
    let clone = Repo::empty();
    let url = format!("file://{}", fake.repo.root().display());
    clone.git(&["clone", "--quiet", "--depth=1", &url, "."]);
    let done = clone.obelus(&["check", "--since", "HEAD~1"]);
    refused(&done, "this clone is shallow; `git fetch --deepen=100` or `git fetch --unshallow`");
    let done = clone.obelus(&["check", "--since", "HEAD", "--output", "json"]);
    assert_eq!(new(&done.report()), Vec::<&str>::new());
}

#[test]
fn no_repository_no_commit_no_git() {
    let repo = Repo::empty();
    repo.with_fake(&["exit:0"], "tsc-text", "");
    let check = ["check", "--since", "HEAD"];
    refused(&repo.obelus(&check), "is no git repository, so there is no revision to compare with");
    repo.git(&["init", "--quiet"]);
    refused(&repo.obelus(&check), "the repository has no commit yet");
    let empty = path_of(&[]);
    let done: Done =
        repo.command(&check).env("PATH", empty.path()).output().expect("obelus runs").into();
    refused(&done, "git is not on $PATH; comparing with a revision needs git 2.31 or newer");
    // The files as they are can be stored all the same.
    assert_eq!(repo.obelus(&["baseline"]).status, Some(0));
    assert_eq!(repo.obelus(&["check", "--since", "baseline"]).status, Some(0));
}

#[cfg(unix)]
#[test]
fn a_git_that_is_too_old() {
    use std::os::unix::fs::PermissionsExt;
    let fake = Fake::new();
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("git");
    std::fs::write(&old, "#!/bin/sh\necho git version 2.25.1\n").expect("the script");
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o755)).expect("it may run");
    let mut command = fake.repo.command(&["check", "--since", "HEAD"]);
    let done: Done = command.env("PATH", folder.path()).output().expect("obelus runs").into();
    refused(&done, "needs git 2.31 or newer, and this is \"git version 2.25.1\"");
}

#[test]
fn a_bare_repository() {
    let fake = Fake::new();
    let bare = Repo::empty();
    bare.git(&["clone", "--quiet", "--bare", &fake.repo.root().display().to_string(), "."]);
    refused(&bare.obelus(&["check", "--since", "HEAD"]), "its repository is bare");
}

#[test]
fn staged_edited_and_untracked_files_and_a_hooks_environment() {
    let fake = Fake::new();
    fake.edit("b.ts");
    fake.repo.git(&["add", "b.ts"]);
    fake.repo.write("b.ts", "let b; // since\n").write("c.ts", "untracked\n");
    let index = std::fs::read(fake.repo.root().join(".git/index")).expect("the index");
    let status = fake.repo.git(&["status", "--porcelain"]);
    // As a hook sees it: git has set these for somebody else.
    let done: Done = fake
        .repo
        .command(&["check", "--since", "HEAD", "--output", "json"])
        .env("GIT_DIR", "/nowhere")
        .env("GIT_INDEX_FILE", "/nowhere/index")
        .output()
        .expect("obelus runs")
        .into();
    assert_eq!(new(&done.report()), ["b.ts"], "{}", done.stderr);
    assert_eq!(std::fs::read(fake.repo.root().join(".git/index")).expect("the index"), index);
    assert_eq!(fake.repo.git(&["status", "--porcelain"]), status);
}

#[test]
fn a_linked_work_tree() {
    let fake = Fake::new();
    let linked = Repo::empty();
    let to = linked.root().join("linked");
    fake.repo.git(&["worktree", "add", "--quiet", "--detach", &to.display().to_string()]);
    std::fs::write(to.join("findings.txt"), finding("a.ts", 1) + &finding("b.ts", 1)).expect("it");
    std::fs::write(to.join("b.ts"), "x\n").expect("it");
    let done = linked.obelus_in("linked", &["check", "--since", "HEAD", "--output", "json"]);
    assert_eq!(new(&done.report()), ["b.ts"], "{}", done.stderr);
}

#[test]
fn a_sparse_checkout_is_compared_in_its_part() {
    let fake = Fake::new();
    fake.repo.write("big/findings.txt", "").write("big/c.ts", "").commit();
    fake.repo.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/big/"]);
    assert!(!fake.repo.root().join("big").exists());
    fake.edit("b.ts");
    let report = fake.since("HEAD").report();
    assert_eq!(new(&report), ["b.ts"]);
    assert_eq!(
        report["attribution"]["baseline"]["notes"][0],
        "the checkout is sparse, and the baseline was checked in the same part"
    );
}
