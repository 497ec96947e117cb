//! `clang-tidy-text`: what clang-tidy prints for people.

use obelus_record::Fault;

use super::gnu::{Dialect, EDITS, read};
use super::{Format, Input, Sink};
use crate::Positions;

/// See the module.
pub struct ClangTidyText;

impl Format for ClangTidyText {
    fn name(&self) -> &'static str {
        "clang-tidy-text"
    }

    fn summary(&self) -> &'static str {
        "clang-tidy without flags"
    }

    /// As clang: UTF-8 bytes. What is drawn below a caret is no edit; those stand in
    /// `--export-fixes` alone.
    fn positions(&self) -> Positions {
        EDITS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        read(&Dialect { tool: None }, input, sink)
    }
}
