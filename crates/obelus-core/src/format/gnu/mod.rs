//! Compilers' text of the GNU kind: `path:line:column: severity: message`, notes, drawn sources.
//!
//! gcc, clang and clang-tidy print it, and so do logs of make and ninja, which run compilers. Lines
//! of the linker stand between.

use std::borrow::Cow;

use obelus_record::{Applicability, Fault, Severity, Stream};

use super::lines::Line;
use super::{Input, Sink};
use crate::{Finding, Place, Positions, Proposal, Replacement, Unit};

mod build;
mod chatter;
mod fixit;
mod head;
mod ld;

pub use build::{Folders, is_absolute, is_command};
pub use chatter::{is_known, is_markers, is_summary};
pub use head::{Head, Word, is_own_note, parse, split_code, split_place, warning_name};
pub use ld::{Complaint, complaint};

/// How a compiler's text differs from that of its kin.
pub struct Dialect {
    /// The program as findings name it; the run's tool where absent.
    pub tool: Option<&'static str>,
}

/// The units of edits: UTF-8 bytes, ends exclusive.
pub const EDITS: Positions = Positions::one_based(Unit::Bytes);

/// Reads the stream that holds the findings. Where that is standard error, standard output may hold
/// the words of a build, and findings of compilers whose streams the build joined (ninja does).
pub fn read(dialect: &Dialect, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
    if input.primary == Stream::Stderr {
        read_stream(dialect, Stream::Stdout, input, sink)?;
    }
    read_stream(dialect, input.primary, input, sink)
}

fn read_stream(
    dialect: &Dialect,
    stream: Stream,
    input: &mut Input<'_>,
    sink: &mut dyn Sink,
) -> Result<(), Fault> {
    let mut reader = Reader {
        dialect,
        sink,
        named: stream == input.primary,
        folders: Folders::default(),
        pending: None,
        unsure: None,
    };
    let mut lines = input.lines(stream);
    let outcome = loop {
        match lines.next() {
            Ok(Some(line)) => reader.line(&line),
            Ok(None) => break Ok(()),
            Err(fault) => break Err(fault),
        }
    };
    reader.finish();
    outcome
}

struct Reader<'s> {
    dialect: &'s Dialect,
    sink: &'s mut dyn Sink,
    /// Whether lines that are not known are named.
    named: bool,
    folders: Folders,
    pending: Option<Pending>,
    /// A line that is part of the drawing of a source if a line of markers follows.
    unsure: Option<(Unsure, String)>,
}

#[derive(Clone, Copy)]
struct Unsure {
    stream: Stream,
    number: u64,
}

/// A finding whose notes, drawn source and edits may follow.
struct Pending {
    finding: Finding<'static>,
    /// Edits of the finding itself, then of the note that is read.
    edits: Vec<Replacement<'static>>,
    note: Option<Place<'static>>,
    note_edits: Vec<Replacement<'static>>,
    proposals: Vec<Proposal<'static>>,
    drawn: Drawn,
}

/// How much of a drawn source was seen.
#[derive(Clone, Copy, PartialEq)]
enum Drawn {
    Nothing,
    Source,
    Markers,
}

impl<'s> Reader<'s> {
    fn line(&mut self, line: &Line<'_>) {
        let text = line.text();
        if is_markers(&text) && self.pending.is_some() && self.unsure.take().is_some() {
            self.drawn(Drawn::Markers);
            return;
        }
        self.end_unsure();
        if line.is_blank() || self.folders.line(&text) {
            return;
        }
        if let Some(head) = parse(&text) {
            self.head(&head);
        } else if let Some(complaint) = complaint(&text) {
            self.end_finding();
            if let Complaint::Finding(mut finding) = complaint {
                self.place(&mut finding.path);
                finding.related.iter_mut().for_each(|place| self.place(&mut place.path));
                self.sink.finding(*finding);
            }
        } else if !self.continues(&text) && !is_known(&text) {
            match &self.pending {
                // Compilers print a source line as it is, without anything that tells it apart.
                Some(pending) if pending.drawn == Drawn::Nothing => {
                    let at = Unsure { stream: line.stream, number: line.number };
                    self.unsure = Some((at, text.into_owned()));
                }
                _ if !self.named || is_command(&text) => {}
                _ => self.sink.unrecognised(line.stream, line.number, &text),
            }
        }
    }

