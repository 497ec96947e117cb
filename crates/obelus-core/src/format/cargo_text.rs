//! `cargo-text`: what `cargo check` and its kin, and rustc itself, print for people.

use obelus_record::{Fault, Stream};

use super::rustc::{POSITIONS, text};
use super::{Format, Input, Sink};
use crate::Positions;

/// See the module.
pub struct CargoText;

impl Format for CargoText {
    fn name(&self) -> &'static str {
        "cargo-text"
    }

    fn summary(&self) -> &'static str {
        "cargo check, clippy, build or rustc without flags"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        read(input, sink)
    }
}

/// Reads full and short form alike: cargo replays what it cached in the form in which that was
/// first asked for (seen with 1.95), so that a run in short form may print both.
pub(super) fn read(input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
    let (stream, cut) = (input.primary, input.cut);
    let mut lines = input.lines(stream);
    let mut reader = text::Reader::new(stream);
    while let Some(line) = lines.next()? {
        reader.line(&line, sink);
    }
    reader.finish(cut, sink);
    Ok(())
}
