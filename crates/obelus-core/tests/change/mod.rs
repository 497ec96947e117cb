//! Made-up trees with findings, and edits of them.

pub mod edit;
pub mod random;
pub mod tree;
