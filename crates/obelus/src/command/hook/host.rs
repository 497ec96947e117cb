//! What all hosts have in common: what an event means, what the check said, and what is answered.

use serde_json::{Value, json};

/// What an event of a host is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The agent has edited a file.
    Edited,
    /// The agent is about to stop.
    Stopping {
        /// It was kept from that before, by this hook or another.
        again: bool,
    },
    /// Nothing that has to do with the files, or an end that somebody wished.
    Other,
}

/// What the check said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// It passes.
    Pass,
    /// It fails: what the agent should read.
    Fail(String),
    /// It failed itself, or Obelus did: nothing is known.
    Broken(String),
}

/// What the process does: its two streams and its exit status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Exit with 2, by which hosts block, in place of 0.
    pub blocks: bool,
}

impl Answer {
    /// One JSON document on standard output.
    pub fn json(value: &Value) -> Self {
        Answer { stdout: format!("{value}\n"), ..Answer::default() }
    }

    /// A block, with the reason on standard error.
    pub fn block(reason: &str) -> Self {
        Answer { stderr: reason.to_owned(), blocks: true, ..Answer::default() }
    }
}

/// A program with hooks.
pub trait Host: Sync {
    /// What an event is about.
    fn moment(&self, event: &Value) -> Moment;

    /// The answer at that moment.
    fn answer(&self, moment: Moment, said: &Said) -> Answer;

    /// The file that has to know of the hook, from the root.
    fn settings(&self) -> &'static str;

    /// What that file holds with the hook, where it holds `before` now; nothing where the hook is
    /// in it already.
    fn installed(&self, before: Option<&str>) -> Result<Option<String>, String>;
}

/// What an agent reads of a check that failed itself.
pub fn broken(reason: &str) -> String {
    format!(
        "obelus: harness error: {reason}\nThe code was not checked, so nothing is known about it. \
         This is no defect in the code: do not edit code because of it. Tell the user.\n"
    )
}

/// The text for the agent, where there is one.
pub fn text(said: &Said) -> Option<String> {
    match said {
        Said::Pass => None,
        Said::Fail(text) => Some(text.clone()),
        Said::Broken(reason) => Some(broken(reason)),
    }
}

/// The answer of hosts in the manner of Claude Code: exit status 2 blocks and hands standard error
/// to the agent. Of an agent that was kept from stopping before, the user is told instead.
pub fn in_the_manner_of_claude(moment: Moment, said: &Said) -> Answer {
    let Some(text) = text(said) else { return Answer::default() };
    match moment {
        Moment::Edited | Moment::Stopping { again: false } => Answer::block(&text),
        Moment::Stopping { again: true } => Answer::json(&json!({ "systemMessage": text })),
        Moment::Other => Answer::default(),
    }
}
