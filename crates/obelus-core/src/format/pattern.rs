//! A user's own format: regular expressions whose named groups are the parts of a finding
//! (`[[pattern]]` in `obelus.toml`).

use std::collections::BTreeMap;
use std::sync::Arc;

use obelus_record::{Fault, Severity, Stream};
use regex::{Captures, Regex};

use super::text::number;
use super::{Format, Input, Sink};
use crate::{Finding, Place, Position, Positions, Span};

/// The names that groups may have. `related` is what is said of a further place, which is then
/// that of the other groups of its line.
pub const GROUPS: &[&str] =
    &["path", "line", "column", "end_line", "end_column", "severity", "code", "message", "related"];

/// A format made of regular expressions. Matching takes time linear in the line, whatever the
/// expression.
#[derive(Clone, Debug)]
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
    /// The line by which a finding begins.
    pub first: Regex,
    /// Lines that may follow it, in any order and number: each adds to the finding what it holds.
    pub further: Vec<Regex>,
    /// A line that names the file of the findings below it.
    pub heading: Option<Regex>,
    /// Lines that are known and say nothing.
    pub ignore: Vec<Regex>,
    /// The severity of a finding that states none, or one that is not known.
    pub severity: Severity,
    /// What words for a severity mean, beside those that most tools use; in lower case.
    pub severities: BTreeMap<String, Severity>,
}

impl PartialEq for Pattern {
    /// Expressions are alike where their texts are.
    fn eq(&self, other: &Self) -> bool {
        let texts = |pattern: &Pattern| -> Vec<String> {
            let one = [Some(&pattern.first), pattern.heading.as_ref()];
            let many = pattern.further.iter().chain(&pattern.ignore).map(Some);
            let all = one.into_iter().chain(many);
            all.map(|regex| regex.map_or("", Regex::as_str).to_owned()).collect()
        };
        let plain = |pattern: &Pattern| {
            (
                pattern.name.clone(),
                pattern.summary.clone(),
                pattern.docs.clone(),
                pattern.stream,
                pattern.positions,
                pattern.further.len(),
                pattern.severity,
                pattern.severities.clone(),
            )
        };
        plain(self) == plain(other) && texts(self) == texts(other)
    }
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
        let mut reader = Reader { pattern: self, file: None, open: None };
        let mut lines = input.lines(input.primary);
        let outcome = loop {
            match lines.next() {
                Ok(Some(line)) => {
                    let text = line.text();
                    if !reader.line(&text, sink) {
                        reader.close(sink);
                        if !line.is_blank() {
                            sink.unrecognised(line.stream, line.number, &text);
                        }
                    }
                }
                Ok(None) => break Ok(()),
                Err(fault) => break Err(fault),
            }
        };
        reader.close(sink);
        outcome
    }
}

struct Reader<'p> {
    pattern: &'p Pattern,
    /// The file that the last heading named.
    file: Option<String>,
    open: Option<Finding<'static>>,
}

impl Reader<'_> {
    /// Takes a line; says whether it is known.
    fn line(&mut self, text: &str, sink: &mut dyn Sink) -> bool {
        let pattern = self.pattern;
        if let Some(found) = pattern.first.captures(text) {
            self.close(sink);
            let file = self.file.clone().map(Into::into);
            let mut finding = Finding { path: file, ..Finding::new(pattern.severity, "") };
            self.add(&mut finding, &found);
            self.open = Some(finding);
            return true;
        }
        if let Some(mut finding) = self.open.take() {
            let found = pattern.further.iter().find_map(|further| further.captures(text));
            if let Some(found) = &found {
                self.add(&mut finding, found);
            }
            self.open = Some(finding);
            if found.is_some() {
                return true;
            }
        }
        if let Some(found) = pattern.heading.as_ref().and_then(|heading| heading.captures(text)) {
            self.close(sink);
            self.file = part(&found, "path").map(str::to_owned);
            return true;
        }
        let known = pattern.ignore.iter().any(|known| known.is_match(text));
        if known {
            self.close(sink);
        }
        known
    }

    /// Adds what a line holds to the finding: a further line of its message, a place that belongs
    /// to it, or what is not yet known of it.
    fn add(&self, finding: &mut Finding<'static>, found: &Captures<'_>) {
        let base = self.pattern.positions;
        let span = span(found, base);
        if let Some(words) = part(found, "related") {
            let path = part(found, "path").map(|path| path.to_owned().into());
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
            if let Some(path) = part(found, "path") {
                finding.path = Some(path.to_owned().into());
            }
        }
        if let Some(word) = part(found, "severity") {
            finding.severity = self.severity(word);
        }
        if let Some(code) = part(found, "code").filter(|_| finding.code.is_none()) {
            finding.code = Some(code.to_owned().into());
        }
        if let Some(message) = part(found, "message") {
            let text = finding.message.to_mut();
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(message);
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

    fn close(&mut self, sink: &mut dyn Sink) {
        if let Some(finding) = self.open.take() {
            sink.finding(finding);
        }
    }
}

/// The text of a group that took part in the match and is not empty.
fn part<'t>(found: &Captures<'t>, group: &str) -> Option<&'t str> {
    found.name(group).map(|part| part.as_str()).filter(|text| !text.is_empty())
}

/// The place that a line states. A number below the base says that there is none.
fn span(found: &Captures<'_>, base: Positions) -> Span {
    let line = |group| part(found, group).and_then(number).filter(|n| *n >= base.line_base.into());
    let column =
        |group| part(found, group).and_then(number).filter(|n| *n >= base.column_base.into());
    let Some(start) = line("line") else { return Span::None };
    let (end_line, end_column) = (line("end_line"), column("end_column"));
    let end = (end_line.is_some() || end_column.is_some())
        .then(|| Position { line: end_line.unwrap_or(start), column: end_column });
    Span::Lines { start: Position { line: start, column: column("column") }, end }
}
