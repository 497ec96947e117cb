//! Reviewers: from the bytes that an agent program printed to findings that can be trusted.
//!
//! Bytes become events ([`stream`]), events become what the main agent said ([`protocol`],
//! [`transcript`]), that becomes the block of findings ([`block`]), and all of it together with how
//! the process ended becomes the artifact ([`read`](mod@read), [`outcome`], [`evidence`]). Each step
//! has its own fault, so that a stream that was rejected, a block that is missing and a list that is
//! empty never look alike.

pub mod block;
pub mod change;
pub mod evidence;
pub mod explain;
mod finding;
mod json;
pub mod outcome;
pub mod prompt;
pub mod protocol;
pub mod read;
pub mod report;
pub mod stream;
pub mod transcript;
pub mod watch;

pub use block::DEFAULT_MARKER;
pub use change::Hunks;
pub use outcome::Ending;
pub use protocol::Protocol;
pub use read::{Reading, read};
pub use report::{check_places, report};
pub use watch::Watch;
