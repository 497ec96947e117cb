//! The files of one side, read once each and only when they are asked for.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::text::Text;
use crate::Sources;

/// Files as they are asked for.
pub(crate) struct Texts<'a> {
    pub sources: &'a dyn Sources,
    read: RefCell<FxHashMap<String, Option<Rc<Text>>>>,
    /// How many bytes they are.
    held: Cell<usize>,
}

/// Bytes up to which texts are kept that somebody else may ask for.
const KEPT: usize = 64 << 20;

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

    /// Drops a file for which the caller will not ask again, where very many are held.
    pub fn forget(&self, path: &str) {
        if self.held.get() > KEPT
            && let Some(Some(text)) = self.read.borrow_mut().remove(path)
        {
            self.held.set(self.held.get() - text.bytes().len());
        }
    }
}
