//! git, asked through its plumbing, and never so that the user's repository changes.
//!
//! What is written (the objects of files that no commit holds, an index) goes to folders of
//! Obelus: git reads the repository's own objects beside them as alternates. The user's index is
//! copied and never opened for writing, hooks don't run, and nothing is stashed or checked out in
//! the work tree. In a partial clone git may fetch an object that it lacks, as it always does.

mod blobs;
mod diff;
mod error;
mod raw;
mod revision;
mod submodules;
mod tree;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub use blobs::TreeSources;
pub use error::GitError;
pub use raw::RawEntry;
pub use revision::Commit;
pub use tree::{Change, Tree};

use crate::locate::{Environment, on_path_named};

/// The oldest version whose options are used here (`rev-parse --path-format`, and
/// `--end-of-options` without faults), as `(major, minor)`.
pub const MINIMUM: (u64, u64) = (2, 31);

/// Settings that hold for every call, whatever the configuration says: nothing of it may start a
/// program or write beside the files that are named.
const SETTINGS: [&str; 9] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    // A split index would have its other half written into the git folder.
    "core.splitIndex=false",
    "index.sparse=false",
    // Mixed line ends are the user's matter and no reason to refuse a file.
    "core.safecrlf=false",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.addEmbeddedRepo=false",
];

/// Variables that point git at something else, as in a hook; here the folder alone decides.
const FOREIGN: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_ATTR_SOURCE",
];

/// A git work tree.
#[derive(Clone, Debug)]
pub struct Git {
    program: PathBuf,
    /// The top folder of the work tree.
    top: PathBuf,
    /// The root of the Obelus repository relative to `top`, `""` where they are the same.
    prefix: String,
    git_folder: PathBuf,
    objects: PathBuf,
    index: PathBuf,
    shallow: bool,
}

impl Git {
    /// The work tree in which `root` (absolute, without links) lies.
    pub fn open(root: &Path) -> Result<Self, GitError> {
        let program = on_path_named("git", &Environment::current()).ok_or(GitError::Missing)?;
        check_version(&program, root)?;
        let bare = ["rev-parse", "--is-bare-repository", "--is-inside-work-tree"];
        let answer = output(plain(&program, root).args(bare)).map_err(|error| match error {
            GitError::Failed { said, .. } if said.contains("not a git repository") => {
                GitError::NotARepository { root: root.to_owned() }
            }
            GitError::Failed { said, .. } if said.contains("dubious ownership") => {
                GitError::Refused { said }
            }
            other => other,
        })?;
        if lines(&answer, "is it a work tree", 2)? != ["false", "true"] {
            return Err(GitError::NoWorkTree { root: root.to_owned() });
        }
        let places = ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir"];
        let paths = ["--git-path", "objects", "--git-path", "index", "--is-shallow-repository"];
        let answer = output(plain(&program, root).args(places).args(paths))?;
        let answer = lines(&answer, "where is the repository", 5)?;
        let top = Path::new(&answer[0]).canonicalize().map_err(|error| GitError::Io {
            doing: "find the top folder of the work tree",
            path: PathBuf::from(&answer[0]),
            error,
        })?;
        let prefix = crate::repository::relative(&top, root).ok_or_else(|| {
            let what = format!("{} does not lie below {}", root.display(), top.display());
            GitError::Unexpected { doing: "where is the repository", what }
        })?;
        Ok(Git {
            program,
            top,
            prefix,
            git_folder: PathBuf::from(&answer[1]),
            objects: PathBuf::from(&answer[2]),
            index: PathBuf::from(&answer[3]),
            shallow: answer[4] == "true",
        })
    }

