//! Submodules: repositories whose commit a tree names, each with objects of its own.

use std::path::Path;

use super::{Change, Git, GitError, output, records};

/// A submodule as a tree names it.
struct Link {
    /// The commit.
    commit: String,
    /// The path from the top.
    path: String,
}

/// The object id of the tree that a digest (or an object id) stands for.
pub(super) fn tree_id(digest: &str) -> &str {
    digest.split('+').next().unwrap_or(digest)
}

/// The digests of the trees of submodules, as [`Git::digest_with_submodules`] writes them; empty ones
/// for those that were not checked out.
fn inner(digest: &str) -> Vec<&str> {
    let (mut found, mut depth, mut from) = (Vec::new(), 0_u32, 0);
    for (at, byte) in digest.bytes().enumerate() {
        match byte {
            b'(' => {
                depth += 1;
                from = if depth == 1 { at + 1 } else { from };
            }
            b')' => {
                depth = depth.saturating_sub(1);
                found.extend((depth == 0).then(|| &digest[from..at]));
            }
            _ => {}
        }
    }
    found
}

/// A submodule that is checked out in the work tree.
struct Filled {
    /// Its path from the top.
    path: String,
    git: Git,
    /// The digest of its tree in the one that names it, if that can be had.
    tree: Result<String, GitError>,
}

impl Git {
    /// The digest of the tree `id`: its object id, and behind it in brackets the digests of the
    /// submodules that it names. A submodule that is checked out counts with its files as they
    /// are where the tree is that of the work tree (`work`), since no object of the tree does.
    pub(super) fn digest_with_submodules(
        &self,
        id: &str,
        work: Option<&[&Path]>,
    ) -> Result<String, GitError> {
        let mut digest = id.to_owned();
        for link in self.links(id, work.unwrap_or_default())? {
            let inner = match (self.submodule(&link), work) {
                (None, _) => String::new(),
                (Some(submodule), Some(own)) => submodule.work_tree(own)?.digest,
                (Some(submodule), None) => {
                    let tree = submodule.resolve_link(&link)?;
                    submodule.digest_with_submodules(&tree, None)?
                }
            };
            digest += &format!("+({inner})");
        }
        Ok(digest)
    }

    /// The digest of the tree of a commit.
    pub fn digest(&self, tree: &str) -> Result<String, GitError> {
        self.digest_with_submodules(tree, None)
    }

    /// Fills the folders of submodules below `to`, as far as they are filled in the work tree.
    pub(super) fn check_out_submodules(
        &self,
        digest: &str,
        to: &Path,
        own: &[&Path],
    ) -> Result<(), GitError> {
        for Filled { path, git, tree } in self.submodules(digest, own)? {
            let folder = to.join(path);
            std::fs::create_dir_all(&folder).map_err(|error| GitError::Io {
                doing: "create the folder of a submodule",
                path: folder.clone(),
                error,
            })?;
            git.check_out(&tree?, &folder, own)?;
        }
        Ok(())
    }

    /// The submodules of a tree that are checked out in the work tree.
    fn submodules(&self, digest: &str, own: &[&Path]) -> Result<Vec<Filled>, GitError> {
        let mut known = inner(digest).into_iter();
        let tree = |link: Link| {
            // Files that were not committed have a tree that no commit names.
            let known = known.next().filter(|digest| !digest.is_empty());
            let git = self.submodule(&link)?;
            let there = known.filter(|digest| git.holds(digest, own)).map(str::to_owned);
            let tree = there.map_or_else(|| git.resolve_link(&link), Ok);
            Some(Filled { path: link.path, git, tree })
        };
        Ok(self.links(digest, own)?.into_iter().filter_map(tree).collect())
    }

    /// Adds the files that differ in submodules between the tree `before` and `after`, that of the
    /// work tree; all those of a submodule that came.
    pub(super) fn changes_in_submodules(
        &self,
        before: &str,
        after: &str,
        own: &[&Path],
        found: &mut Vec<Change>,
    ) -> Result<(), GitError> {
        let then = self.links(before, own)?;
        let came = self.links(after, own)?;
        let came = came.into_iter().filter(|link| then.iter().all(|then| then.path != link.path));
        for link in came {
            let Some(submodule) = self.submodule(&link) else { continue };
            let now = submodule.work_tree(own)?.id;
            let names = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", &now];
            let answer = output(submodule.command(own).args(names))?;
            found.extend(records(&answer).map(|name| Change {
                kind: 'A',
                before: None,
                after: Some(format!("{}/{}", link.path, String::from_utf8_lossy(name))),
                same_content: false,
            }));
        }
        for Filled { path: folder, git, tree } in self.submodules(before, own)? {
            let (then, now) = (tree?, git.work_tree(own)?.id);
            let inside = |path: Option<String>| path.map(|path| format!("{folder}/{path}"));
            found.extend(git.changes(&then, &now, own)?.into_iter().map(|change| Change {
                before: inside(change.before),
                after: inside(change.after),
                ..change
            }));
        }
        Ok(())
    }

    /// The submodules of a tree whose files can be had: the path of each from the top, its
    /// repository, and the digest of the tree that is the submodule's there.
    pub(super) fn submodule_trees(
        &self,
        digest: &str,
        own: &[&Path],
    ) -> Vec<(String, Git, String)> {
        let submodules = self.submodules(digest, own).unwrap_or_default();
        let had = submodules.into_iter();
        had.filter_map(|Filled { path, git, tree }| Some((path, git, tree.ok()?))).collect()
    }

    /// The submodule's repository, if it is checked out in the work tree.
    fn submodule(&self, link: &Link) -> Option<Git> {
        let folder = self.top.join(&link.path);
        // Without this a folder that is not filled would be taken for a part of the outer tree.
        folder.join(".git").exists().then(|| Git::open(&folder.canonicalize().ok()?).ok()).flatten()
    }

    fn resolve_link(&self, link: &Link) -> Result<String, GitError> {
        match self.resolve(&link.commit) {
            Ok(commit) => Ok(commit.tree),
            Err(error) => {
                Err(GitError::Submodule { path: link.path.clone(), reason: error.to_string() })
            }
        }
    }

    /// The submodules that a tree names.
    fn links(&self, digest: &str, own: &[&Path]) -> Result<Vec<Link>, GitError> {
        let id = tree_id(digest);
        let answer = output(self.command(own).args(["ls-tree", "-r", "-z", "--full-tree", id]))?;
        let link = |record: &[u8]| {
            let text = std::str::from_utf8(record).ok()?;
            let (head, path) = text.split_once('\t')?;
            let commit = head.strip_prefix("160000 commit ")?;
            Some(Link { commit: commit.to_owned(), path: path.to_owned() })
        };
        Ok(records(&answer).filter_map(link).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_names_the_trees_of_submodules() {
        let digest = "a1+(b2+(c3)+())+()+(d4)";
        assert_eq!(tree_id(digest), "a1");
        assert_eq!(inner(digest), ["b2+(c3)+()", "", "d4"]);
        assert_eq!((tree_id("a1"), inner("a1").len()), ("a1", 0));
    }
}
