//! One record as blocks: itself with its excerpt, related places elsewhere, the proposed edit.

use annotate_snippets::{Annotation, AnnotationKind, Level, Snippet};
use obelus_record::{Diagnostic, Related, Report, Severity};

use super::block::Block;
use super::patch;
use crate::present::excerpt::{Line, Piece, Texts};
use crate::present::order::declared_at;
use crate::present::{line_ends, text};
use crate::{LineEnds, SourceText};

/// A related place at most this many lines away is marked in the excerpt of the record itself.
const NEAR: u32 = 12;
/// Characters of a source line that are shown.
const LONGEST_LINE: usize = 160;
/// Characters of a message that are shown.
const LONGEST_MESSAGE: usize = 8_000;

/// Where something lies, as records say it.
#[derive(Clone, Copy)]
struct Place {
    line: Option<u32>,
    column: Option<u32>,
    /// The end, if it lies behind the start.
    end: Option<(u32, u32)>,
}

impl Place {
    fn of(
        line: Option<u32>,
        column: Option<u32>,
        end: Option<u32>,
        end_column: Option<u32>,
    ) -> Self {
        let end = end.zip(end_column).filter(|&end| Some(end) > line.zip(column));
        Place { line, column, end }
    }

    /// Whether the tool says more about this very place: it starts here, and ends here if it ends.
    fn is_also(self, other: Place) -> bool {
        let start = |place: Place| (place.line, place.column);
        start(self) == start(other) && (other.end.is_none() || other.end == self.end)
    }

    fn of_record(record: &Diagnostic) -> Self {
        Place::of(record.line, record.column, record.end_line, record.end_column)
    }

    fn of_related(related: &Related) -> Self {
        Place::of(related.line, related.column, related.end_line, related.end_column)
    }
}

/// Record `index` as blocks.
pub fn blocks(report: &Report, index: usize, texts: &mut Texts<'_>) -> Vec<Block> {
    let record = &report.records[index];
    let ends = line_ends(report, index);
    let message = text::at_most(text::lines(&record.message), LONGEST_MESSAGE);
    let code = record.code.as_deref().map(text::name);
    let mut head = Block::new(level(record.severity), code, message);
    let tool = tool(report, index);
    head = match &record.path {
        Some(path) => {
            let place = text::place(path, record.cell, record.line, record.column);
            head.place(format!("{place} · {tool}"))
        }
        None => head.remark("from", tool),
    };
    let (mut excerpt, missing) =
        excerpt(record.path.as_ref(), record.cell, Place::of_record(record), ends, texts);
    if let Some(missing) = missing {
        head = head.remark("note", missing);
    }
    let mut elsewhere = Vec::new();
    for related in &record.related {
        let near = excerpt
            .as_mut()
            .filter(|_| related.path == record.path)
            .is_some_and(|excerpt| excerpt.mark(Place::of_related(related), &related.message));
        if !near {
            elsewhere.push(related);
        }
    }
    if let Some(excerpt) = excerpt {
        head = head.excerpt(excerpt.into_snippet());
    }
    if let Some(declared) = declared_at(report, index) {
        let place = text::place(&declared.path, None, Some(declared.line), None);
        let name = text::name(&declared.name);
        head = head.remark("note", format!("{name} is declared at {place}"));
    }
    if of_partial_runs(report, index) {
        head = head.remark("note", "from a run that failed; there may be more".to_owned());
    }
    let mut blocks = Vec::new();
    for related in elsewhere {
        match &related.path {
            None => head = head.remark("note", text::lines(&related.message)),
            Some(_) => blocks.push(related_block(related, ends, texts)),
        }
    }
    if let Some(suggestion) = &record.suggestion {
        match patch::block(suggestion, record, ends, texts) {
            Some(block) => blocks.push(block),
            None => {
                if let Some(said) = patch::in_words(suggestion) {
                    head = head.remark("help", said);
                }
            }
        }
    }
    blocks.insert(0, head);
    blocks
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
        Severity::Hint => Level::HELP.with_name("hint"),
    }
}

/// Whose finding it is.
fn tool(report: &Report, index: usize) -> String {
    let tool = text::name(&report.records[index].tool);
    match report.origins.get(index).map(|origin| origin.count) {
        Some(count) if count > 1 => format!("{tool}, reported {count} times"),
        _ => tool,
    }
}

/// Whether all runs that reported the record were cut off.
fn of_partial_runs(report: &Report, index: usize) -> bool {
    let Some(origin) = report.origins.get(index) else { return false };
    let partial = |&run: &u32| report.runs.get(run as usize).is_some_and(|run| run.partial);
    !origin.runs.is_empty() && origin.runs.iter().all(partial)
}

