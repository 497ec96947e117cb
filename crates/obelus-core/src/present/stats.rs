//! What an output costs its reader, in one line.

use std::fmt;

use obelus_record::Report;

use super::text::plural;
use crate::tokens::{Estimate, Tokens as _};

/// The cost of an output, and what was decided about the findings behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    bytes: usize,
    /// By an estimate that errs high.
    tokens: usize,
    sent: usize,
    withheld: usize,
}

impl Stats {
    /// The cost of `written`, which tells of `report`.
    pub fn of(report: &Report, written: &[u8]) -> Self {
        let route = report.route.as_ref();
        Stats {
            bytes: written.len(),
            tokens: Estimate.count(&String::from_utf8_lossy(written)),
            sent: route.map_or(report.records.len(), |route| route.sent.len()),
            withheld: route.map_or(0, |route| route.withheld.len()),
        }
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |number: usize, one, many| plural(number as u64, one, many);
        write!(
            f,
            "stats: {}, at most {}; {} sent, {} withheld",
            count(self.bytes, "byte", "bytes"),
            count(self.tokens, "token", "tokens"),
            count(self.sent, "finding", "findings"),
            self.withheld
        )
    }
}
