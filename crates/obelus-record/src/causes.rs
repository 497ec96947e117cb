//! Which records follow from which cause.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One thing that is wrong, with the records that show it and those that follow from it.
///
/// Indices count from 0 into [`Report::records`](crate::Report::records); a record stands in one
/// cause at most, and there in one list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cause {
    /// The records that show the cause, the one to read first in front; none where no record lies
    /// at the cause.
    pub records: Vec<u32>,
    /// Where the cause lies, if that is no record's own place and can be told.
    pub location: Option<CauseLocation>,
    /// The records that follow from it, sorted. Empty only where one record shows a cause that lies
    /// elsewhere.
    pub consequences: Vec<u32>,
}

/// The line at which a cause lies.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CauseLocation {
    /// As in [`Diagnostic::path`](crate::Diagnostic::path).
    pub path: Arc<str>,
    /// The line, from 1.
    pub line: u32,
}

/// The fact on which a cause rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CauseRule {
    /// The records name what an edit declares, declared or took away.
    EditedDeclaration,
    /// One call leads to records in code of others.
    CallSite,
    /// One macro says the same wherever it is used.
    Expansion,
    /// The tool attached the same place to several records.
    SameRelatedPlace,
    /// An import fails because of an error in the module that it names.
    FailedImport,
    /// A package can't be found.
    MissingPackage,
    /// A syntax error misleads the parser about what follows in its file.
    SyntaxErrors,
    /// Many records have one code and one message.
    SameMessage,
}

impl CauseRule {
    /// The word that stands in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            CauseRule::EditedDeclaration => "edited_declaration",
            CauseRule::CallSite => "call_site",
            CauseRule::Expansion => "expansion",
            CauseRule::SameRelatedPlace => "same_related_place",
            CauseRule::FailedImport => "failed_import",
            CauseRule::MissingPackage => "missing_package",
            CauseRule::SyntaxErrors => "syntax_errors",
            CauseRule::SameMessage => "same_message",
        }
    }
}
