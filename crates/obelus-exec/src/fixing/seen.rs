//! Whether a file is the one that the checker saw.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use obelus_core::reason::tidy;
use serde::Deserialize;
use thiserror::Error;

use crate::apply::{Looked, sha256};

/// What is known of the files that the checker saw.
#[derive(Clone, Debug, Default)]
pub enum Seen {
    /// Nothing: whatever is there is taken for it.
    #[default]
    Anything,
    /// The sha256 of each file, by its path. A file that is not listed was not seen.
    Hashes(BTreeMap<String, String>),
    /// They were seen at this time or later, so what changed after it is something else; but for
    /// what Obelus wrote itself, of which it knows the sha256 by path.
    Since(SystemTime, BTreeMap<Arc<str>, String>),
}

/// Why a text is no list of files that were seen.
#[derive(Debug, Error)]
#[error("it is not {{\"files\": {{PATH: {{\"sha256\": HEX}}}}}}: {0}")]
pub struct NotSeen(#[from] serde_json::Error);

#[derive(Deserialize)]
struct Listed {
    files: BTreeMap<String, Hashed>,
}

#[derive(Deserialize)]
struct Hashed {
    sha256: String,
}

impl Seen {
    /// Reads `{"files": {PATH: {"sha256": HEX}}}`; other keys mean nothing here.
    pub fn read(bytes: &[u8]) -> Result<Self, NotSeen> {
        let listed: Listed = serde_json::from_slice(bytes)?;
        let hash = |(path, file): (String, Hashed)| (tidy(&path), file.sha256.to_ascii_lowercase());
        Ok(Seen::Hashes(listed.files.into_iter().map(hash).collect()))
    }

    /// Whether `file`, found at `path`, is what the checker saw.
    pub(super) fn is(&self, path: &str, file: &Looked) -> bool {
        match self {
            Seen::Anything => true,
            Seen::Hashes(hashes) => {
                let hash = hashes.get(&tidy(path)).or_else(|| hashes.get(&*file.path));
                hash.is_some_and(|hash| *hash == sha256(&file.bytes))
            }
            Seen::Since(time, written) => match written.get(&file.path) {
                Some(hash) => *hash == sha256(&file.bytes),
                None => file.changed.is_none_or(|changed| changed <= *time),
            },
        }
    }
}
