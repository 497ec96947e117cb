//! Killed at any point, a fix leaves each file old or new, and the next one puts them back.
#![cfg(unix)]

mod support;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use serde_json::json;

const FILES: usize = 24;
const KILLS: usize = 500;
/// More kills than this are not needed to meet some in the middle of the work.
const MOST_KILLS: usize = 5_000;

fn name(number: usize) -> String {
    format!("src/file{number}.txt")
}

fn old(number: usize) -> String {
    format!("old {number}\n").repeat(300)
}

fn new(number: usize) -> String {
    format!("new {number}\n{}", &old(number)[format!("old {number}\n").len()..])
}

/// One suggestion that edits all files: they are all old or all new in the end.
fn records(folder: &Path) {
    let edits = (0..FILES).map(|number| {
        json!({"path": name(number), "line": 1, "column": 1, "end_line": 1, "end_column": 4, "text": "new"})
    });
    let edits: Vec<_> = edits.collect();
    let record = |applicability: &str| {
        json!({"tool": "t", "severity": "error", "message": "m",
               "suggestion": {"applicability": applicability, "edits": edits}})
    };
    std::fs::write(folder.join("records.jsonl"), record("safe").to_string()).expect("records");
    std::fs::write(folder.join("nothing.jsonl"), record("unsafe").to_string()).expect("records");
}

fn start(folder: &Path, records: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_obelus"))
        .args(["fix", "--output", "json", "--records"])
        .arg(folder.join(records))
        .arg("--source")
        .arg(folder.join("repo"))
        .stdout(Stdio::null())
        .spawn()
        .expect("obelus starts")
}

/// Which files are new; each must be old or new.
#[track_caller]
fn state(repo: &Path) -> Vec<bool> {
    let is_new = |number: usize| {
        let bytes = std::fs::read_to_string(repo.join(name(number))).expect("the file is there");
        assert!(bytes == old(number) || bytes == new(number), "{} is torn", name(number));
        bytes == new(number)
    };
    (0..FILES).map(is_new).collect()
}

/// The names in the folder of the files.
fn names(repo: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(repo.join("src")).expect("the folder").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().display().to_string()).collect();
    names.sort();
    names
}

#[test]
fn no_kill_tears_a_file_and_the_next_start_puts_all_back() {
    // What a kill leaves is the same in memory, and waits for no disk.
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let folder = tempfile::tempdir_in(folder).expect("a temporary folder");
    let repo = folder.path().join("repo");
    std::fs::create_dir_all(repo.join("src")).expect("the folder");
    records(folder.path());
    let reset = || {
        for number in 0..FILES {
            std::fs::write(repo.join(name(number)), old(number)).expect("the file");
        }
    };
    reset();
    let clean = names(&repo);
    let began = Instant::now();
    start(folder.path(), "records.jsonl").wait().expect("it ends");
    let whole = began.elapsed();
    assert_eq!(state(&repo), [true; FILES]);

    let journal = repo.join(".obelus/fix/journal.json");
    let (mut unfinished, mut mixed, mut point) = (0, 0, 1_u64);
    for kill in 0.. {
        if kill >= KILLS && (mixed > 0 || kill >= MOST_KILLS) {
            break;
        }
        reset();
        point =
            point.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut child = start(folder.path(), "records.jsonl");
        std::thread::sleep(whole.mul_f64((point >> 33) as f64 / f64::from(1_u32 << 31)));
        child.kill().expect("it can be killed, or has ended");
        child.wait().expect("it ends");
        let before = state(&repo);
        if journal.exists() {
            unfinished += 1;
            mixed += usize::from(before.contains(&true) && before.contains(&false));
            start(folder.path(), "nothing.jsonl").wait().expect("it ends");
            assert_eq!(state(&repo), [false; FILES], "what was unfinished is put back");
            assert!(!repo.join(".obelus/fix").exists(), "the journal is gone");
            assert_eq!(names(&repo), clean, "no file of the work is left");
        } else {
            assert!(before == [false; FILES] || before == [true; FILES], "{before:?}");
        }
    }
    assert!(unfinished > 0 && mixed > 0, "some kills met the middle: {unfinished}, {mixed}");
}
