//! Code that went elsewhere and was edited on the way: what is left of a block that moved.

use obelus_record::{Certainty, Diagnostic, Evidence};
use rustc_hash::{FxHashMap, FxHashSet};

use super::hunk::{Hunk, Stay};
use super::moved::{BLOCK_SAYS, HEADER_SAYS, MANY, Stray, common};
use super::sheet::Pair;
use crate::reason::text::{Direction, Text};
use crate::reason::texts::BothTexts;
use crate::reason::wording::{name_different_things, skeleton};

/// Half of the words of two lines: below that, one is not the other after an edit.
const NEAR: f64 = 0.5;

/// Pairs strays whose line was edited, in blocks that are known again by their head or by the lines
/// around.
pub(super) fn pair<'a>(
    old: &[Stray<'a>],
    new: &[Stray<'a>],
    texts: &BothTexts<'_>,
    records: (&'a [Diagnostic], &'a [Diagnostic]),
    pairs: &mut Vec<Pair>,
) {
    let mut by_kind: FxHashMap<_, Vec<usize>> = FxHashMap::default();
    for (at, stray) in new.iter().enumerate() {
        by_kind.entry(kind(&records.1[stray.index as usize])).or_default().push(at);
    }
    let mut edges: Vec<(f64, usize, usize, Evidence)> = Vec::new();
    for (from, stray) in old.iter().enumerate() {
        let Some(others) = by_kind.get(&kind(&records.0[stray.index as usize])) else { continue };
        for &to in others.iter().take(MANY) {
            let found = likeness(stray, &new[to], texts, records);
            edges.extend(found.map(|(likeness, evidence)| (likeness, from, to, evidence)));
        }
    }
    edges.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut from_taken, mut to_taken) = (FxHashSet::default(), FxHashSet::default());
    for (_, from, to, evidence) in edges {
        if from_taken.contains(&from) || to_taken.contains(&to) {
            continue;
        }
        from_taken.insert(from);
        to_taken.insert(to);
        let (before, after) = (old[from].index, new[to].index);
        let certainty = Certainty::Likely;
        pairs.push(Pair { before, after, evidence, certainty, moved: true });
    }
}

fn kind(record: &Diagnostic) -> (&str, Option<&str>) {
    (&record.tool, record.code.as_deref())
}

/// How alike the places of two strays are, more than 1 where the very token is known again;
/// nothing if they are not in one block, or not alike.
fn likeness(
    from: &Stray<'_>,
    to: &Stray<'_>,
    texts: &BothTexts<'_>,
    records: (&[Diagnostic], &[Diagnostic]),
) -> Option<(f64, Evidence)> {
    let (old, new) = (&records.0[from.index as usize], &records.1[to.index as usize]);
    let (before, after) = (texts.before.get(from.path)?, texts.after.get(to.path)?);
    let lines = (before.line(from.line), after.line(to.line));
    if old.message != new.message
        && (skeleton(&old.message) != skeleton(&new.message)
            || name_different_things((&old.message, lines.0), (&new.message, lines.1)))
    {
        return None;
    }
    let (old_lines, new_lines) = match common_header(&before, from.line, &after, to.line) {
        Some((header, other)) => (before.block(header), after.block(other)),
        None if same_surroundings(&before, from.line, &after, to.line) => {
            (from.line..from.line + 1, to.line..to.line + 1)
        }
        None => return None,
    };
    let hunk = Hunk::between(&before, old_lines, &after, new_lines);
    let likeness = hunk.likeness(from.line, to.line);
    match hunk.land(from.line, old.column) {
        Some(landing) if (landing.line, landing.column) == (to.line, new.column) => {
            let evidence = match landing.stay {
                Stay::Rewrapped => Evidence::Moved,
                _ => Evidence::Nearest,
            };
            Some((1.0 + likeness, evidence))
        }
        _ => (likeness >= NEAR).then_some((likeness, Evidence::Nearest)),
    }
}

/// The innermost head of a block around both lines that no other line of its file equals.
fn common_header(before: &Text, from: u32, after: &Text, to: u32) -> Option<(u32, u32)> {
    let headers = |text: &Text, line: u32| -> Vec<u32> {
        std::iter::successors(text.header(line), |&line| text.header(line)).collect()
    };
    let others = headers(after, to);
    let equal = |&header: &u32| {
        let hash = before.hash(header);
        let other = others.iter().find(|&&other| after.hash(other) == hash)?;
        let tells = before.weight(header) >= HEADER_SAYS
            && is_unique(before, hash)
            && is_unique(after, hash);
        tells.then_some((header, *other))
    };
    headers(before, from).iter().find_map(equal)
}

fn is_unique(text: &Text, hash: u64) -> bool {
    (1..=text.line_count()).filter(|&line| text.hash(line) == hash).count() == 1
}

fn same_surroundings(before: &Text, from: u32, after: &Text, to: u32) -> bool {
    let says = |direction| common(before, from, after, to, direction).0;
    says(Direction::Up) + says(Direction::Down) >= BLOCK_SAYS
}
