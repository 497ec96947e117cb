//! Reports of trees, kept in `.obelus/cache/baselines/`: one file a tree and way of checking it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use obelus_record::{Outcome, Report, Termination};
use serde::{Deserialize, Serialize};

use crate::store::{FOLDER, StoreError, io, read_json, size};

/// The version of an entry's shape; entries of another are not read.
const VERSION: u32 = 1;

/// Entries that are kept; those that were not used for longest go first.
const KEEP: usize = 40;

/// Bytes that all entries together may take.
const KEEP_BYTES: u64 = 256 << 20;

/// What a report depends on, besides the versions of the programs, which only a run can tell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The version of Obelus.
    pub obelus: String,
    /// What tells the tree from all others.
    pub tree: String,
    /// The root in the tree.
    pub prefix: String,
    /// A digest of the tables of all checkers, built in and changed, and of what else
    /// `obelus.toml` says about which of them run where.
    pub config: String,
    /// A digest of which packages are installed.
    pub installed: String,
    /// The checkers that were asked for.
    pub checkers: Vec<String>,
    /// The folders and files that were asked about.
    pub scope: Vec<String>,
}

/// The report of a tree.
#[derive(Debug, Serialize, Deserialize)]
pub struct Entry {
    version: u32,
    /// What it depends on.
    pub key: Key,
    /// The object id of the tree itself, whose files are before the change.
    pub tree: String,
    /// Whether `obelus baseline` stored it, so that its objects are kept beside it.
    pub stored: bool,
    /// The report.
    pub report: Report,
}

impl Entry {
    /// The report of the tree `tree`.
    pub fn new(key: Key, tree: &str, stored: bool, report: Report) -> Self {
        Entry { version: VERSION, key, tree: tree.to_owned(), stored, report }
    }

    /// Whether its programs had the versions that those of `now` have, as far as both are known.
    pub fn versions_agree(&self, now: &Report) -> bool {
        let (then, now) = (versions(&self.report), versions(now));
        then.iter().all(|(checker, then)| now.get(checker).is_none_or(|now| now == then))
    }
}

/// The versions of each checker.
fn versions(report: &Report) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for run in &report.runs {
        if let Some(version) = &run.version {
            versions.entry(&run.checker).or_default().insert(version);
        }
    }
    versions
}

/// Whether a report may stand for another run: not where a run ended by something that the next
/// one may be spared.
pub fn is_lasting(report: &Report) -> bool {
    report.runs.iter().all(|run| {
        run.outcome != Outcome::HarnessError
            || matches!(run.termination, Termination::Exited { .. })
    })
}

/// The entries of a repository.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The entries of the repository at `root`; nothing is written yet.
    pub fn of(root: &Path) -> Self {
        Cache { folder: root.join(FOLDER).join("cache").join("baselines") }
    }

    /// The entry for `key`, if there is one that can be read. What is damaged is as good as absent.
    pub fn find(&self, key: &Key) -> Option<Entry> {
        let path = self.folder.join(format!("{}.json", name(key)));
        let entry: Entry = read_json(&path).ok()?;
        if entry.version != VERSION || entry.key != *key {
            return None;
        }
        // The time of the last use decides which ones go; without it an older one stays or goes.
        let _ = fs::File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_modified(SystemTime::now()));
        Some(entry)
    }

    /// The entry that `obelus baseline` stored last.
    pub fn last_stored(&self) -> Result<Option<Entry>, StoreError> {
        let pointer = self.folder.join("last");
        let name = match fs::read_to_string(&pointer) {
            Ok(name) => name,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io("read", &pointer)(error)),
        };
        let entry: Entry = read_json(&self.folder.join(format!("{}.json", name.trim())))?;
        Ok((entry.version == VERSION).then_some(entry))
    }

    /// Where the objects of a stored entry's tree are that no commit holds.
    pub fn objects(&self, key: &Key) -> PathBuf {
        self.folder.join(format!("{}.objects", name(key)))
    }

    /// Keeps `entry`, and removes those that were not used for longest.
    pub fn put(&self, entry: &Entry) -> Result<(), StoreError> {
        let name = name(&entry.key);
        let path = self.folder.join(format!("{name}.json"));
        let damaged = |error| StoreError::Damaged { path: path.clone(), error };
        self.write(&path, &serde_json::to_vec(entry).map_err(damaged)?)?;
        if entry.stored {
            self.write(&self.folder.join("last"), name.as_bytes())?;
        }
        self.prune(&name)
    }

    /// Writes `bytes` to `path`, of which another process never sees a part.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        fs::create_dir_all(&self.folder).map_err(io("create", &self.folder))?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).map_err(io("write", path))?;
        file.write_all(bytes).map_err(io("write", path))?;
        file.persist(path).map_err(|error| io("write", path)(error.error))?;
        Ok(())
    }

    fn prune(&self, newest: &str) -> Result<(), StoreError> {
        let last = fs::read_to_string(self.folder.join("last")).unwrap_or_default();
        let mut entries: Vec<(SystemTime, String)> = fs::read_dir(&self.folder)
            .map_err(io("list", &self.folder))?
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().to_str()?.strip_suffix(".json")?.to_owned();
                Some((entry.metadata().ok()?.modified().ok()?, name))
            })
            .collect();
        entries.sort_unstable_by(|a, b| b.cmp(a));
        let mut total = 0;
        for (age, (_, name)) in entries.iter().enumerate() {
            let path = self.folder.join(format!("{name}.json"));
            let objects = self.folder.join(format!("{name}.objects"));
            total += fs::metadata(&path).map_or(0, |metadata| metadata.len()) + size(&objects);
            let needed = name == newest || name == last.trim();
            if !needed && (age >= KEEP || total > KEEP_BYTES) {
                fs::remove_file(&path).map_err(io("remove", &path))?;
                if objects.exists() {
                    fs::remove_dir_all(&objects).map_err(io("remove", &objects))?;
                }
            }
        }
        Ok(())
    }
}

