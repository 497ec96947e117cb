//! The files of a snapshot that is not in place.

use std::sync::Arc;

use obelus_core::Sources;

use super::Snapshot;
use super::objects::Objects;

/// The files of one snapshot, read when they are asked for; paths are from the root of the
/// repository.
pub struct SnapshotSources {
    objects: Objects,
    snapshot: Snapshot,
    /// The root of the repository relative to the top.
    prefix: String,
}

impl SnapshotSources {
    pub(super) fn new(objects: Objects, snapshot: Snapshot, prefix: String) -> Self {
        SnapshotSources { objects, snapshot, prefix }
    }

    fn name(&self, path: &str) -> String {
        let escaped = super::key(path.as_bytes());
        if self.prefix.is_empty() {
            escaped
        } else {
            format!("{}/{escaped}", super::key(self.prefix.as_bytes()))
        }
    }
}

impl Sources for SnapshotSources {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        let name = self.name(path);
        let entry = self.snapshot.entries.get(&name)?;
        self.objects.read(&name, entry).ok().map(Arc::from)
    }

    fn exists(&self, path: &str) -> bool {
        self.snapshot.entries.contains_key(&self.name(path))
    }

    fn ending_in(&self, _tail: &str) -> Option<String> {
        // Only a reading of captured output asks, and that has a folder.
        None
    }
}
