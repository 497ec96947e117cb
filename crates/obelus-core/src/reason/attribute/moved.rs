//! Code that went elsewhere: what is left of all files, by the text of its line and the code around.

use obelus_record::{Certainty, Diagnostic, Evidence};
use rustc_hash::{FxHashMap, FxHashSet};

use super::sheet::Pair;
use crate::reason::text::{Direction, Text};
use crate::reason::texts::{BothTexts, Texts};
use crate::reason::wording::{name_different_things, skeleton};

/// A record without a counterpart whose line the edit took away, or wrote.
#[derive(Clone, Copy)]
pub(super) struct Stray<'a> {
    /// Its index among the records of its side.
    pub index: u32,
    /// Its file.
    pub path: &'a str,
    /// Its line there.
    pub line: u32,
    /// The file is one with this number, before as after.
    pub file: u32,
    /// The line after that the diff of the file gave to this line before, with nothing around it.
    pub in_place: Option<u32>,
    /// How much the lines say that stayed around this one; 0 where it did not certainly stay. It
    /// can have moved only to where more stayed together.
    pub held: u32,
}

/// Strays alike beyond this many are not compared each with each.
pub(super) const MANY: usize = 48;
/// Lines looked at on either side of a line.
const AROUND: u32 = 40;
/// How much (letters and digits) the equal lines must say that make a moved block.
pub(super) const BLOCK_SAYS: u32 = 20;
/// How much a line must say to be known again alone.
const LINE_SAYS: u32 = 32;
/// How much the head of a block must say to tell it from others.
pub(super) const HEADER_SAYS: u32 = 6;

/// Pairs strays of both sides.
pub(super) fn pair<'a>(
    old: &[Stray<'a>],
    new: &[Stray<'a>],
    texts: &BothTexts<'_>,
    records: (&'a [Diagnostic], &'a [Diagnostic]),
    pairs: &mut Vec<Pair>,
) {
    let mut groups: FxHashMap<_, (Vec<usize>, Vec<usize>)> = FxHashMap::default();
    for (at, stray) in old.iter().enumerate() {
        if let Some(key) = key(stray, &texts.before, records.0) {
            groups.entry(key).or_default().0.push(at);
        }
    }
    for (at, stray) in new.iter().enumerate() {
        if let Some(group) =
            key(stray, &texts.after, records.1).and_then(|key| groups.get_mut(&key))
        {
            group.1.push(at);
        }
    }
    let mut edges: Vec<(Score, usize, usize)> = Vec::new();
    for (before, after) in groups.values() {
        let alone = before.len() == 1 && after.len() == 1;
        for &from in before.iter().take(MANY) {
            for &to in after.iter().take(MANY) {
                let score = score(&old[from], &new[to], texts, records, alone);
                edges.extend(score.map(|score| (score, from, to)));
            }
        }
    }
    edges.sort_by(|a, b| b.0.cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut from_taken, mut to_taken) = (FxHashSet::default(), FxHashSet::default());
    for (score, from, to) in edges {
        if from_taken.contains(&from) || to_taken.contains(&to) {
            continue;
        }
        from_taken.insert(from);
        to_taken.insert(to);
        let certainty = if score.sure { Certainty::Certain } else { Certainty::Likely };
        let (before, after) = (old[from].index, new[to].index);
        pairs.push(Pair { before, after, evidence: Evidence::Moved, certainty, moved: true });
    }
}

/// How well two places agree; more is better, and what stands first counts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    same_message: bool,
    /// How much the equal lines around say together.
    says: u32,
    same_header: bool,
    same_column: bool,
    same_file: bool,
    /// The pair can't be an accident.
    sure: bool,
}

type Key<'a> = (&'a str, Option<&'a str>, u64);

/// What strays must have in common: tool, code, and the text of the line.
fn key<'a>(stray: &Stray<'_>, texts: &Texts<'_>, records: &'a [Diagnostic]) -> Option<Key<'a>> {
    let record = &records[stray.index as usize];
    let hash = texts.get(stray.path)?.hash(stray.line);
    (hash != 0).then_some((&*record.tool, record.code.as_deref(), hash))
}

/// How well two strays with equal lines agree; nothing if that says too little.
fn score(
    from: &Stray<'_>,
    to: &Stray<'_>,
    texts: &BothTexts<'_>,
    records: (&[Diagnostic], &[Diagnostic]),
    alone: bool,
) -> Option<Score> {
    let same_file = from.file == to.file;
    if same_file && from.in_place == Some(to.line) {
        return None;
    }
    let (old, new) = (&records.0[from.index as usize], &records.1[to.index as usize]);
    let (before, after) = (texts.before.get(from.path)?, texts.after.get(to.path)?);
    let lines = (before.line(from.line), after.line(to.line));
    let same_message = old.message == new.message;
    if !same_message
        && (skeleton(&old.message) != skeleton(&new.message)
            || name_different_things((&old.message, lines.0), (&new.message, lines.1)))
    {
        return None;
    }
    // On one line, the place tells which of several it is.
    if token_at(&before, from.line, old.column) != token_at(&after, to.line, new.column) {
        return None;
    }
    let own = before.weight(from.line);
    let (above, lines_above) = common(&before, from.line, &after, to.line, Direction::Up);
    let (below, lines_below) = common(&before, from.line, &after, to.line, Direction::Down);
    let says = own + above + below;
    let same_header = match (before.header(from.line), after.header(to.line)) {
        (Some(a), Some(b)) => before.hash(a) == after.hash(b) && before.weight(a) >= HEADER_SAYS,
        // At the top level of one file, as imports that were sorted.
        (None, None) => alone && same_file,
        _ => false,
    };
    let block = lines_above + lines_below > 0 && says >= BLOCK_SAYS;
    let unmistakable = alone && own >= LINE_SAYS;
    let sure = block && (same_header || says >= 2 * BLOCK_SAYS);
    let held = from.held.max(to.held);
    if held > 0 && (!sure || says <= held) {
        return None;
    }
    let same_column = old.column == new.column;
    (block || same_header || unmistakable).then_some(Score {
        same_message,
        says,
        same_header,
        same_column,
        same_file,
        sure,
    })
}

/// Which token of its line a column points into, and how far.
fn token_at(text: &Text, line: u32, column: Option<u32>) -> Option<(usize, u32)> {
    let column = column?;
    let tokens = text.tokens(line);
    let at = tokens.partition_point(|token| token.column <= column).checked_sub(1)?;
    Some((at, column - tokens[at].column))
}

/// How much two equal lines and the equal lines around them say together.
pub(super) fn says_around(before: &Text, from: u32, after: &Text, to: u32) -> u32 {
    let says = |direction| common(before, from, after, to, direction).0;
    before.weight(from) + says(Direction::Up) + says(Direction::Down)
}

/// The equal lines next to two lines in one direction, blank ones left out: how much they say
/// together, and how many of them say something.
pub(super) fn common(
    before: &Text,
    from: u32,
    after: &Text,
    to: u32,
    direction: Direction,
) -> (u32, u32) {
    let (mut a, mut b) = (from, to);
    let (mut says, mut lines) = (0, 0);
    for _ in 0..AROUND {
        let (Some(next_a), Some(next_b)) = (before.next(a, direction), after.next(b, direction))
        else {
            break;
        };
        if before.hash(next_a) != after.hash(next_b) {
            break;
        }
        let weight = before.weight(next_a);
        says += weight;
        lines += u32::from(weight > 0);
        (a, b) = (next_a, next_b);
    }
    (says, lines)
}
