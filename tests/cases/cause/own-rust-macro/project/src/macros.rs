macro_rules! key {
    ($name:ident) => {
        pub struct $name(pub u64);

        impl $name {
            pub fn number(&self) -> Number {
                self.0
            }
        }
    };
}

macro_rules! shown {
    ($value:expr) => {
        $value + 1
    };
}
