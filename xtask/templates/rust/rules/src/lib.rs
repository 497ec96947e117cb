//! What must hold.

pub mod thing_rules; //*
