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

impl Git {
    /// The digest of the tree `id`. A submodule that is checked out counts with its files as they
    /// are where the tree is that of the work tree (`work`), since no object of the tree does.
    pub(super) fn digest_with_submodules(
        &self,
        id: &str,
        work: Option<&[&Path]>,
    ) -> Result<String, GitError> {
        let mut digest = id.to_owned();
        for link in self.links(id, work.unwrap_or_default())? {
            let Some(submodule) = self.submodule(&link) else { continue };
            let inner = match work {
                Some(own) => submodule.work_tree(own)?.digest,
                None => {
                    let tree = submodule.resolve_link(&link)?;
                    submodule.digest_with_submodules(&tree, None)?
                }
            };
            digest += &format!("+{inner}");
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
        id: &str,
        to: &Path,
        own: &[&Path],
    ) -> Result<(), GitError> {
        for link in self.links(id, own)? {
            let Some(submodule) = self.submodule(&link) else { continue };
            let folder = to.join(&link.path);
            std::fs::create_dir_all(&folder).map_err(|error| GitError::Io {
                doing: "create the folder of a submodule",
                path: folder.clone(),
                error,
            })?;
            submodule.check_out(&submodule.resolve_link(&link)?, &folder, &[])?;
        }
        Ok(())
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
        for link in then {
            let Some(submodule) = self.submodule(&link) else { continue };
            let (then, now) = (submodule.resolve_link(&link)?, submodule.work_tree(own)?.id);
            let inside = |path: Option<String>| path.map(|path| format!("{}/{path}", link.path));
            found.extend(submodule.changes(&then, &now, own)?.into_iter().map(|change| Change {
                before: inside(change.before),
                after: inside(change.after),
                ..change
            }));
        }
        Ok(())
    }

    /// The submodules of the tree `id` whose files can be had: the path of each from the top, its
    /// repository, and the tree that is the submodule's there.
    pub(super) fn submodule_trees(&self, id: &str, own: &[&Path]) -> Vec<(String, Git, String)> {
        let links = self.links(id, own).unwrap_or_default();
        let tree = |link: Link| {
            let submodule = self.submodule(&link)?;
            let tree = submodule.resolve_link(&link).ok()?;
            Some((link.path, submodule, tree))
        };
        links.into_iter().filter_map(tree).collect()
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

    /// The submodules that the tree `id` names.
    fn links(&self, id: &str, own: &[&Path]) -> Result<Vec<Link>, GitError> {
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
