//! The `obelus` command.

fn main() {}
