//! An edited stretch of code, followed token by token.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, Token};
use rustc_hash::FxHashMap;

use crate::reason::text::Text;

/// Where a place before is after the edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::reason) struct Landing {
    pub line: u32,
    pub column: Option<u32>,
    pub stay: Stay,
}

/// In what state the code at a place is after the edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::reason) enum Stay {
    /// The whole line stayed.
    Untouched,
    /// The whole line stayed, but nothing around it.
    Alone,
    /// The words of the line stayed in their order, on other lines.
    Rewrapped,
    /// The line was edited; the token at the place stayed, and at least half of the words of its line.
    Edited,
}

/// A stretch that was replaced by another.
pub(in crate::reason) struct Hunk {
    old: Vec<Placed>,
    new: Vec<Placed>,
    /// For each token before, the one after that it is.
    forward: Vec<Option<u32>>,
}

#[derive(Clone, Copy)]
struct Placed {
    line: u32,
    column: u32,
    width: u32,
    is_word: bool,
}

/// Up to here (tokens before × tokens after) the smallest difference is worth its time.
const SMALL: u64 = 1 << 22;

impl Hunk {
    /// Compares the tokens of the lines `old` and `new`.
    pub fn between(before: &Text, old: Range<u32>, after: &Text, new: Range<u32>) -> Self {
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let (old, old_tokens) = placed(before, old, &mut known);
        let (new, new_tokens) = placed(after, new, &mut known);
        let algorithm = match (old.len() as u64).saturating_mul(new.len() as u64) {
            0..=SMALL => Algorithm::MyersMinimal,
            _ => Algorithm::Histogram,
        };
        let mut diff = Diff::default();
        diff.compute_with(algorithm, &old_tokens, &new_tokens, known.len() as u32);
        let mut forward = vec![None; old.len()];
        let (mut at_old, mut at_new) = (0_u32, 0_u32);
        let end = (old.len() as u32, new.len() as u32);
        let ends = diff.hunks().map(|hunk| (hunk.before, hunk.after));
        for (gone, came) in ends.chain([(end.0..end.0, end.1..end.1)]) {
            for (from, to) in (at_old..gone.start).zip(at_new..) {
                forward[from as usize] = Some(to);
            }
            (at_old, at_new) = (gone.end, came.end);
        }
        Hunk { old, new, forward }
    }

    /// Where the token at a place before is after; without a column, where the first word of the
    /// line that stayed is.
    pub fn land(&self, line: u32, column: Option<u32>) -> Option<Landing> {
        let tokens = self.of_old(line);
        let at = match column {
            Some(column) => {
                let within = &self.old[tokens.clone()];
                let at = within.partition_point(|token| token.column <= column).checked_sub(1)?;
                tokens.start + at
            }
            None => {
                tokens.clone().find(|&at| self.old[at].is_word && self.forward[at].is_some())?
            }
        };
        let to = self.new[self.forward[at]? as usize];
        let stay = self.stay(&tokens, to.line)?;
        let column = column.map(|column| to.column + (column - self.old[at].column).min(to.width));
        Some(Landing { line: to.line, column, stay })
    }

    /// What share of the words of line `line` before and of line `to` after is on both: 0 to 1, of
    /// the one of which it is less.
    pub fn likeness(&self, line: u32, to: u32) -> f64 {
        let (from, onto) = (self.of_old(line), self.of_new(to));
        let most = words(&self.old[from.clone()]).max(words(&self.new[onto.clone()]));
        self.shared(&from, &onto) as f64 / most.max(1) as f64
    }

    /// How many words of the one range of tokens are in the other.
    fn shared(&self, old: &Range<usize>, new: &Range<usize>) -> usize {
        let inside = |at: &usize| {
            self.old[*at].is_word
                && self.forward[*at].is_some_and(|to| new.contains(&(to as usize)))
        };
        old.clone().filter(inside).count()
    }

    fn of_old(&self, line: u32) -> Range<usize> {
        let first = self.old.partition_point(|token| token.line < line);
        first..self.old.partition_point(|token| token.line <= line)
    }

    fn of_new(&self, line: u32) -> Range<usize> {
        let first = self.new.partition_point(|token| token.line < line);
        first..self.new.partition_point(|token| token.line <= line)
    }

    /// What became of a line of which a token is on line `to` now. Nothing where that may be an
    /// accident: less than half of its words stayed, and less than half of those of `to` are its.
    fn stay(&self, tokens: &Range<usize>, to: u32) -> Option<Stay> {
        let of_words = tokens.clone().filter(|&at| self.old[at].is_word);
        let stayed: Vec<u32> = of_words.filter_map(|at| self.forward[at]).collect();
        let all = words(&self.old[tokens.clone()]);
        // A line of signs alone is too little to tell.
        let (&first, &last) = (stayed.first()?, stayed.last()?);
        let between = &self.new[first as usize..=last as usize];
        if stayed.len() == all && words(between) == all {
            return Some(Stay::Rewrapped);
        }
        let onto = self.of_new(to);
        let there = self.shared(tokens, &onto);
        let enough = stayed.len() * 2 >= all || there * 2 >= words(&self.new[onto]);
        (enough && there > 0).then_some(Stay::Edited)
    }
}

fn words(tokens: &[Placed]) -> usize {
    tokens.iter().filter(|token| token.is_word).count()
}

/// The tokens of some lines with their places, and as the diff takes them.
fn placed(
    text: &Text,
    lines: Range<u32>,
    known: &mut FxHashMap<u64, u32>,
) -> (Vec<Placed>, Vec<Token>) {
    let mut places = Vec::new();
    let mut tokens = Vec::new();
    for line in lines {
        for token in text.tokens(line) {
            let next = known.len() as u32;
            tokens.push(Token(*known.entry(token.hash).or_insert(next)));
            let (column, width, is_word) = (token.column, token.width, token.is_word);
            places.push(Placed { line, column, width, is_word });
        }
    }
    (places, tokens)
}
