//! Where a place of a file went by an edit.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use imara_diff::{Algorithm, Diff, Token};
use rustc_hash::FxHashMap;

use super::hunk::{Hunk, Landing, Stay};
use super::moved::says_around;
use crate::reason::text::{Direction, Text};

/// The lines and tokens of a file before, followed into the file that it became.
///
/// Lines are compared without regard to white space, so that a block that was indented anew, or a
/// file with other line ends, has stayed.
pub(in crate::reason) struct FileMap {
    before: Rc<Text>,
    after: Rc<Text>,
    /// Lines at the start that are equal, byte by byte.
    head: u32,
    /// Lines at the end that are equal, byte by byte.
    tail: u32,
    /// For the lines between: the line after, or 0 for one that is gone.
    forward: Vec<u32>,
    /// For the lines between: the line before, or 0 for one that came.
    back: Vec<u32>,
    /// What was edited, as ranges of lines before and after; in order.
    hunks: Vec<(Range<u32>, Range<u32>)>,
    /// The tokens of those hunks that were asked for.
    tokens: RefCell<FxHashMap<usize, Rc<Hunk>>>,
}

impl FileMap {
    /// Compares two files.
    pub fn between(before: Rc<Text>, after: Rc<Text>) -> Self {
        let (head, tail) = common_edges(&before, &after);
        let rows = before.line_count() - head - tail;
        let columns = after.line_count() - head - tail;
        let mut map = FileMap {
            before,
            after,
            head,
            tail,
            forward: vec![0; rows as usize],
            back: vec![0; columns as usize],
            hunks: Vec::new(),
            tokens: RefCell::default(),
        };
        map.compare_middle(rows, columns);
        map
    }

    fn compare_middle(&mut self, rows: u32, columns: u32) {
        let first = self.head + 1;
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let mut intern = |hash: u64| {
            let next = known.len() as u32;
            Token(*known.entry(hash).or_insert(next))
        };
        let old: Vec<Token> =
            (first..first + rows).map(|line| intern(self.before.hash_once(line))).collect();
        let new: Vec<Token> =
            (first..first + columns).map(|line| intern(self.after.hash_once(line))).collect();
        let mut diff = Diff::default();
        diff.compute_with(Algorithm::Histogram, &old, &new, known.len() as u32);
        let (mut at_old, mut at_new) = (0, 0);
        for hunk in diff.hunks() {
            self.stay(at_old..hunk.before.start, at_new);
            (at_old, at_new) = (hunk.before.end, hunk.after.end);
            let lines = |range: Range<u32>| first + range.start..first + range.end;
            self.hunks.push((lines(hunk.before), lines(hunk.after)));
        }
        self.stay(at_old..rows, at_new);
    }

    /// Notes that the lines `old` of the middle are those from `new` on.
    fn stay(&mut self, old: Range<u32>, new: u32) {
        for (row, column) in old.zip(new..) {
            self.forward[row as usize] = self.head + 1 + column;
            self.back[column as usize] = self.head + 1 + row;
        }
    }

    /// The line after that line `line` before has become; nothing if it is gone or edited.
    pub fn line(&self, line: u32) -> Option<u32> {
        follow(line, self.head, self.tail, &self.forward, self.back.len())
    }

    /// The line before that line `line` after has been; nothing if the edit wrote it.
    pub fn line_back(&self, line: u32) -> Option<u32> {
        follow(line, self.head, self.tail, &self.back, self.forward.len())
    }

    /// Where the code at a place before is now; nothing if it is gone.
    pub fn land(&self, line: u32, column: Option<u32>) -> Option<Landing> {
        if let Some(to) = self.line(line) {
            let column = column.map(|column| self.column(line, to, column));
            let stay = if self.is_firm(line, to) { Stay::Untouched } else { Stay::Alone };
            return Some(Landing { line: to, column, stay });
        }
        self.hunk(self.hunk_before(line)?).land(line, column)
    }

    /// Whether line `line` before is certainly line `to` after: what opens its block, or a line
    /// next to it, stayed with it. A diff also pairs lines that are equal by accident.
    fn is_firm(&self, line: u32, to: u32) -> bool {
        let (old, new) = (&self.before, &self.after);
        let together = |direction| match (old.next(line, direction), new.next(to, direction)) {
            (Some(next), Some(next_to)) => {
                self.line(next) == Some(next_to) && old.says(next, SAYS_ENOUGH)
            }
            // The start of a file, or its end, is a neighbour too.
            (None, None) => true,
            _ => false,
        };
        together(Direction::Up)
            || together(Direction::Down)
            || match (old.header(line), new.header(to)) {
                (Some(header), Some(header_to)) => self.line(header) == Some(header_to),
                (None, None) => true,
                _ => false,
            }
    }

    /// Whether line `line` before is certainly still there.
    pub fn is_kept(&self, line: u32) -> bool {
        self.line(line).is_some_and(|to| self.is_firm(line, to))
    }

    /// Whether line `to` after was certainly there before.
    pub fn was_kept(&self, to: u32) -> bool {
        self.line_back(to).is_some_and(|line| self.is_firm(line, to))
    }

    /// How much the lines say that stayed together around line `line` before, or `back` from after;
    /// 0 where it did not certainly stay.
    pub fn held(&self, line: u32, back: bool) -> u32 {
        let from = if back { self.line_back(line) } else { Some(line) };
        let to = from.and_then(|from| self.line(from));
        match (from, to) {
            (Some(from), Some(to)) if self.is_firm(from, to) => {
                says_around(&self.before, from, &self.after, to)
            }
            _ => 0,
        }
    }

