//! Failures of Rust tests, as cargo nextest reports them.

use super::Failure;
use crate::Finding;
use crate::format::Places;
use crate::format::libtest::{failure, panic};

/// Whether a text holds the words of a panic.
pub(super) fn is_panic(text: &str) -> bool {
    text.lines().any(|line| panic::head(line).is_some())
}

pub(super) fn finding(failed: &Failure, places: &dyn Places) -> Finding<'static> {
    let message = failed.message.as_deref().unwrap_or_default();
    let text = if failed.text.trim().is_empty() { message } else { &failed.text };
    // A signal or a time limit has its words in the message alone.
    failure(&failed.test, text, message, places)
}
