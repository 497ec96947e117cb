//! The pages: each path once, its source lines with their numbers, and under a line what was found
//! there.

use std::collections::hash_map::Entry;
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::sync::Arc;

use obelus_record::Report;
use rustc_hash::FxHashMap;

use super::detail::{Detail, Left};
use super::{claim, group};
use crate::SourceText;
use crate::present::excerpt::{Line, Piece, Texts};
use crate::present::line_ends;
use crate::present::order::{Item, Section};
use crate::present::text;

/// Lines of a long range that are shown.
const LONGEST_RANGE: u32 = 20;

/// The items that stand on one page: a file, or a cell of a notebook, under one heading.
type Page<'i, 'a> = Vec<&'i Item<'a>>;

/// The items of each page; pages in the order of their first items. What is less severe than the
/// first item of all, and stands before it in its file, has a page of its own behind that one: what
/// is told first is read first.
pub fn pages<'i, 'a>(items: &'i [Item<'a>], report: &Report) -> Vec<Page<'i, 'a>> {
    type Key<'a> = (Section, Option<&'a Arc<str>>, Option<u32>);
    let mut known: FxHashMap<Key<'a>, usize> = FxHashMap::default();
    let mut pages: Vec<Page<'i, 'a>> = Vec::new();
    for item in items {
        match known.entry((item.section, item.path, item.cell)) {
            Entry::Occupied(at) => pages[*at.get()].push(item),
            Entry::Vacant(slot) => {
                slot.insert(pages.len());
                pages.push(vec![item]);
            }
        }
    }
    let severity = |item: &Item<'_>| report.records[item.record].severity;
    if let Some(lead) = pages.first().map(|page| page[0]) {
        let comes_first =
            |item: &Item<'_>| severity(item) > severity(lead) && item.line < lead.line;
        if pages[0].iter().any(|item| comes_first(item)) {
            let (rest, first) =
                pages[0].iter().copied().partition(|item| severity(item) > severity(lead));
            pages[0] = first;
            pages.insert(1, rest);
        }
    }
    pages
}

/// Writes pages, one after the other.
pub struct Writer<'w, 's> {
    /// The report.
    pub report: &'w Report,
    /// Its files.
    pub texts: &'w mut Texts<'s>,
    /// How much is told.
    pub detail: Detail,
    /// What is left out.
    pub left: Left,
}

impl Writer<'_, '_> {
    /// One page as text.
    pub fn write(&mut self, mut items: Page<'_, '_>) -> String {
        let mut page = String::new();
        let Some(&first) = items.first() else { return page };
        let column = |item: &Item<'_>| self.report.records[item.record].column;
        items.sort_by_key(|item| (item.line, column(item)));
        let mut source = None;
        if let Some(path) = first.path {
            page.push_str(&header(path));
            match first.cell {
                Some(cell) => drop(write!(page, " cell {cell}")),
                // A cell of a notebook counts lines of its own.
                None => source = self.texts.of(path, line_ends(self.report, first.record)),
            }
            page.push('\n');
        }
        self.body(&mut page, &items, source.as_deref());
        page
    }

