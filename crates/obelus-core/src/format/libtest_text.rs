//! `libtest-text`: what `cargo test` prints, on standard output the tests and on standard error the
//! compiler.

use obelus_record::{Fault, Stream};

use super::libtest::Reader;
use super::rustc::{POSITIONS, text};
use super::{Format, Input, Sink};
use crate::{Finding, Positions};

/// See the module.
pub struct LibtestText;

impl Format for LibtestText {
    fn name(&self) -> &'static str {
        "libtest-text"
    }

    fn summary(&self) -> &'static str {
        "cargo test without flags: the tests, and what the compiler says of them on stderr"
    }

    /// A panic's place counts as the compiler does.
    fn positions(&self) -> Positions {
        POSITIONS
    }

    /// A test, or a test binary with a harness of its own, may print what it likes.
    fn silent_when_clean(&self) -> bool {
        false
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (stream, places, cut) = (input.primary, input.places, input.cut);
        let mut compiled = Compiled { sink, findings: 0, failed: None };
        if stream != Stream::Stderr {
            compile(input, &mut compiled)?;
        }
        let Compiled { sink, findings, failed } = compiled;
        let mut reader = Reader::default();
        let mut lines = input.lines(stream);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if !reader.line(&text, places, sink) {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        reader.finish(places, sink);
        if findings == 0 && reader.failures == 0 && !reader.told_result && !cut {
            sink.tool_failed(failed.unwrap_or_else(|| "no test told its result".to_owned()));
        }
        Ok(())
    }
}

/// Reads what the compiler said; behind it, on the same stream, come the words of the tests.
fn compile(input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
    let mut reader = text::Reader::new(Stream::Stderr);
    let mut lines = input.lines(Stream::Stderr);
    while let Some(line) = lines.next()? {
        let text = line.text();
        let verb = text.trim_start().split(' ').next().unwrap_or_default();
        if text.starts_with("  ") && matches!(verb, "Running" | "Doc-tests" | "Executable") {
            break;
        }
        reader.line(&line, sink);
    }
    // Whether the build ended shows in the tests.
    reader.finish(true, sink);
    Ok(())
}

/// Counts what the compiler found on its way to the sink. What is not known on standard error, a
/// stream for everybody's words, is left alone.
struct Compiled<'s> {
    sink: &'s mut dyn Sink,
    findings: u64,
    failed: Option<String>,
}

impl Sink for Compiled<'_> {
    fn source(&mut self, path: &str, text: &str) {
        self.sink.source(path, text);
    }

    fn finding(&mut self, finding: Finding<'_>) {
        self.findings += 1;
        self.sink.finding(finding);
    }

    fn unrecognised(&mut self, _stream: Stream, _line: u64, _text: &str) {}

    fn tool_failed(&mut self, reason: String) {
        self.failed.get_or_insert(reason);
    }

    fn discard(&mut self) {
        self.sink.discard();
    }
}
