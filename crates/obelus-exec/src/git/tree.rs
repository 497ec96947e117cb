//! Trees: of a revision, of the work tree as it is now, the difference of two, and one checked out.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::revision::one_id;
use super::submodules::tree_id;
use super::{Git, GitError, output, records};

/// The mode of a submodule, whose files are a matter of its own repository.
const SUBMODULE: &[u8] = b"160000";

/// A tree of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The tree's object id.
    pub id: String,
    /// What tells it from all others: the object ids of the tree and of the trees of submodules.
    /// What takes a tree takes this as well, and then knows files of submodules that no commit holds.
    pub digest: String,
}

/// A file that differs between two trees; paths are from the top.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What was done: `A`dded, `D`eleted, `M`odified, `T`ype changed, `R`enamed.
    pub kind: char,
    /// The path before; nothing for an added file.
    pub before: Option<String>,
    /// The path after; nothing for a deleted file.
    pub after: Option<String>,
    /// Whether the two hold the same bytes.
    pub same_content: bool,
}

impl Git {
    /// The tree of the work tree as it is now: what is committed, what is not, and files that git
    /// does not know yet and does not ignore. Objects that no commit holds are written to the
    /// first of the folders `own`.
    pub fn work_tree(&self, own: &[&Path]) -> Result<Tree, GitError> {
        let folder = tempfile::tempdir().map_err(|error| GitError::Io {
            doing: "create a folder for a copy of the index",
            path: std::env::temp_dir(),
            error,
        })?;
        let index = folder.path().join("index");
        self.copy_index(&index)?;
        for objects in own {
            std::fs::create_dir_all(objects).map_err(|error| GitError::Io {
                doing: "create a folder for objects",
                path: objects.to_path_buf(),
                error,
            })?;
        }
        let mut command = self.command(own);
        output(command.env("GIT_INDEX_FILE", &index).args(["add", "--all", "--", "."]))?;
        let mut command = self.command(own);
        let id = one_id(&output(command.env("GIT_INDEX_FILE", &index).arg("write-tree"))?)?;
        let digest = self.digest_with_submodules(&id, Some(own))?;
        Ok(Tree { id, digest })
    }

    /// Copies the user's index with its time, by which git tells files that it must look at again.
    /// With it only files that changed are read.
    fn copy_index(&self, to: &Path) -> Result<(), GitError> {
        let copied = std::fs::copy(&self.index, to).and_then(|_| {
            let time = std::fs::metadata(&self.index)?.modified()?;
            std::fs::File::options().write(true).open(to)?.set_modified(time)
        });
        match copied {
            Ok(()) => Ok(()),
            // A repository into which nothing was ever added has none.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => {
                Err(GitError::Io { doing: "copy the index", path: self.index.clone(), error })
            }
        }
    }

    /// The files that differ between the tree `before` and `after`, that of the work tree, whose
    /// objects are in the folders `own` too. Renames are found.
    pub fn changes(
        &self,
        before: &str,
        after: &str,
        own: &[&Path],
    ) -> Result<Vec<Change>, GitError> {
        // The limit is git's own of today, so that an older one finds as much.
        let args =
            ["diff-tree", "-r", "-z", "--raw", "-M", "-l1000", tree_id(before), tree_id(after)];
        let mut found = changes(&output(self.command(own).args(args))?)?;
        self.changes_in_submodules(before, after, own, &mut found)?;
        Ok(found)
    }

    /// Whether there is a file or folder at `path` (from the root) in the tree `id`.
    pub fn has(&self, id: &str, path: &str, own: &[&Path]) -> bool {
        let name = format!("{}:{}", tree_id(id), self.seen_from_top(path));
        output(self.command(own).args(["cat-file", "-e", &name])).is_ok()
    }

    /// Whether the object `id`, or the tree with that digest, is there.
    pub fn holds(&self, id: &str, own: &[&Path]) -> bool {
        output(self.command(own).args(["cat-file", "-e", tree_id(id)])).is_ok()
    }

    /// Writes the files of the tree `id` to the empty folder `to`, as far as the user's work tree
    /// has them too (a sparse checkout), with those of submodules.
    pub fn check_out(&self, id: &str, to: &Path, own: &[&Path]) -> Result<(), GitError> {
        let folder = tempfile::tempdir().map_err(|error| GitError::Io {
            doing: "create a folder for an index",
            path: std::env::temp_dir(),
            error,
        })?;
        let mut command = self.command(own);
        command
            .current_dir(to)
            .env("GIT_DIR", &self.git_folder)
            .env("GIT_WORK_TREE", to)
            .env("GIT_INDEX_FILE", folder.path().join("index"));
        output(command.args(["read-tree", "-m", "-u", tree_id(id)]))?;
        self.check_out_submodules(id, to, own)
    }
}

/// Reads `--raw -z`: `:mode mode id id STATUS`, NUL, path, NUL, and a second path for renames.
fn changes(answer: &[u8]) -> Result<Vec<Change>, GitError> {
    let unexpected = |what: &[u8]| GitError::Unexpected {
        doing: "which files differ",
        what: format!("{:?}", String::from_utf8_lossy(what)),
    };
    let mut changes = Vec::new();
    let mut parts = records(answer);
    while let Some(head) = parts.next() {
        let fields: Vec<&[u8]> = head.split(|&byte| byte == b' ').collect();
        let [mode_before, mode_after, id_before, id_after, status] = fields[..] else {
            return Err(unexpected(head));
        };
        let kind = status.first().ok_or_else(|| unexpected(head))?;
        let mut path = || {
            let path = parts.next().ok_or_else(|| unexpected(head))?;
            // As in records: a name that is no text is shown as far as it is.
            Ok::<_, GitError>(Some(String::from_utf8_lossy(path).into_owned()))
        };
        let (before, after) = match kind {
            b'A' => (None, path()?),
            b'D' => (path()?, None),
            b'M' | b'T' => {
                let path = path()?;
                (path.clone(), path)
            }
            b'R' => (path()?, path()?),
            _ => return Err(unexpected(head)),
        };
        if mode_before.strip_prefix(b":") == Some(SUBMODULE) || mode_after == SUBMODULE {
            continue;
        }
        let same_content = id_before == id_after;
        changes.push(Change { kind: char::from(*kind), before, after, same_content });
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_differences() {
        let answer = b":100644 100644 a b M\0a b\n.ts\0:100644 100644 a a R100\0old\0new\0:000000 100644 0 b A\0x\0:100644 000000 a 0 D\0y\0";
        let read = changes(answer).unwrap();
        let short: Vec<_> = read
            .iter()
            .map(|c| (c.kind, c.before.as_deref(), c.after.as_deref(), c.same_content))
            .collect();
        assert_eq!(
            short,
            [
                ('M', Some("a b\n.ts"), Some("a b\n.ts"), false),
                ('R', Some("old"), Some("new"), true),
                ('A', None, Some("x"), false),
                ('D', Some("y"), None, false),
            ]
        );
        assert!(changes(b"100644\0").is_err());
        assert!(changes(b":1 2 3 4 M\0").is_err());
        assert!(changes(b":1 2 3 4 X\0a\0").is_err());
    }
}
