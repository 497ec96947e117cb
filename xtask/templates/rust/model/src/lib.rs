//! The things of the shop.

pub mod owner;
pub mod thing; //*

/// What has a key.
pub trait Keyed {
    type Key: Copy + Ord + std::fmt::Debug;

    fn key(&self) -> Self::Key;
}
