//! Who listens to a reviewer while it runs: to know when it is done, and when it is too much.

use obelus_core::review::{Protocol, Watch};

use crate::process::talk::{Heard, Listener, Wish};

/// Follows the events; says nothing.
pub struct Follow {
    watch: Watch,
    most_turns: u64,
    ended: bool,
    done: bool,
}

impl Follow {
    /// Follows events of `protocol`, and wants the end after `most_turns`.
    pub fn new(protocol: &dyn Protocol, marker: &str, most_turns: u64) -> Self {
        Follow { watch: Watch::new(protocol, marker), most_turns, ended: false, done: false }
    }

    /// What is wanted after the next bytes.
    pub fn follow(&mut self, bytes: &[u8]) -> Option<Wish> {
        self.watch.feed(bytes);
        if self.done {
            return None;
        }
        if self.watch.turns() > self.most_turns {
            self.done = true;
            return Some(Wish::Enough);
        }
        let ended = self.watch.has_ended();
        (std::mem::replace(&mut self.ended, ended) != ended).then_some(if ended {
            Wish::LastWord
        } else {
            Wish::GoesOn
        })
    }
}

impl Listener for Follow {
    fn hear(&mut self, bytes: &[u8]) -> Heard {
        Heard { wish: self.follow(bytes), ..Heard::default() }
    }
}
