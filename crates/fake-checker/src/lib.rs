//! Where tests find the fake checker: a real program that behaves as badly as they need.
//!
//! ```no_run
//! std::process::Command::new(fake_checker::path()).args(["out:hello\\n", "exit:3"]);
//! ```
//!
//! What it can do stands in `steps.rs`.

use std::path::Path;

/// The fake checker, an absolute path.
pub fn path() -> &'static Path {
    Path::new(env!("FAKE_CHECKER"))
}
