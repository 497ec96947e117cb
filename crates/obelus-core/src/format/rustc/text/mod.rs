//! What rustc and cargo print for people, in full and in short form.
//!
//! Diagnostics, notes with a place and names of lints are read; what is drawn below the source is
//! not. cargo prints its own complaints in the same form as rustc's diagnostics, but they are none:
//! a headline without a place, a code or a note counts only if a line behind it counts diagnostics.

use std::borrow::Cow;

use obelus_record::{Severity, Stream};

use crate::format::{Sink, lines::Line};
use crate::{Finding, Span};

use super::{Level, failure, is_crash, tool_of};

mod block;
mod line;

use block::{Block, Section};
use line::Headline;

/// What a line of a crash report says, if that is one: rustc prints it in plain text whatever the
/// format of its diagnostics (`rustc_driver_impl::report_ice`).
pub fn crash(text: &str) -> Option<String> {
    let panics = text.starts_with("thread '") && text.contains("' panicked at ")
        || text.starts_with("thread 'rustc'") && text.contains(" panicked at ");
    let says_so = text.strip_prefix("error: ").is_some_and(is_crash);
    (panics || says_so).then(|| format!("the compiler itself failed: {}", text.trim_end()))
}

/// Reads line after line, and hands out findings as they end.
pub struct Reader {
    stream: Stream,
    block: Option<Block>,
    /// Headlines that cargo may have printed on its own account.
    unvouched: Vec<Finding<'static>>,
    /// The first error that is perhaps cargo's own.
    complaint: Option<String>,
    /// How many errors were handed out.
    errors: u64,
    /// cargo began to build, and did not say yet how that ended.
    building: bool,
    talk: Talk,
}

/// What lines that are part of no diagnostic are part of.
#[derive(Clone, Copy, PartialEq)]
enum Talk {
    Nothing,
    /// A complaint of cargo's: indented lines explain it.
    Complaint,
    /// The report of a crash: everything explains it.
    Crash,
}

impl Reader {
    /// A reader of lines of `stream`.
    pub fn new(stream: Stream) -> Self {
        Reader {
            stream,
            block: None,
            unvouched: Vec::new(),
            complaint: None,
            errors: 0,
            building: false,
            talk: Talk::Nothing,
        }
    }

    /// Takes the next line.
    pub fn line(&mut self, line: &Line<'_>, sink: &mut dyn Sink) {
        let text = line.text();
        if self.talk == Talk::Crash {
            return;
        }
        if let Some(block) = self.block.as_mut().filter(|block| !block.ended)
            && block.continues(&text)
        {
            return;
        }
        if line.is_blank() {
            if let Some(block) = &mut self.block {
                block.ended = true;
            }
        } else if let Some(words) = crash(&text) {
            self.end_block(sink);
            sink.tool_failed(words);
            self.talk = Talk::Crash;
        } else if let Some((place, headline)) = line::short(&text) {
            self.end_block(sink);
            let mut block = Block::new(&headline, Section::Short);
            block.finding.path = Some(Cow::Owned(place.path.to_owned()));
            block.finding.span = Span::at(place.line, place.column);
            // The message goes on below itself, wherever it began.
            block.indent = "error: ".len();
            self.block = Some(block);
        } else if let Some(headline) = line::headline(&text) {
            self.headline(&headline, sink);
        } else if let Some(verb) = line::status(&text) {
            self.status(verb, sink);
        } else if !self.is_talk(&text) {
            self.end_block(sink);
            sink.unrecognised(self.stream, line.number, &text);
        }
    }

    /// Takes the end of the stream, of a run that was perhaps `cut` off.
    pub fn finish(mut self, cut: bool, sink: &mut dyn Sink) {
        self.end_block(sink);
        if self.building && self.errors == 0 && !cut {
            sink.tool_failed("cargo did not say how the build ended".to_owned());
        }
        if let (0, Some(complaint)) = (self.errors, self.complaint) {
            sink.tool_failed(format!("cargo failed: {complaint}"));
        }
    }

    fn hand_out(&mut self, finding: Finding<'static>, sink: &mut dyn Sink) {
        self.errors += u64::from(finding.severity == Severity::Error);
        sink.finding(finding);
    }

    fn complain(&mut self, finding: &Finding<'_>) {
        if self.complaint.is_none() && finding.severity == Severity::Error {
            self.complaint = finding.message.lines().next().map(str::to_owned);
        }
    }

    fn headline(&mut self, headline: &Headline<'_>, sink: &mut dyn Sink) {
        if let (Level::Note | Level::Help, Some(block)) =
            (headline.level, self.block.as_mut().filter(|block| block.has_children()))
        {
            block.child(headline);
            return;
        }
        self.end_block(sink);
        self.talk = Talk::Nothing;
        if line::is_closing_headline(headline) {
            self.building &= !line::ends_build(headline);
            for finding in std::mem::take(&mut self.unvouched) {
                self.hand_out(finding, sink);
            }
            self.talk = Talk::Complaint;
        } else if line::is_of_build_script(headline.message) {
            self.talk = Talk::Complaint;
        } else {
            self.block = Some(Block::new(headline, Section::Message));
        }
    }

    fn status(&mut self, verb: &str, sink: &mut dyn Sink) {
        self.end_block(sink);
        self.talk = Talk::Nothing;
        // What was complained about before compiling began was not found by compiling.
        if matches!(verb, "Compiling" | "Checking" | "Documenting") {
            self.building = true;
            self.unvouched.clear();
        }
        self.building &= verb != "Finished";
    }

    /// Whether a line belongs to cargo's own words.
    fn is_talk(&mut self, text: &str) -> bool {
        if text == "Caused by:" {
            // So it was cargo who complained.
            match self.block.take() {
                Some(block) if block.finding.path.is_some() => self.block = Some(block),
                Some(block) => self.complain(&block.finding),
                None => {
                    self.unvouched.pop();
                }
            }
            self.talk = Talk::Complaint;
            return true;
        }
        if line::is_hint(text) {
            return true;
        }
        let indented = text.starts_with([' ', '\t']);
        match &mut self.block {
            // cargo's complaints go on in the first column.
            Some(block) if !block.ended && block.section == Section::Message => {
                let message = block.finding.message.to_mut();
                message.push('\n');
                message.push_str(text);
                true
            }
            // Lines in which a linker's words or cargo's complaint go on behind a blank one.
            Some(block) => indented && (!block.is_rustcs() || block.is_in_note()),
            None => indented && self.talk == Talk::Complaint,
        }
    }

    fn end_block(&mut self, sink: &mut dyn Sink) {
        let Some(mut block) = self.block.take() else { return };
        block.end_child();
        let is_rustcs = block.is_rustcs();
        let mut finding = block.finding;
        if let Some(failure) = failure(block.level, &finding.message, finding.path.is_none()) {
            sink.tool_failed(failure);
        }
        if finding.code.is_none() {
            finding.code = block.lint.map(Cow::Owned);
        }
        finding.tool = Some(Cow::Borrowed(tool_of(finding.code.as_deref())));
        if finding.path.is_some() {
            // Of a placed diagnostic, the notes without a place are not kept.
            finding.related.retain(|place| place.path.is_some());
        }
        if is_rustcs {
            self.hand_out(finding, sink);
        } else {
            self.talk = Talk::Complaint;
            self.complain(&finding);
            if matches!(finding.severity, Severity::Error | Severity::Warning) {
                self.unvouched.push(finding);
            }
        }
    }
}
