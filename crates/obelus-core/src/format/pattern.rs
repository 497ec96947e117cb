//! A user's own format: regular expressions whose groups are the parts of a finding (`[[pattern]]` in
//! `obelus.toml`, problem matchers).

use std::collections::BTreeMap;
use std::sync::Arc;

use obelus_record::{Fault, FaultKind, Severity, Stream};

use super::lines::Lines;
use super::{Format, Input, Places, Sink};
use crate::{Finding, Place, Positions, Span};

mod files;
mod part;
mod sequence;

pub use files::Files;
pub use part::{Expression, GROUPS, Part};

use part::Found;
use sequence::Progress;

/// A format made of regular expressions. Matching takes time linear in the line, whatever the
/// expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Its name, as in `--format`.
    pub name: String,
    /// One line that says what prints this.
    pub summary: String,
    /// Where it is documented.
    pub docs: Option<String>,
    /// The stream that holds the findings.
    pub stream: Stream,
    /// The units in which places are stated.
    pub positions: Positions,
    /// By which lines findings are stated.
    pub grammar: Grammar,
    /// Lines that are known and say nothing.
    pub ignore: Vec<Expression>,
    /// The severity of a finding that states none, or one that is not known.
    pub severity: Severity,
    /// What words for a severity mean, beside those that most tools use; in lower case.
    pub severities: BTreeMap<String, Severity>,
    /// Where files are.
    pub files: Files,
    /// Of a program that checks again and again: by what its rounds are told.
    pub rounds: Option<Rounds>,
}

/// By which lines findings are stated.
#[derive(Clone, Debug, PartialEq)]
pub enum Grammar {
    /// A line, and perhaps more.
    Lines {
        /// The line by which a finding begins.
        first: Expression,
        /// Lines that may follow it, in any order and number: each adds to the finding what it holds.
        further: Vec<Expression>,
        /// A line that names the file of the findings below it.
        heading: Option<Expression>,
    },
    /// So many lines, one directly behind the other.
    Sequence {
        /// The lines.
        lines: Vec<Expression>,
        /// Whether the last one may come several times, each a finding with what the others say.
        repeats: bool,
    },
}

/// The lines between which a program checks again.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounds {
    /// A round begins: what was found before counts no longer.
    pub begins: Expression,
    /// It ends.
    pub ends: Option<Expression>,
}

/// The formats of a repository's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patterns(Arc<[Pattern]>);

impl Patterns {
    /// These formats.
    pub fn new(patterns: Vec<Pattern>) -> Self {
        Patterns(patterns.into())
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Pattern> {
        self.0.iter()
    }

    /// Every format, built-in ones first.
    pub fn all(&self) -> impl Iterator<Item = &dyn Format> {
        let builtin = super::FORMATS.iter().map(|format| *format as &dyn Format);
        builtin.chain(self.0.iter().map(|pattern| pattern as &dyn Format))
    }

    /// The format called `name`, built-in or one of these.
    pub fn find(&self, name: &str) -> Option<&dyn Format> {
        super::find(name).map(|format| format as &dyn Format).or_else(|| {
            let own = self.0.iter().find(|pattern| pattern.name == name);
            own.map(|pattern| pattern as &dyn Format)
        })
    }
}

impl Format for Pattern {
    fn name(&self) -> &str {
        &self.name
    }

    fn summary(&self) -> &str {
        &self.summary
    }

    fn positions(&self) -> Positions {
        self.positions
    }

