//! `go-text`: what `go build` and `go vet` print for people.

use obelus_record::{Fault, Stream};

use super::{Format, Input, Sink, go};
use crate::Positions;

/// See the module.
pub struct GoText;

impl Format for GoText {
    fn name(&self) -> &'static str {
        "go-text"
    }

    fn summary(&self) -> &'static str {
        "go build and go vet without flags"
    }

    fn positions(&self) -> Positions {
        go::POSITIONS
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        go::read(input, input.primary, sink).map(|_| ())
    }
}
