//! The ledger of a loop, `.obelus/runs/<id>/`: every prompt, stream, report, tree and decision.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `plan.json` | what was asked for, and the state before the first round |
//! | `trees/N.json`, `objects/` or `files/` | the files after round N, 0 for those before the first |
//! | `trees/undo.json` | the files as they were before the last `obelus runs restore` |
//! | `rounds/N/prompt.txt`, `stdout`, `stderr`, `agent.json` | what the agent got, printed, how it ended |
//! | `rounds/N/gate.stdout`, `gate.stderr` | the log of the gate |
//! | `rounds/N/round.json` | what was seen and decided |
//! | `checks/runs/ID/` | the saved checks: report and bytes of every checker |
//! | `loop.json` | the report of the whole, once there is one |

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use obelus_core::agent_loop::{Limits, Spent};
use obelus_core::reason::attribute::FailOn;
use obelus_record::{GateRun, LoopReport, LoopRound};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::LoopError;
use crate::snapshot::{Snapshot, Snapshots, replace_file};
use crate::store::{FOLDER, Saved, Store, read_json};

/// What the name of a ledger ends in.
const ENDING: &str = "-loop";

/// Ledgers that are kept; the oldest go first.
const KEEP: usize = 20;

/// What was asked for, and the state before the first round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// What people call the agent.
    pub agent: String,
    /// The name of its table, if it has one.
    pub table: Option<String>,
    /// The task.
    pub task: String,
    /// Rounds at most.
    pub rounds: u32,
    /// Tokens that may be sent.
    pub tokens: Option<u64>,
    /// Milliseconds that it may take.
    pub milliseconds: Option<u64>,
    /// Whether all findings count, or only what is new.
    pub all_count: bool,
    /// The gate.
    pub gate: Option<Vec<String>>,
    /// The configuration that judges, as it was before the first round.
    pub config: String,
    /// The checks of the baseline, the last one counts.
    pub baseline_checks: Vec<String>,
}

impl Plan {
    /// How far the loop may go.
    pub fn limits(&self) -> Limits {
        Limits {
            rounds: self.rounds,
            tokens: self.tokens,
            milliseconds: self.milliseconds,
            ..Limits::default()
        }
    }

    /// Which findings count.
    pub fn fail_on(&self) -> FailOn {
        if self.all_count { FailOn::Any } else { FailOn::New }
    }
}

/// What was seen and decided in one round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedRound {
    /// What the report says of it.
    pub round: LoopRound,
    /// What tells the files as the agent left them, before any fixes.
    pub agent_tree: String,
    /// The checks, each with what the loop had used by then.
    pub checks: Vec<SavedCheck>,
    /// Why the gate could not be run, where it could not.
    pub gate_broken: Option<String>,
}

/// One check of a round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedCheck {
    /// Its name among the saved checks.
    pub id: String,
    /// Tokens that were sent by then.
    pub tokens: u64,
    /// Milliseconds since the beginning.
    pub milliseconds: u64,
}

impl SavedCheck {
    /// What the loop had used by then.
    pub fn spent(&self) -> Spent {
        Spent { tokens: self.tokens, milliseconds: self.milliseconds }
    }
}

/// The ledger of one loop.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// Its name.
    pub id: String,
    folder: PathBuf,
}

impl Ledger {
    /// Begins one in the repository at `root`, and removes the oldest beyond those to be kept.
    pub fn begin(root: &Path) -> Result<Self, LoopError> {
        Store::of(root).prepare()?;
        let runs = root.join(FOLDER).join("runs");
        let ids = Ledger::ids(root)?;
        for old in ids.iter().rev().skip(KEEP - 1) {
            let folder = runs.join(old);
            fs::remove_dir_all(&folder).map_err(LoopError::io("remove", &folder))?;
        }
        let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S%3f").to_string();
        let id = stamp + ENDING;
        let folder = runs.join(&id);
        for part in ["trees", "rounds"] {
            let part = folder.join(part);
            fs::create_dir_all(&part).map_err(LoopError::io("create", &part))?;
        }
        Ok(Ledger { id, folder })
    }

