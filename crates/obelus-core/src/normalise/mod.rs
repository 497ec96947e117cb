//! Findings become records: the one place that builds a [`Diagnostic`].
//!
//! A path becomes relative to the repository, a severity goes through the checker's map, columns
//! become code points. What can't be converted is absent; nothing is invented.

mod columns;
pub mod outward;
mod paths;

use std::sync::Arc;

use obelus_record::{
    Alternative, Diagnostic, DiagnosticParts, Edit, Fault, Related, Stream, Suggestion,
    Unrecognised, UnrecognisedLine,
};
use rustc_hash::{FxHashMap, FxHashSet};

pub use columns::Range;
pub(crate) use paths::is_absolute;
pub use paths::{Resolved, Roots};

use crate::checker::SeverityMap;
use crate::format::{Places, Sink, lines};
use crate::{
    Finding, LineEnds, Place, Positions, Proposal, Replacement, SourceText, Sources, Span,
};
use columns::{Columns, convert};

/// How many unrecognised lines are kept to be shown.
const UNRECOGNISED_SHOWN: usize = 5;

/// What one run said, as records.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// The records, in printed order, repetitions included.
    pub diagnostics: Vec<Diagnostic>,
    /// Lines that the format does not know.
    pub unrecognised: Unrecognised,
    /// What the tool itself said about its own failure.
    pub tool_failed: Option<String>,
    /// The fault for which the stream was rejected.
    pub fault: Option<Fault>,
    /// The line on standard error that tells most.
    pub words: Option<String>,
    /// The first line on standard error, and how many there are.
    pub stderr: Option<(String, u64)>,
}

/// Turns findings of one run into records, one at a time as they are read.
pub struct Normaliser<'a> {
    tool: Arc<str>,
    severities: &'a SeverityMap,
    positions: Positions,
    paths: Paths<'a>,
    columns: Columns<'a>,
    names: FxHashSet<Arc<str>>,
    records: Records,
}

impl<'a> Normaliser<'a> {
    /// Records of `tool`, whose format states places in `positions`.
    pub fn new(
        tool: &str,
        severities: &'a SeverityMap,
        positions: Positions,
        roots: &'a Roots,
        sources: &'a dyn Sources,
    ) -> Self {
        Normaliser {
            tool: Arc::from(tool),
            severities,
            positions,
            paths: Paths { roots, sources, known: FxHashMap::default() },
            columns: Columns::new(sources),
            names: FxHashSet::default(),
            records: Records::default(),
        }
    }

    /// What was taken in.
    pub fn finish(self) -> Records {
        self.records
    }

    fn name(&mut self, text: &str) -> Arc<str> {
        if let Some(name) = self.names.get(text) {
            return Arc::clone(name);
        }
        let name: Arc<str> = Arc::from(text);
        self.names.insert(Arc::clone(&name));
        name
    }

    fn tool(&mut self, stated: Option<&str>) -> Arc<str> {
        match stated {
            // A name that differs only in case is the run's own tool (biome prints `Biome`).
            Some(name) if !name.eq_ignore_ascii_case(&self.tool) => self.name(name),
            _ => Arc::clone(&self.tool),
        }
    }

    /// `span` in the units of records, as far as it is a place.
    fn range(&mut self, span: Span, path: Option<&Arc<str>>, positions: Positions) -> Range {
        let range = match path {
            // What is in the units of records already needs no look at the source.
            Some(path) if needs_text(span, positions) => {
                convert(span, positions, self.columns.text(path, positions.line_ends))
            }
            _ => convert(span, positions, None),
        };
        range.sound()
    }

    fn related(&mut self, place: Place<'_>, positions: Positions) -> Related {
        let path = place.path.map(|raw| self.paths.resolve(&raw));
        let range = self.range(place.span, path.as_ref(), positions);
        Related {
            path,
            line: range.line,
            column: range.column,
            end_line: range.end_line,
            end_column: range.end_column,
            message: place.message.into(),
        }
    }

    /// A proposal as an alternative; nothing if one of its pieces has no place in lines and columns.
    fn proposal(
        &mut self,
        proposal: Proposal<'_>,
        path: Option<&Arc<str>>,
        positions: Positions,
    ) -> Option<Alternative> {
        // `collect` would reuse the memory of the pieces, which are larger and have room for more.
        let mut edits = Vec::with_capacity(proposal.replacements.len());
        for piece in proposal.replacements {
            edits.push(self.edit(piece, path, positions)?);
        }
        Some(Alternative {
            applicability: proposal.applicability,
            message: proposal.message.map(Into::into),
            edits,
        })
    }

    fn edit(
        &mut self,
        piece: Replacement<'_>,
        path: Option<&Arc<str>>,
        positions: Positions,
    ) -> Option<Edit> {
        let positions = piece.positions.unwrap_or(positions);
        let target = match &piece.path {
            Some(raw) => self.paths.resolve(raw),
            None => Arc::clone(path?),
        };
        let range = convert(piece.span, positions, self.columns.text(&target, positions.line_ends));
        // Half a place is enough to look at, and not to write at.
        let range = range.is_sound().then_some(range)?;
        let (line, column) = (range.line?, range.column?);
        Some(Edit {
            path: target,
            line,
            column,
            end_line: range.end_line.unwrap_or(line),
            end_column: range.end_column.unwrap_or(column),
            text: piece.text.into(),
        })
    }

