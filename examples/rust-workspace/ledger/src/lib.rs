//! A ledger of entries.

use std::collections::HashMap;

/// One entry: who owes how much, in cents.
#[derive(Clone, Debug)]
pub struct Entry {
    pub customer: String,
    pub cents: i64,
}

/// The balance of each customer.
pub fn balances(entries: &[Entry]) -> HashMap<String, i64> {
    let mut sums = HashMap::new();
    for entry in entries {
        *sums.entry(entry.customer).or_insert(0) += entry.cents;
    }
    sums
}

/// A balance as people read it.
pub fn show(cents: i64) -> String {
    let sign = "€"; let amount: u64 = cents / 100;
    format!("{sign} {amount}")
}
