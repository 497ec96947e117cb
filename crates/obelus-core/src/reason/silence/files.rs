//! The files that a change touched, on both sides, and which of their lines it wrote.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::construct::Construct;
use super::sift::Signs;
use crate::Sources;
use crate::reason::Changed;
use crate::reason::attribute::{FileMap, FilePairs};
use crate::reason::text::Direction;
pub(super) use crate::reason::text::Text;
use crate::reason::texts::BothTexts;

impl Changed {
    /// The files that differ between two trees that are listed in `pairs`; nothing where they are
    /// not. Files of equal length are read where they may hold what silences.
    pub fn between(
        pairs: &FilePairs,
        (before, after): (&dyn Sources, &dyn Sources),
    ) -> Vec<Changed> {
        let Some((old, new)) = pairs.listed() else { return Vec::new() };
        let same = |path: &str, length: u64| {
            old.get(path) == Some(&length)
                && (!super::matters(path) || before.read(path) == after.read(path))
        };
        let edited = new.iter().filter(|(path, length)| !same(path, **length)).map(|(path, _)| {
            let path: Arc<str> = Arc::from(path.as_str());
            let earlier = old.contains_key(&*path).then(|| Arc::clone(&path));
            Changed { before: earlier, after: Some(path) }
        });
        let gone = old.keys().filter(|path| !new.contains_key(path.as_str()));
        let gone = gone.map(|path| Changed { before: Some(Arc::from(path.as_str())), after: None });
        let mut changed: Vec<Changed> = edited.chain(gone).collect();
        changed.sort_unstable_by(|a, b| (&a.after, &a.before).cmp(&(&b.after, &b.before)));
        changed
    }
}

/// A changed file with its texts.
pub(super) struct File<'t> {
    pub before_path: Option<Arc<str>>,
    pub path: Option<Arc<str>>,
    /// Where both are read; nothing for a file that need not be.
    texts: Option<&'t BothTexts<'t>>,
    before: OnceCell<Option<Rc<Text>>>,
    after: OnceCell<Option<Rc<Text>>>,
    map: OnceCell<Option<Rc<FileMap>>>,
    signs: OnceCell<Signs>,
}

/// Where the code of a line before is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Landing {
    /// It stayed, on this line.
    Kept(u32),
    /// It was edited, to this line.
    Edited(u32),
    /// Nothing is left of it; other code stands in its place, around this line.
    Replaced(u32),
    Gone,
}

impl Landing {
    pub fn line(self) -> Option<u32> {
        match self {
            Landing::Kept(line) | Landing::Edited(line) => Some(line),
            Landing::Replaced(_) | Landing::Gone => None,
        }
    }
}

impl<'t> File<'t> {
    /// The file, to be read from `texts` where these are given.
    pub fn of(changed: &Changed, texts: Option<&'t BothTexts<'t>>) -> Self {
        File {
            before_path: changed.before.clone(),
            path: changed.after.clone(),
            texts,
            before: OnceCell::new(),
            after: OnceCell::new(),
            map: OnceCell::new(),
            signs: OnceCell::new(),
        }
    }

    /// The same, of which is known what it may hold.
    pub fn with_signs(self, signs: Signs) -> Self {
        File { signs: OnceCell::from(signs), ..self }
    }

    /// What it may hold.
    pub fn signs(&self) -> Signs {
        *self.signs.get_or_init(|| Signs::of(self))
    }

    pub fn before(&self) -> Option<&Text> {
        let read = || self.texts?.before.get(self.before_path.as_deref()?);
        self.before.get_or_init(read).as_deref()
    }

    pub fn after(&self) -> Option<&Text> {
        let read = || self.texts?.after.get(self.path.as_deref()?);
        self.after.get_or_init(read).as_deref()
    }

    /// The path by which people know it.
    pub fn name(&self) -> &str {
        self.path.as_deref().or(self.before_path.as_deref()).unwrap_or_default()
    }

    fn map(&self) -> Option<&FileMap> {
        let between = || self.texts?.map(self.before_path.as_deref()?, self.path.as_deref()?);
        self.map.get_or_init(between).as_deref()
    }

