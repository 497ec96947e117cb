//! What is kept back, in words: nothing sent is not clean.

use std::collections::BTreeSet;

use obelus_record::{Report, Severity, WithheldReason};

use super::text::plural;

/// How many findings are kept back for each reason, in words; those of `told` are not.
pub fn in_words(report: &Report, told: &[bool]) -> Option<String> {
    let route = report.route.as_ref()?;
    let mut errors: Vec<(WithheldReason, u64)> = Vec::new();
    let (mut files, mut below) = (BTreeSet::new(), 0);
    let mut withheld = route.withheld.clone();
    withheld.sort_by_key(|withheld| withheld.reason);
    for withheld in withheld {
        let index = withheld.record as usize;
        let Some(record) = report.records.get(index).filter(|_| told.get(index) == Some(&false))
        else {
            continue;
        };
        // A copy is counted as what it is a copy of; what is adopted has a line of its own.
        if matches!(withheld.reason, WithheldReason::Duplicate | WithheldReason::Adopted) {
            continue;
        }
        if record.severity != Severity::Error {
            below += 1;
            continue;
        }
        files.extend(record.path.as_deref());
        match errors.last_mut() {
            Some((reason, count)) if *reason == withheld.reason => *count += 1,
            _ => errors.push((withheld.reason, 1)),
        }
    }
    let total: u64 = errors.iter().map(|(_, count)| count).sum();
    let reasons: Vec<String> = errors
        .iter()
        .map(|(reason, count)| match errors.len() {
            1 => word(*reason).to_owned(),
            _ => format!("{count} {}", word(*reason)),
        })
        .collect();
    let mut parts = Vec::new();
    if total > 0 {
        let (errors, files) = (plural(total, "error", "errors"), files.len() as u64);
        let files = plural(files, "other file", "other files");
        parts.push(format!("{errors} in {files} ({})", reasons.join(", ")));
    }
    if below > 0 {
        parts.push(plural(below, "finding below error", "findings below error"));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn word(reason: WithheldReason) -> &'static str {
    match reason {
        WithheldReason::Consequence => "following from others",
        WithheldReason::Adopted => "adopted",
        WithheldReason::Unchanged => "not caused by the edit",
        WithheldReason::UntouchedFile => "untouched",
        WithheldReason::OtherPath => "outside the paths asked about",
        WithheldReason::BelowLevel => "below the level",
        WithheldReason::Dependency => "in dependencies",
        WithheldReason::Generated => "generated",
        WithheldReason::OutsideRepository => "outside the repository",
        WithheldReason::Duplicate => "duplicate",
    }
}