    /// The top folder of the work tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The root of the Obelus repository relative to the top, `""` where they are the same.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The path from the root of what lies at `path` from the top; nothing if it lies elsewhere.
    pub fn seen_from_root<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.prefix.as_str() {
            "" => Some(path),
            prefix => path.strip_prefix(prefix)?.strip_prefix('/'),
        }
    }

    /// The path from the top of what lies at `path` from the root.
    fn seen_from_top(&self, path: &str) -> String {
        match self.prefix.as_str() {
            "" => path.to_owned(),
            prefix => format!("{prefix}/{path}"),
        }
    }

    /// A call in the work tree, which looks for objects in the folders `own` too; new ones go to
    /// the first of them.
    fn command(&self, own: &[&Path]) -> Command {
        let mut command = plain(&self.program, &self.top);
        if let Some((first, others)) = own.split_first() {
            let separator = if cfg!(windows) { ";" } else { ":" };
            let all = others.iter().copied().chain([&*self.objects]).map(quoted);
            let all = all.collect::<Vec<_>>().join(OsStr::new(separator));
            command.env("GIT_OBJECT_DIRECTORY", first).env("GIT_ALTERNATE_OBJECT_DIRECTORIES", all);
        }
        command
    }

    /// Paths that lie in the work tree and not in git, relative to the top: those that git ignores,
    /// or those that it does not know and does not ignore. A folder stands for all that is in it
    /// and ends in `/`.
    pub fn untracked(&self, ignored: bool) -> Result<Vec<String>, GitError> {
        let args = ["ls-files", "-z", "--others", "--exclude-standard", "--directory"];
        let mut command = self.command(&[]);
        command.args(args).args(ignored.then_some("--ignored"));
        // Paths that are no text can't be told to a program that is given text either.
        Ok(records(&output(&mut command)?)
            .filter_map(|path| std::str::from_utf8(path).ok().map(str::to_owned))
            .collect())
    }

    /// Whether git leaves out the root as a whole, as it does a folder of build outputs.
    pub fn ignores_root(&self) -> bool {
        let asked = ["check-ignore", "--quiet", "--", &self.prefix];
        // What is not ignored is an error of its own.
        !self.prefix.is_empty() && output(self.command(&[]).args(asked)).is_ok()
    }

    /// Whether parts of the revision are left out of the work tree on purpose.
    pub fn is_sparse(&self) -> bool {
        let answer = output(self.command(&[]).args(["config", "--bool", "core.sparseCheckout"]));
        // An unset key is an error of its own.
        answer.is_ok_and(|answer| answer.trim_ascii() == b"true")
    }
}

/// git itself, in `folder`, without what the environment says about repositories.
fn plain(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).stdin(Stdio::null());
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    for name in FOREIGN {
        command.env_remove(name);
    }
    // Messages are compared with; nothing may be written in passing; nobody is there to answer.
    command.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
    command
}

/// What a call prints, if it exits with 0.
fn output(command: &mut Command) -> Result<Vec<u8>, GitError> {
    let doing = words(command);
    let done = command.output().map_err(|error| GitError::Start { doing: doing.clone(), error })?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    let said = String::from_utf8_lossy(&done.stderr).trim().to_owned();
    let said = if said.is_empty() { done.status.to_string() } else { said };
    Err(GitError::Failed { doing, code: done.status.code(), said })
}

/// The call as a person would type it, without the settings.
fn words(command: &Command) -> String {
    let words: Vec<&OsStr> = command.get_args().skip(2 * SETTINGS.len()).collect();
    words.iter().fold("git".to_owned(), |call, word| format!("{call} {}", word.to_string_lossy()))
}

/// The lines of an answer that has exactly `count` of them.
fn lines(answer: &[u8], doing: &'static str, count: usize) -> Result<Vec<String>, GitError> {
    let unexpected =
        || GitError::Unexpected { doing, what: format!("{:?}", String::from_utf8_lossy(answer)) };
    let text = std::str::from_utf8(answer).map_err(|_| unexpected())?;
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.len() == count { Ok(lines) } else { Err(unexpected()) }
}

/// The parts of an answer that NUL ends.
fn records(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    answer.split(|&byte| byte == 0).filter(|record| !record.is_empty())
}

/// A path as an entry of a list of paths in the environment (git(1): quoted as in C).
fn quoted(path: &Path) -> OsString {
    let text = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    OsString::from(format!("\"{text}\""))
}

fn check_version(program: &Path, folder: &Path) -> Result<(), GitError> {
    let answer = output(plain(program, folder).arg("--version"))?;
    let text = String::from_utf8_lossy(&answer).trim().to_owned();
    let version = crate::locate::version_in(&text);
    let version = version.as_deref().and_then(crate::locate::comparable);
    match version {
        Some(version) if (version.major, version.minor) >= MINIMUM => Ok(()),
        Some(_) => Err(GitError::TooOld { says: text }),
        None => Err(GitError::Unexpected { doing: "which version is it", what: text }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_quoted_for_a_list() {
        assert_eq!(quoted(Path::new("/a b:c\"d\\e")), "\"/a b:c\\\"d\\\\e\"");
    }

    #[test]
    fn an_answer_of_another_shape_is_told() {
        let error = lines(b"a\nb\n", "which is it", 1).unwrap_err().to_string();
        assert_eq!(error, "git gave an answer that was not expected (which is it): \"a\\nb\\n\"");
        assert_eq!(records(b"a\0b\0").count(), 2);
    }
}
