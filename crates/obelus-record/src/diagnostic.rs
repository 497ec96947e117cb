//! The record: one finding of one tool at one place.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Suggestion;

/// How severe a finding is, in the words of the Language Server Protocol.
///
/// The order is that of the variants: an error is the least value, so that sorting by severity
/// puts errors first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The tool says that the code is wrong.
    Error,
    /// The tool says that the code is suspicious.
    Warning,
    /// The tool tells a fact.
    Info,
    /// The tool offers something, usually an edit.
    Hint,
}

impl Severity {
    /// The word that stands in records: `error`, `warning`, `info` or `hint`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
            Severity::Hint => "hint",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One finding of one tool, in the units of this crate.
///
/// A value is made in one place only, the normalising step, or read back from a report; that is
/// why the struct can't be written out as a literal elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Diagnostic {
    /// The program that made the finding, as its users call it: `tsc`, `rustc`, `eslint`.
    pub tool: Arc<str>,
    /// How severe the finding is, after the checker's own severity map.
    pub severity: Severity,
    /// The tool's stable identifier of the kind of finding (`TS2532`, `E0308`, `no-undef`), if it has one.
    #[serde(default)]
    pub code: Option<Arc<str>>,
    /// The file, relative to the repository root and with forward slashes; absolute if it lies
    /// outside the repository; absent if the finding has no file.
    #[serde(default)]
    pub path: Option<Arc<str>>,
    /// Line of the start, from 1.
    #[serde(default)]
    pub line: Option<u32>,
    /// Column of the start in code points, from 1.
    #[serde(default)]
    pub column: Option<u32>,
    /// Line of the end, from 1; absent where the tool gives no end.
    #[serde(default)]
    pub end_line: Option<u32>,
    /// Column just behind the end in code points, from 1.
    #[serde(default)]
    pub end_column: Option<u32>,
    /// The human text alone, without place, severity or code.
    pub message: Arc<str>,
    /// Other places that the tool itself attached to the finding.
    #[serde(default)]
    pub related: Vec<Related>,
    /// The edit that the tool itself proposes.
    #[serde(default)]
    pub suggestion: Option<Box<Suggestion>>,
    /// The cell of a notebook, from 1 and counting every cell, in which `line` counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<u32>,
    /// A page about this kind of finding, where the tool itself names one: an `http` or `https` URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<Arc<str>>,
}

/// What a [`Diagnostic`] is made of; the argument of [`Diagnostic::normalised`].
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields are those of Diagnostic")]
pub struct DiagnosticParts {
    pub tool: Arc<str>,
    pub severity: Severity,
    pub code: Option<Arc<str>>,
    pub path: Option<Arc<str>>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub end_line: Option<u32>,
    pub end_column: Option<u32>,
    pub message: Arc<str>,
    pub related: Vec<Related>,
    pub suggestion: Option<Box<Suggestion>>,
    pub cell: Option<u32>,
    pub help: Option<Arc<str>>,
}

impl Diagnostic {
    /// Builds a record from parts that are already in the units of this crate.
    ///
    /// Only the normalising step calls this (a tidy check says so): it is what guarantees that
    /// every record has a repository path and code-point columns.
    pub fn normalised(parts: DiagnosticParts) -> Self {
        Diagnostic {
            tool: parts.tool,
            severity: parts.severity,
            code: parts.code,
            path: parts.path,
            line: parts.line,
            column: parts.column,
            end_line: parts.end_line,
            end_column: parts.end_column,
            message: parts.message,
            related: parts.related,
            suggestion: parts.suggestion,
            cell: parts.cell,
            help: parts.help,
        }
    }
}

/// Another place that the tool attached to a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Related {
    /// As in [`Diagnostic::path`].
    #[serde(default)]
    pub path: Option<Arc<str>>,
    /// As in [`Diagnostic::line`].
    #[serde(default)]
    pub line: Option<u32>,
    /// As in [`Diagnostic::column`].
    #[serde(default)]
    pub column: Option<u32>,
    /// As in [`Diagnostic::end_line`].
    #[serde(default)]
    pub end_line: Option<u32>,
    /// As in [`Diagnostic::end_column`].
    #[serde(default)]
    pub end_column: Option<u32>,
    /// What the tool says about the place; may be empty.
    #[serde(default)]
    pub message: Arc<str>,
}