    fn stream(&self) -> Stream {
        self.stream
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        read(std::slice::from_ref(self), input, sink)
    }
}

/// Reads by several patterns: what the first does not know, the next one gets.
pub(super) fn read(
    patterns: &[Pattern],
    input: &mut Input<'_>,
    sink: &mut dyn Sink,
) -> Result<(), Fault> {
    let (places, primary, cut) = (input.places, input.primary, input.cut);
    let mut readers: Vec<Reader<'_>> =
        patterns.iter().map(|pattern| Reader::new(pattern, places)).collect();
    let read = lines(&mut readers, input.lines(primary), sink);
    // What stands open at the end is a finding, also before a fault.
    let mut rest = Vec::new();
    for reader in &mut readers {
        for line in std::mem::take(&mut rest) {
            reader.line(line, sink, &mut rest);
        }
        reader.close(sink);
        reader.abandon(&mut rest);
    }
    tell(primary, &rest, sink);
    read?;
    let unfinished = readers.iter().find_map(|reader| reader.unfinished);
    match unfinished {
        Some(line) if !cut => Err(Fault {
            stream: primary,
            line,
            kind: FaultKind::CutOff,
            snippet: String::new(),
            detail: "the last round has no end".to_owned(),
        }),
        _ => Ok(()),
    }
}

fn lines(
    readers: &mut [Reader<'_>],
    mut lines: Lines<'_>,
    sink: &mut dyn Sink,
) -> Result<(), Fault> {
    while let Some(line) = lines.next()? {
        let text = Text { number: line.number, text: line.text().into_owned() };
        if readers.iter_mut().any(|reader| reader.round(&text, sink)) {
            continue;
        }
        let mut rest = vec![text];
        for reader in &mut *readers {
            for line in std::mem::take(&mut rest) {
                reader.line(line, sink, &mut rest);
            }
        }
        tell(line.stream, &rest, sink);
    }
    Ok(())
}

fn tell(stream: Stream, unknown: &[Text], sink: &mut dyn Sink) {
    for line in unknown.iter().filter(|line| !line.text.trim().is_empty()) {
        sink.unrecognised(stream, line.number, &line.text);
    }
}

/// A line.
#[derive(Clone)]
struct Text {
    number: u64,
    text: String,
}

/// A finding to which more may come.
#[derive(Clone)]
struct Open {
    finding: Finding<'static>,
    /// The file beside which a relative one lies.
    beside: Option<String>,
}

struct Reader<'p> {
    pattern: &'p Pattern,
    places: &'p dyn Places,
    /// The file that the last heading named.
    file: Option<String>,
    open: Option<Open>,
    progress: Progress,
    /// The line that began a round which hasn't ended yet.
    unfinished: Option<u64>,
}

impl<'p> Reader<'p> {
    fn new(pattern: &'p Pattern, places: &'p dyn Places) -> Self {
        let progress = Progress::default();
        Reader { pattern, places, file: None, open: None, progress, unfinished: None }
    }

    /// Whether a line begins or ends a round.
    fn round(&mut self, line: &Text, sink: &mut dyn Sink) -> bool {
        let Some(rounds) = &self.pattern.rounds else { return false };
        if rounds.begins.is_match(&line.text) {
            (self.open, self.file, self.progress) = Default::default();
            sink.discard();
            self.unfinished = rounds.ends.is_some().then_some(line.number);
            return true;
        }
        let ends = rounds.ends.as_ref().is_some_and(|ends| ends.is_match(&line.text));
        if ends {
            self.unfinished = None;
        }
        ends
    }

    /// Takes a line; those that are not known go to `rejected`.
    fn line(&mut self, line: Text, sink: &mut dyn Sink, rejected: &mut Vec<Text>) {
        let pattern = self.pattern;
        match &pattern.grammar {
            Grammar::Sequence { lines, repeats } => {
                self.sequence(lines, *repeats, line, sink, rejected);
            }
            Grammar::Lines { first, further, heading } => {
                let known = self.single(first, further, heading.as_ref(), &line.text, sink);
                if !known {
                    self.close(sink);
                    rejected.push(line);
                }
            }
        }
    }

