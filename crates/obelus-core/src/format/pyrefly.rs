//! What the forms of pyrefly's output share.

use obelus_record::Severity;

use crate::{Positions, Unit};

/// Code points from 1, ends exclusive.
pub(super) const POSITIONS: Positions = Positions::one_based(Unit::CodePoints);

/// pyrefly's words for a severity, in any case.
pub(super) fn severity(word: &str) -> Option<Severity> {
    match word.to_ascii_lowercase().as_str() {
        "error" => Some(Severity::Error),
        "warn" | "warning" => Some(Severity::Warning),
        "info" | "ignore" => Some(Severity::Info),
        _ => None,
    }
}
