//! One diagnostic of text, as its lines come in.

use std::borrow::Cow;

use obelus_record::Severity;

use super::super::Level;
use super::line::{self, Excerpt, Headline};
use crate::{Finding, Place, Span};

/// A diagnostic of which more lines may follow.
pub struct Block {
    pub level: Level,
    pub finding: Finding<'static>,
    pub indent: usize,
    pub section: Section,
    /// A note names this lint.
    pub lint: Option<String>,
    /// It has more than a headline, so it is rustc's.
    pub detailed: bool,
    /// A blank line ended it.
    pub ended: bool,
}

/// Of what the next line may be a continuation.
#[derive(Clone, Copy, PartialEq)]
pub enum Section {
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

impl Block {
    pub fn new(headline: &Headline<'_>, section: Section) -> Self {
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

    /// Whether it can't be one of cargo's own complaints, which have no code, no lint and no place
    /// but in a manifest.
    pub fn is_rustcs(&self) -> bool {
        let in_manifest = self.finding.path.as_deref().is_some_and(|path| {
            matches!(path.rsplit(['/', '\\']).next(), Some("Cargo.toml" | "Cargo.lock"))
        });
        self.finding.code.is_some()
            || self.lint.is_some()
            || !in_manifest && (self.detailed || self.finding.path.is_some())
    }

    /// Whether a note or help in the first column, which is the next line, belongs to it.
    pub fn has_children(&self) -> bool {
        !self.ended && matches!(self.level, Level::Bug | Level::Error | Level::Warning)
    }

    pub fn is_in_note(&self) -> bool {
        matches!(self.section, Section::Note { .. })
    }

    /// Takes a line if it is a part of this diagnostic.
    pub fn continues(&mut self, text: &str) -> bool {
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
    pub fn child(&mut self, headline: &Headline<'_>) {
        self.end_child();
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
    pub fn end_child(&mut self) {
        if let Section::Child { level: Level::Help, drawn: true, marked: false, .. } = self.section
        {
            self.finding.related.pop();
        }
        self.section = Section::Excerpt;
    }
}