fn related_block(related: &Related, ends: LineEnds, texts: &mut Texts<'_>) -> Block {
    let message = match related.message.trim() {
        "" => "related place".to_owned(),
        message => text::at_most(text::lines(message), LONGEST_MESSAGE),
    };
    let path = related.path.as_ref();
    let place = text::place(path.map_or("", |path| path), None, related.line, related.column);
    let block = Block::new(Level::NOTE, None, message).place(place);
    match excerpt(path, None, Place::of_related(related), ends, texts) {
        (Some(excerpt), _) => block.excerpt(excerpt.into_snippet()),
        (None, Some(missing)) => block.remark("note", missing),
        (None, None) => block,
    }
}

/// The excerpt at `place`; or, where the file is not what it was for the tool, what is missing.
fn excerpt(
    path: Option<&std::sync::Arc<str>>,
    cell: Option<u32>,
    place: Place,
    ends: LineEnds,
    texts: &mut Texts<'_>,
) -> (Option<Excerpt>, Option<String>) {
    let (Some(path), Some(line)) = (path, place.line) else { return (None, None) };
    let Some(text) = texts.of(path, cell, ends) else { return (None, None) };
    if text.line(line).is_none() {
        return (None, Some(format!("the file has no line {line} now")));
    }
    (Some(Excerpt::new(text, line, place)), None)
}

/// Lines of one file with marks in them.
struct Excerpt {
    text: std::rc::Rc<SourceText>,
    /// The line of the record itself.
    focus: (u32, Option<u32>),
    first: u32,
    last: u32,
    marks: Vec<(Place, AnnotationKind, Option<String>)>,
}

impl Excerpt {
    fn new(text: std::rc::Rc<SourceText>, line: u32, place: Place) -> Self {
        let mut excerpt = Excerpt {
            text,
            focus: (line, place.column),
            first: line,
            last: line,
            marks: Vec::new(),
        };
        excerpt.take(place, AnnotationKind::Primary, None);
        excerpt
    }

    /// Marks another place of the same file, if it is near and its line short.
    fn mark(&mut self, place: Place, message: &str) -> bool {
        let Some((line, _)) = place.line.zip(place.column) else { return false };
        let label = Some(text::line(message)).filter(|message| !message.is_empty());
        if let Some((primary, _, free @ None)) = self.marks.first_mut()
            && primary.is_also(place)
        {
            *free = label;
            return true;
        }
        let last = place.end.map_or(line, |(line, _)| line);
        let near = line.abs_diff(self.focus.0) <= NEAR && last.abs_diff(self.focus.0) <= NEAR;
        let mut both = [self.focus.0, line].into_iter();
        if !near
            || !both.all(|line| self.text.line(line).is_some_and(|line| line.len() <= LONGEST_LINE))
        {
            return false;
        }
        self.take(place, AnnotationKind::Context, label);
        true
    }

    fn take(&mut self, place: Place, kind: AnnotationKind, label: Option<String>) {
        let line = place.line.unwrap_or(self.focus.0);
        let last = place.end.map_or(line, |(line, _)| line).min(self.text.line_count());
        self.first = self.first.min(line);
        self.last = self.last.max(line).max(last);
        self.marks.push((place, kind, label));
    }

    fn into_snippet(self) -> Snippet<'static, Annotation<'static>> {
        let mut source = String::new();
        let mut lines: Vec<(usize, Piece)> = Vec::new();
        for number in self.first..=self.last {
            let line = self.text.line(number).unwrap_or_default();
            let column = self.focus.1.filter(|_| number == self.focus.0);
            let piece = Piece::around(Line::new(line), column, LONGEST_LINE);
            lines.push((source.len(), piece));
            source.push_str(lines.last().map_or("", |(_, piece)| piece.text()));
            source.push('\n');
        }
        let at = |line: u32, column: u32| {
            let (start, piece) = lines.get(line.checked_sub(self.first)? as usize)?;
            Some(start + piece.offset(column)?)
        };
        let end_of =
            |line: u32| at(line, 1 + lines[(line - self.first) as usize].1.length() as u32);
        let mut annotations = Vec::new();
        for (place, kind, label) in self.marks {
            let line = place.line.unwrap_or(self.focus.0);
            let start = place.column.and_then(|column| at(line, column));
            let Some(start) = start else {
                // Without a column, or with one that the line does not have now, the line alone.
                let start = at(line, 1).unwrap_or(0);
                annotations.push(AnnotationKind::Visible.span(start..start).label(label));
                continue;
            };
            let end = place.end.and_then(|(end, column)| match column {
                // Up to the start of a line is up to the end of the one before.
                1 if end > line => end_of(end.min(self.last + 1) - 1),
                _ => at(end, column).or_else(|| end_of(end.min(self.last))),
            });
            let next = source[start..].chars().next().filter(|&c| c != '\n');
            let end =
                end.filter(|&end| end > start).unwrap_or(start + next.map_or(0, char::len_utf8));
            annotations.push(kind.span(start..end).label(label));
        }
        source.pop();
        Snippet::source(source).line_start(self.first as usize).annotations(annotations)
    }
}
