//! Files replaced while somebody else is at work on the same folders.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use obelus_exec::apply::{ApplyError, Change, Restored, Transaction};
use obelus_record::SkipReason;
use tempfile::TempDir;

/// A repository with `dir/a.txt` and `b.txt`, and a folder beside it with an `a.txt` as well.
fn ground() -> (TempDir, std::path::PathBuf, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("the ground");
    let (repo, outside) = (folder.path().join("repo"), folder.path().join("outside"));
    std::fs::create_dir_all(repo.join("dir")).expect("the ground");
    std::fs::create_dir_all(&outside).expect("the ground");
    std::fs::write(repo.join("dir/a.txt"), "old").expect("the ground");
    std::fs::write(repo.join("b.txt"), "old").expect("the ground");
    std::fs::write(outside.join("a.txt"), "old").expect("the ground");
    (folder, repo, outside)
}

fn change(path: &str) -> Change {
    Change { path: path.into(), from: Arc::from(*b"old"), to: Arc::from(*b"new") }
}

#[track_caller]
fn holds(path: &Path, text: &str) {
    assert_eq!(std::fs::read_to_string(path).expect("it works"), text, "{}", path.display());
}

fn begin(repo: &Path) -> Transaction {
    let (transaction, restored) = Transaction::begin(repo).expect("it works");
    assert_eq!(restored, Restored::default());
    transaction
}

#[test]
fn a_folder_that_became_a_link_is_not_followed() {
    let (_folder, repo, outside) = ground();
    let mut transaction = begin(&repo);
    let looked = transaction.tree().look("dir/a.txt").unwrap();
    assert_eq!(&*looked.bytes, b"old");
    std::fs::rename(repo.join("dir"), repo.join("was")).unwrap();
    symlink(&outside, repo.join("dir")).unwrap();
    let written = transaction.write(&[change("b.txt"), change("dir/a.txt")]).unwrap();
    assert_eq!(written, Err(("dir/a.txt".into(), SkipReason::Symlink)));
    holds(&outside.join("a.txt"), "old");
    holds(&repo.join("was/a.txt"), "old");
    // All or nothing.
    holds(&repo.join("b.txt"), "old");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn a_file_that_became_a_link_is_neither_followed_nor_replaced() {
    let (_folder, repo, outside) = ground();
    let mut transaction = begin(&repo);
    std::fs::remove_file(repo.join("b.txt")).unwrap();
    symlink(outside.join("a.txt"), repo.join("b.txt")).unwrap();
    let written = transaction.write(&[change("b.txt")]).unwrap();
    assert_eq!(written, Err(("b.txt".into(), SkipReason::Symlink)));
    holds(&outside.join("a.txt"), "old");
    assert!(repo.join("b.txt").is_symlink());
}

#[test]
fn links_come_and_go_while_files_are_written_and_nothing_outside_changes() {
    let (_folder, repo, outside) = ground();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (dir, was) = (repo.join("dir"), repo.join("was"));
            while !done.load(Ordering::Relaxed) {
                std::fs::rename(&dir, &was).unwrap();
                symlink(&outside, &dir).unwrap();
                std::fs::remove_file(&dir).unwrap();
                std::fs::rename(&was, &dir).unwrap();
                // The other thread shall also meet the folder as it is.
                std::thread::sleep(std::time::Duration::from_micros(200));
            }
        });
        let mut transaction = begin(&repo);
        let (mut written, mut elsewhere) = (0, false);
        for round in 0.. {
            if round >= 600 && (written > 0 || round >= 1_000_000) {
                break;
            }
            let Ok(file) = transaction.tree().look("dir/a.txt") else { continue };
            elsewhere |= *file.path != *"dir/a.txt";
            let to: Arc<[u8]> =
                if *file.bytes == *b"old" { (*b"new").into() } else { (*b"old").into() };
            let temporary = ".test.tmp";
            written += usize::from(
                transaction.tree().replace(&file.path, Some(&file.bytes), &to, temporary).is_ok(),
            );
        }
        done.store(true, Ordering::Relaxed);
        assert!(written > 0 && !elsewhere);
        transaction.commit().unwrap();
    });
    holds(&outside.join("a.txt"), "old");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn what_was_edited_since_is_stale_and_the_rest_is_put_back() {
    let (_folder, repo, _) = ground();
    let mut transaction = begin(&repo);
    std::fs::write(repo.join("dir/a.txt"), "mine").unwrap();
    let written = transaction.write(&[change("b.txt"), change("dir/a.txt")]).unwrap();
    assert_eq!(written, Err(("dir/a.txt".into(), SkipReason::Stale)));
    holds(&repo.join("b.txt"), "old");
    holds(&repo.join("dir/a.txt"), "mine");
}

#[test]
fn what_is_not_committed_is_put_back_by_the_next_start() {
    let (_folder, repo, _) = ground();
    let mut transaction = begin(&repo);
    transaction.write(&[change("b.txt"), change("dir/a.txt")]).unwrap().unwrap();
    drop(transaction);
    holds(&repo.join("b.txt"), "new");
    // Somebody goes on with one of the files.
    std::fs::write(repo.join("dir/a.txt"), "new and mine").unwrap();
    let (_transaction, restored) = Transaction::begin(&repo).unwrap();
    assert_eq!(restored.files, ["b.txt"]);
    assert_eq!(restored.left, ["dir/a.txt"]);
    holds(&repo.join("b.txt"), "old");
    holds(&repo.join("dir/a.txt"), "new and mine");
}

#[test]
fn what_is_committed_stays_and_leaves_nothing_behind() {
    let (_folder, repo, _) = ground();
    let mut transaction = begin(&repo);
    transaction.write(&[change("b.txt")]).unwrap().unwrap();
    transaction.commit().unwrap();
    drop(transaction);
    holds(&repo.join("b.txt"), "new");
    assert!(!repo.join(".obelus").exists());
    drop(begin(&repo));
    holds(&repo.join("b.txt"), "new");
}

#[test]
fn one_at_a_time() {
    let (_folder, repo, _) = ground();
    let transaction = begin(&repo);
    assert!(matches!(Transaction::begin(&repo), Err(ApplyError::Busy { .. })));
    drop(transaction);
    drop(begin(&repo));
}

#[test]
fn a_damaged_journal_is_told_and_kept() {
    let (_folder, repo, _) = ground();
    std::fs::create_dir_all(repo.join(".obelus/fix")).unwrap();
    std::fs::write(repo.join(".obelus/fix/journal.json"), "{").unwrap();
    assert!(matches!(Transaction::begin(&repo), Err(ApplyError::Damaged { .. })));
    assert!(repo.join(".obelus/fix/journal.json").exists());
}