    fn body(&mut self, page: &mut String, items: &[&Item<'_>], source: Option<&SourceText>) {
        // Items without a line come first, directly below the path.
        let placed = items.partition_point(|item| item.line.is_none());
        let (whole, mut placed) = items.split_at(placed);
        for item in whole {
            self.claim(page, item, None, false);
        }
        let lines = source.map_or(0, SourceText::line_count);
        let mut behind = 0;
        for hunk in self.hunks(placed, lines) {
            if behind > 0 && *hunk.start() <= lines {
                page.push_str("…\n");
            }
            for number in trimmed(hunk.clone(), placed, source) {
                let line = source.and_then(|source| source.line(number)).map(Line::new);
                let here = placed.partition_point(|item| item.line <= Some(number));
                let (here, rest) = placed.split_at(here);
                placed = rest;
                self.line(page, number, line, here);
            }
            behind = *hunk.end();
        }
    }

    /// The runs of lines to show around the items, without overlaps. Where the file can't be read,
    /// or is too short by now, the lines of the items alone.
    fn hunks(&self, placed: &[&Item<'_>], lines: u32) -> Vec<RangeInclusive<u32>> {
        let context = self.detail.context;
        let mut hunks: Vec<RangeInclusive<u32>> = Vec::new();
        for item in placed {
            let line = item.line.unwrap_or(1);
            let last = match item.cause {
                Some(leads) if leads.by_place => line,
                _ => self.report.records[item.record].end_line.unwrap_or(line),
            };
            // Without context, the first line of a range is what a finding points at.
            let longest = if context == 0 { 0 } else { LONGEST_RANGE };
            let last = last.clamp(line, line.saturating_add(longest));
            let (from, to) = match line <= lines {
                true => {
                    (line.saturating_sub(context).max(1), last.saturating_add(context).min(lines))
                }
                false => (line, line),
            };
            match hunks.last_mut() {
                // A single line between two hunks costs no more than the mark of its absence.
                Some(hunk) if from <= hunk.end().saturating_add(2) && from <= lines => {
                    *hunk = *hunk.start()..=to.max(*hunk.end());
                }
                Some(hunk) if from <= *hunk.end() => {}
                _ => hunks.push(from..=to),
            }
        }
        hunks
    }

    /// One source line and the items at it. Blank lines are dropped; of a long line the parts
    /// around its items are shown.
    fn line(&mut self, page: &mut String, number: u32, line: Option<Line<'_>>, here: &[&Item<'_>]) {
        let Some(line) = line else {
            if !here.is_empty() {
                let _ = writeln!(page, "{number}");
            }
            for item in here {
                self.claim(page, item, None, false);
            }
            return;
        };
        let column = here.first().and_then(|item| self.column(item));
        let mut piece = Piece::around(line, column, self.detail.line);
        if !here.is_empty() || !piece.text().trim().is_empty() {
            let _ = writeln!(page, "{number} {}", piece.text().trim_end());
        }
        for item in here {
            let column = self.column(item);
            if piece.is_cut() && column.is_some_and(|column| !piece.shows(column)) {
                piece = Piece::around(line, column, self.detail.line);
                let _ = writeln!(page, "{number} {}", piece.text().trim_end());
            }
            self.claim(page, item, Some(line), piece.is_cut());
        }
    }

    /// The column of what is told, unless that is an example from elsewhere.
    fn column(&self, item: &Item<'_>) -> Option<u32> {
        let by_place = item.cause.is_some_and(|leads| leads.by_place);
        self.report.records[item.record].column.filter(|_| !by_place)
    }

    fn claim(&mut self, page: &mut String, item: &Item<'_>, line: Option<Line<'_>>, cut: bool) {
        let record = &self.report.records[item.record];
        match item.cause.filter(|leads| leads.by_place) {
            None => claim::write(page, record, line, cut, &self.detail, &mut self.left),
            Some(leads) => {
                let (count, example) = (group::count(leads, self.report), self.example(item));
                let _ = writeln!(page, "^ cause of {count}: {example}");
            }
        }
        group::declared(page, self.report, item, &self.detail, &mut self.left);
        group::write(page, self.report, item, &self.detail, &mut self.left);
    }

    /// What is said of the findings that point to the place of a cause, and what was said of the
    /// place itself.
    fn example(&mut self, item: &Item<'_>) -> String {
        let record = &self.report.records[item.record];
        let here = |related: &&obelus_record::Related| {
            related.path.as_ref() == item.path && related.line == item.line
        };
        let mut said = claim::what(record, &self.detail, &mut self.left);
        if let Some(related) = record.related.iter().find(here) {
            let message = text::line(&related.message);
            if !message.is_empty() {
                let _ = write!(said, " ({message})");
            }
        }
        let others = item.cause.map_or(0, |leads| {
            let differs =
                |&&index: &&u32| self.report.records[index as usize].message != record.message;
            leads.cause.consequences.iter().filter(differs).count()
        });
        if others > 0 {
            let _ = write!(said, "; {others} of them say otherwise");
        }
        said
    }
}

/// The lines without those at both ends that hold nothing but brackets and the like: they say as
/// little as blank lines. Nor is there the end of another item of the file, which a closing bracket
/// without indentation and a blank line part from what follows. The lines of findings stay.
fn trimmed(
    hunk: RangeInclusive<u32>,
    placed: &[&Item<'_>],
    source: Option<&SourceText>,
) -> RangeInclusive<u32> {
    let (mut from, mut to) = hunk.into_inner();
    let within = placed.iter().filter_map(|item| item.line).take_while(|&line| line <= to);
    let (first, last) = match (within.clone().next(), within.last()) {
        (Some(first), Some(last)) => (first, last),
        _ => (from, to),
    };
    let line = |number: u32| source.and_then(|source| source.line(number));
    let brackets = |number: u32| {
        line(number).is_some_and(|line| {
            line.iter().all(|&byte| byte.is_ascii() && !byte.is_ascii_alphanumeric())
        })
    };
    let blank = |number: u32| line(number).is_some_and(|line| line.trim_ascii().is_empty());
    let closes = |number: u32| {
        line(number).is_some_and(|line| line.starts_with(b"}"))
            && brackets(number)
            && blank(number + 1)
    };
    if let Some(closed) = (from..first.max(from)).rev().find(|&number| closes(number)) {
        from = closed + 1;
    }
    while from < first && brackets(from) {
        from += 1;
    }
    while to > last && brackets(to) {
        to -= 1;
    }
    from..=to
}

/// A path alone on its line. One that could be taken for a source line, a finding or a sentence
/// is told from these by a leading `./`, which changes nothing about the file that it names.
fn header(path: &str) -> String {
    let odd = |c: char| c.is_whitespace() || c.is_control() || c == ':';
    let first = path.chars().next();
    let doubtful =
        path.contains(odd) || first.is_some_and(|c| c.is_ascii_digit() || "^+…".contains(c));
    let relative = !path.starts_with(['/', '\\']);
    let prefix = if doubtful && relative { "./" } else { "" };
    format!("{prefix}{}", text::name(path))
}