    fn suggestion(
        &mut self,
        proposals: Vec<Proposal<'_>>,
        path: Option<&Arc<str>>,
        positions: Positions,
    ) -> Option<Box<Suggestion>> {
        let mut all = proposals
            .into_iter()
            .filter_map(|p| self.proposal(p, path, positions))
            .collect::<Vec<_>>();
        if all.is_empty() {
            return None;
        }
        let first = all.remove(0);
        all.shrink_to_fit();
        Some(Box::new(Suggestion {
            applicability: first.applicability,
            message: first.message,
            edits: first.edits,
            alternatives: all,
        }))
    }
}

impl Sink for Normaliser<'_> {
    fn source(&mut self, path: &str, text: &str) {
        let path = self.paths.resolve(path);
        self.columns.set_text(&path, self.positions.line_ends, text);
    }

    fn finding(&mut self, finding: Finding<'_>) {
        let positions = finding.positions.unwrap_or(self.positions);
        let tool = self.tool(finding.tool.as_deref());
        let code = finding.code.map(|code| self.name(&code));
        let help = finding.help.filter(|url| is_address(url)).map(|url| self.name(&url));
        let severity = self.severities.map(code.as_deref(), finding.severity);
        let named = finding.path.map(|raw| self.paths.resolve(&raw));
        // What is said of the root itself is said of no file, and then of no line either.
        let span = if named.as_deref() == Some("") { Span::None } else { finding.span };
        let path = named.filter(|path| !path.is_empty());
        let range = self.range(span, path.as_ref(), positions);
        // As for edits.
        let mut related = Vec::with_capacity(finding.related.len());
        related.extend(finding.related.into_iter().map(|place| self.related(place, positions)));
        let suggestion = match finding.proposals.is_empty() {
            true => None,
            false => self.suggestion(finding.proposals, path.as_ref(), positions),
        };
        self.records.diagnostics.push(Diagnostic::normalised(DiagnosticParts {
            tool,
            severity,
            code,
            path,
            line: range.line,
            column: range.column,
            end_line: range.end_line,
            end_column: range.end_column,
            message: finding.message.into(),
            related,
            suggestion,
            cell: finding.cell,
            help,
        }));
    }

    fn unrecognised(&mut self, stream: Stream, line: u64, text: &str) {
        let unrecognised = &mut self.records.unrecognised;
        unrecognised.count += 1;
        if unrecognised.lines.len() < UNRECOGNISED_SHOWN {
            let text = lines::snippet(text.as_bytes());
            unrecognised.lines.push(UnrecognisedLine { stream, line, text });
        }
    }

    fn tool_failed(&mut self, reason: String) {
        self.records.tool_failed.get_or_insert(reason);
    }

    fn discard(&mut self) {
        self.records = Records::default();
    }
}

/// Whether a text is an address that a reader may be sent to: other schemes may run something.
fn is_address(text: &str) -> bool {
    let scheme = ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme));
    scheme && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

fn needs_text(span: Span, positions: Positions) -> bool {
    match span {
        Span::None => false,
        Span::Offsets { .. } | Span::Offset(_) => true,
        Span::Lines { start, .. } => {
            positions.unit != crate::Unit::CodePoints && start.column.is_some()
        }
    }
}

/// Resolves paths and remembers what each raw path became.
struct Paths<'a> {
    roots: &'a Roots,
    sources: &'a dyn Sources,
    known: FxHashMap<Box<str>, Arc<str>>,
}

impl Paths<'_> {
    fn resolve(&mut self, raw: &str) -> Arc<str> {
        if let Some(path) = self.known.get(raw) {
            return Arc::clone(path);
        }
        let path: Arc<str> = Arc::from(paths::resolve_existing(self.roots, self.sources, raw).path);
        self.known.insert(raw.into(), Arc::clone(&path));
        path
    }
}

/// Answers a format's questions about paths.
pub struct Lookup<'a> {
    roots: &'a Roots,
    sources: &'a dyn Sources,
}

impl<'a> Lookup<'a> {
    /// Answers by `roots` and `sources`.
    pub fn new(roots: &'a Roots, sources: &'a dyn Sources) -> Self {
        Lookup { roots, sources }
    }
}

impl Places for Lookup<'_> {
    fn inside(&self, path: &str) -> bool {
        self.roots.resolve(path).inside
    }

    fn exists(&self, path: &str) -> bool {
        let resolved = self.roots.resolve(path);
        resolved.inside && self.sources.exists(&resolved.path)
    }

    fn ending_in(&self, path: &str) -> Option<String> {
        self.sources.ending_in(path)
    }

    fn line(&self, path: &str, number: u32) -> Option<String> {
        let text = source_text(self.bytes(path)?);
        text.line(number).map(|line| String::from_utf8_lossy(line).into_owned())
    }

    fn bytes(&self, path: &str) -> Option<Arc<[u8]>> {
        let resolved = self.roots.resolve(path);
        resolved.inside.then(|| self.sources.read(&resolved.path))?
    }
}

/// The text of `bytes`, as people and records count its lines.
pub fn source_text(bytes: Arc<[u8]>) -> SourceText {
    SourceText::new(bytes, LineEnds::Usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_is_sent_to_pages_alone() {
        assert!(is_address("https://example.org/a#b") && is_address("http://example.org"));
        for other in
            ["", "javascript:alert(1)", "a.md", "file:///etc", "https://a b", "https://a\nb"]
        {
            assert!(!is_address(other), "{other:?}");
        }
    }
}
