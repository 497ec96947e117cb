//! Tests that do not run any more or ask for less, and functions that do nothing any more.

mod gone;
mod loss;
mod marks;
mod units;

pub(super) use gone::gone;
pub(super) use loss::may_lose;
pub(super) use marks::{marks, words};
