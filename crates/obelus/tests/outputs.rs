//! Several outputs of one run, and where each goes.

mod support;

use support::Repo;

const RECORDS: &str = concat!(
    r#"{"tool":"tsc","severity":"error","code":"TS1","path":"a.ts","line":1,"column":1,"message":"one"}"#,
    "\n"
);

fn with(args: &[&str]) -> (Repo, support::Done) {
    let repo = Repo::empty();
    repo.write("records.jsonl", RECORDS).write("a.ts", "x\n");
    let done = repo.obelus(&[&["report", "records.jsonl", "--source", "."], args].concat());
    (repo, done)
}

#[test]
fn one_goes_to_stdout_and_the_others_into_files() {
    let (repo, done) =
        with(&["--output", "json=deep.json", "--output", "agent", "--output", "jsonl=lines.jsonl"]);
    assert_eq!((done.status, done.stderr.as_str()), (Some(1), ""));
    assert!(done.stdout.starts_with("fail: 1 error in 1 file"), "{}", done.stdout);
    let alone = repo.obelus(&["report", "records.jsonl", "--source", ".", "--output", "json"]);
    assert_eq!(repo.read("deep.json"), alone.stdout);
    let alone = repo.obelus(&["report", "records.jsonl", "--output", "jsonl"]);
    assert_eq!(repo.read("lines.jsonl"), alone.stdout);
}

#[test]
fn with_files_alone_stdout_stays_empty() {
    let (repo, done) = with(&["--output", "human=told.txt", "--color", "always"]);
    assert_eq!((done.status, done.stdout.as_str(), done.stderr.as_str()), (Some(1), "", ""));
    let told = repo.read("told.txt");
    assert!(told.contains("error[TS1]: one"), "{told}");
    assert!(!told.contains('\u{1b}'), "{told}");
}

#[test]
fn what_cannot_be_written_says_so_and_leaves_the_file_as_it_was() {
    let (repo, done) = with(&["--output", "json=no/such/folder.json"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(70), ""));
    assert!(
        done.stderr.starts_with("obelus: cannot write no/such/folder.json: "),
        "{}",
        done.stderr
    );
    // Nothing is left lying beside the file either.
    assert_eq!(std::fs::read_dir(repo.root()).expect("the folder").count(), 2);
}

#[cfg(unix)]
#[test]
fn a_file_keeps_its_mode_and_a_new_one_gets_the_usual() {
    use std::os::unix::fs::PermissionsExt as _;

    let repo = Repo::empty();
    repo.write("records.jsonl", RECORDS).write("old.json", "").write("like-any", "");
    let mode = |path: &str| {
        let there = std::fs::metadata(repo.root().join(path)).expect("the file");
        there.permissions().mode() & 0o777
    };
    let only_mine = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(repo.root().join("old.json"), only_mine).expect("the mode");
    repo.obelus(&["report", "records.jsonl", "--output", "json=old.json"]);
    repo.obelus(&["report", "records.jsonl", "--output", "json=new.json"]);
    assert_eq!((mode("old.json"), mode("new.json")), (0o600, mode("like-any")));
    assert!(repo.read("old.json").starts_with('{'));
}

#[test]
fn two_outputs_for_one_place_are_refused() {
    for (args, message) in [
        (
            ["--output", "json", "--output", "human"],
            "obelus: --output json and human would both go to standard output; write one into a file: --output human=FILE\n",
        ),
        (
            ["--output", "json=a", "--output", "jsonl=a"],
            "obelus: --output json and jsonl would both write a\n",
        ),
    ] {
        let (_, done) = with(&args);
        assert_eq!(
            (done.status, done.stdout.as_str(), done.stderr.as_str()),
            (Some(2), "", message)
        );
    }
}

#[test]
fn a_word_that_names_no_output_gets_the_nearest() {
    let (_, done) = with(&["--output", "jsn"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert!(
        done.stderr.contains("invalid value 'jsn' for '--output <OUTPUT[=FILE]>'"),
        "{}",
        done.stderr
    );
    assert!(done.stderr.contains("a similar value exists: 'json'"), "{}", done.stderr);
    let (_, done) = with(&["--output", "json="]);
    assert_eq!(done.status, Some(2), "{}", done.stderr);
}
