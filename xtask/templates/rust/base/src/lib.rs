//! What every part of the shop needs.

pub mod macros;
pub mod money;
pub mod problem;
