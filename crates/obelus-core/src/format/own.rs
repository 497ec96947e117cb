//! What Obelus itself wrote: records, and what it put into a list that has room for findings only: statements about the whole,
//! whose code begins with `obelus/`. They are no findings; that something failed itself is kept.

use obelus_record::{Alternative, Diagnostic, Edit};

use super::Sink;
use crate::{Finding, Place, Position, Positions, Proposal, Replacement, Span, Unit};

/// What stands for the code of a record that has none, where a format requires one (SARIF, §3.27.5).
pub const WITHOUT_CODE: &str = "obelus/without-code";

/// The units of records.
pub(super) const POSITIONS: Positions = Positions::one_based(Unit::CodePoints);

/// Takes a statement of Obelus; whether `code` and `message` are one.
pub(super) fn take(code: Option<&str>, message: &str, sink: &mut dyn Sink) -> bool {
    let Some(word) = code.and_then(|code| code.strip_prefix("obelus/")) else { return false };
    match word {
        "harness-error" => sink.tool_failed(message.to_owned()),
        "verdict" | "policy" | "silenced" | "not-run" => {}
        _ => return false,
    }
    true
}

/// A record as the finding that it was.
pub(super) fn finding(record: &Diagnostic) -> Finding<'_> {
    let place = |line, column, end_line: Option<u32>, end_column| match line {
        Some(line) => Span::Lines {
            start: Position { line, column },
            end: end_line.map(|line| Position { line, column: end_column }),
        },
        None => Span::None,
    };
    let Diagnostic { line, column, end_line, end_column, .. } = *record;
    let related = record.related.iter().map(|one| Place {
        path: one.path.as_deref().map(Into::into),
        span: place(one.line, one.column, one.end_line, one.end_column),
        message: (&*one.message).into(),
    });
    Finding {
        tool: Some((&*record.tool).into()),
        code: record.code.as_deref().map(Into::into),
        path: record.path.as_deref().map(Into::into),
        span: place(line, column, end_line, end_column),
        related: related.collect(),
        proposals: proposals(record),
        cell: record.cell,
        help: record.help.as_deref().map(Into::into),
        ..Finding::new(record.severity, &*record.message)
    }
}

fn proposals(record: &Diagnostic) -> Vec<Proposal<'_>> {
    let Some(suggestion) = &record.suggestion else { return Vec::new() };
    let proposal = |applicability, message: Option<&'_ str>, edits: &'_ [Edit]| Proposal {
        applicability,
        message: message.map(|message| message.to_owned().into()),
        replacements: edits.iter().map(replacement).collect(),
    };
    let first =
        proposal(suggestion.applicability, suggestion.message.as_deref(), &suggestion.edits);
    let others = suggestion.alternatives.iter().map(|other: &Alternative| {
        proposal(other.applicability, other.message.as_deref(), &other.edits)
    });
    std::iter::once(first).chain(others).collect()
}

fn replacement(edit: &Edit) -> Replacement<'static> {
    Replacement {
        path: Some(edit.path.to_string().into()),
        span: Span::between((edit.line, edit.column), (edit.end_line, edit.end_column)),
        positions: None,
        text: edit.text.to_string().into(),
    }
}
