//! What is derived from records. It refers to them by index and stands beside them.

pub mod attribute;
