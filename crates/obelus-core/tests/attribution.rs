//! Ten thousand generated edits whose truth is known by construction.
//!
//! Trees of functions are made up, with findings on tokens of their lines; edits insert, delete,
//! move, rename, indent and re-wrap them, change line ends, and make findings come and go. Every
//! finding has a number that no edit changes, so that which are new and which are fixed is known.

mod change;

use std::collections::BTreeSet;

use change::edit::{Edited, edit};
use change::random::Random;
use change::tree::{Form, Rendered, Tree};
use obelus_core::reason::attribute::{FilePairs, Side, attribute};
use obelus_record::Attribution;

const EDITS: u64 = 10_000;
/// Edits that are made at once.
const MOST_AT_ONCE: u64 = 4;

/// How many findings were told right, wrongly told, and not told.
#[derive(Debug, Default)]
struct Tally {
    right: u64,
    wrong: u64,
    missing: u64,
}

impl Tally {
    fn add(&mut self, want: &BTreeSet<u32>, got: &BTreeSet<u32>) {
        self.right += want.intersection(got).count() as u64;
        self.wrong += got.difference(want).count() as u64;
        self.missing += want.difference(got).count() as u64;
    }

    fn precision(&self) -> f64 {
        self.right as f64 / (self.right + self.wrong).max(1) as f64
    }

    fn recall(&self) -> f64 {
        self.right as f64 / (self.right + self.missing).max(1) as f64
    }
}

#[test]
fn what_is_new_and_what_is_fixed() {
    hold(EDITS, Form::Text);
}

#[test]
fn the_same_in_notebooks() {
    hold(EDITS / 4, Form::Notebook);
}

/// Makes so many edits and holds what is told of each against the truth.
fn hold(wanted: u64, form: Form) {
    let (mut new, mut fixed) = (Tally::default(), Tally::default());
    let (mut edits, mut seed, mut untouched) = (0, 0, 0);
    let mut faults = Vec::new();
    while edits < wanted {
        seed += 1;
        let mut random = Random::new(seed);
        let before = Tree::random(&mut random);
        let mut after = before.clone();
        let number = 1 + random.below(MOST_AT_ONCE);
        let mut done = Edited::default();
        for _ in 0..number {
            done.add(edit(&mut after, &mut random));
        }
        edits += number;
        let (old, now) = (before.render(&mut random, form), after.render(&mut random, form));
        let answer = attribution(&old, &now);
        let (new_got, fixed_got) = told(&answer, &old, &now);
        let new_want = &now.findings() - &old.findings();
        let fixed_want = &old.findings() - &now.findings();
        new.add(&new_want, &new_got);
        fixed.add(&fixed_want, &fixed_got);
        if !done.lines_with_findings {
            untouched += 1;
            if (&new_want, &fixed_want) != (&new_got, &fixed_got) {
                faults.push(format!(
                    "seed {seed} {done:?}: new {new_want:?} told {new_got:?}; fixed {fixed_want:?} told {fixed_got:?}"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{} wrong:\n{}", faults.len(), faults.join("\n"));
    assert!(untouched > wanted / 20, "{untouched}");
    for tally in [new, fixed] {
        assert!(tally.right > wanted / 10, "{tally:?}");
        assert!(tally.precision() >= 0.995 && tally.recall() >= 0.995, "{tally:?}");
    }
}

fn attribution(old: &Rendered, now: &Rendered) -> Attribution {
    let pairs = FilePairs::between(&old.files, &now.files);
    attribute(
        &Side { report: &old.report, sources: &old.files },
        &Side { report: &now.report, sources: &now.files },
        &pairs,
    )
}

/// The numbers of the findings that the answer calls new, and fixed.
fn told(answer: &Attribution, old: &Rendered, now: &Rendered) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let numbers = |indices: &[u32], side: &Rendered| {
        indices.iter().map(|&index| side.numbers[index as usize]).collect()
    };
    (numbers(&answer.new, now), numbers(&answer.fixed, old))
}
