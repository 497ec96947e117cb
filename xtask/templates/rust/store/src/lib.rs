//! Where things are kept.

pub mod thing_store; //*

use std::collections::BTreeMap;

use shop_base::problem::Problem;
use shop_model::Keyed;

/// A store of anything that has a key.
#[derive(Clone, Debug)]
pub struct Store<T: Keyed> {
    items: BTreeMap<T::Key, T>,
}

impl<T: Keyed + Clone> Store<T> {
    pub fn new() -> Self {
        Store { items: BTreeMap::new() }
    }

    pub fn put(&mut self, item: T) {
        self.items.insert(item.key(), item);
    }

    pub fn get(&self, key: T::Key) -> Result<&T, Problem> {
        self.items.get(&key).ok_or_else(|| Problem::missing(format!("{key:?}")))
    }

    pub fn find(&self, matches: impl Fn(&T) -> bool) -> Vec<T> {
        self.items.values().filter(|item| matches(item)).cloned().collect()
    }

    pub fn update(&mut self, key: T::Key, change: impl FnOnce(T) -> T) -> Result<(), Problem> {
        let changed = change(self.get(key)?.clone());
        self.put(changed);
        Ok(())
    }
}

impl<T: Keyed + Clone> Default for Store<T> {
    fn default() -> Self {
        Store::new()
    }
}
