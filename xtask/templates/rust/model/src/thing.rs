//! A thing and its lines.

use shop_base::money::Money;

use crate::Keyed;
use crate::parent::Parent;

shop_base::key!(ThingKey);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThingState {
    Draft,
    Active,
    Closed,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ThingLine {
    pub label: String,
    pub price: Money,
    pub quantity: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    pub key: ThingKey,
    pub label: String,
    pub parent: Parent,
    pub figure: Money,
    pub state: ThingState,
    pub lines: Vec<ThingLine>,
}

impl Thing {
    pub fn new(key: ThingKey, label: &str, parent: Parent, lines: Vec<ThingLine>) -> Self {
        let figure = figure_of_thing(&lines);
        Thing { key, label: label.to_owned(), parent, figure, state: ThingState::Draft, lines }
    }

    pub fn is_open(&self) -> bool {
        self.state != ThingState::Closed
    }

    pub fn moved_to(self, state: ThingState) -> Self {
        Thing { state, ..self }
    }
}

impl Keyed for Thing {
    type Key = ThingKey;

    fn key(&self) -> ThingKey {
        self.key
    }
}

pub fn figure_of_thing(lines: &[ThingLine]) -> Money {
    lines.iter().map(|line| line.price.times(line.quantity)).sum()
}
