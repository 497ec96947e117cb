//! gptme, `gptme --non-interactive --output-format json --no-stream`. Seen in runs of 0.35.

use super::{EventReader, Plain, Protocol};
use crate::review::json::Object;
use crate::review::transcript::Transcript;

/// The protocol of gptme.
#[derive(Debug)]
pub struct Gptme;

impl Protocol for Gptme {
    fn name(&self) -> &'static str {
        "gptme"
    }

    /// Its exit status alone says how it ended.
    fn has_end_event(&self) -> bool {
        false
    }

    fn reader(&self) -> Box<dyn EventReader + Send> {
        Box::new(Plain(event))
    }

    /// `~/.local/share/gptme/logs/<name>/conversation.jsonl`: the same messages without a type.
    fn conversation(&self) -> Option<Box<dyn EventReader + Send>> {
        Some(Box::new(Plain(message)))
    }
}

fn event(event: &Object<'_>, said: &mut Transcript) {
    if event.is("type", "message") {
        message(event, said);
    }
}

fn message(message: &Object<'_>, said: &mut Transcript) {
    match message.text("role").as_deref() {
        Some("assistant") => {
            said.turns += 1;
            if let Some(text) = message.text("content") {
                said.message(&text);
            }
        }
        // With this it exits 0, and more messages may follow.
        Some("system") => {
            let stopped = message.object("metadata").is_some_and(|m| m.is_true("max_steps_stop"));
            said.turns_exhausted |= stopped;
        }
        _ => {}
    }
}
