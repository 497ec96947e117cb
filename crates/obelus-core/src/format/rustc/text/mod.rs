//! What rustc and cargo print for people, in full and in short form.
//!
//! Diagnostics, notes with a place and names of lints are read; what is drawn below the source is
//! not. cargo prints its own complaints in the same form as rustc's diagnostics, but they are none:
//! a headline without a place, a code or a note counts only if a line behind it counts diagnostics.

use std::borrow::Cow;

use obelus_record::{Severity, Stream};

use crate::format::{Sink, lines::Line};
use crate::{Finding, Place, Span};

use super::{Level, failure, is_crash, tool_of};

mod line;

use line::{Excerpt, Headline};

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

/// A diagnostic of which more lines may follow.
struct Block {
    level: Level,
    finding: Finding<'static>,
    indent: usize,
    section: Section,
    /// A note names this lint.
    lint: Option<String>,
    /// It has more than a headline, so it is rustc's.
    detailed: bool,
    /// A blank line ended it.
    ended: bool,
}

/// Of what the next line may be a continuation.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    /// The message.
    Message,
    /// The message of the last related place, which began as a note or help of its own.
    Child { level: Level, indent: usize, placed: bool, drawn: bool, marked: bool },
    /// A `= note:`, whose words are in a column.
    Note { indent: usize },
    /// An excerpt.
    Excerpt,
    /// The message in short form, where nothing else follows.
    Short,
}

impl Reader {
    /// A reader of lines of `stream`.
    pub fn new(stream: Stream) -> Self {
        Reader { stream, block: None, unvouched: Vec::new(), talk: Talk::Nothing }
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

    /// Takes the end of the stream.
    pub fn finish(mut self, sink: &mut dyn Sink) {
        self.end_block(sink);
    }

    fn headline(&mut self, headline: &Headline<'_>, sink: &mut dyn Sink) {
        if let (Level::Note | Level::Help, Some(block)) =
            (headline.level, self.block.as_mut().filter(|block| !block.ended))
        {
            block.child(headline);
            return;
        }
        self.end_block(sink);
        self.talk = Talk::Nothing;
        if line::is_closing_headline(headline) {
            for finding in self.unvouched.drain(..) {
                sink.finding(finding);
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
            self.unvouched.clear();
        }
    }

    /// Whether a line belongs to cargo's own words.
    fn is_talk(&mut self, text: &str) -> bool {
        if text == "Caused by:" {
            // So it was cargo who complained.
            match self.block.take() {
                Some(block) if !block.is_rustcs() => {}
                Some(block) => self.block = Some(block),
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
        match &self.block {
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
            sink.finding(finding);
        } else {
            self.talk = Talk::Complaint;
            if matches!(finding.severity, Severity::Error | Severity::Warning) {
                self.unvouched.push(finding);
            }
        }
    }
}

impl Block {
    fn new(headline: &Headline<'_>, section: Section) -> Self {
        let severity = headline.level.severity().unwrap_or(Severity::Info);
        let mut finding = Finding::new(severity, headline.message.to_owned());
        finding.code = headline.code.map(|code| Cow::Owned(code.to_owned()));
        Block {
            level: headline.level,
            finding,
            indent: headline.indent,
            section,
            lint: None,
            detailed: false,
            ended: false,
        }
    }

    /// Whether it can't be one of cargo's own complaints.
    fn is_rustcs(&self) -> bool {
        self.detailed || self.finding.path.is_some() || self.finding.code.is_some()
    }

    fn is_in_note(&self) -> bool {
        matches!(self.section, Section::Note { .. })
    }

    /// Takes a line if it is a part of this diagnostic.
    fn continues(&mut self, text: &str) -> bool {
        if self.section == Section::Short {
            let is_status = line::status(text).is_some();
            return !is_status && self.further_words(text, self.indent);
        }
        if let Some(place) = line::arrow(text) {
            self.arrow(&place);
            return true;
        }
        if let Some(kind) = line::excerpt(text) {
            self.excerpt(kind);
            return true;
        }
        if let Some((words, indent)) = line::note(text) {
            self.end_child();
            self.detailed = true;
            self.lint = self.lint.take().or_else(|| line::lint(words));
            self.related(None, words);
            self.section = Section::Note { indent };
            return true;
        }
        match self.section {
            Section::Message => self.further_words(text, self.indent),
            Section::Child { indent, .. } | Section::Note { indent } => {
                self.further_words(text, indent)
                    || (text.starts_with(' ') && !text.trim().is_empty())
            }
            // `and 3 other candidates` below a suggestion.
            Section::Excerpt => text.starts_with(' ') && !text.trim().is_empty(),
            Section::Short => false,
        }
    }

    /// Takes a further line of a message, which is indented so that it stands below the first.
    fn further_words(&mut self, text: &str, indent: usize) -> bool {
        let Some(words) = text
            .get(..indent)
            .filter(|margin| margin.bytes().all(|b| b == b' '))
            .map(|_| &text[indent..])
        else {
            return false;
        };
        let message = match self.section {
            Section::Message | Section::Short => &mut self.finding.message,
            _ => match self.finding.related.last_mut() {
                Some(place) => &mut place.message,
                None => return true,
            },
        };
        let message = message.to_mut();
        message.push('\n');
        message.push_str(words);
        true
    }

    fn arrow(&mut self, place: &line::Place<'_>) {
        let path = Some(Cow::Owned(place.path.to_owned()));
        let span = Span::at(place.line, place.column);
        match &mut self.section {
            Section::Child { placed: placed @ false, .. } => {
                *placed = true;
                if let Some(related) = self.finding.related.last_mut() {
                    (related.path, related.span) = (path, span);
                }
            }
            Section::Message => {
                (self.finding.path, self.finding.span) = (path, span);
                self.section = Section::Excerpt;
            }
            _ => {}
        }
    }

    fn excerpt(&mut self, kind: Excerpt) {
        self.detailed = true;
        match &mut self.section {
            Section::Child { drawn, marked, .. } => {
                *drawn |= kind == Excerpt::Source;
                *marked |= kind == Excerpt::Marked;
            }
            section => *section = Section::Excerpt,
        }
    }

    /// Begins a note or help that stands for itself.
    fn child(&mut self, headline: &Headline<'_>) {
        self.end_child();
        self.detailed = true;
        self.related(None, headline.message);
        self.section = Section::Child {
            level: headline.level,
            indent: headline.indent,
            placed: false,
            drawn: false,
            marked: false,
        };
    }

    fn related(&mut self, path: Option<Cow<'static, str>>, words: &str) {
        let message = Cow::Owned(words.to_owned());
        self.finding.related.push(Place { path, span: Span::None, message });
    }

    /// Ends a note or help. One that shows the source without a mark in it shows a suggestion,
    /// which is no related place; text does not say enough to make an edit of it.
    fn end_child(&mut self) {
        if let Section::Child { level: Level::Help, drawn: true, marked: false, .. } = self.section
        {
            self.finding.related.pop();
        }
        self.section = Section::Excerpt;
    }
}
