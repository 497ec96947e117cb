//! The edit that a tool proposes: drawn where it is small and its file is what it was, else told.

use std::sync::Arc;

use annotate_snippets::{Level, Patch, Snippet};
use obelus_record::{Applicability, Diagnostic, Edit, Suggestion};

use super::block::Block;
use crate::LineEnds;
use crate::present::excerpt::{Line, Piece, Texts};
use crate::present::text;

/// Lines that a drawn edit may touch or bring.
const MOST_LINES: usize = 12;
/// Characters that a line of a drawn edit may have.
const LONGEST_LINE: usize = 160;

/// The edit as a patch of its lines; nothing where it can't be drawn.
pub fn block(
    suggestion: &Suggestion,
    record: &Diagnostic,
    ends: LineEnds,
    texts: &mut Texts<'_>,
) -> Option<Block> {
    let first = suggestion.edits.first()?;
    let (line, source, patches) = patch(&suggestion.edits, record.cell, ends, texts)?;
    let snippet = Snippet::source(source).line_start(line as usize).patches(patches);
    let block = Block::new(Level::HELP, None, title(suggestion)).excerpt(snippet);
    match record.path.as_ref() == Some(&first.path) {
        true => Some(block),
        false => {
            Some(block.place(text::place(&first.path, None, Some(first.line), Some(first.column))))
        }
    }
}

/// The edit in words alone; nothing where there is nothing to say.
pub fn in_words(suggestion: &Suggestion) -> Option<String> {
    let Suggestion { message, edits, alternatives, .. } = suggestion;
    if message.is_none() && edits.is_empty() && alternatives.is_empty() {
        return None;
    }
    let mut said = title(suggestion);
    for edit in &suggestion.edits {
        let place = text::place(&edit.path, None, Some(edit.line), Some(edit.column));
        let text = text::at_most(text::code(&edit.text), LONGEST_LINE);
        let empty = (edit.line, edit.column) == (edit.end_line, edit.end_column);
        said += &match (empty, text.is_empty()) {
            (true, _) => format!("\nat {place} insert: {text}"),
            (false, true) => {
                format!("\nat {place} delete up to {}:{}", edit.end_line, edit.end_column)
            }
            (false, false) => {
                format!(
                    "\nat {place} replace up to {}:{} by: {text}",
                    edit.end_line, edit.end_column
                )
            }
        };
    }
    Some(said)
}

/// What the tool says about the edit, how far it vouches for it, and how many others it has.
fn title(suggestion: &Suggestion) -> String {
    let message = suggestion.message.as_deref().map(text::line).filter(|text| !text.is_empty());
    let applicability = match suggestion.applicability {
        Applicability::Safe => "safe fix",
        Applicability::Unsafe => "unsafe fix",
        Applicability::Incomplete => "incomplete fix",
    };
    let others = match suggestion.alternatives.len() {
        0 => String::new(),
        n => format!(", or {}", text::plural(n as u64, "alternative", "alternatives")),
    };
    format!(
        "{} ({applicability}{others})",
        message.unwrap_or_else(|| "the tool proposes this edit".to_owned())
    )
}

/// First line, lines and patches, where all edits lie in one readable file, near by and apart.
fn patch(
    edits: &[Edit],
    cell: Option<u32>,
    ends: LineEnds,
    texts: &mut Texts<'_>,
) -> Option<(u32, String, Vec<Patch<'static>>)> {
    let path: &Arc<str> = &edits.first()?.path;
    let first = edits.iter().map(|edit| edit.line).min()?;
    let last = edits.iter().map(|edit| edit.end_line).max()?;
    let brought: usize = edits.iter().map(|edit| edit.text.lines().count()).sum();
    let small = (last.checked_sub(first)? as usize) < MOST_LINES && brought <= MOST_LINES;
    let text = texts.of(path, cell, ends)?;
    if !small || edits.iter().any(|edit| edit.path != *path) {
        return None;
    }
    let mut source = String::new();
    let mut lines = Vec::new();
    for number in first..=last {
        let piece = Piece::around(Line::new(text.line(number)?), None, LONGEST_LINE);
        if piece.is_cut() {
            return None;
        }
        lines.push(source.len());
        source.push_str(piece.text());
        source.push('\n');
    }
    let at = |line: u32, column: u32| {
        let piece = Piece::around(Line::new(text.line(line)?), None, LONGEST_LINE);
        Some(lines.get(line.checked_sub(first)? as usize)? + piece.offset(column)?)
    };
    let mut patches = Vec::new();
    for edit in edits {
        let span = at(edit.line, edit.column)?..at(edit.end_line, edit.end_column)?;
        let too_long = edit.text.lines().any(|line| line.chars().count() > LONGEST_LINE);
        if span.start > span.end || too_long {
            return None;
        }
        let text = edit.text.replace("\r\n", "\n");
        let text: String = text
            .chars()
            .map(|c| if c == '\n' || c == '\t' { c } else { text::visible(c) })
            .collect();
        patches.push((span, text));
    }
    patches.sort_by_key(|(span, _)| (span.start, span.end));
    let apart = patches.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start);
    let changes = patches.iter().any(|(span, text)| source[span.clone()] != **text);
    let patches = patches.into_iter().map(|(span, text)| Patch::new(span, text)).collect();
    (apart && changes).then_some((first, source, patches))
}
