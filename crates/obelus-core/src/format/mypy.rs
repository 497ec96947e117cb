//! What the two forms of mypy's output share.

use std::borrow::Cow;

use obelus_record::Severity;

use crate::{Finding, Place};

/// mypy's words for a severity; it prints no others.
pub(super) fn severity(word: &str) -> Severity {
    match word {
        "note" => Severity::Info,
        "warning" => Severity::Warning,
        _ => Severity::Error,
    }
}

/// Attaches a note at the finding's own place. A note explains the error before it, so it is
/// never a finding of its own.
pub(super) fn attach<'a>(finding: &mut Finding<'a>, note: impl Into<Cow<'a, str>>) {
    finding.related.push(Place {
        path: finding.path.clone(),
        span: finding.span,
        message: note.into(),
    });
}

/// Whether `line` is what mypy prints about a run as a whole. The "errors prevented further
/// checking" sentence stands as text on stdout in JSON mode too (2.4.1).
pub(super) fn is_summary(line: &str) -> bool {
    let counted = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    line.strip_prefix("Found ").is_some_and(|rest| {
        counted(rest) && (rest.contains(" error in ") || rest.contains(" errors in "))
    }) || line.strip_prefix("Success: no issues found in ").is_some_and(counted)
}

#[cfg(test)]
mod tests {
    use super::is_summary;

    #[test]
    fn summaries_are_known() {
        assert!(is_summary("Found 1 error in 1 file (errors prevented further checking)"));
        assert!(is_summary("Found 5 errors in 2 files (checked 3 source files)"));
        assert!(is_summary("Success: no issues found in 2 source files"));
        assert!(!is_summary("Found the configuration"));
        assert!(!is_summary("Daemon started"));
    }
}
