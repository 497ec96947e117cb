//! Tools that nothing else needs.

pub mod jobs;
pub mod words;
