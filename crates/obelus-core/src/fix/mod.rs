//! The edits that tools propose, made on buffers.
//!
//! A [`Unit`] is one suggestion: all its edits, over all files, or none. [`plan()`] decides which
//! units go together, in a stated order and with a reason for each that is left out; the [`Plan`]
//! then gives the files with any part of these units in them. Nothing here knows where files lie
//! or who may write them: that is the answer of whoever is asked for a [`Target`].

mod diff;
mod part;
pub(crate) mod place;
mod plan;
mod unit;

pub use diff::unified_diff;
pub use part::part;
pub use plan::{Plan, Planned, Target, plan};
pub use unit::{Unit, units};
