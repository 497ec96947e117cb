//! What a grammar says of a part of a log, and the places of that part seen from the log.

use std::sync::Arc;

use obelus_record::Stream;

use crate::Finding;
use crate::format::gnu::is_absolute;
use crate::format::{Places, Sink};

/// What one grammar handed out for one part of a log.
#[derive(Default)]
pub(super) struct Heard {
    pub(super) findings: Vec<Finding<'static>>,
    /// The lines that it does not know: their number within the part, from 1, and their text.
    pub(super) unrecognised: Vec<(u64, String)>,
    pub(super) failed: Vec<String>,
}

impl Sink for Heard {
    fn source(&mut self, _path: &str, _text: &str) {}

    fn finding(&mut self, finding: Finding<'_>) {
        self.findings.push(finding.into_owned());
    }

    fn unrecognised(&mut self, _stream: Stream, line: u64, text: &str) {
        self.unrecognised.push((line, text.to_owned()));
    }

    fn tool_failed(&mut self, reason: String) {
        self.failed.push(reason);
    }

    fn discard(&mut self) {
        *self = Heard::default();
    }
}

/// Places as the words of one command name them: from a folder that the log tells.
pub(super) struct FromFolder<'p> {
    pub(super) places: &'p dyn Places,
    /// The folders that it may be, the most likely first.
    pub(super) folders: &'p [String],
}

impl FromFolder<'_> {
    /// `path` as it is seen from where the log began. Where the log tells a folder in which there is no such
    /// file, and the file is elsewhere, the folder was not that of the command.
    pub(super) fn path(&self, path: &str) -> String {
        if is_absolute(path) || path.starts_with("file://") {
            return path.to_owned();
        }
        let joined = |folder: &String| format!("{folder}/{path}");
        let there = self.folders.iter().map(joined).find(|path| self.places.exists(path));
        if let Some(path) = there {
            return path;
        }
        if self.places.exists(path) {
            return path.to_owned();
        }
        // A tool that runs in a build folder names files from there.
        let below = path.trim_start_matches("../");
        let found = self.places.ending_in(below);
        found.or_else(|| self.folders.first().map(joined)).unwrap_or_else(|| path.to_owned())
    }

    /// The finding with its paths seen from where the log began.
    pub(super) fn place(&self, finding: &mut Finding<'static>) {
        let paths = finding.path.iter_mut();
        let related = finding.related.iter_mut().filter_map(|place| place.path.as_mut());
        let pieces = finding.proposals.iter_mut().flat_map(|proposal| &mut proposal.replacements);
        let edited = pieces.filter_map(|piece| piece.path.as_mut());
        for path in paths.chain(related).chain(edited) {
            *path = self.path(path).into();
        }
    }
}

impl Places for FromFolder<'_> {
    fn inside(&self, path: &str) -> bool {
        self.places.inside(&self.path(path))
    }

    fn exists(&self, path: &str) -> bool {
        self.places.exists(&self.path(path))
    }

    fn ending_in(&self, path: &str) -> Option<String> {
        self.places.ending_in(path)
    }

    fn line(&self, path: &str, number: u32) -> Option<String> {
        self.places.line(&self.path(path), number)
    }

    fn bytes(&self, path: &str) -> Option<Arc<[u8]>> {
        self.places.bytes(&self.path(path))
    }
}
