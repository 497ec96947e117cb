//! `go-build-json`: what `go build -json` prints since go 1.24 (`go help buildjson`).

use std::borrow::Cow;

use obelus_record::{Fault, Stream};
use serde::Deserialize;

use super::{Format, Input, Sink, go};
use crate::Positions;

/// See the module.
pub struct GoBuildJson;

/// One event; its output is a line or several of text.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event<'a> {
    #[serde(borrow)]
    action: Cow<'a, str>,
    #[serde(borrow, default)]
    output: Cow<'a, str>,
}

impl Format for GoBuildJson {
    fn name(&self) -> &'static str {
        "go-build-json"
    }

    fn summary(&self) -> &'static str {
        "go build -json"
    }

    fn positions(&self) -> Positions {
        go::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let stream = input.primary;
        if stream != Stream::Stderr {
            // What kept the command from building stands there, as text.
            go::read(input, Stream::Stderr, sink)?;
        }
        let mut reader = go::Reader::default();
        let mut lines = input.lines(stream);
        while let Some(line) = lines.next()? {
            if line.is_blank() {
                continue;
            }
            let event: Event<'_> = line.json()?;
            if event.action != "build-output" {
                continue;
            }
            for text in event.output.lines() {
                if !reader.line(text, sink) {
                    sink.unrecognised(line.stream, line.number, text);
                }
            }
        }
        reader.end(sink);
        Ok(())
    }
}
