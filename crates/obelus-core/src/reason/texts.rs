//! The files of both sides, read once each and only when they are asked for, and how each became what
//! it is.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::attribute::FileMap;
use super::text::Text;
use crate::Sources;

/// The files before a change and after it.
pub(super) struct BothTexts<'a> {
    pub before: Texts<'a>,
    pub after: Texts<'a>,
    /// By the paths before and after.
    maps: RefCell<FxHashMap<(String, String), Rc<FileMap>>>,
    last_look: Option<&'a dyn LastLook>,
}

/// Whoever looks at two files before they are dropped, so as not to read them again.
pub(super) trait LastLook {
    /// The files at these paths are about to be dropped from `texts`.
    fn look(&self, texts: &BothTexts<'_>, before: Option<&str>, after: Option<&str>);
}

impl<'a> BothTexts<'a> {
    pub fn new(before: &'a dyn Sources, after: &'a dyn Sources) -> Self {
        let (before, after) = (Texts::new(before), Texts::new(after));
        BothTexts { before, after, maps: RefCell::default(), last_look: None }
    }

    /// The same, where `last` looks at all that is dropped.
    pub fn with_last_look(self, last: &'a dyn LastLook) -> Self {
        BothTexts { last_look: Some(last), ..self }
    }

    /// Where the lines of the file `before` went that is `after` now; nothing if one of them can't be
    /// read.
    pub fn map(&self, before: &str, after: &str) -> Option<Rc<FileMap>> {
        let key = (before.to_owned(), after.to_owned());
        if let Some(known) = self.maps.borrow().get(&key) {
            return Some(Rc::clone(known));
        }
        let map = FileMap::between(self.before.get(before)?, self.after.get(after)?);
        let map = Rc::new(map);
        self.maps.borrow_mut().insert(key, Rc::clone(&map));
        Some(map)
    }

    /// Drops two files for which the caller will not ask again, where very many are held.
    pub fn forget(&self, before: Option<&str>, after: Option<&str>) {
        if self.before.held.get() <= KEPT && self.after.held.get() <= KEPT {
            return;
        }
        if let Some(last) = self.last_look {
            last.look(self, before, after);
        }
        if let Some((before, after)) = before.zip(after) {
            self.maps.borrow_mut().remove(&(before.to_owned(), after.to_owned()));
        }
        for (texts, path) in [(&self.before, before), (&self.after, after)] {
            path.into_iter().for_each(|path| texts.forget(path));
        }
    }
}

/// The files of one side.
pub(crate) struct Texts<'a> {
    pub sources: &'a dyn Sources,
    read: RefCell<FxHashMap<String, Option<Rc<Text>>>>,
    /// How many bytes they are.
    held: Cell<usize>,
}

/// Bytes of a side up to which texts are kept that somebody else may ask for.
const KEPT: usize = 8 << 20;

impl<'a> Texts<'a> {
    pub fn new(sources: &'a dyn Sources) -> Self {
        Texts { sources, read: RefCell::default(), held: Cell::new(0) }
    }

    /// The file at `path`; nothing if it can't be read.
    pub fn get(&self, path: &str) -> Option<Rc<Text>> {
        if let Some(known) = self.read.borrow().get(path) {
            return known.clone();
        }
        let text = self.sources.read(path).map(|bytes| Rc::new(Text::new(bytes)));
        self.held.set(self.held.get() + text.as_ref().map_or(0, |text| text.bytes().len()));
        self.read.borrow_mut().insert(path.to_owned(), text.clone());
        text
    }

    fn forget(&self, path: &str) {
        if let Some(Some(text)) = self.read.borrow_mut().remove(path) {
            self.held.set(self.held.get() - text.bytes().len());
        }
    }
}
