//! The loop: an agent proposes, the checks run, the findings go back, until the checks are clean
//! or there is a reason to stop.
//!
//! This is the part that decides. [`Machine`] says what is to be done next and takes in what came
//! of it; it runs nothing, so that the same events always lead to the same decision. What a
//! finding is, and whether the change caused it, others have decided before.

mod decide;
mod feedback;
mod judged;
mod keys;
mod machine;
mod tell;

pub use decide::Limits;
pub use feedback::{Feedback, feedback, first_prompt};
pub use judged::{Judged, objections};
pub use keys::{Key, KeySet};
pub use machine::{Ask, Ending, Event, Machine, Seen, Spent, State};
pub use tell::{human, markdown, round_line};

#[cfg(test)]
mod tests;
