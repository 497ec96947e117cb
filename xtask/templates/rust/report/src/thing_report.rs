//! Reports about things.

use shop_base::money::Money;
use shop_model::thing::{Thing, ThingKey};
use shop_rules::thing_rules::{check_thing, fee_of_thing};
use shop_store::thing_store::{open_things, ThingStore};

use crate::table::{table, Column};

pub fn thing_table(store: &ThingStore) -> String {
    let columns: [Column<Thing>; 3] = [
        Column { title: "thing", text: |thing| thing.label.clone() },
        Column { title: "parent", text: |thing| thing.parent.label.clone() },
        Column { title: "figure", text: |thing| thing.figure.to_string() },
    ];
    table(&open_things(store, 100), &columns)
}

pub fn thing_total(things: &[Thing]) -> Money {
    things.iter().map(|thing| thing.figure).sum()
}

pub fn thing_fees(things: &[Thing], share: i64) -> Vec<i64> {
    things.iter().map(|thing| fee_of_thing(thing, share).cents).collect()
}

pub fn copy_of_thing(thing: &Thing, number: u64) -> Option<Thing> {
    let key = ThingKey(number);
    let copy = Thing::new(key, &thing.label, thing.parent.clone(), thing.lines.clone());
    check_thing(&copy).is_ok().then_some(copy)
}
