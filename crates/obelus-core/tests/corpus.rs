//! One trial a folder of `corpus/`.
fn main() {}
