//! What a suggestion would change, as the lines that go and come.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use obelus_record::{Applicability, Edit, Suggestion};

use super::code::Files;
use super::escape::escape;
use crate::LineEnds;
use crate::fix::place::Places;
use crate::fix::unified_diff;
use crate::present::text::{self, plural};

/// Lines of one difference that are shown.
const MOST_LINES: usize = 24;
/// Characters of one of its lines.
const LONGEST_LINE: usize = 200;

/// The suggestion with what it would change.
pub fn suggestion(
    suggestion: &Suggestion,
    cell: Option<u32>,
    files: &mut Files<'_>,
    ends: LineEnds,
) -> String {
    let said = suggestion.message.as_deref().map(text::line).filter(|said| !said.is_empty());
    let vouched = match suggestion.applicability {
        Applicability::Safe => "safe fix",
        Applicability::Unsafe => "unsafe fix",
        Applicability::Incomplete => "incomplete fix",
    };
    let others = match suggestion.alternatives.len() as u64 {
        0 => String::new(),
        count => format!(", or {}", plural(count, "alternative", "alternatives")),
    };
    let mut out = format!(
        "<div class=\"fix\"><p><strong>{vouched}</strong>{others}: {}</p>\n",
        escape(&said.unwrap_or_else(|| "the tool proposes this edit".to_owned()))
    );
    let mut paths: Vec<&Arc<str>> = suggestion.edits.iter().map(|edit| &edit.path).collect();
    paths.dedup();
    for path in paths {
        let edits: Vec<&Edit> = suggestion.edits.iter().filter(|edit| edit.path == *path).collect();
        match lines(path, cell, &edits, files, ends) {
            Some(lines) => out += &drawn(path, &edits, &lines),
            None => out += &told(path, &edits),
        }
    }
    out + "</div>\n"
}

/// The lines that go (`-`), come (`+`) and stay; nothing where the file is not what it was.
fn lines(
    path: &Arc<str>,
    cell: Option<u32>,
    edits: &[&Edit],
    files: &mut Files<'_>,
    ends: LineEnds,
) -> Option<String> {
    let file = files.of(path, cell, ends)?;
    let bytes: Arc<[u8]> = Arc::from(file.text.bytes());
    let places = Places::new(Arc::clone(&bytes), ends);
    let mut ranges: Vec<(Range<usize>, &str)> = Vec::with_capacity(edits.len());
    for edit in edits {
        ranges.push((places.range(edit)?, &edit.text));
    }
    ranges.sort_by_key(|(range, _)| (range.start, range.end));
    if ranges.windows(2).any(|pair| pair[0].0.end > pair[1].0.start) {
        return None;
    }
    // Whole lines around all of them: the others are the same on both sides.
    let (first, last) = (ranges.first()?.0.start, ranges.last()?.0.end);
    let from = bytes[..first].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let to = bytes[last..]
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(bytes.len(), |at| last + at + 1);
    let (mut after, mut at) = (Vec::new(), from);
    for (range, text) in ranges {
        after.extend_from_slice(&bytes[at..range.start]);
        after.extend_from_slice(text.as_bytes());
        at = range.end;
    }
    after.extend_from_slice(&bytes[at..to]);
    let diff = unified_diff("", &bytes[from..to], &after);
    (!diff.is_empty()).then(|| String::from_utf8_lossy(&diff).into_owned())
}

fn drawn(path: &str, edits: &[&Edit], diff: &str) -> String {
    let first = edits.iter().map(|edit| edit.line).min();
    let place = escape(&text::place(path, None, first, None));
    let mut out =
        format!("<pre class=\"diff\" role=\"group\" aria-label=\"Change of {place}\"><code>");
    let hunks = diff.lines().skip(2).filter(|line| !line.starts_with("@@"));
    for (number, line) in hunks.enumerate() {
        if number == MOST_LINES {
            out += "…\n";
            break;
        }
        let shown = escape(&text::at_most(line.trim_end_matches('\r').to_owned(), LONGEST_LINE));
        let _ = match line.as_bytes().first() {
            Some(b'-') => writeln!(out, "<del>{shown}</del>"),
            Some(b'+') => writeln!(out, "<ins>{shown}</ins>"),
            _ => writeln!(out, "{shown}"),
        };
    }
    out + "</code></pre>\n"
}

/// The edits in words.
fn told(path: &str, edits: &[&Edit]) -> String {
    let mut out = String::from("<ul>\n");
    for edit in edits {
        let place = escape(&text::place(path, None, Some(edit.line), Some(edit.column)));
        let end = format!("{}:{}", edit.end_line, edit.end_column);
        let new = escape(&text::at_most(text::code(&edit.text), LONGEST_LINE));
        let empty = (edit.line, edit.column) == (edit.end_line, edit.end_column);
        let _ = match (empty, new.is_empty()) {
            (true, _) => writeln!(out, "<li>at {place} insert: <code>{new}</code></li>"),
            (false, true) => writeln!(out, "<li>at {place} delete up to {end}</li>"),
            (false, false) => {
                writeln!(out, "<li>at {place} replace up to {end} by: <code>{new}</code></li>")
            }
        };
    }
    out + "</ul>\n"
}
