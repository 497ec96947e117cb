//! The pages: each path once, its source lines with their numbers, and under a line what was found
//! there.

use std::collections::hash_map::Entry;
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::sync::Arc;

use obelus_record::Report;
use rustc_hash::{FxHashMap, FxHashSet};

use super::detail::{Detail, Left};
use super::{claim, group, window};
use crate::SourceText;
use crate::present::excerpt::{Line, Piece, Texts};
use crate::present::line_ends;
use crate::present::order::{Item, Section, Weight};
use crate::present::text;

/// Lines of a long range that are shown.
const LONGEST_RANGE: u32 = 20;

/// The items that stand on one page: a file, or a cell of a notebook, under one heading.
type Page<'i, 'a> = Vec<&'i Item<'a>>;

/// The items of each page, sorted by place; pages in the order of their first items.
pub fn pages<'i, 'a>(items: &'i [Item<'a>]) -> Vec<Page<'i, 'a>> {
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
        items.sort_by_key(|item| (item.line, item.weight, column(item)));
        let mut source = None;
        if let Some(path) = first.path {
            page.push_str(&header(path));
            if let Some(cell) = first.cell {
                let _ = write!(page, " cell {cell}");
            }
            source = self.texts.of(path, first.cell, line_ends(self.report, first.record));
            page.push('\n');
        }
        self.body(&mut page, &items, source.as_deref());
        page
    }

    fn body(&mut self, page: &mut String, items: &[&Item<'_>], source: Option<&SourceText>) {
        // Items without a line come first, directly below the path.
        let placed = items.partition_point(|item| item.line.is_none());
        let (whole, placed) = items.split_at(placed);
        for item in whole {
            self.claim(page, item, None, false);
        }
        let lines = source.map_or(0, SourceText::line_count);
        let mut shown: FxHashSet<u32> = FxHashSet::default();
        for part in self.parts(placed, source) {
            let mut placed = &part[..];
            for hunk in self.hunks(placed, source) {
                if !shown.is_empty() && *hunk.start() <= lines {
                    page.push_str("…\n");
                }
                for number in hunk {
                    let line = source.and_then(|source| source.line(number)).map(Line::new);
                    let here = placed.partition_point(|item| item.line <= Some(number));
                    let (here, rest) = placed.split_at(here);
                    placed = rest;
                    // What stands around one finding need not stand around another again.
                    if shown.insert(number) || !here.is_empty() {
                        self.line(page, number, line, here);
                    }
                }
            }
        }
    }

    /// The items by their weight, so that a page opens with what matters most in its file, and each
    /// part of it too. What weighs less stands among what weighs more only where it lies below it in
    /// lines that are shown there anyway.
    fn parts<'i, 'a>(
        &self,
        placed: &[&'i Item<'a>],
        source: Option<&SourceText>,
    ) -> Vec<Vec<&'i Item<'a>>> {
        let mut parts = Vec::new();
        let mut left = placed.to_vec();
        for weight in [Weight::Leads, Weight::Error, Weight::Less] {
            let (mut part, less): (Vec<&Item<'_>>, Vec<&Item<'_>>) =
                left.into_iter().partition(|item| item.weight <= weight);
            let hunks = self.hunks(&part, source);
            let is_shown = |item: &&Item<'_>| {
                let at = hunks.partition_point(|hunk| Some(*hunk.end()) < item.line);
                hunks.get(at).is_some_and(|hunk| {
                    let first = part.partition_point(|item| item.line < Some(*hunk.start()));
                    part.get(first).is_some_and(|first| first.line <= item.line)
                })
            };
            let (along, rest): (Vec<&Item<'_>>, Vec<&Item<'_>>) =
                less.into_iter().partition(is_shown);
            part.extend(along);
            part.sort_by_key(|item| item.line);
            parts.push(part);
            left = rest;
        }
        parts
    }

    /// The runs of lines to show around the items, without overlaps. Where the file can't be read,
    /// or is too short by now, the lines of the items alone.
    fn hunks(&self, placed: &[&Item<'_>], source: Option<&SourceText>) -> Vec<RangeInclusive<u32>> {
        let context = self.detail.context;
        let mut hunks: Vec<RangeInclusive<u32>> = Vec::new();
        for item in placed {
            let line = item.line.unwrap_or(1);
            let Some(source) = source.filter(|source| line <= source.line_count()) else {
                if hunks.last().is_none_or(|hunk| *hunk.end() < line) {
                    hunks.push(line..=line);
                }
                continue;
            };
            let last = match item.cause {
                Some(leads) if leads.by_place => line,
                _ => self.report.records[item.record].end_line.unwrap_or(line),
            };
            // Without context, the first line of a range is what a finding points at.
            let longest = if context == 0 { 0 } else { LONGEST_RANGE };
            let last = last.clamp(line, line.saturating_add(longest)).min(source.line_count());
            let mut hunk = window::around(line..=last, context, source);
            while let Some(above) = hunks.pop_if(|above| window::touch(above, &hunk, source)) {
                hunk = *above.start().min(hunk.start())..=*above.end().max(hunk.end());
            }
            hunks.push(hunk);
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
            let say = if others == 1 { "says" } else { "say" };
            let _ = write!(said, "; {others} of them {say} otherwise");
        }
        said
    }
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
