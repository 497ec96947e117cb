//! Which commit a user means.

use super::{Git, GitError, lines, output};

/// What stands before a branch whose common ancestor with HEAD is meant.
const MERGE_BASE: &str = "merge-base:";

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its object id.
    pub id: String,
    /// The object id of its tree.
    pub tree: String,
}

impl Git {
    /// The commit that `revision` names: anything that git understands, or `merge-base:BRANCH`
    /// for the last commit that HEAD and the branch have in common.
    pub fn resolve(&self, revision: &str) -> Result<Commit, GitError> {
        let id = match revision.strip_prefix(MERGE_BASE) {
            Some(branch) => self.merge_base(branch)?,
            None => self.object(revision, "commit")?,
        };
        let tree = self.object(&id, "tree")?;
        Ok(Commit { id, tree })
    }

    fn merge_base(&self, branch: &str) -> Result<String, GitError> {
        let (head, other) = (self.object("HEAD", "commit")?, self.object(branch, "commit")?);
        let answer = output(self.command(&[]).args(["merge-base", &head, &other]));
        match answer {
            Ok(answer) => one_id(&answer),
            Err(GitError::Failed { code: Some(1), .. }) => Err(GitError::NoMergeBase {
                branch: branch.to_owned(),
                hint: self.deepen().unwrap_or_default(),
            }),
            Err(error) => Err(error),
        }
    }

    /// The object of kind `kind` that `revision` names or leads to.
    fn object(&self, revision: &str, kind: &str) -> Result<String, GitError> {
        let name = format!("{revision}^{{{kind}}}");
        let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", &name];
        // A leading dash or an empty name would be read as something else than a revision.
        let plausible = !revision.is_empty() && !revision.starts_with('-');
        match plausible.then(|| output(self.command(&[]).args(args))) {
            Some(Ok(answer)) => one_id(&answer),
            Some(Err(GitError::Failed { .. })) | None => Err(self.no_such(revision)),
            Some(Err(error)) => Err(error),
        }
    }

    fn no_such(&self, revision: &str) -> GitError {
        let is_there = |name: &str| {
            let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", name];
            output(self.command(&[]).args(args)).is_ok()
        };
        let revision = revision.to_owned();
        if !is_there("HEAD^{commit}") {
            return GitError::Unborn { revision };
        }
        let remote = format!("origin/{revision}");
        let hint = if !revision.starts_with('-') && is_there(&format!("{remote}^{{commit}}")) {
            format!("; there is {remote:?}")
        } else {
            self.deepen().unwrap_or_else(|| "; `git fetch` may bring it".to_owned())
        };
        GitError::NoSuchRevision { revision, hint }
    }

    /// What to do where history was cut off.
    fn deepen(&self) -> Option<String> {
        self.shallow.then(|| {
            ": this clone is shallow; `git fetch --deepen=100` or `git fetch --unshallow` brings more of its history".to_owned()
        })
    }
}

/// The object id that is all of an answer.
pub(super) fn one_id(answer: &[u8]) -> Result<String, GitError> {
    let doing = "which object is it";
    let id = lines(answer, doing, 1)?.remove(0);
    // SHA-1 has 40 digits, SHA-256 64.
    let is_id = matches!(id.len(), 40 | 64) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_id { Ok(id) } else { Err(GitError::Unexpected { doing, what: id }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_id_is_hexadecimal_and_of_a_known_length() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(one_id(format!("{id}\n").as_bytes()).unwrap(), id);
        assert!(one_id(b"0123\n").is_err());
        assert!(one_id(b"").is_err());
    }
}
