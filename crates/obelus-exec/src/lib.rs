//! The only crate of Obelus that touches the machine: it finds checkers, runs them, and keeps what
//! they printed. What the bytes mean is decided in obelus-core.

pub mod process;
pub mod schedule;
pub mod sources;
