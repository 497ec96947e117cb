//! Where a check is saved: in the store of the repository, and what of it is kept.

use std::path::Path;
use std::time::Instant;

use obelus_record::Report;

use crate::check::{CheckError, Events, milliseconds};
use crate::repository::Repository;
use crate::store::{Recording, Store};

/// Saved runs that are kept where the configuration names no number.
const KEEP_RUNS: usize = 20;

/// Megabytes that all saved runs may take where the configuration names no size.
const KEEP_MEGABYTES: u64 = 500;

/// A check that is being saved while it runs.
pub struct Saving {
    /// The store.
    pub store: Store,
    /// The run in it.
    pub recording: Recording,
    /// The folder in which all of it lies where the repository can't be written to.
    temporary: Option<tempfile::TempDir>,
    began: Instant,
}

impl Saving {
    /// Begins to save a check of the repository at `root`, or in a temporary folder where that
    /// can't be written to. The check began at `began`.
    pub fn begin(root: &Path, began: Instant, events: &dyn Events) -> Result<Self, CheckError> {
        let (store, temporary) = prepare_store(root, events)?;
        let recording = store.begin()?;
        Ok(Saving { store, recording, temporary, began })
    }
}

/// What a check came to, before it is saved.
pub struct Checked {
    /// The report, without the name of the saved run.
    pub report: Report,
    /// Where it is saved.
    pub saving: Saving,
}

impl Checked {
    /// The report alone; what the checkers printed is removed.
    pub fn discard(self) -> Result<Report, CheckError> {
        if self.saving.temporary.is_none() {
            self.saving.recording.discard()?;
        }
        Ok(self.report)
    }

    /// Saves the report as it is now, and removes saved runs beyond those to be kept.
    pub fn save(mut self, repository: &Repository) -> Result<Report, CheckError> {
        self.report.duration_ms = milliseconds(self.saving.began.elapsed());
        if self.saving.temporary.is_none() {
            self.saving.recording.finish(&mut self.report)?;
            let config = &repository.config;
            let bytes = config.keep_megabytes.unwrap_or(KEEP_MEGABYTES) << 20;
            self.saving.store.prune(config.keep_runs.unwrap_or(KEEP_RUNS).max(1), bytes)?;
        }
        Ok(self.report)
    }
}

/// The store of the repository, or one in a temporary folder where that can't be written to.
fn prepare_store(
    root: &Path,
    events: &dyn Events,
) -> Result<(Store, Option<tempfile::TempDir>), CheckError> {
    let store = Store::of(root);
    match store.prepare() {
        Ok(()) => Ok((store, None)),
        Err(error) => {
            events.note(format!("this run is not saved: {error}"));
            let folder = tempfile::tempdir().map_err(CheckError::Temporary)?;
            let store = Store::elsewhere(folder.path().to_owned());
            store.prepare()?;
            Ok((store, Some(folder)))
        }
    }
}
