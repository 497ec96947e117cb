//! Tests that were deleted or ask for less than before, functions whose body is gone.

use std::cell::OnceCell;
use std::sync::Arc;

use memchr::memmem;

use super::units::{Unit, units};
use crate::reason::silence::construct::{Construct, Reach, Tools};
use crate::reason::silence::files::File;
use crate::reason::silence::find::{Found, Scope};
use crate::reason::silence::syntax::Language;
use crate::reason::text::Text;

/// A file that the change touched. Its units are found when somebody asks for them.
struct Units<'f> {
    file: &'f File<'f>,
    before: OnceCell<Vec<Unit>>,
    after: OnceCell<Vec<Unit>>,
}

impl<'f> Units<'f> {
    fn of(file: &'f File<'f>) -> Self {
        Units { file, before: OnceCell::new(), after: OnceCell::new() }
    }

    fn before(&self) -> &[Unit] {
        let file = self.file;
        self.before.get_or_init(|| of(file.before_path.as_deref(), file.before()))
    }

    fn after(&self) -> &[Unit] {
        let file = self.file;
        self.after.get_or_init(|| of(file.path.as_deref(), file.after()))
    }

    /// Whether the text after holds one of these lines, by their hashes.
    fn holds_any(&self, lines: &[u64]) -> bool {
        let Some(text) = self.file.after() else { return false };
        (1..=text.line_count()).any(|line| lines.contains(&text.hash(line)))
    }

    /// Whether the text after may name `unit`.
    fn may_name(&self, unit: &Unit) -> bool {
        let Some(text) = self.file.after() else { return false };
        memmem::find(text.bytes(), unit.own_name().as_bytes()).is_some()
    }
}

/// What the changed files do not test or do any more.
pub(in crate::reason::silence) fn gone(files: &[File<'_>]) -> Vec<Found> {
    let all: Vec<Units<'_>> = files.iter().map(Units::of).collect();
    let mut found = Vec::new();
    for (at, here) in all.iter().enumerate().filter(|(_, here)| here.file.signs().loses) {
        compare(at, here, &all, &mut found);
    }
    found
}

/// The units of a text.
fn of(path: Option<&str>, text: Option<&Text>) -> Vec<Unit> {
    let read = || {
        let (path, bytes) = (path?, text?.bytes());
        let language = Language::of(path, bytes)?;
        Some(units(language, path, &language.parse(bytes)?, bytes))
    };
    read().unwrap_or_default()
}

fn compare(at: usize, here: &Units<'_>, all: &[Units<'_>], found: &mut Vec<Found>) {
    let Some(path) = &here.file.before_path else { return };
    let mut deleted: Vec<&Unit> = Vec::new();
    for old in here.before() {
        let same = |new: &&Unit| new.name == old.name && new.is_test == old.is_test;
        let counterpart = here.after().iter().find(same).map(|new| (at, new)).or_else(|| {
            let may_hold = |(_, other): &(usize, &Units<'_>)| old.is_test && other.may_name(old);
            let others = all.iter().enumerate().filter(may_hold);
            others
                .flat_map(|(at, other)| other.after().iter().map(move |new| (at, new)))
                .find(|(_, new)| same(new))
        });
        match counterpart {
            Some((place, new)) => found.extend(lessened(old, new, path, all[place].file)),
            None if old.is_test && !renamed(old, here, all) => deleted.push(old),
            None => {}
        }
    }
    let whole = here.file.path.is_none()
        && deleted.len() == here.before().iter().filter(|unit| unit.is_test).count();
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
fn lessened(old: &Unit, new: &Unit, before: &Arc<str>, file: &File<'_>) -> Option<Found> {
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
    let Some(text) = here.file.before() else { return false };
    let lines = |text: &Text, unit: &Unit| -> Vec<u64> {
        let (first, last) = (*unit.lines.start(), *unit.lines.end());
        // The first line holds the name.
        (first + 1..=last).filter(|&line| text.says(line, 3)).map(|line| text.hash(line)).collect()
    };
    let own = lines(text, old);
    if own.is_empty() {
        return false;
    }
    all.iter().filter(|other| other.holds_any(&own)).any(|other| {
        let Some(text) = other.file.after() else { return false };
        let came = other.after().iter().filter(|new| {
            new.is_test && !other.before().iter().any(|earlier| earlier.name == new.name)
        });
        came.into_iter().any(|new| {
            let there = lines(text, new);
            let kept = own.iter().filter(|line| there.contains(line)).count();
            kept * 2 >= own.len()
        })
    })
}
