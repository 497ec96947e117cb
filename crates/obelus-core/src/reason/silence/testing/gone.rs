//! Tests that were deleted or ask for less than before, functions whose body is gone.

use std::sync::Arc;

use super::units::{Unit, units};
use crate::reason::silence::construct::{Construct, Reach, Tools};
use crate::reason::silence::files::File;
use crate::reason::silence::find::{Found, Scope};
use crate::reason::silence::syntax::Language;
use crate::reason::text::Text;

/// A file that the change touched, with its units.
struct Units<'f> {
    file: &'f File,
    before: Vec<Unit>,
    after: Vec<Unit>,
}

/// What the changed files do not test or do any more.
pub(in crate::reason::silence) fn gone(files: &[File]) -> Vec<Found> {
    let edited = files.iter().filter(|file| file.before.is_some());
    if !edited.clone().any(|file| {
        file.before_path.as_deref().is_some_and(|path| of(path, file.before.as_deref()).1)
    }) {
        return Vec::new();
    }
    let all: Vec<Units<'_>> = files
        .iter()
        .map(|file| Units {
            file,
            before: file
                .before_path
                .as_deref()
                .map(|path| of(path, file.before.as_deref()).0)
                .unwrap_or_default(),
            after: file
                .path
                .as_deref()
                .map(|path| of(path, file.after.as_deref()).0)
                .unwrap_or_default(),
        })
        .collect();
    let mut found = Vec::new();
    for (at, here) in all.iter().enumerate() {
        compare(at, here, &all, &mut found);
    }
    found
}

/// The units of a text, and whether it has any.
fn of(path: &str, text: Option<&Text>) -> (Vec<Unit>, bool) {
    let read = || {
        let bytes = text?.bytes();
        let language = Language::of(path, bytes)?;
        Some(units(language, path, &language.parse(bytes)?, bytes))
    };
    let units = read().unwrap_or_default();
    let any = !units.is_empty();
    (units, any)
}

fn compare(at: usize, here: &Units<'_>, all: &[Units<'_>], found: &mut Vec<Found>) {
    let Some(path) = &here.file.before_path else { return };
    let mut deleted: Vec<&Unit> = Vec::new();
    for old in &here.before {
        let same = |new: &&Unit| new.name == old.name && new.is_test == old.is_test;
        let counterpart = here.after.iter().find(same).map(|new| (at, new)).or_else(|| {
            let others = all.iter().enumerate().filter(|_| old.is_test);
            others
                .flat_map(|(at, other)| other.after.iter().map(move |new| (at, new)))
                .find(|(_, new)| same(new))
        });
        match counterpart {
            Some((place, new)) => found.extend(lessened(old, new, path, all[place].file)),
            None if old.is_test && !renamed(old, here, all) => deleted.push(old),
            None => {}
        }
    }
    let whole = here.file.path.is_none()
        && deleted.len() == here.before.iter().filter(|unit| unit.is_test).count();
    if whole && !deleted.is_empty() {
        let says = format!("the deletion of {path} with {} tests", deleted.len());
        let mut construct = Construct::new("deleted-test-file", 0..0, 1, Tools::TESTS);
        construct.reach = Reach::File;
        construct.says = says;
        found.push(placeless(construct, path, path));
        return;
    }
    for old in deleted {
        let mut construct = Construct::new("deleted-test", 0..0, *old.lines.start(), Tools::TESTS);
        construct.reach = Reach::Lines(old.lines.clone());
        construct.says = format!("the deletion of the test {}", old.name);
        found.push(placeless(construct, here.file.path.as_ref().unwrap_or(path), path));
    }
}

fn placeless(construct: Construct, path: &Arc<str>, before: &Arc<str>) -> Found {
    Found {
        construct,
        path: Arc::clone(path),
        placed: false,
        scope: Scope::Before(Arc::clone(before)),
    }
}

/// What `new` does less than `old`.
fn lessened(old: &Unit, new: &Unit, before: &Arc<str>, file: &File) -> Option<Found> {
    let (kind, tools, says) = if new.is_empty && !old.is_empty {
        ("emptied-function", Tools::EVERY, format!("the emptied body of {}", old.name))
    } else if old.is_test && new.assertions < old.assertions {
        let gone = old.assertions - new.assertions;
        ("assertions-removed", Tools::TESTS, format!("{gone} assertions fewer in {}", old.name))
    } else {
        return None;
    };
    let mut construct = Construct::new(kind, new.head.clone(), *new.lines.start(), tools);
    construct.reach = Reach::Lines(old.lines.clone());
    construct.says = says;
    let path = Arc::clone(file.path.as_ref()?);
    Some(Found { construct, path, placed: true, scope: Scope::Before(Arc::clone(before)) })
}

/// Whether a test has another name now: half of its lines are in one that had no name of a test before.
fn renamed(old: &Unit, here: &Units<'_>, all: &[Units<'_>]) -> bool {
    let Some(text) = here.file.before.as_deref() else { return false };
    let lines = |text: &Text, unit: &Unit| -> Vec<u64> {
        let (first, last) = (*unit.lines.start(), *unit.lines.end());
        // The first line holds the name.
        (first + 1..=last).filter(|&line| text.says(line, 3)).map(|line| text.hash(line)).collect()
    };
    let own = lines(text, old);
    if own.is_empty() {
        return false;
    }
    all.iter().any(|other| {
        let Some(text) = other.file.after.as_deref() else { return false };
        let came = other.after.iter().filter(|new| {
            new.is_test && !other.before.iter().any(|earlier| earlier.name == new.name)
        });
        came.into_iter().any(|new| {
            let there = lines(text, new);
            let kept = own.iter().filter(|line| there.contains(line)).count();
            kept * 2 >= own.len()
        })
    })
}
