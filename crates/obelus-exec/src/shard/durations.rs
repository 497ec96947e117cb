//! How long runs took, of reports that were made before.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use crate::store::{Store, StoreError};

/// How long the runs of a check took when they were made last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Durations(HashMap<(String, String), u64>);

/// What a report says about how long its runs took.
#[derive(Deserialize)]
struct Measured {
    runs: Vec<MeasuredRun>,
    #[serde(default)]
    shard: Option<OfTree>,
}

#[derive(Deserialize)]
struct MeasuredRun {
    checker: String,
    #[serde(default)]
    project: Option<String>,
    /// Only a run that ended by itself tells how long it takes.
    exit: Option<i32>,
    #[serde(default)]
    duration_ms: u64,
}

#[derive(Deserialize)]
struct OfTree {
    #[serde(default)]
    tree: Option<String>,
}

impl Durations {
    /// Those that the report in `text` states.
    pub fn read(text: &[u8]) -> Result<Self, serde_json::Error> {
        let mut durations = Durations::default();
        durations.add(serde_json::from_slice(text)?);
        Ok(durations)
    }

    /// Those of the saved runs of the repository at `root`, the newest first, for the checkers and
    /// projects `wanted`. Shards of the tree `tree` don't count: the first would have the others
    /// dealt out in another way than itself.
    pub(super) fn saved(
        root: &Path,
        tree: Option<&str>,
        wanted: &[(&str, &str)],
    ) -> Result<Self, StoreError> {
        let mut durations = Durations::default();
        let store = Store::of(root);
        for id in store.ids()?.iter().rev() {
            // A saved run that can't be read tells nothing, and keeps nobody from checking.
            let Ok(measured) = store.find(id).and_then(|saved| saved.report_as::<Measured>())
            else {
                continue;
            };
            let same_tree = |shard: &OfTree| tree.is_none() || shard.tree.as_deref() == tree;
            if !measured.shard.as_ref().is_some_and(same_tree) {
                durations.add(measured);
            }
            if wanted.iter().all(|(checker, project)| durations.of(checker, project).is_some()) {
                break;
            }
        }
        Ok(durations)
    }

    fn add(&mut self, report: Measured) {
        for run in report.runs.into_iter().filter(|run| run.exit.is_some()) {
            let key = (run.checker, run.project.unwrap_or_else(|| ".".to_owned()));
            self.0.entry(key).or_insert(run.duration_ms);
        }
    }

    /// How long the run of `checker` in `project` took, in milliseconds.
    pub fn of(&self, checker: &str, project: &str) -> Option<u64> {
        self.0.get(&(checker.to_owned(), project.to_owned())).copied()
    }
}
