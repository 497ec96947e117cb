//! Saved runs: `.obelus/runs/<id>/` holds the report, and for each run its command line and the
//! exact bytes that it printed, so that they can be read again without running a checker.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

use obelus_record::{Report, Stream, Termination};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The folder of everything that Obelus writes, in the repository root.
pub const FOLDER: &str = ".obelus";

/// Files in [`FOLDER`] by which programs leave it alone: git, with all that respect what it ignores,
/// and Biome, which has no argument to leave a folder out and takes nested configurations
/// (<https://biomejs.dev/guides/big-projects/>).
const HIDDEN_BY: [(&str, &str); 2] = [
    (".gitignore", "*\n"),
    ("biome.json", "{ \"root\": false, \"files\": { \"includes\": [\"!**\"] } }\n"),
];

/// The ending of a run's folder until the run is complete.
const UNFINISHED: &str = "part";

/// How old an unfinished folder must be before it is taken for one that a crash left.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// Why a saved run can't be written or read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A file or folder can't be written or read.
    #[error("cannot {doing} {}: {error}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// A file does not hold what it should.
    #[error("{} is damaged: {error}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// There is no such run.
    #[error("there is no saved run {0:?}; `obelus runs list` names those that there are")]
    NoSuchRun(String),
    /// There is no such review.
    #[error("there is no saved review {0:?}; their folders are .obelus/reviews/*")]
    NoSuchReview(String),
}

pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> StoreError {
    let path = path.to_owned();
    move |error| StoreError::Io { doing, path, error }
}

/// How one run was made, beside its bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedInvocation {
    /// The checker's name.
    pub checker: String,
    /// The program as records name it.
    pub tool: String,
    /// The format that reads it.
    pub format: String,
    /// The project as people name it.
    pub project: String,
    /// The command line.
    pub argv: Vec<String>,
    /// The working folder relative to the root.
    pub cwd: String,
    /// The stream that holds the findings.
    pub stream: Stream,
    /// The program's version.
    pub version: Option<String>,
    /// Names of the root at that time.
    pub roots: Vec<String>,
    /// How the process ended.
    pub termination: Termination,
    /// How long it ran, in milliseconds.
    pub duration_ms: u64,
}

/// The saved runs of a repository.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The store of the repository at `root`; nothing is written yet.
    pub fn of(root: &Path) -> Self {
        Store { folder: root.join(FOLDER) }
    }

    /// A store in a folder of its own, for a repository that can't be written to.
    pub fn elsewhere(folder: PathBuf) -> Self {
        Store { folder }
    }

    /// Where shipped scripts are laid.
    pub fn assets(&self) -> PathBuf {
        self.folder.join("assets")
    }

    fn runs(&self) -> PathBuf {
        self.folder.join("runs")
    }

    /// Makes the folder, with what hides it from git and from checkers that don't ask git.
    pub fn prepare(&self) -> Result<(), StoreError> {
        std::fs::create_dir_all(self.runs()).map_err(io("create", &self.runs()))?;
        for (name, text) in HIDDEN_BY {
            let path = self.folder.join(name);
            if !path.exists() {
                std::fs::write(&path, text).map_err(io("write", &path))?;
            }
        }
        Ok(())
    }

    /// Begins a saved run. Its folder has its final name only when it is complete.
    pub fn begin(&self) -> Result<Recording, StoreError> {
        let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S%3f").to_string();
        let runs = self.runs();
        for attempt in 0..100 {
            let id = if attempt == 0 { stamp.clone() } else { format!("{stamp}-{attempt}") };
            let folder = runs.join(format!("{id}.{UNFINISHED}"));
            if runs.join(&id).exists() {
                continue;
            }
            match std::fs::create_dir(&folder) {
                Ok(()) => return Ok(Recording { id, folder }),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(io("create", &folder)(error)),
            }
        }
        Err(io("create", &runs.join(stamp))(std::io::ErrorKind::AlreadyExists.into()))
    }

    /// The ids of all complete runs, oldest first.
    pub fn ids(&self) -> Result<Vec<String>, StoreError> {
        let runs = self.runs();
        let entries = match std::fs::read_dir(&runs) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(io("list", &runs)(error)),
        };
        let mut ids: Vec<String> = entries
            .flatten()
            .filter(|entry| entry.path().join("report.json").is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| !name.ends_with(UNFINISHED))
            .collect();
        ids.sort();
        Ok(ids)
    }

    /// The complete run called `id`; `last` is the newest.
    pub fn find(&self, id: &str) -> Result<Saved, StoreError> {
        let ids = self.ids()?;
        let found = match id {
            "last" => ids.last(),
            id => ids.iter().find(|known| *known == id),
        };
        match found {
            Some(id) => Ok(Saved { folder: self.runs().join(id), id: id.clone() }),
            None => Err(StoreError::NoSuchRun(id.to_owned())),
        }
    }

    /// Removes the oldest runs beyond `keep`, and beyond `bytes` for all together; the newest stays
    /// in any case. Folders that a crash left are removed as well.
    pub fn prune(&self, keep: usize, bytes: u64) -> Result<(), StoreError> {
        let runs = self.runs();
        let mut total = 0;
        for (age, id) in self.ids()?.iter().rev().enumerate() {
            let folder = runs.join(id);
            total += size(&folder);
            if age > 0 && (age >= keep || total > bytes) {
                std::fs::remove_dir_all(&folder).map_err(io("remove", &folder))?;
            }
        }
        for entry in std::fs::read_dir(&runs).map_err(io("list", &runs))?.flatten() {
            let unfinished = entry.path().extension().is_some_and(|ending| ending == UNFINISHED);
            let age = entry
                .metadata()
                .and_then(|metadata| metadata.modified())
                .ok()
                .and_then(|time| time.elapsed().ok());
            if unfinished && age.is_some_and(|age| age > ABANDONED) {
                std::fs::remove_dir_all(entry.path()).map_err(io("remove", &entry.path()))?;
            }
        }
        Ok(())
    }
}

