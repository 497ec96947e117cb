//! Amounts in the smallest unit of their currency.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Money {
    pub cents: i64,
}

impl Money {
    pub const ZERO: Money = Money { cents: 0 };

    pub fn new(cents: i64) -> Self {
        Money { cents }
    }

    pub fn plus(self, other: Money) -> Money {
        Money { cents: self.cents + other.cents }
    }

    pub fn times(self, factor: i64) -> Money {
        Money { cents: self.cents * factor }
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.cents / 100, self.cents.abs() % 100)
    }
}

impl std::iter::Sum for Money {
    fn sum<I: Iterator<Item = Money>>(amounts: I) -> Money {
        amounts.fold(Money::ZERO, Money::plus)
    }
}