    /// The names of all ledgers of the repository at `root`, oldest first.
    pub fn ids(root: &Path) -> Result<Vec<String>, LoopError> {
        let runs = root.join(FOLDER).join("runs");
        let entries = match fs::read_dir(&runs) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(LoopError::io("list", &runs)(error)),
        };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut ids: Vec<String> = names.filter(|name| Ledger::is_one(name)).collect();
        ids.sort();
        Ok(ids)
    }

    /// Whether a name is that of a ledger, rather than of a saved check.
    pub fn is_one(id: &str) -> bool {
        id.ends_with(ENDING)
    }

    /// The ledger called `id`; `last` is the newest.
    pub fn find(root: &Path, id: &str) -> Result<Self, LoopError> {
        let ids = Ledger::ids(root)?;
        let found = if id == "last" { ids.last() } else { ids.iter().find(|known| *known == id) };
        match found {
            Some(id) => {
                Ok(Ledger { id: id.clone(), folder: root.join(FOLDER).join("runs").join(id) })
            }
            None => Err(LoopError::NoSuchLoop(id.to_owned())),
        }
    }

    /// The folder that holds it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The snapshots of the repository at `root` that are kept here.
    pub fn snapshots(&self, root: &Path) -> Result<Snapshots, LoopError> {
        Ok(Snapshots::open(root, &self.folder)?)
    }

    fn tree_path(&self, name: &str) -> PathBuf {
        self.folder.join("trees").join(format!("{name}.json"))
    }

    /// The files after a round, 0 for those before the first.
    pub fn tree(&self, round: u32) -> Result<Snapshot, LoopError> {
        let path = self.tree_path(&round.to_string());
        if !path.is_file() {
            return Err(LoopError::NoSuchRound { id: self.id.clone(), round });
        }
        Ok(Snapshot::read(&path)?)
    }

    /// Writes down the files after a round.
    pub fn put_tree(&self, round: u32, snapshot: &Snapshot) -> Result<(), LoopError> {
        Ok(snapshot.write(&self.tree_path(&round.to_string()))?)
    }

    /// The files as they were before the last restore.
    pub fn undo(&self) -> Result<Snapshot, LoopError> {
        Ok(Snapshot::read(&self.tree_path("undo"))?)
    }

    /// Writes down the files as they are before a restore.
    pub fn put_undo(&self, snapshot: &Snapshot) -> Result<(), LoopError> {
        Ok(snapshot.write(&self.tree_path("undo"))?)
    }

    /// The folder of a round, which is made where it is missing.
    pub fn round(&self, round: u32) -> Result<PathBuf, LoopError> {
        let folder = self.folder.join("rounds").join(round.to_string());
        fs::create_dir_all(&folder).map_err(LoopError::io("create", &folder))?;
        Ok(folder)
    }

    /// All rounds that were written down, in order.
    pub fn rounds(&self) -> Result<Vec<SavedRound>, LoopError> {
        let mut rounds = Vec::new();
        for number in 1.. {
            let path = self.folder.join("rounds").join(number.to_string()).join("round.json");
            if !path.is_file() {
                break;
            }
            rounds.push(read_json(&path)?);
        }
        Ok(rounds)
    }

    /// Writes down what was seen and decided in a round.
    pub fn put_round(&self, saved: &SavedRound) -> Result<(), LoopError> {
        write_json(&self.round(saved.round.round)?.join("round.json"), saved)
    }

    /// What was asked for.
    pub fn plan(&self) -> Result<Plan, LoopError> {
        Ok(read_json(&self.folder.join("plan.json"))?)
    }

    /// Writes down what was asked for.
    pub fn put_plan(&self, plan: &Plan) -> Result<(), LoopError> {
        write_json(&self.folder.join("plan.json"), plan)
    }

    /// The report of the whole; nothing where the loop was interrupted.
    pub fn report(&self) -> Result<Option<LoopReport>, LoopError> {
        let path = self.folder.join("loop.json");
        if path.is_file() { Ok(Some(read_json(&path)?)) } else { Ok(None) }
    }

    /// Writes down the report of the whole.
    pub fn put_report(&self, report: &LoopReport) -> Result<(), LoopError> {
        write_json(&self.folder.join("loop.json"), report)
    }

    /// Keeps the saved check `id` of the repository at `root`, which may be pruned there.
    pub fn keep_check(&self, root: &Path, id: &str) -> Result<(), LoopError> {
        let from = Store::of(root).find(id)?;
        let to = self.folder.join("checks").join("runs").join(id);
        copy(from.folder(), &to)
    }

    /// The saved check `id`.
    pub fn check(&self, id: &str) -> Result<Saved, LoopError> {
        Ok(Store::elsewhere(self.folder.join("checks")).find(id)?)
    }

    /// The log of the gate in a round, and what came of it.
    pub fn gate_logs(&self, round: u32) -> Result<[PathBuf; 2], LoopError> {
        let folder = self.round(round)?;
        Ok([folder.join("gate.stdout"), folder.join("gate.stderr")])
    }
}

/// A gate as the replay of a round sees it.
pub fn gate_result(gate: &GateRun) -> Result<(), String> {
    if gate.passed { Ok(()) } else { Err(super::gate::in_words(gate)) }
}

/// Writes `value` in one piece.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), LoopError> {
    let bytes = serde_json::to_vec_pretty(value).map_err(|error| {
        LoopError::Store(crate::store::StoreError::Damaged { path: path.to_owned(), error })
    })?;
    Ok(replace_file(path, &bytes)?)
}

/// Reads what [`write_json`] wrote; nothing where there is no such file.
pub fn read_json_if_any<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, LoopError> {
    if path.is_file() { Ok(Some(read_json(path)?)) } else { Ok(None) }
}

/// The last `count` lines of a file that say something, first to last.
pub fn last_lines(path: &Path, count: usize) -> Vec<String> {
    const ENOUGH: u64 = 16 << 10;
    let read = || -> std::io::Result<Vec<u8>> {
        let mut file = fs::File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(ENOUGH)))?;
        let mut bytes = Vec::new();
        file.take(ENOUGH).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    // For people only: what can't be read says nothing.
    let bytes = read().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(count)..].iter().map(|line| (*line).to_owned()).collect()
}

/// Copies a folder; files by a second name where the file system has that.
fn copy(from: &Path, to: &Path) -> Result<(), LoopError> {
    fs::create_dir_all(to).map_err(LoopError::io("create", to))?;
    for entry in fs::read_dir(from).map_err(LoopError::io("list", from))?.flatten() {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy(&source, &target)?;
        } else if fs::hard_link(&source, &target).is_err() {
            fs::copy(&source, &target).map_err(LoopError::io("copy", &source))?;
        }
    }
    Ok(())
}
