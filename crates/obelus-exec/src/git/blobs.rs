//! The files of a tree that is not checked out.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use obelus_core::Sources;

use super::Git;
use super::submodules::tree_id;

/// Files larger than this are not read, as on disk.
const LARGEST: u64 = 64 << 20;

/// The files of one tree, read when they are asked for; paths are from the root of the repository.
/// Those of a submodule are the files of the commit that the tree names, if it is there.
pub struct TreeSources {
    git: Git,
    tree: String,
    own: Vec<PathBuf>,
    reader: Mutex<Reader>,
    /// The files of submodules, by their folders from the top; known once a file is asked for that
    /// the tree itself does not have.
    submodules: OnceLock<Vec<(String, TreeSources)>>,
}

/// The state of the one git that hands the files out.
enum Reader {
    NotYet,
    Open(Batch),
    /// It could not be started or has broken down: no file can be read any more.
    Gone,
}

struct Batch {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl TreeSources {
    /// The files of the tree `tree`; objects are looked for in the folders `own` too.
    pub fn new(git: &Git, tree: &str, own: &[&Path]) -> Self {
        TreeSources {
            git: git.clone(),
            tree: tree.to_owned(),
            own: own.iter().map(|own| own.to_path_buf()).collect(),
            reader: Mutex::new(Reader::NotYet),
            submodules: OnceLock::new(),
        }
    }

    /// The file at `path` of a submodule.
    fn ask_submodule(&self, path: &str) -> Option<Arc<[u8]>> {
        let path = self.git.seen_from_top(path);
        let submodules = self.submodules.get_or_init(|| {
            let own: Vec<&Path> = self.own.iter().map(PathBuf::as_path).collect();
            let trees = self.git.submodule_trees(&self.tree, &own).into_iter();
            trees.map(|(folder, git, tree)| (folder, TreeSources::new(&git, &tree, &own))).collect()
        });
        submodules.iter().find_map(|(folder, sources)| {
            let path = path.strip_prefix(folder.as_str())?.strip_prefix('/')?;
            sources.read(path)
        })
    }

    fn ask(&self, path: &str) -> Option<Arc<[u8]>> {
        // The question is one line.
        if path.is_empty() || path.contains('\n') {
            return None;
        }
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*reader, Reader::NotYet) {
            *reader = Batch::start(&self.git, &self.own).map_or(Reader::Gone, Reader::Open);
        }
        let Reader::Open(batch) = &mut *reader else { return None };
        match batch.read(&format!("{}:{}", tree_id(&self.tree), self.git.seen_from_top(path))) {
            Ok(blob) => blob,
            Err(_) => {
                *reader = Reader::Gone;
                None
            }
        }
    }
}

impl Batch {
    fn start(git: &Git, own: &[PathBuf]) -> Option<Self> {
        let own: Vec<&Path> = own.iter().map(PathBuf::as_path).collect();
        let mut command = git.command(&own);
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().ok()?;
        let (questions, answers) = (child.stdin.take()?, child.stdout.take()?);
        Some(Batch { child, questions, answers: BufReader::new(answers) })
    }

    /// The answer is `ID blob SIZE`, a line end, the bytes, a line end; or one line that says why not.
    fn read(&mut self, name: &str) -> std::io::Result<Option<Arc<[u8]>>> {
        let broken = || std::io::Error::from(std::io::ErrorKind::InvalidData);
        self.questions.write_all(format!("{name}\n").as_bytes())?;
        self.questions.flush()?;
        let mut head = Vec::new();
        self.answers.read_until(b'\n', &mut head)?;
        let head = head.strip_suffix(b"\n").ok_or_else(broken)?;
        let words: Vec<&[u8]> = head.rsplitn(3, |&byte| byte == b' ').collect();
        let [size, kind, _id] = words[..] else { return Ok(None) };
        let size = std::str::from_utf8(size).ok().and_then(|size| size.parse::<u64>().ok());
        let Some(size) = size else { return Ok(None) };
        // One more for the line end behind the bytes.
        let mut bytes = (&mut self.answers).take(size + 1);
        if kind != b"blob" || size > LARGEST {
            std::io::copy(&mut bytes, &mut std::io::sink())?;
            return Ok(None);
        }
        let mut blob = Vec::new();
        bytes.read_to_end(&mut blob)?;
        match blob.pop() {
            Some(b'\n') if blob.len() as u64 == size => Ok(Some(blob.into())),
            _ => Err(broken()),
        }
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // It would end by itself with its input; waiting for that here could block.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Sources for TreeSources {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.ask(path).or_else(|| self.ask_submodule(path))
    }

    fn exists(&self, path: &str) -> bool {
        self.read(path).is_some()
    }

    fn ending_in(&self, _tail: &str) -> Option<String> {
        // Only a reading of captured output asks, and that has a folder.
        None
    }
}
