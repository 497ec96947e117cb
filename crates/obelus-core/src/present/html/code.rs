//! Source lines with their numbers and colours, and marks where findings lie.

use std::fmt::Write as _;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use super::escape::{escape, push};
use super::syntax::{Kind, Syntax};
use crate::present::excerpt::{Texts, word_length};
use crate::present::{places, text};
use crate::{LineEnds, SourceText, Sources};

/// Characters of a line that are shown.
const LONGEST_LINE: usize = 240;
/// Characters of what is said at the end of a line.
const LONGEST_LABEL: usize = 120;
/// Lines that one excerpt may have.
const MOST_LINES: u32 = 30;

/// The files of a repository with their syntax; that of the file read last is kept.
pub struct Files<'a> {
    texts: Texts<'a>,
    last: Option<(Arc<str>, Rc<SourceText>, Rc<Syntax>)>,
}

/// One readable file.
#[derive(Clone)]
pub struct File {
    pub text: Rc<SourceText>,
    syntax: Rc<Syntax>,
}

impl<'a> Files<'a> {
    /// The files of `sources`.
    pub fn new(sources: &'a dyn Sources) -> Self {
        Files { texts: Texts::new(sources), last: None }
    }

    /// The file at `path`, or a cell of it, whose lines end as `ends` says; nothing if it can't be read.
    pub fn of(&mut self, path: &Arc<str>, cell: Option<u32>, ends: LineEnds) -> Option<File> {
        let text = self.texts.of(path, cell, ends)?;
        if let Some((last, of, syntax)) = &self.last
            && last == path
            && Rc::ptr_eq(of, &text)
        {
            return Some(File { text, syntax: Rc::clone(syntax) });
        }
        let syntax = Rc::new(Syntax::of(path, text.bytes()));
        self.last = Some((Arc::clone(path), Rc::clone(&text), Rc::clone(&syntax)));
        Some(File { text, syntax })
    }
}

/// A place that is marked.
pub struct Mark {
    pub place: places::Range,
    /// What is said of it at the end of its line.
    pub label: String,
    /// Whether it is the finding itself, and not a place beside it.
    pub primary: bool,
}

impl Mark {
    /// The columns of line `number`, from 0, that are marked; nothing where the line is not.
    fn columns(&self, number: u32, line: &[(usize, char)]) -> Option<Range<usize>> {
        let (first, column) = (self.place.line?, self.place.column?);
        let start = column.saturating_sub(1) as usize;
        let end =
            self.place.end_line.zip(self.place.end_column).filter(|&end| end > (first, column));
        let last = end.map_or(first, |(line, _)| line);
        if number < first || number > last {
            return None;
        }
        let from = if number == first { start } else { 0 };
        let to = match end {
            Some((_, column)) if number == last => column.saturating_sub(1) as usize,
            Some(_) => line.len(),
            None => {
                let word: String = line.iter().skip(start).map(|&(_, c)| c).collect();
                start + word[..word_length(&word)].chars().count().max(1)
            }
        };
        (from < to).then_some(from..to)
    }
}

/// The lines `lines` of `file`, which is at least partly there; that at `focus`
/// stands out; 0 for none.
pub fn excerpt(file: &File, lines: Range<u32>, focus: u32, marks: &[Mark]) -> String {
    let mut out = String::from("<pre class=\"code\"><code>");
    let last = lines.end.min(lines.start + MOST_LINES).min(file.text.line_count() + 1);
    let digits = (last - 1).to_string().len();
    for number in lines.start..last {
        let class = if number == focus { " focus" } else { "" };
        let _ =
            write!(out, "<span class=\"line{class}\"><span class=\"no\">{number:>digits$}</span> ");
        line(file, number, marks, &mut out);
        for mark in marks.iter().filter(|mark| mark.place.line == Some(number)) {
            if !mark.label.is_empty() {
                let label = text::at_most(text::line(&mark.label), LONGEST_LABEL);
                let _ = write!(out, "  <span class=\"label\">← {}</span>", escape(&label));
            }
        }
        out += "\n</span>";
    }
    if last < lines.end {
        let _ = write!(out, "<span class=\"line\">…\n</span>");
    }
    out + "</code></pre>\n"
}