    /// The column after, on a line that stayed but may be indented or spaced otherwise.
    fn column(&self, from: u32, to: u32, column: u32) -> u32 {
        if self.before.line(from) == self.after.line(to) {
            return column;
        }
        let (old, new) = (self.before.tokens(from), self.after.tokens(to));
        let at = old.partition_point(|token| token.column <= column).checked_sub(1);
        match at.and_then(|at| Some((old[at], new.get(at)?))) {
            Some((old, new)) => new.column + (column - old.column),
            None => column,
        }
    }

    /// What was edited, as ranges of lines before and after; in order.
    pub fn hunks(&self) -> &[(Range<u32>, Range<u32>)] {
        &self.hunks
    }

    /// Which hunk holds line `line` before.
    pub fn hunk_before(&self, line: u32) -> Option<usize> {
        let at = self.hunks.partition_point(|(old, _)| old.end <= line);
        self.hunks.get(at).is_some_and(|(old, _)| old.contains(&line)).then_some(at)
    }

    /// Which hunk holds line `line` after.
    pub fn hunk_after(&self, line: u32) -> Option<usize> {
        let at = self.hunks.partition_point(|(_, new)| new.end <= line);
        self.hunks.get(at).is_some_and(|(_, new)| new.contains(&line)).then_some(at)
    }

    /// The line after that is most like the edited line `line` before, with how much of the words
    /// of the longer one both share.
    pub fn likest(&self, line: u32) -> Option<(u32, f64)> {
        let index = self.hunk_before(line)?;
        let hunk = self.hunk(index);
        let lines = self.hunks[index].1.clone();
        lines.map(|to| (to, hunk.likeness(line, to))).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// How much of the words of the longer one the edited line `line` before shares with `to` after.
    pub fn likeness(&self, line: u32, to: u32) -> f64 {
        self.hunk_before(line).map_or(0.0, |index| self.hunk(index).likeness(line, to))
    }

    /// The line after that stands as far into its edit as the edited line `line` before; nothing
    /// where nothing came in its place.
    pub fn replaced(&self, line: u32) -> Option<u32> {
        let (old, new) = self.hunks.get(self.hunk_before(line)?)?;
        let last = new.end.checked_sub(1).filter(|_| !new.is_empty())?;
        Some((new.start + (line - old.start)).min(last))
    }

    /// The tokens of a hunk, compared.
    pub fn hunk(&self, index: usize) -> Rc<Hunk> {
        let mut known = self.tokens.borrow_mut();
        let compared = known.entry(index).or_insert_with(|| {
            let (old, new) = self.hunks[index].clone();
            Rc::new(Hunk::between(&self.before, old, &self.after, new))
        });
        Rc::clone(compared)
    }
}

/// A line that says less than this is next to many others.
const SAYS_ENOUGH: u32 = 3;

/// The other side's number of a line, by the equal edges and the table of what is between.
fn follow(line: u32, head: u32, tail: u32, table: &[u32], other: usize) -> Option<u32> {
    if line <= head {
        return (line > 0).then_some(line);
    }
    let (middle, other) = (table.len() as u32, other as u32);
    let between = line - head;
    if between <= middle {
        return Some(table[between as usize - 1]).filter(|&line| line > 0);
    }
    (between <= middle + tail).then_some(head + other + (between - middle))
}

/// How many whole lines two files have in common at their start, and at their end.
fn common_edges(before: &Text, after: &Text) -> (u32, u32) {
    let (old, new) = (before.bytes(), after.bytes());
    let lines = before.line_count().min(after.line_count());
    let prefix = common_prefix(old, new);
    if prefix == old.len() && prefix == new.len() {
        return (before.line_count(), 0);
    }
    // The line in which the first difference lies is not equal; an end of file ends a line too,
    // but a line that goes on is another one.
    let head = before.line_at(prefix).min(after.line_at(prefix)) - 1;
    let suffix = common_suffix(old, new);
    // The line that holds the last difference is not equal, unless the difference ends with it.
    let line_from = |text: &Text, bytes: &[u8]| {
        let at = bytes.len() - suffix;
        let starts = at == 0 || bytes[at - 1] == b'\n';
        text.line_count() - text.line_at(at) + u32::from(starts)
    };
    let tail = line_from(before, old).min(line_from(after, new));
    (head, tail.min(lines - head))
}

/// Bytes that are compared at once: long blocks first, shorter ones where those differ.
const BLOCKS: [usize; 2] = [1024, 64];

/// How many bytes are equal at the start of both.
pub(super) fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let equal = BLOCKS.into_iter().fold(0, |equal, block| {
        let blocks = a[equal..].chunks_exact(block).zip(b[equal..].chunks_exact(block));
        equal + blocks.take_while(|(a, b)| a == b).count() * block
    });
    equal + a[equal..].iter().zip(&b[equal..]).take_while(|(a, b)| a == b).count()
}

/// How many bytes are equal at the end of both.
pub(super) fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let rest = |equal| (&a[..a.len() - equal], &b[..b.len() - equal]);
    let equal = BLOCKS.into_iter().fold(0, |equal, block| {
        let (a, b) = rest(equal);
        let blocks = a.rchunks_exact(block).zip(b.rchunks_exact(block));
        equal + blocks.take_while(|(a, b)| a == b).count() * block
    });
    let (a, b) = rest(equal);
    equal + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}
