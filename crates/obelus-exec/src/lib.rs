//! Runs checkers, finds them, keeps what they printed: the only crate of Obelus that touches the machine.