pub(crate) fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => size(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}

/// A run that is being saved.
#[derive(Debug)]
pub struct Recording {
    id: String,
    folder: PathBuf,
}

impl Recording {
    /// The folder of the run `number` of `checker`.
    pub fn slot(&self, number: usize, checker: &str) -> Result<Slot, StoreError> {
        let folder = self.folder.join(slot_name(number, checker));
        std::fs::create_dir_all(&folder).map_err(io("create", &folder))?;
        Ok(Slot { folder })
    }

    /// Puts `value` beside the report, in the file `name`.
    pub fn put(&self, name: &str, value: &impl Serialize) -> Result<(), StoreError> {
        let path = self.folder.join(name);
        let bytes = serde_json::to_vec(value)
            .map_err(|error| StoreError::Damaged { path: path.clone(), error })?;
        std::fs::write(&path, bytes).map_err(io("write", &path))
    }

    /// Removes the run: nobody will ask for it.
    pub fn discard(self) -> Result<(), StoreError> {
        std::fs::remove_dir_all(&self.folder).map_err(io("remove", &self.folder))
    }

    /// Completes the run: writes `report` with the run's id and gives the folder its name.
    pub fn finish(self, report: &mut Report) -> Result<Saved, StoreError> {
        report.id = Some(self.id.clone());
        self.put("report.json", report)?;
        let folder = self.folder.with_extension("");
        std::fs::rename(&self.folder, &folder).map_err(io("rename", &self.folder))?;
        Ok(Saved { folder, id: self.id })
    }
}

/// The folder's name sorts as the plan does; a user's checker may be called anything.
fn slot_name(number: usize, checker: &str) -> String {
    let plain: String = checker
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' })
        .collect();
    format!("{number:03}-{plain}")
}

/// The folder of one run's bytes.
#[derive(Clone, Debug)]
pub struct Slot {
    folder: PathBuf,
}

impl Slot {
    /// The file of one stream.
    pub fn path(&self, stream: Stream) -> PathBuf {
        self.folder.join(stream.as_str())
    }

    /// Creates the file of one stream.
    pub fn create(&self, stream: Stream) -> Result<File, StoreError> {
        let path = self.path(stream);
        File::create(&path).map_err(io("create", &path))
    }

    /// Opens one stream for reading; a stream that was never written is empty.
    pub fn open(&self, stream: Stream) -> Result<Box<dyn std::io::BufRead + Send>, StoreError> {
        let path = self.path(stream);
        match File::open(&path) {
            Ok(file) => Ok(Box::new(BufReader::with_capacity(64 << 10, file))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Ok(Box::new(std::io::empty()))
            }
            Err(error) => Err(io("read", &path)(error)),
        }
    }

    /// Writes down how the run was made.
    pub fn describe(&self, invocation: &SavedInvocation) -> Result<(), StoreError> {
        let path = self.folder.join("run.json");
        let bytes = serde_json::to_vec_pretty(invocation)
            .map_err(|error| StoreError::Damaged { path: path.clone(), error })?;
        std::fs::write(&path, bytes).map_err(io("write", &path))
    }
}

/// A complete saved run.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Its name.
    pub id: String,
    folder: PathBuf,
}

impl Saved {
    /// The report as it was.
    pub fn report(&self) -> Result<Report, StoreError> {
        read_json(&self.folder.join("report.json"))
    }

    /// As much of the report as `T` takes.
    pub(crate) fn report_as<T: serde::de::DeserializeOwned>(&self) -> Result<T, StoreError> {
        read_json(&self.folder.join("report.json"))
    }

    /// What was put beside the report in the file `name`, if anything was.
    pub fn beside<T: serde::de::DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<Option<T>, StoreError> {
        let path = self.folder.join(name);
        if path.exists() { read_json(&path).map(Some) } else { Ok(None) }
    }

    /// The folder that holds it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its runs, in the order of the plan, each with the folder of its bytes.
    pub fn slots(&self) -> Result<Vec<(SavedInvocation, Slot)>, StoreError> {
        let entries = std::fs::read_dir(&self.folder).map_err(io("list", &self.folder))?;
        let mut folders: Vec<PathBuf> =
            entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        folders.sort();
        folders
            .into_iter()
            .map(|folder| Ok((read_json(&folder.join("run.json"))?, Slot { folder })))
            .collect()
    }
}

pub(crate) fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let bytes = std::fs::read(path).map_err(io("read", path))?;
    serde_json::from_slice(&bytes)
        .map_err(|error| StoreError::Damaged { path: path.to_owned(), error })
}
