//! What the text forms of ty's output share.

use obelus_record::Severity;

use crate::{Finding, Positions, Unit};

/// Columns from 1 in code points; text has no ends.
pub(super) const POSITIONS: Positions = Positions::one_based(Unit::CodePoints);

/// Reads `level[rule]` at the start of `text`, and gives what follows it.
pub(super) fn level(text: &str) -> Option<(Severity, &str, &str)> {
    let (level, rest) = text.split_once('[')?;
    let severity = match level {
        "fatal" | "error" => Severity::Error,
        "warning" => Severity::Warning,
        "info" => Severity::Info,
        _ => return None,
    };
    let (rule, rest) = rest.split_once(']')?;
    Some((severity, rule, rest))
}

/// A finding without a place yet, for a reader that goes on to other lines.
pub(super) fn finding(severity: Severity, rule: &str, message: &str) -> Finding<'static> {
    Finding { code: Some(rule.to_owned().into()), ..Finding::new(severity, message.to_owned()) }
}

/// Whether `line` is what ty prints about a run as a whole.
pub(super) fn is_summary(line: &str) -> bool {
    let counted = line.strip_prefix("Found ").and_then(|rest| rest.split_once(" diagnostic"));
    line == "All checks passed!"
        || counted.is_some_and(|(count, _)| count.bytes().all(|b| b.is_ascii_digit()))
}
