//! `gcc-text`: what gcc, g++ and ld print for people, also in the log of a make or ninja.

use obelus_record::{Fault, Stream};

use super::gnu::{Dialect, read};
use super::{Format, Input, Sink};
use crate::{Positions, Unit};

/// See the module.
pub struct GccText;

impl Format for GccText {
    fn name(&self) -> &'static str {
        "gcc-text"
    }

    fn summary(&self) -> &'static str {
        "gcc and g++ without flags, and logs of make and ninja that run them"
    }

    /// Columns as drawn, tab stops every 8 cells (`-fdiagnostics-column-unit`, `-ftabstop`:
    /// <https://gcc.gnu.org/onlinedocs/gcc/Diagnostic-Message-Formatting-Options.html>).
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::display_cells(8))
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        read(&Dialect { tool: Some("gcc") }, input, sink)
    }
}
