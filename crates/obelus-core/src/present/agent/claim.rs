//! One finding on one line: `^17 TS2304 Cannot find name 'x'. (see line 69: 'y' is declared here.)`.

use std::fmt::Write as _;

use obelus_record::{Applicability, Diagnostic, Edit, Related, Severity, Suggestion};

use super::detail::{Detail, Left};
use crate::present::excerpt::{Line, word_length};
use crate::present::text;

/// Characters of a message that are shown.
const LONGEST_MESSAGE: usize = 2_000;
/// Characters of the text that an edit takes away or brings that are shown.
const LONGEST_EDIT: usize = 60;
/// Characters shown of what a finding points at, where its line is cut.
const LONGEST_POINTED: usize = 40;

/// Writes `record` as one line. Of a line that was `cut`, a column alone tells nobody where to look,
/// so that the text at it is named.
pub fn write(
    page: &mut String,
    record: &Diagnostic,
    line: Option<Line<'_>>,
    cut: bool,
    detail: &Detail,
    left: &mut Left,
) {
    // What has no file starts with `^` as well: it is no line of a file, and no file's path.
    page.push('^');
    if let Some(column) = record.column {
        let _ = write!(page, "{column}");
        page.push_str(&end(record, column, line));
        if let (true, Some(line)) = (cut, line) {
            let end = record.end_column.filter(|_| record.end_line == record.line);
            let _ = write!(page, " \"{}\"", line.pointed_at(column, end, LONGEST_POINTED));
        }
        page.push(' ');
    } else if record.line.is_some() {
        page.push(' ');
    }
    if record.severity != Severity::Error {
        let _ = write!(page, "{} ", record.severity);
    }
    page.push_str(&what(record, detail, left));
    page.push_str(&related(record, detail, left));
    if let Some(suggestion) = &record.suggestion {
        page.push_str(&fix(suggestion, record, line));
    }
    page.push('\n');
}

/// The code with the message. A finding without a code says at least whose it is.
pub fn what(record: &Diagnostic, detail: &Detail, left: &mut Left) -> String {
    let mut said = text::line(record.code.as_ref().unwrap_or(&record.tool));
    let message = text::at_most(text::line(&record.message), LONGEST_MESSAGE);
    if !message.is_empty() {
        said.push(' ');
        said += &folded(message, detail, left);
    }
    said
}

/// The message, without its middle where it is longer than there is room for.
fn folded(message: String, detail: &Detail, left: &mut Left) -> String {
    let length = message.chars().count();
    let Some(limit) = detail.message.filter(|&limit| length > limit) else { return message };
    left.folded += 1;
    let nth = |n: usize| message.char_indices().nth(n).map_or(message.len(), |(at, _)| at);
    // The end of a message often says what was expected.
    format!("{} … {}", &message[..nth(limit * 2 / 3)], &message[nth(length - limit / 3)..])
}

/// The places that the tool attached, in brackets.
fn related(record: &Diagnostic, detail: &Detail, left: &mut Left) -> String {
    let mut places: Vec<String> =
        record.related.iter().map(|related| see(related, record)).collect();
    places.retain(|place| !place.is_empty());
    if !detail.related {
        left.related += places.len();
        return String::new();
    }
    match places.is_empty() {
        true => String::new(),
        false => format!(" ({})", places.join("; ")),
    }
}

/// The end of the range, where it says more than "the word that starts here".
fn end(record: &Diagnostic, column: u32, line: Option<Line<'_>>) -> String {
    match (record.end_line, record.end_column) {
        (Some(line), Some(end)) if Some(line) != record.line => format!("-{line}:{end}"),
        (Some(_), Some(end)) if end > column => {
            let width = (end - column) as usize;
            let word = line.map_or(1, |line| {
                let pointed = line.pointed_at(column, Some(end), width);
                pointed[..word_length(&pointed)].chars().count()
            });
            if width > word.max(1) { format!("-{end}") } else { String::new() }
        }
        _ => String::new(),
    }
}

/// A related place: its path is left out where it is that of the record, and all of it where it
/// is the record's own.
fn see(related: &Related, record: &Diagnostic) -> String {
    let same_path = related.path == record.path;
    let same_place = same_path && (related.line, related.column) == (record.line, record.column);
    let place = match (&related.path, related.line) {
        _ if same_place => String::new(),
        (_, Some(line)) if same_path => format!("see line {line}"),
        (Some(path), line) => format!("see {}", text::place(path, None, line, None)),
        (None, _) => String::new(),
    };
    let message = text::at_most(text::line(&related.message), LONGEST_MESSAGE);
    match (place.is_empty(), message.is_empty()) {
        (false, false) => format!("{place}: {message}"),
        _ => place + &message,
    }
}

/// ` [safe fix: "var" -> "let"]`: what the tool itself proposes.
fn fix(suggestion: &Suggestion, record: &Diagnostic, line: Option<Line<'_>>) -> String {
    let mut said = suggestion.message.as_deref().map(text::line).unwrap_or_default();
    let edit = match suggestion.edits.as_slice() {
        [] if said.is_empty() && suggestion.alternatives.is_empty() => return String::new(),
        [] => String::new(),
        [edit] => edit_in_words(edit, record, line),
        edits => format!("{} edits", edits.len()),
    };
    let new = suggestion.edits.first().map_or("", |edit| edit.text.trim());
    // A message that names the new text says what the edit does.
    if !edit.is_empty() && (new.is_empty() || !said.contains(new)) {
        said = if said.is_empty() { edit } else { format!("{said}: {edit}") };
    }
    let applicability = match suggestion.applicability {
        Applicability::Safe => "safe",
        Applicability::Unsafe => "unsafe",
        Applicability::Incomplete => "incomplete",
    };
    match suggestion.alternatives.len() {
        0 => format!(" [{applicability} fix: {said}]"),
        n => format!(
            " [{applicability} fix: {said}; or {}]",
            text::plural(n as u64, "other", "others")
        ),
    }
}

/// `"old" -> "new"` on the record's own line, `5:3-5:6 -> "new"` on another, `insert "new" at 5:3`.
fn edit_in_words(edit: &Edit, record: &Diagnostic, line: Option<Line<'_>>) -> String {
    let path = if record.path.as_ref() == Some(&edit.path) {
        String::new()
    } else {
        text::name(&edit.path) + ":"
    };
    let start = format!("{path}{}:{}", edit.line, edit.column);
    let new = text::at_most(text::code(&edit.text), LONGEST_EDIT);
    if (edit.line, edit.column) == (edit.end_line, edit.end_column) {
        return format!("insert \"{new}\" at {start}");
    }
    let here = path.is_empty() && Some(edit.line) == record.line && edit.end_line == edit.line;
    let old = line
        .filter(|_| here && edit.end_column > edit.column)
        .map(|line| line.pointed_at(edit.column, Some(edit.end_column), LONGEST_EDIT + 1))
        .filter(|old| old.chars().count() <= LONGEST_EDIT);
    match (old, new.is_empty()) {
        (Some(old), false) => format!("\"{old}\" -> \"{new}\""),
        (Some(old), true) => format!("delete \"{old}\""),
        (None, false) => format!("{start}-{}:{} -> \"{new}\"", edit.end_line, edit.end_column),
        (None, true) => format!("delete {start}-{}:{}", edit.end_line, edit.end_column),
    }
}
