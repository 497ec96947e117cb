//! The edits that rustc proposes.

use std::borrow::Cow;

use obelus_record::Applicability;

use crate::{Proposal, Replacement, Span};

use super::message::{RustcApplicability, RustcSpan};
use super::place::Base;

/// The proposals that `spans` of one diagnostic or child make; none if no span has a replacement.
///
/// The parts of one edit stand side by side, and so do alternatives, for which this JSON has no
/// shape of their own (rust-lang/rust#53934): a place that is replaced twice tells them apart. rustc
/// writes the parts of an edit in the order of the file, so a part that goes back begins the next.
/// An edit inside of a macro's body stays there: it would be wrong anywhere else.
pub fn proposals<'a>(
    spans: &[RustcSpan<'a>],
    message: Option<&Cow<'a, str>>,
    base: &Base<'_>,
) -> Vec<Proposal<'a>> {
    let parts: Vec<&RustcSpan<'a>> =
        spans.iter().filter(|span| span.suggested_replacement.is_some()).collect();
    edits(&parts)
        .into_iter()
        .map(|parts| Proposal {
            applicability: applicability(parts),
            message: message.cloned(),
            replacements: parts.iter().map(|part| replacement(part, base)).collect(),
        })
        .collect()
}

/// The parts of each edit.
fn edits<'p, 's, 'a>(parts: &'p [&'s RustcSpan<'a>]) -> Vec<&'p [&'s RustcSpan<'a>]> {
    if parts.is_empty() {
        return Vec::new();
    }
    let same = |a: &RustcSpan<'_>, b: &RustcSpan<'_>| {
        (a.byte_start, a.byte_end) == (b.byte_start, b.byte_end) && a.file_name == b.file_name
    };
    let repeats = (1..parts.len()).any(|at| parts[..at].iter().any(|part| same(part, parts[at])));
    if !repeats {
        return vec![parts];
    }
    let mut edits = Vec::new();
    let mut from = 0;
    for at in 1..parts.len() {
        let goes_back = parts[at].byte_start < parts[at - 1].byte_start;
        if goes_back || parts[from..at].iter().any(|part| same(part, parts[at])) {
            edits.push(&parts[from..at]);
            from = at;
        }
    }
    edits.push(&parts[from..]);
    edits
}

/// What holds for an edit as a whole: that of its least certain part.
fn applicability(parts: &[&RustcSpan<'_>]) -> Applicability {
    let mut worst = Applicability::Safe;
    for part in parts {
        match part.suggestion_applicability {
            Some(RustcApplicability::MachineApplicable) => {}
            Some(RustcApplicability::HasPlaceholders) => return Applicability::Incomplete,
            Some(RustcApplicability::MaybeIncorrect | RustcApplicability::Unspecified) | None => {
                worst = Applicability::Unsafe;
            }
        }
    }
    worst
}

fn replacement<'a>(part: &RustcSpan<'a>, base: &Base<'_>) -> Replacement<'a> {
    Replacement {
        path: Some(base.locate(part.file_name.clone())),
        span: Span::between((part.line_start, part.column_start), (part.line_end, part.column_end)),
        positions: None,
        text: part.suggested_replacement.as_ref().map(|text| text.0.clone()).unwrap_or_default(),
    }
}
