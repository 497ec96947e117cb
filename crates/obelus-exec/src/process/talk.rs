//! What is said to a child, and what is listened for in what it prints.

use std::io::{PipeWriter, Write};
use std::thread;
use std::time::Duration;

use crossbeam_channel::Sender;

/// Input for a child, and somebody who listens to its standard output while it runs.
pub struct Talk {
    /// What the child gets on standard input first.
    pub input: Vec<u8>,
    /// Who listens.
    pub listener: Box<dyn Listener>,
    /// Nothing else will be said to it: its standard input ends there.
    pub input_ends: bool,
    /// How long the child may go on after the listener has heard its last word.
    pub end_grace: Duration,
}

/// Listens to the standard output of a child. It decides nothing about what the bytes come to: they
/// are all in the file, and are read again from there.
pub trait Listener: Send {
    /// Hears the next bytes.
    fn hear(&mut self, bytes: &[u8]) -> Heard;
}

/// What a listener makes of what it heard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// What the child gets on standard input now.
    pub reply: Vec<u8>,
    /// Nothing more will be said to the child: its standard input ends.
    pub close_input: bool,
    /// What the listener wants to be done.
    pub wish: Option<Wish>,
}

/// What a listener wants to be done with a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// It has said its last word: it should exit by itself, and is ended after a grace.
    LastWord,
    /// It goes on although it said its last word: that was not the last.
    GoesOn,
    /// It has done enough and is to be ended.
    Enough,
}

/// Why Obelus ended a child that was not over any limit of its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It went on running after its last word.
    AfterLastWord,
    /// The listener had heard enough.
    Enough,
}

/// The listener's side of the channel to the child's standard input.
pub(super) struct Ear {
    listener: Box<dyn Listener>,
    replies: Option<Sender<Vec<u8>>>,
}

impl Ear {
    /// Starts what writes to `stdin`, with `input` first.
    pub(super) fn new(talk: Talk, mut stdin: PipeWriter) -> std::io::Result<Self> {
        let Talk { input, input_ends, listener, .. } = talk;
        let (replies, waiting) = crossbeam_channel::unbounded::<Vec<u8>>();
        thread::Builder::new().name("child-input".to_owned()).spawn(move || {
            for bytes in std::iter::once(input).chain(waiting) {
                // A child that reads no more has what it wants.
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Ear { listener, replies: (!input_ends).then_some(replies) })
    }

    pub(super) fn hear(&mut self, bytes: &[u8]) -> Option<Wish> {
        let heard = self.listener.hear(bytes);
        if let Some(replies) = &self.replies
            && !heard.reply.is_empty()
        {
            // The writer is gone where the child reads no more.
            let _ = replies.send(heard.reply);
        }
        if heard.close_input {
            self.replies = None;
        }
        heard.wish
    }
}
