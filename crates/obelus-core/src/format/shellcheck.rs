//! What the JSON forms of ShellCheck's output share.

use std::borrow::Cow;

use obelus_record::{Applicability, Severity};
use serde::Deserialize;

use crate::{Finding, Proposal, Replacement, Span};

/// One comment of `json` and `json1`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Comment<'a> {
    #[serde(borrow)]
    file: Cow<'a, str>,
    line: u32,
    end_line: u32,
    column: u32,
    end_column: u32,
    #[serde(borrow)]
    level: Cow<'a, str>,
    code: u32,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow)]
    fix: Option<Fix<'a>>,
}

#[derive(Deserialize)]
struct Fix<'a> {
    #[serde(borrow)]
    replacements: Vec<Piece<'a>>,
}

/// A piece of a fix; an insertion has an end that is its start.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Piece<'a> {
    line: u32,
    end_line: u32,
    column: u32,
    end_column: u32,
    #[serde(borrow)]
    replacement: Cow<'a, str>,
}

impl<'a> Comment<'a> {
    pub(super) fn finding(self) -> Finding<'a> {
        Finding {
            code: Some(format!("SC{}", self.code).into()),
            path: Some(self.file),
            span: Span::between((self.line, self.column), (self.end_line, self.end_column)),
            proposals: self.fix.map(Fix::proposal).into_iter().collect(),
            ..Finding::new(severity(&self.level), self.message)
        }
    }
}

impl<'a> Fix<'a> {
    /// ShellCheck does not say how safe a fix is.
    fn proposal(self) -> Proposal<'a> {
        let replacements = self.replacements.into_iter().map(|piece| Replacement {
            path: None,
            span: Span::between((piece.line, piece.column), (piece.end_line, piece.end_column)),
            positions: None,
            text: piece.replacement,
        });
        Proposal {
            applicability: Applicability::Unsafe,
            message: None,
            replacements: replacements.collect(),
        }
    }
}

/// The levels of the JSON forms, and `note`, which the gcc form has for `info` and `style`.
pub(super) fn severity(level: &str) -> Severity {
    match level {
        "warning" => Severity::Warning,
        "info" | "style" | "note" => Severity::Info,
        _ => Severity::Error,
    }
}
