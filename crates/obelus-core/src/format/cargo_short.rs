//! `cargo-short`: what `cargo check --message-format=short` and its kin print, one line a finding.

use obelus_record::{Fault, Stream};

use super::rustc::POSITIONS;
use super::{Format, Input, Sink, cargo_text};
use crate::Positions;

/// See the module.
pub struct CargoShort;

impl Format for CargoShort {
    fn name(&self) -> &'static str {
        "cargo-short"
    }

    fn summary(&self) -> &'static str {
        "cargo check, clippy or build with --message-format=short, rustc --error-format=short"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        cargo_text::read(input, sink)
    }
}
