//! `clang-text`: what clang prints for people, best with `-fdiagnostics-print-source-range-info` and
//! `-fdiagnostics-parseable-fixits`.

use obelus_record::{Fault, Stream};

use super::gnu::{Dialect, EDITS, read};
use super::{Format, Input, Sink};
use crate::Positions;

/// See the module.
pub struct ClangText;

impl Format for ClangText {
    fn name(&self) -> &'static str {
        "clang-text"
    }

    fn summary(&self) -> &'static str {
        "clang and clang++, with -fdiagnostics-print-source-range-info and -parseable-fixits or without"
    }

    /// UTF-8 bytes; ranges are exclusive
    /// (<https://clang.llvm.org/docs/UsersManual.html#formatting-of-diagnostics>).
    fn positions(&self) -> Positions {
        EDITS
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        read(&Dialect { tool: Some("clang") }, input, sink)
    }
}
