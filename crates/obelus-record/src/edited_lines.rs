//! What a change did to the text of a file.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A run of lines that a change wrote, or a place from which it took lines away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EditedLines {
    /// The file as it is called after the change, as in [`Diagnostic::path`](crate::Diagnostic::path).
    pub path: Arc<str>,
    /// The first line that the change wrote, from 1; where it only took lines away, the line that
    /// stands in their place now.
    pub line: u32,
    /// The line behind the last one that the change wrote; equal to [`line`](Self::line) where it
    /// only took lines away.
    pub end_line: u32,
    /// What the lines declare or bring into the file, before the change or after it, and the
    /// parameters that came, went or have another name. Sorted.
    pub names: Vec<String>,
    /// The names of the declarations in which the lines stand, the nearest first.
    pub within: Vec<String>,
}

impl EditedLines {
    /// Whether the change wrote `line`, or took lines away right before it.
    pub fn holds(&self, line: u32) -> bool {
        (self.line..self.end_line.max(self.line + 1)).contains(&line)
    }
}
