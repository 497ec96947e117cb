//! A shop.

pub mod order;
pub mod report;