/// A word for a text: another text has by all odds another one.
pub fn digest(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The name of a key's file. Another key may by chance have the same: an entry holds its key.
fn name(key: &Key) -> String {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    format!("{}-{:016x}", key.tree.get(..12).unwrap_or(&key.tree), hasher.finish())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn key(tree: usize) -> Key {
        Key {
            obelus: "1".into(),
            tree: format!("{tree:040}"),
            prefix: String::new(),
            config: "c".into(),
            installed: "i".into(),
            checkers: Vec::new(),
            scope: Vec::new(),
        }
    }

    fn report(version: &str, outcome: &str, how: serde_json::Value) -> Report {
        serde_json::from_value(json!({
            "version": 1, "outcome": outcome, "reason": "", "records": [], "origins": [],
            "counts": {"error": 0, "warning": 0, "info": 0, "hint": 0, "files": 0, "by_tool": {}},
            "runs": [{"checker": "tsc", "tool": "tsc", "format": "tsc-text", "version": version,
                "exit": null, "termination": how, "outcome": outcome, "reason": ""}],
        }))
        .unwrap()
    }

    fn passed(version: &str) -> Report {
        report(version, "pass", json!({"how": "exited", "code": 0}))
    }

    #[test]
    fn an_entry_is_found_by_all_of_its_key_and_used_while_versions_agree() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::of(folder.path());
        cache.put(&Entry::new(key(1), "t", false, passed("5.9"))).unwrap();
        let entry = cache.find(&key(1)).unwrap();
        assert!(entry.versions_agree(&passed("5.9")));
        assert!(!entry.versions_agree(&passed("6.0")));
        assert!(cache.find(&key(2)).is_none());
        assert!(cache.find(&Key { config: "other".into(), ..key(1) }).is_none());
        assert!(cache.last_stored().unwrap().is_none());
    }

    #[test]
    fn the_number_of_entries_is_bounded_and_the_stored_one_stays() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::of(folder.path());
        cache.put(&Entry::new(key(0), "t", true, passed("1"))).unwrap();
        fs::create_dir_all(cache.objects(&key(0))).unwrap();
        for tree in 1..KEEP + 5 {
            cache.put(&Entry::new(key(tree), "t", false, passed("1"))).unwrap();
        }
        let count = fs::read_dir(&cache.folder).unwrap().flatten().count();
        // The entries, the objects of the stored one, and the file that names it.
        assert!(count <= KEEP + 3, "{count}");
        assert_eq!(cache.last_stored().unwrap().unwrap().key, key(0));
    }

    #[test]
    fn what_may_go_better_next_time_does_not_last() {
        assert!(is_lasting(&passed("1")));
        assert!(is_lasting(&report("1", "harness_error", json!({"how": "exited", "code": 2}))));
        let killed = json!({"how": "signaled", "signal": 9});
        assert!(!is_lasting(&report("1", "harness_error", killed)));
    }
}
