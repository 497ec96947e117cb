//! `rustfmt-list`: what `cargo fmt --check -- -l` prints, a path a line.

use obelus_record::{Fault, Severity, Stream};

use super::rustfmt::{MESSAGE, errors};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Unit};

/// See the module.
pub struct RustfmtList;

impl Format for RustfmtList {
    fn name(&self) -> &'static str {
        "rustfmt-list"
    }

    fn summary(&self) -> &'static str {
        "rustfmt --check -l"
    }

    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let stream = input.primary;
        if stream != Stream::Stderr {
            errors(input, sink)?;
        }
        let mut lines = input.lines(stream);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if text.ends_with(".rs") {
                let path = Some(text.into_owned().into());
                sink.finding(Finding { path, ..Finding::new(Severity::Error, MESSAGE) });
            } else if !line.is_blank() {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        Ok(())
    }
}
