//! What must hold of a thing.

use shop_base::demand;
use shop_base::money::Money;
use shop_base::problem::Problem;
use shop_model::thing::{figure_of_thing, Thing, ThingLine};

const LONGEST_LABEL: usize = 80;

fn is_sound(line: &ThingLine) -> bool {
    line.quantity > 0 && line.price.cents >= 0
}

pub fn check_thing(thing: &Thing) -> Result<(), Problem> {
    demand!(!thing.label.is_empty(), "thing without a label");
    demand!(thing.label.len() <= LONGEST_LABEL, "label too long");
    demand!(thing.lines.iter().all(is_sound), "a line is not sound");
    Ok(())
}

pub fn fee_of_thing(thing: &Thing, share: i64) -> Money {
    if thing.is_open() { thing.figure.times(share) } else { Money::ZERO }
}

pub fn is_balanced(thing: &Thing) -> bool {
    figure_of_thing(&thing.lines).cents == thing.figure.cents
}
