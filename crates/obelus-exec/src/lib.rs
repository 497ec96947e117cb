//! The only crate of Obelus that touches the machine: it finds checkers, runs them, and keeps what
//! they printed. What the bytes mean is decided in obelus-core.

pub mod adopted;
pub mod agent_loop;
pub mod apply;
pub mod baseline;
pub mod check;
pub mod contract;
pub mod discover;
pub mod fixing;
pub mod git;
pub mod invocation;
pub mod locate;
pub mod plan;
pub mod process;
pub mod repository;
pub mod reviewer;
pub mod saving;
pub mod schedule;
pub mod shard;
pub mod snapshot;
pub mod sources;
pub mod store;
pub mod version;
