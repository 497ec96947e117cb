//! What the formats of rustfmt share: syntax errors, which it prints on standard error as rustc does.

use obelus_record::{Fault, Stream};

use super::rustc::text;
use super::{Input, Sink};
use crate::Finding;

/// Of a file that is not formatted; the tool itself has no words for it.
pub const MESSAGE: &str = "file is not formatted";

/// Reads the syntax errors.
pub fn errors(input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
    let mut own = Own(sink);
    let mut reader = text::Reader::new(Stream::Stderr);
    let mut lines = input.lines(Stream::Stderr);
    while let Some(line) = lines.next()? {
        reader.line(&line, &mut own);
    }
    reader.finish(true, &mut own);
    Ok(())
}

/// The findings are rustfmt's own, whoever's words they are in. Its remarks about its configuration
/// are no part of the form.
struct Own<'s>(&'s mut dyn Sink);

impl Sink for Own<'_> {
    fn source(&mut self, path: &str, text: &str) {
        self.0.source(path, text);
    }

    fn finding(&mut self, finding: Finding<'_>) {
        self.0.finding(Finding { tool: None, ..finding });
    }

    fn unrecognised(&mut self, _stream: Stream, _line: u64, _text: &str) {}

    fn tool_failed(&mut self, reason: String) {
        self.0.tool_failed(reason);
    }

    fn discard(&mut self) {
        self.0.discard();
    }
}
