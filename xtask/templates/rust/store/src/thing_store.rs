//! Where things are kept.

use shop_base::problem::Problem;
use shop_model::thing::{Thing, ThingKey, ThingState};

use crate::Store;

pub type ThingStore = Store<Thing>;

pub fn open_things(store: &ThingStore, limit: usize) -> Vec<Thing> {
    let mut found = store.find(|thing| thing.is_open());
    found.truncate(limit);
    found
}

pub fn things_of_parent(store: &ThingStore, label: &str) -> Vec<Thing> {
    store.find(|thing| thing.parent.label == label)
}

pub fn move_thing(store: &mut ThingStore, key: ThingKey, state: ThingState) -> Result<(), Problem> {
    store.update(key, |thing| thing.moved_to(state))
}
