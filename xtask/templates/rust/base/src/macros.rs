//! Macros that the other crates use.

/// A key of its own type around a number.
#[macro_export]
macro_rules! key {
    ($name:ident) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u64);

        impl $name {
            pub fn number(self) -> u64 {
                self.0
            }
        }
    };
}

/// Refuses where a condition does not hold.
#[macro_export]
macro_rules! demand {
    ($holds:expr, $detail:expr) => {
        if !$holds {
            return Err($crate::problem::Problem::rule($detail));
        }
    };
}