    fn finish(&mut self) {
        self.end_unsure();
        self.end_finding();
    }

    fn end_unsure(&mut self) {
        if let Some((at, text)) = self.unsure.take()
            && self.named
            && !is_command(&text)
        {
            self.sink.unrecognised(at.stream, at.number, &text);
        }
    }

    fn drawn(&mut self, drawn: Drawn) {
        if let Some(pending) = &mut self.pending {
            pending.drawn = drawn;
        }
    }

    /// Whether a line goes on with the finding: a drawn source, or an edit.
    fn continues(&mut self, text: &str) -> bool {
        if chatter::is_drawn(text) {
            self.drawn(Drawn::Source);
            return true;
        }
        if text == "referenced by:" {
            // zig's trace of what led there, indented.
            self.drawn(Drawn::Markers);
            return true;
        }
        let edit = fixit::parse(text);
        let Some(pending) = &mut self.pending else { return edit.is_some() };
        if let Some(mut edit) = edit {
            edit.path = edit.path.map(|path| self.folders.join(&path).into());
            match pending.note {
                Some(_) => pending.note_edits.push(edit),
                None => pending.edits.push(edit),
            }
            return true;
        }
        match pending.drawn {
            // Below the markers stands what would be written there, and nothing else is indented.
            Drawn::Markers => text.starts_with([' ', '\t']),
            _ => false,
        }
    }

    fn head(&mut self, head: &Head<'_>) {
        if head.line.is_none() {
            self.complaint(head);
            return;
        }
        let (message, code) = split_code(head.message);
        let mut path = Some(head.path.to_owned().into());
        self.place(&mut path);
        if head.word == Word::Crash {
            self.end_finding();
            self.sink.tool_failed(format!("the compiler itself failed: {}", head.message));
            return;
        }
        if head.word == Word::Note
            && !is_own_note(message)
            && let Some(pending) = &mut self.pending
        {
            pending.end_note();
            pending.drawn = Drawn::Nothing;
            pending.note =
                Some(Place { path, span: head.start(), message: message.to_owned().into() });
            return;
        }
        self.end_finding();
        let finding = Finding {
            tool: self.dialect.tool.map(Cow::Borrowed),
            code: code.map(|code| code.into_owned().into()),
            path,
            span: head.span(),
            ..Finding::new(head.word.severity(), message.to_owned())
        };
        self.pending = Some(Pending::new(finding));
    }

    /// A driver, or a compiler that could not begin, complains without a place.
    fn complaint(&mut self, head: &Head<'_>) {
        self.end_finding();
        if is_summary(head) {
            return;
        }
        match head.word {
            Word::Note => {}
            Word::Warning => {
                let (message, code) = split_code(head.message);
                self.sink.finding(Finding {
                    tool: self.dialect.tool.map(Cow::Borrowed),
                    code: code.map(|code| code.into_owned().into()),
                    ..Finding::new(Severity::Warning, message.to_owned())
                });
            }
            _ => self.sink.tool_failed(format!("{}: {}", head.path, head.message)),
        }
    }

    fn place(&self, path: &mut Option<Cow<'static, str>>) {
        if let Some(text) = path.as_deref() {
            *path = Some(self.folders.join(text).into());
        }
    }

    fn end_finding(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.sink.finding(pending.finish());
        }
    }
}

impl Pending {
    fn new(finding: Finding<'static>) -> Self {
        Pending {
            finding,
            edits: Vec::new(),
            note: None,
            note_edits: Vec::new(),
            proposals: Vec::new(),
            drawn: Drawn::Nothing,
        }
    }

    fn end_note(&mut self) {
        let Some(note) = self.note.take() else { return };
        if self.note_edits.is_empty() {
            self.finding.related.push(note);
        } else {
            self.proposals.push(Proposal {
                // Compilers of this kind do not say how far they vouch for an edit.
                applicability: Applicability::Unsafe,
                message: Some(note.message),
                replacements: std::mem::take(&mut self.note_edits),
            });
        }
    }

    fn finish(mut self) -> Finding<'static> {
        self.end_note();
        if !self.edits.is_empty() {
            self.proposals.insert(
                0,
                Proposal {
                    applicability: Applicability::Unsafe,
                    message: None,
                    replacements: self.edits,
                },
            );
        }
        self.finding.proposals = self.proposals;
        self.finding
    }
}