/// The characters of a line with the bytes at which they start; a byte that is no UTF-8 is one.
fn characters(bytes: &[u8]) -> Vec<(usize, char)> {
    let mut characters = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        characters.extend(chunk.valid().char_indices().map(|(offset, c)| (at + offset, c)));
        at += chunk.valid().len();
        characters.extend((0..chunk.invalid().len()).map(|offset| (at + offset, '\u{FFFD}')));
        at += chunk.invalid().len();
    }
    characters
}

fn line(file: &File, number: u32, marks: &[Mark], out: &mut String) {
    let bytes = file.text.line(number).unwrap_or_default();
    let first = file.text.line_with_end(number.saturating_sub(1) as usize).map_or(0, |(at, _)| at);
    let line = characters(bytes);
    let marked: Vec<(Range<usize>, bool)> = marks
        .iter()
        .filter_map(|mark| Some((mark.columns(number, &line)?, mark.primary)))
        .collect();
    let shown = window(line.len(), marked.first().map(|(columns, _)| columns.start));
    let start = line.get(shown.start).map_or(0, |&(at, _)| at);
    let end = line.get(shown.end).map_or(bytes.len(), |&(at, _)| at);
    let parts = file.syntax.parts(first + start..first + end, file.text.bytes());
    let mut parts = parts.iter().peekable();
    let mut paint = Paint { out, mark: None, kind: None };
    if shown.start > 0 {
        paint.out.push('…');
    }
    for index in shown.clone() {
        let (at, c) = line[index];
        while parts.next_if(|(range, _)| range.end <= first + at).is_some() {}
        let kind =
            parts.peek().filter(|(range, _)| range.start <= first + at).map(|&&(_, kind)| kind);
        let mark = marked.iter().filter(|(columns, _)| columns.contains(&index));
        paint.character(c, mark.map(|&(_, primary)| primary).max(), kind);
    }
    // What lies just behind the end of its line has no character to mark.
    if shown.end == line.len()
        && let Some(&(_, primary)) = marked.iter().find(|(columns, _)| columns.start == line.len())
    {
        paint.character(' ', Some(primary), None);
    }
    paint.change(None, None);
    if shown.end < line.len() {
        paint.out.push('…');
    }
}

/// Which of `length` characters are shown, of which a third stands before `column`.
fn window(length: usize, column: Option<usize>) -> Range<usize> {
    if length <= LONGEST_LINE {
        return 0..length;
    }
    let from = column.unwrap_or(0).saturating_sub(LONGEST_LINE / 3).min(length - LONGEST_LINE);
    from..from + LONGEST_LINE
}

/// Writes characters, and the tags where a mark or a colour changes.
struct Paint<'o> {
    out: &'o mut String,
    mark: Option<bool>,
    kind: Option<Kind>,
}

impl Paint<'_> {
    fn character(&mut self, c: char, mark: Option<bool>, kind: Option<Kind>) {
        self.change(mark, kind);
        // What ends a line for some readers only must not end one here.
        push(self.out, if c == '\n' { '\u{240A}' } else { c });
    }

    fn change(&mut self, mark: Option<bool>, kind: Option<Kind>) {
        if (mark, kind) == (self.mark, self.kind) {
            return;
        }
        if self.kind.is_some() {
            self.out.push_str("</span>");
        }
        if mark != self.mark {
            if self.mark.is_some() {
                self.out.push_str("</mark>");
            }
            match mark {
                Some(true) => self.out.push_str("<mark>"),
                Some(false) => self.out.push_str("<mark class=\"also\">"),
                None => {}
            }
        }
        if let Some(kind) = kind {
            let _ = write!(self.out, "<span class=\"{}\">", kind.class());
        }
        (self.mark, self.kind) = (mark, kind);
    }
}
