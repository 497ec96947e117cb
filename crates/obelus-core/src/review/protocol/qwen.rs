//! Qwen Code, `qwen --output-format stream-json`: Claude's shape. Seen in runs of 0.15.

use super::{EventReader, Plain, Protocol, claude};

/// The protocol of Qwen Code.
#[derive(Debug)]
pub struct Qwen;

impl Protocol for Qwen {
    fn name(&self) -> &'static str {
        "qwen"
    }

    fn has_end_event(&self) -> bool {
        true
    }

    /// `--max-session-turns` ends it with this status, words on stderr, and no `result`.
    fn turn_limit_exit(&self) -> Option<i32> {
        Some(53)
    }

    fn reader(&self) -> Box<dyn EventReader + Send> {
        Box::new(Plain(claude::event))
    }

    fn conversation(&self) -> Option<Box<dyn EventReader + Send>> {
        None
    }
}
