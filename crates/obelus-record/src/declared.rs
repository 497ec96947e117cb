//! Where what a record is about is declared.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The declaration of what a record names, or points at, where no tool attached that place and the
/// sources tell it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeclaredAt {
    /// The record, as an index from 0 into [`Report::records`](crate::Report::records).
    pub record: u32,
    /// What is declared there: `Order`, `total`; of a module the name by which it is imported.
    pub name: Arc<str>,
    /// As in [`Diagnostic::path`](crate::Diagnostic::path).
    pub path: Arc<str>,
    /// The line, from 1; of a module its first.
    pub line: u32,
}
