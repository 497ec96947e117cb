//! Bytes that no checker prints, through one format and normalising: nothing panics, memory stays
//! bounded (libFuzzer's limit), and what holds of every reading holds.
//!
//! The format is that of the variable `OBELUS_FORMAT`; `cargo xtask fuzz` runs this.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use obelus_core::format::{self, Format};

#[path = "../../crates/obelus/tests/support/sound.rs"]
mod sound;

static FORMAT: LazyLock<&'static dyn Format> = LazyLock::new(|| {
    let name = std::env::var("OBELUS_FORMAT").expect("OBELUS_FORMAT names a format");
    format::find(&name).unwrap_or_else(|| panic!("there is no format {name:?}"))
});

/// What parts the streams of one input.
const SEAM: &[u8] = b"\n%%%%\n";

fuzz_target!(|data: &[u8]| {
    let seam = data.windows(SEAM.len()).position(|part| part == SEAM);
    let (main, side) = seam.map_or((data, &b""[..]), |at| (&data[..at], &data[at + SEAM.len()..]));
    sound::hold(*FORMAT, main, side);
});