    /// Takes a line of [`Grammar::Lines`]; says whether it is known.
    fn single(
        &mut self,
        first: &Expression,
        further: &[Expression],
        heading: Option<&Expression>,
        text: &str,
        sink: &mut dyn Sink,
    ) -> bool {
        if let Some(found) = first.find(text) {
            self.close(sink);
            let mut open = self.opened();
            self.add(&mut open, &found);
            self.open = Some(open);
            return true;
        }
        if let Some(mut open) = self.open.take() {
            let found = further.iter().find_map(|further| further.find(text));
            if let Some(found) = &found {
                self.add(&mut open, found);
            }
            self.open = Some(open);
            if found.is_some() {
                return true;
            }
        }
        if let Some(found) = heading.and_then(|heading| heading.find(text)) {
            self.close(sink);
            self.file = found.part(Part::Path).map(str::to_owned);
            return true;
        }
        let known = self.pattern.ignore.iter().any(|known| known.is_match(text));
        if known {
            self.close(sink);
        }
        known
    }

    /// A finding of which nothing is known yet but the file of the last heading.
    fn opened(&self) -> Open {
        let path = self.file.clone().map(Into::into);
        let finding = Finding { path, ..Finding::new(self.pattern.severity, "") };
        Open { finding, beside: None }
    }

    /// Adds what a line holds to the finding: a further line of its message, a place that belongs
    /// to it, or what is not yet known of it.
    fn add(&self, open: &mut Open, found: &Found<'_, '_>) {
        let finding = &mut open.finding;
        let span = found.span(self.pattern.positions);
        if let Some(words) = found.part(Part::Related) {
            let path = found.part(Part::Path).map(|path| path.to_owned().into());
            let own = path.is_none() && span == Span::None;
            finding.related.push(Place {
                path: path.or_else(|| finding.path.clone()),
                span: if own { finding.span } else { span },
                message: words.to_owned().into(),
            });
        } else {
            if finding.span == Span::None {
                finding.span = span;
            }
            if let Some(path) = found.part(Part::Path) {
                finding.path = Some(path.to_owned().into());
            }
        }
        if let Some(word) = found.part(Part::Severity) {
            finding.severity = self.severity(word);
        }
        if let Some(code) = found.part(Part::Code).filter(|_| finding.code.is_none()) {
            finding.code = Some(code.to_owned().into());
        }
        if let Some(message) = found.part(Part::Message) {
            let text = finding.message.to_mut();
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(message.trim_end());
        }
        if let Some(path) = found.part(Part::Beside) {
            open.beside = Some(path.to_owned());
        }
    }

    fn severity(&self, word: &str) -> Severity {
        let word = word.to_lowercase();
        let own = self.pattern.severities.get(&word).copied();
        own.or(match word.as_str() {
            "error" | "fatal" | "fatal error" | "critical" | "e" | "f" => Some(Severity::Error),
            "warning" | "warn" | "w" => Some(Severity::Warning),
            "info" | "information" | "note" | "notice" | "i" | "n" => Some(Severity::Info),
            "hint" | "help" | "suggestion" | "h" => Some(Severity::Hint),
            _ => None,
        })
        .unwrap_or(self.pattern.severity)
    }

    /// Hands out a finding with what its last line holds.
    fn finish(&mut self, mut open: Open, found: &Found<'_, '_>, sink: &mut dyn Sink) {
        self.add(&mut open, found);
        self.hand_out(open, sink);
    }

    fn close(&mut self, sink: &mut dyn Sink) {
        if let Some(open) = self.open.take() {
            self.hand_out(open, sink);
        }
    }

    fn hand_out(&self, open: Open, sink: &mut dyn Sink) {
        let Open { mut finding, beside } = open;
        let paths = finding
            .path
            .iter_mut()
            .chain(finding.related.iter_mut().flat_map(|place| &mut place.path));
        for path in paths {
            let files = &self.pattern.files;
            if let Some(found) = files.placed(path, beside.as_deref(), self.places) {
                *path = found.into();
            }
        }
        sink.finding(finding);
    }
}
