//! What the forms of esbuild's messages share.

use crate::{Positions, Unit};

/// Lines from 1, columns from 0 in UTF-8 bytes, a tab is one
/// (<https://esbuild.github.io/api/#message-object>).
pub(super) const POSITIONS: Positions =
    Positions { column_base: 0, ..Positions::one_based(Unit::Bytes) };

/// How esbuild says that it did not begin: about its own options.
pub(super) fn is_about_options(text: &str) -> bool {
    text.starts_with("Invalid build flag: ")
        || text.starts_with("Invalid transform flag: ")
        || text.starts_with("Invalid option ")
}
