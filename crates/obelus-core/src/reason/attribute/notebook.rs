//! Notebooks, as text whose lines can be followed: a record in one has a line of a cell, and the
//! file is JSON.
//!
//! Behind a notebook's own text stand its cells, as code, each below a line that tells it from the
//! others. The records are given their lines there, so that everything else sees a file like any
//! other, in which a cell that came is a few lines that came.

use std::borrow::Cow;
use std::sync::Arc;

use obelus_record::{Diagnostic, Report};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Side;
use super::files::FilePairs;
use crate::Sources;
use crate::notebook::{Cell, Notebook};

/// Stands before each cell; no line of a notebook holds it, nor does it say anything.
const MARK: &str = "\0";

/// The cells of a notebook in the order of those of `like` that have the same ids: a cell that was
/// dragged elsewhere stayed what it was. Others stay behind the one that they follow.
fn in_order_of(like: Option<&Notebook>, cells: &[Cell]) -> Vec<usize> {
    let mut ranks: FxHashMap<&str, usize> = FxHashMap::default();
    for (rank, cell) in like.into_iter().flat_map(|like| &like.cells).enumerate() {
        if let Some(id) = &cell.id {
            ranks.entry(id).or_insert(rank);
        }
    }
    let mut last = None;
    let mut order: Vec<(Option<usize>, usize)> = Vec::with_capacity(cells.len());
    for (index, cell) in cells.iter().enumerate() {
        last = cell.id.as_deref().and_then(|id| ranks.remove(id)).or(last);
        order.push((last, index));
    }
    order.sort_unstable();
    order.into_iter().map(|(_, index)| index).collect()
}

/// A notebook's own text with that of its cells.
struct Unfolded {
    text: Vec<u8>,
    /// By cell: the line of `text` that is its first.
    firsts: Vec<u32>,
}

impl Unfolded {
    fn new(bytes: &[u8], like: Option<&[u8]>) -> Option<Self> {
        let notebook = Notebook::read(bytes)?;
        let like = like.and_then(Notebook::read);
        let mut text = bytes.to_vec();
        let mut firsts = vec![0; notebook.cells.len()];
        let mut lines = memchr::memchr_iter(b'\n', bytes).count();
        let mut push = |line: &str| {
            text.push(b'\n');
            text.extend_from_slice(line.as_bytes());
            lines += 1 + memchr::memchr_iter(b'\n', line.as_bytes()).count();
            lines
        };
        for index in in_order_of(like.as_ref(), &notebook.cells) {
            let cell = &notebook.cells[index];
            let named = push(&format!("{MARK}{}", cell.id.as_deref().unwrap_or_default()));
            firsts[index] = u32::try_from(named + 2).ok()?;
            push(&cell.text());
        }
        Some(Unfolded { text, firsts })
    }
}

/// Both sides of a change with their notebooks unfolded.
pub(super) struct Notebooks<'a> {
    sides: [Side<'a>; 2],
    files: &'a FilePairs,
}

impl<'a> Notebooks<'a> {
    /// Nothing where no record lies in a cell.
    pub fn of(before: &Side<'a>, after: &Side<'a>, files: &'a FilePairs) -> Option<Self> {
        let in_cells = |side: &Side<'_>| side.report.records.iter().any(|r| r.cell.is_some());
        let sides = [*before, *after];
        sides.iter().any(in_cells).then_some(Notebooks { sides, files })
    }

    /// The files before, and after.
    pub fn sources(&'a self) -> [impl Sources + 'a; 2] {
        [0, 1].map(|side| UnfoldedSources { notebooks: self, side })
    }

    /// The reports before, and after, with their records at the lines of the unfolded text. Those of
    /// a notebook that can't be read on one side stay as they are on both.
    pub fn reports(&self) -> [Cow<'a, Report>; 2] {
        let firsts = [0, 1].map(|side| self.firsts(side));
        let mut unknown: FxHashSet<&str> = FxHashSet::default();
        for (side, firsts) in self.sides.iter().zip(&firsts) {
            let lost =
                |record: &&Diagnostic| record.cell.is_some() && place(record, firsts).is_none();
            let lost = side.report.records.iter().filter(lost);
            unknown.extend(lost.filter_map(|record| record.path.as_deref()));
        }
        for (before, after) in self.files.renames() {
            if unknown.contains(before) || unknown.contains(after) {
                unknown.extend([before, after]);
            }
        }
        let mut firsts = firsts.into_iter();
        self.sides.map(|side| {
            let mut firsts = firsts.next().unwrap_or_default();
            firsts.retain(|path, _| !unknown.contains(&**path));
            let mut report = Cow::Borrowed(side.report);
            if !firsts.is_empty() {
                for record in &mut report.to_mut().records {
                    unfold(record, &firsts);
                }
            }
            report
        })
    }

    /// The first lines of the cells of each notebook of one side that has records in cells.
    fn firsts(&self, side: usize) -> FxHashMap<Arc<str>, Vec<u32>> {
        let mut firsts = FxHashMap::default();
        for record in &self.sides[side].report.records {
            if let (Some(path), Some(_)) = (&record.path, record.cell)
                && !firsts.contains_key(path)
            {
                let unfolded = self.unfolded(side, path);
                let lines = unfolded.map(|unfolded| unfolded.firsts).unwrap_or_default();
                firsts.insert(path.clone(), lines);
            }
        }
        firsts
    }

    fn unfolded(&self, side: usize, path: &str) -> Option<Unfolded> {
        let bytes = self.sides[side].sources.read(path)?;
        let like = match side {
            0 => None,
            _ => self.sides[0].sources.read(self.files.renamed(path).unwrap_or(path)),
        };
        Unfolded::new(&bytes, like.as_deref())
    }
}

/// The line of the unfolded text at which a record of a cell lies.
fn place(record: &Diagnostic, firsts: &FxHashMap<Arc<str>, Vec<u32>>) -> Option<u32> {
    let firsts = firsts.get(record.path.as_ref()?)?;
    let first = firsts.get((record.cell? as usize).checked_sub(1)?)?;
    Some(first + record.line.unwrap_or(1).checked_sub(1)?)
}

fn unfold(record: &mut Diagnostic, firsts: &FxHashMap<Arc<str>, Vec<u32>>) {
    let Some(line) = place(record, firsts) else { return };
    if let (Some(from), Some(to)) = (record.line, record.end_line) {
        record.end_line = Some(line + to.saturating_sub(from));
    }
    record.line = Some(line);
    record.cell = None;
}

/// The files of one side, notebooks among them unfolded.
struct UnfoldedSources<'a> {
    notebooks: &'a Notebooks<'a>,
    side: usize,
}

impl Sources for UnfoldedSources<'_> {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        let unfolded = path.ends_with(".ipynb").then(|| self.notebooks.unfolded(self.side, path));
        match unfolded.flatten() {
            Some(unfolded) => Some(unfolded.text.into()),
            None => self.notebooks.sides[self.side].sources.read(path),
        }
    }

    fn exists(&self, path: &str) -> bool {
        self.notebooks.sides[self.side].sources.exists(path)
    }

    fn ending_in(&self, tail: &str) -> Option<String> {
        self.notebooks.sides[self.side].sources.ending_in(tail)
    }
}
