//! `cargo-json`: what `cargo check --message-format=json` and its kin print.
//!
//! Only lines that begin with `{` are messages; anything else was printed by programs that cargo
//! ran, such as macros
//! (<https://doc.rust-lang.org/cargo/reference/external-tools.html#json-messages>). The last
//! message is `build-finished` whatever happened, unless cargo did not get as far as building.
//! Behind it `cargo test` prints what its tests do, as text.

use std::borrow::Cow;

use obelus_record::{Fault, FaultKind, Severity, Stream};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::libtest;
use super::lines::Line;
use super::rustc::workspace::Workspace;
use super::rustc::{Base, Diagnostic, POSITIONS, report};
use super::{Format, Input, Places, Sink, json};
use crate::Positions;

/// See the module.
pub struct CargoJson;

impl Format for CargoJson {
    fn name(&self) -> &'static str {
        "cargo-json"
    }

    fn summary(&self) -> &'static str {
        "cargo check, clippy or build with --message-format=json"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    /// A macro may print what it likes during a clean build.
    fn silent_when_clean(&self) -> bool {
        false
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (stream, places, cut) = (input.primary, input.places, input.cut);
        let mut build = Build::default();
        build.tests.tool = Some("cargo-test");
        let mut lines = input.lines(stream);
        let mut last = 0;
        while let Some(line) = lines.next()? {
            last = line.number;
            build.line(&line, places, sink)?;
        }
        build.tests.finish(places, sink);
        if cut { Ok(()) } else { build.end(stream, last, sink) }
    }
}

/// What was learnt from the messages so far.
#[derive(Default)]
struct Build {
    workspace: Workspace,
    errors: u64,
    /// What `build-finished` said.
    success: Option<bool>,
    /// The tests that run behind the build.
    tests: libtest::Reader,
}

#[derive(Deserialize)]
struct CompilerMessage<'a> {
    #[serde(borrow, default)]
    manifest_path: Cow<'a, str>,
    #[serde(borrow, default)]
    target: Target<'a>,
    #[serde(borrow)]
    message: Diagnostic<'a>,
}

#[derive(Default, Deserialize)]
struct Target<'a> {
    #[serde(borrow, default)]
    src_path: Cow<'a, str>,
}

#[derive(Deserialize)]
struct BuildFinished {
    success: bool,
}

#[derive(Deserialize)]
struct Reason<'a> {
    #[serde(borrow)]
    reason: Cow<'a, str>,
}

/// How cargo begins its messages: `reason` is always the first key
/// (rust-lang/cargo, `util/machine_message.rs`, `Message::to_json_string`).
const REASON: &[u8] = b"{\"reason\":\"";
const COMPILER_MESSAGE: &[u8] = b"{\"reason\":\"compiler-message\"";

impl Build {
    fn line(
        &mut self,
        line: &Line<'_>,
        places: &dyn Places,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        if line.bytes.first() == Some(&b'{') {
            return self.object(line, places, sink);
        }
        // A program that ends its output without a line end is followed by a message on its line.
        if let Some(at) = memchr::memmem::find(line.bytes, REASON) {
            let message = Line { bytes: &line.bytes[at..], ..*line };
            if message.json::<IgnoredAny>().is_ok() {
                self.object(&message, places, sink)?;
                let output = Line { bytes: &line.bytes[..at], ..*line };
                sink.unrecognised(line.stream, line.number, &output.text());
                return Ok(());
            }
        }
        self.foreign(line, places, sink);
        Ok(())
    }

    /// A line of a program that cargo ran: of its tests, once everything is built.
    fn foreign(&mut self, line: &Line<'_>, places: &dyn Places, sink: &mut dyn Sink) {
        let text = line.text();
        let known = self.success.is_some() && self.tests.line(&text, places, sink);
        if !known && !line.is_blank() {
            sink.unrecognised(line.stream, line.number, &text);
        }
    }

    fn object(
        &mut self,
        line: &Line<'_>,
        places: &dyn Places,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        match reason(line) {
            Ok(reason) => match &*reason {
                "compiler-message" => self.compiler_message(line, places, sink),
                "build-finished" => {
                    let finished: BuildFinished = line.json()?;
                    self.success = Some(self.success.unwrap_or(true) && finished.success);
                    Ok(())
                }
                // Artifacts, build scripts, timings, and what cargo may add: nothing is found there.
                _ => Ok(()),
            },
            // An object of another program, or what one printed after the build (`cargo test`).
            Err(fault) if fault.kind == FaultKind::WrongShape || self.success.is_some() => {
                self.foreign(line, places, sink);
                Ok(())
            }
            Err(fault) => Err(fault),
        }
    }

    fn compiler_message(
        &mut self,
        line: &Line<'_>,
        places: &dyn Places,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        let CompilerMessage { manifest_path, target, message } = line.json()?;
        let file = message.file();
        let folder =
            self.workspace.folder(&manifest_path, &target.src_path, file.as_deref(), places);
        let severity = report(message, &Base { folder, places }, sink)
            .map_err(|error| json::fault_of_line(line, &error.to_string()))?;
        if severity == Some(Severity::Error) {
            self.errors += 1;
        }
        Ok(())
    }

    /// Judges the stream as a whole. With an error among its messages it says enough by itself.
    fn end(&self, stream: Stream, last: u64, sink: &mut dyn Sink) -> Result<(), Fault> {
        let failed = match self.success {
            _ if self.errors > 0 => return Ok(()),
            Some(true) => return Ok(()),
            Some(false) => {
                "cargo says that the build failed, but no error of the compiler says why"
            }
            None if last == 0 => "cargo printed no message at all, so it did not begin to build",
            None => {
                return Err(Fault {
                    stream,
                    line: last,
                    kind: FaultKind::CutOff,
                    snippet: String::new(),
                    detail: "cargo's last message, build-finished, is missing".to_owned(),
                });
            }
        };
        sink.tool_failed(failed.to_owned());
        Ok(())
    }
}

/// The `reason` of a message. Most lines of a big build are artifacts, long lines of which nothing
/// is needed, so how a line begins and ends is enough to know a whole message of cargo's.
fn reason<'l>(line: &Line<'l>) -> Result<Cow<'l, str>, Fault> {
    if line.bytes.starts_with(COMPILER_MESSAGE) {
        return Ok(Cow::Borrowed("compiler-message"));
    }
    let quick = line.bytes.strip_prefix(REASON).filter(|_| line.bytes.ends_with(b"}"));
    let word = quick.and_then(|rest| {
        let word = &rest[..memchr::memchr(b'"', rest)?];
        word.iter().all(|b| b.is_ascii_lowercase() || *b == b'-').then_some(word)
    });
    match word.and_then(|word| std::str::from_utf8(word).ok()) {
        Some(word) => Ok(Cow::Borrowed(word)),
        None => line.json::<Reason<'l>>().map(|message| message.reason),
    }
}
