//! The files of one side, read once each and only when they are asked for.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::text::Text;
use crate::Sources;

/// Files as they are asked for.
pub(crate) struct Texts<'a> {
    pub sources: &'a dyn Sources,
    read: RefCell<FxHashMap<String, Option<Rc<Text>>>>,
}

impl<'a> Texts<'a> {
    pub fn new(sources: &'a dyn Sources) -> Self {
        Texts { sources, read: RefCell::default() }
    }

    /// The file at `path`; nothing if it can't be read.
    pub fn get(&self, path: &str) -> Option<Rc<Text>> {
        if let Some(known) = self.read.borrow().get(path) {
            return known.clone();
        }
        let text = self.sources.read(path).map(|bytes| Rc::new(Text::new(bytes)));
        self.read.borrow_mut().insert(path.to_owned(), text.clone());
        text
    }

    /// Drops a file that nothing will ask for again.
    pub fn forget(&self, path: &str) {
        self.read.borrow_mut().remove(path);
    }
}
