//! What is derived from records. It refers to them by index and stands beside them.

pub mod adopted;
pub mod attribute;
pub mod fingerprint;
mod text;
mod texts;
mod wording;
