//! Files as they lie in the work tree, to the byte: no filter, no change of line ends, and nothing
//! of git's index in the way. What a snapshot needs that must give back exactly what there was.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use super::revision::one_id;
use super::{Git, GitError, output, records, words};

/// A file for a tree of [`Git::raw_tree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawEntry {
    /// `100644`, `100755` or `120000` (a symbolic link).
    pub mode: &'static str,
    /// The object id.
    pub id: String,
    /// The path from the top, as bytes.
    pub path: Vec<u8>,
}

impl Git {
    /// The files of the work tree that git knows or does not ignore, from the top, as bytes. One
    /// that is known may be gone from disk; a folder is a repository of its own.
    pub fn listed(&self) -> Result<Vec<Vec<u8>>, GitError> {
        let args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let answer = output(self.command(&[]).args(args))?;
        let mut paths: Vec<Vec<u8>> = records(&answer).map(<[u8]>::to_vec).collect();
        paths.sort_unstable();
        paths.dedup();
        Ok(paths)
    }

    /// Writes the files at `paths` (from the top, without line ends in their names) as objects to
    /// the folder `own`; their ids in the same order.
    pub fn store_raw(&self, paths: &[&[u8]], own: &Path) -> Result<Vec<String>, GitError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let mut command = self.command(&[own]);
        command.args(["hash-object", "-w", "--no-filters", "--stdin-paths"]);
        let input = paths.iter().flat_map(|path| path.iter().copied().chain([b'\n'])).collect();
        let answer = answered(command, input)?;
        super::lines(&answer, "which objects are they", paths.len())
    }

    /// Writes `bytes` as an object to the folder `own`; its id.
    pub fn store_bytes(&self, bytes: Vec<u8>, own: &Path) -> Result<String, GitError> {
        let mut command = self.command(&[own]);
        command.args(["hash-object", "-w", "--no-filters", "--stdin"]);
        one_id(&answered(command, bytes)?)
    }

    /// The tree of these files; its id.
    pub fn raw_tree(&self, entries: &[RawEntry], own: &Path) -> Result<String, GitError> {
        let folder = tempfile::tempdir().map_err(|error| GitError::Io {
            doing: "create a folder for an index",
            path: std::env::temp_dir(),
            error,
        })?;
        let index = folder.path().join("index");
        let mut input = Vec::new();
        for RawEntry { mode, id, path } in entries {
            input.extend_from_slice(format!("{mode} {id}\t").as_bytes());
            input.extend_from_slice(path);
            input.push(0);
        }
        let mut command = self.command(&[own]);
        command.env("GIT_INDEX_FILE", &index).args(["update-index", "-z", "--index-info"]);
        answered(command, input)?;
        let mut command = self.command(&[own]);
        one_id(&output(command.env("GIT_INDEX_FILE", &index).arg("write-tree"))?)
    }

    /// The bytes of the object `id`.
    pub fn raw_blob(&self, id: &str, own: &Path) -> Result<Vec<u8>, GitError> {
        output(self.command(&[own]).args(["cat-file", "blob", id]))
    }
}

/// What a call that is given `input` prints, if it exits with 0.
fn answered(mut command: std::process::Command, input: Vec<u8>) -> Result<Vec<u8>, GitError> {
    let doing = words(&command);
    let start = |error| GitError::Start { doing: doing.clone(), error };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(start)?;
    let stdin = child.stdin.take();
    // Written beside the reading: both pipes may fill up. One that ends early says why itself.
    let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
    let done = child.wait_with_output().map_err(start)?;
    let _ = writer.join();
    if done.status.success() {
        return Ok(done.stdout);
    }
    let said = String::from_utf8_lossy(&done.stderr).trim().to_owned();
    Err(GitError::Failed { doing, code: done.status.code(), said })
}
