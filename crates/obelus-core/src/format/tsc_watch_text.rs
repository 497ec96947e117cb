//! `tsc --watch --pretty false`: rounds of the plain form, of which the last one counts.

use obelus_record::{Fault, FaultKind};

use super::tsc::{self, chatter};
use super::tsc_text::Reader;
use super::{Format, Input, Sink};
use crate::Positions;

/// The format.
pub struct TscWatchText;

impl Format for TscWatchText {
    fn name(&self) -> &'static str {
        "tsc-watch-text"
    }

    fn summary(&self) -> &'static str {
        "text of tsc --watch with --pretty false; the last round counts"
    }

    fn positions(&self) -> Positions {
        tsc::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (primary, places, cut) = (input.primary, input.places, input.cut);
        let mut reader = Reader::default();
        // The number of the line that began a round which hasn't ended yet.
        let mut unfinished = None;
        let mut lines = input.lines(primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            let Some(status) = reader.line(&line, &text, places, sink) else { continue };
            if chatter::begins_round(status) {
                sink.discard();
                unfinished = Some(line.number);
            } else if chatter::ends_round(status) {
                unfinished = None;
            }
        }
        reader.end(sink);
        match unfinished {
            Some(line) if !cut => Err(Fault {
                stream: primary,
                line,
                kind: FaultKind::CutOff,
                snippet: String::new(),
                detail: "the last round of the watch has no end".to_owned(),
            }),
            _ => tsc::read_stderr(input, sink),
        }
    }
}
