//! `zig-text`: what zig's compiler prints, in the GNU form, with a trace of what referred to the place.

use obelus_record::{Fault, Stream};

use super::gnu::{Dialect, EDITS, read};
use super::{Format, Input, Sink};
use crate::Positions;

/// See the module.
pub struct ZigText;

impl Format for ZigText {
    fn name(&self) -> &'static str {
        "zig-text"
    }

    fn summary(&self) -> &'static str {
        "zig build-exe, build, test and ast-check"
    }

    /// UTF-8 bytes (seen with 0.17.1).
    fn positions(&self) -> Positions {
        EDITS
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        read(&Dialect { tool: None }, input, sink)
    }
}