    /// What the change edited, as lines before and after; the whole file where it came or went.
    pub fn edits(&self) -> Vec<(Range<u32>, Range<u32>)> {
        let all = |text: Option<&Text>| 1..text.map_or(1, |text| text.line_count() + 1);
        match self.map() {
            Some(map) => map.hunks().to_vec(),
            None => vec![(all(self.before()), all(self.after()))],
        }
    }

    /// Whether the change wrote line `line` after.
    pub fn wrote(&self, line: u32) -> bool {
        self.map().is_none_or(|map| map.line_back(line).is_none())
    }

    /// Whether the change took line `line` before away.
    pub fn took(&self, line: u32) -> bool {
        self.map().is_none_or(|map| map.line(line).is_none())
    }

    /// The bytes of line `line` after.
    pub fn span(&self, line: u32) -> Option<Range<usize>> {
        let bytes = self.after()?.bytes();
        let mut at = 0;
        for _ in 1..line {
            at += memchr::memchr(b'\n', &bytes[at..])? + 1;
        }
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
        Some(at..end)
    }

    /// Which edit holds line `line` after.
    pub fn edit_after(&self, line: u32) -> Option<usize> {
        self.map()?.hunk_after(line)
    }

    /// Which edit holds line `line` before.
    pub fn edit_before(&self, line: u32) -> Option<usize> {
        self.map()?.hunk_before(line)
    }

    /// Where the code at a place before is now.
    pub fn land(&self, line: u32, column: Option<u32>) -> Landing {
        let Some(map) = self.map() else { return Landing::Gone };
        if let Some(to) = map.line(line) {
            return Landing::Kept(to);
        }
        // A line with the one token need not be the line that it became.
        let landing = map.land(line, column).or_else(|| map.land(line, None));
        let landing = landing.map(|landing| landing.line);
        match (landing, map.likest(line)) {
            (Some(to), Some((likest, most))) => {
                let enough = map.likeness(line, to) * 2.0 >= most;
                Landing::Edited(if enough { to } else { likest })
            }
            (Some(to), None) => Landing::Edited(to),
            (None, Some((likest, most))) if most >= ALIKE => Landing::Edited(likest),
            _ => map.replaced(line).map_or(Landing::Gone, Landing::Replaced),
        }
    }
}

/// How much an edited line must have in common with what it became.
const ALIKE: f64 = 0.4;
/// How many letters and digits make a line that is like no other.
const SAYS_MUCH: u32 = 12;

/// The lines that the change took away somewhere, by what they say.
pub(super) struct Taken<'f> {
    by_hash: FxHashMap<u64, Vec<(&'f File<'f>, u32)>>,
}

impl<'f> Taken<'f> {
    pub fn of(files: &'f [File<'f>]) -> Self {
        let mut by_hash: FxHashMap<u64, Vec<(&File<'_>, u32)>> = FxHashMap::default();
        for file in files {
            let Some(before) = file.before() else { continue };
            for line in (1..=before.line_count()).filter(|&line| file.took(line)) {
                by_hash.entry(before.hash(line)).or_default().push((file, line));
            }
        }
        Taken { by_hash }
    }

    /// Whether a construct stood elsewhere before: the same line was taken away there, and it says
    /// enough beside the construct, or its neighbour was its neighbour there too.
    pub fn hold(&self, after: &Text, construct: &Construct) -> bool {
        let line = construct.line;
        let Some(places) = self.by_hash.get(&after.hash(line)).filter(|_| after.weight(line) > 0)
        else {
            return false;
        };
        let own = after.bytes().get(construct.span.clone()).unwrap_or_default();
        let own = own.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
        let own = u32::try_from(own).unwrap_or(u32::MAX);
        if after.weight(line).saturating_sub(own) >= SAYS_MUCH {
            return true;
        }
        let same = |old: &Text, from: u32, direction, least| match (
            old.next(from, direction),
            after.next(line, direction),
        ) {
            (Some(was), Some(is)) => old.hash(was) == after.hash(is) && after.says(is, least),
            (None, None) => true,
            _ => false,
        };
        places.iter().any(|(file, from)| {
            file.before().is_some_and(|old| {
                same(old, *from, Direction::Down, 3) || same(old, *from, Direction::Up, SAYS_MUCH)
            })
        })
    }
}
