use std::fs;
use std::process::Command;

use super::*;

/// A folder with files of all sorts, in git or not.
struct Tree {
    folder: tempfile::TempDir,
    kept: tempfile::TempDir,
}

impl Tree {
    fn new(git: bool) -> Self {
        let tree =
            Tree { folder: tempfile::tempdir().unwrap(), kept: tempfile::tempdir().unwrap() };
        tree.write("a.txt", b"one\r\ntwo\n\xff\x00");
        tree.write("src/100%/b c.rs", b"");
        tree.write("src/\"quoted\".rs", b"q");
        tree.write(".gitattributes", b"* text=auto eol=crlf\n*.txt filter=nobody\n");
        tree.write(".gitignore", b"ignored/\n");
        tree.write("ignored/x", b"x");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../a.txt", tree.path("src/link")).unwrap();
            tree.write("src/two\nlines", b"n");
        }
        if git {
            for args in [&["init", "--quiet"][..], &["add", "a.txt"]] {
                let done = Command::new("git").args(args).current_dir(tree.folder.path()).output();
                assert!(done.unwrap().status.success());
            }
        }
        tree
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), bytes).unwrap();
    }

    fn snapshots(&self) -> Snapshots {
        let root = self.folder.path().canonicalize().unwrap();
        Snapshots::open(&root, self.kept.path()).unwrap()
    }

    /// Everything on disk besides git's own folder: path, permissions, bytes.
    fn all(&self) -> Vec<(String, u32, Vec<u8>)> {
        let mut all = Vec::new();
        collect(self.folder.path(), self.folder.path(), &mut all);
        all.sort();
        all
    }
}

fn collect(top: &Path, folder: &Path, all: &mut Vec<(String, u32, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = path.strip_prefix(top).unwrap().to_string_lossy().into_owned();
        let kind = entry.file_type().unwrap();
        if name == ".git" {
            continue;
        }
        if kind.is_dir() {
            collect(top, &path, all);
        } else if kind.is_symlink() {
            all.push((name, 0, entry::bytes_of(&fs::read_link(&path).unwrap())));
        } else {
            let mode = entry::look(&path).unwrap().unwrap().mode;
            all.push((name, mode, fs::read(&path).unwrap()));
        }
    }
}

#[test]
fn files_come_back_to_the_byte() {
    for git in [true, false] {
        let tree = Tree::new(git);
        let snapshots = tree.snapshots();
        let before = tree.all();
        let first = snapshots.take(None).unwrap();
        assert_eq!(snapshots.take(Some(&first)).unwrap().tree, first.tree);

        tree.write("a.txt", b"other");
        tree.write("new/deep/file", b"new");
        fs::remove_dir_all(tree.path("src/100%")).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::remove_file(tree.path("src/link")).unwrap();
            fs::write(tree.path("src/link"), b"no link").unwrap();
            let path = tree.path("src/\"quoted\".rs");
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let after = tree.all();
        let second = snapshots.restore(&first).unwrap();
        assert_eq!(tree.all(), before, "git: {git}");
        assert!(!tree.path("new").exists());
        snapshots.restore(&second).unwrap();
        assert_eq!(tree.all(), after, "git: {git}");
    }
}

#[test]
fn a_root_that_git_ignores_is_kept_all_the_same() {
    let tree = Tree::new(true);
    tree.write("ignored/x", b"before");
    let root = tree.path("ignored").canonicalize().unwrap();
    let snapshots = Snapshots::open(&root, tree.kept.path()).unwrap();
    let before = snapshots.take(None).unwrap();
    tree.write("ignored/x", b"after");
    let after = snapshots.take(None).unwrap();
    assert_eq!(after.differing(&before), ["x"]);
    // Also when git knows the folder in the meantime.
    tree.write(".gitignore", b"");
    let snapshots = Snapshots::open(&root, tree.kept.path()).unwrap();
    snapshots.restore(&before).unwrap();
    assert_eq!(fs::read(tree.path("ignored/x")).unwrap(), b"before");
}

#[test]
fn what_is_ignored_stays() {
    for git in [true, false] {
        let tree = Tree::new(git);
        let snapshots = tree.snapshots();
        let first = snapshots.take(None).unwrap();
        // An agent that stops ignoring a folder does not make it its own.
        tree.write(".gitignore", b"");
        tree.write("ignored/y", b"y");
        snapshots.restore(&first).unwrap();
        assert_eq!(fs::read(tree.path("ignored/x")).unwrap(), b"x");
        assert_eq!(fs::read(tree.path("ignored/y")).unwrap(), b"y");
        assert_eq!(fs::read(tree.path(".gitignore")).unwrap(), b"ignored/\n");
    }
}

#[test]
fn a_folder_that_became_a_file_and_a_file_that_became_a_folder() {
    let tree = Tree::new(true);
    let snapshots = tree.snapshots();
    let before = tree.all();
    let first = snapshots.take(None).unwrap();
    fs::remove_dir_all(tree.path("src")).unwrap();
    tree.write("src", b"a file");
    fs::remove_file(tree.path("a.txt")).unwrap();
    tree.write("a.txt/inside", b"x");
    snapshots.restore(&first).unwrap();
    assert_eq!(tree.all(), before);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let tree = Tree::new(true);
    let elsewhere = tempfile::tempdir().unwrap();
    fs::create_dir(elsewhere.path().join("100%")).unwrap();
    let snapshots = tree.snapshots();
    let before = tree.all();
    let first = snapshots.take(None).unwrap();
    fs::remove_dir_all(tree.path("src")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), tree.path("src")).unwrap();
    snapshots.restore(&first).unwrap();
    assert_eq!(tree.all(), before);
    assert_eq!(fs::read_dir(elsewhere.path().join("100%")).unwrap().count(), 0);
}

#[test]
fn differences_know_renames() {
    for git in [true, false] {
        let tree = Tree::new(git);
        let snapshots = tree.snapshots();
        let first = snapshots.take(None).unwrap();
        fs::rename(tree.path("a.txt"), tree.path("b.txt")).unwrap();
        tree.write("src/new.rs", b"fn main() {}");
        let second = snapshots.take(Some(&first)).unwrap();
        let changes = snapshots.changes(&first, &second).unwrap();
        let mut short: Vec<_> =
            changes.iter().map(|c| (c.kind, c.before.as_deref(), c.after.as_deref())).collect();
        short.sort();
        let renamed = ('R', Some("a.txt"), Some("b.txt"));
        assert_eq!(short, [('A', None, Some("src/new.rs")), renamed], "git: {git}");
        assert_eq!(second.differing(&first), ["a.txt", "b.txt", "src/new.rs"]);
        let sources = snapshots.sources(&first);
        let bytes = obelus_core::Sources::read(&sources, "a.txt");
        assert_eq!(bytes.as_deref(), Some(&b"one\r\ntwo\n\xff\x00"[..]));
    }
}

#[test]
fn the_index_is_not_touched() {
    let tree = Tree::new(true);
    let index = fs::read(tree.path(".git/index")).unwrap();
    let objects = || walk(&tree.path(".git/objects"));
    let before = objects();
    let snapshots = tree.snapshots();
    let first = snapshots.take(None).unwrap();
    tree.write("a.txt", b"x");
    snapshots.restore(&first).unwrap();
    assert_eq!(fs::read(tree.path(".git/index")).unwrap(), index);
    assert_eq!(objects(), before);
}

fn walk(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries.map(|entry| if entry.path().is_dir() { walk(&entry.path()) } else { 1 }).sum()
}
