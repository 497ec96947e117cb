//! Codex, `codex exec --json`. Seen in runs of 0.171.

use super::{EventReader, Plain, Protocol, note_session, text_parts, words};
use crate::review::json::Object;
use crate::review::transcript::{End, Transcript};

/// The protocol of Codex.
#[derive(Debug)]
pub struct Codex;

impl Protocol for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn has_end_event(&self) -> bool {
        true
    }

    fn reader(&self) -> Box<dyn EventReader + Send> {
        Box::new(Plain(event))
    }

    /// `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`
    fn conversation(&self) -> Option<Box<dyn EventReader + Send>> {
        Some(Box::new(Plain(saved)))
    }
}

fn event(event: &Object<'_>, said: &mut Transcript) {
    match event.text("type").as_deref() {
        Some("thread.started") => note_session(event, "thread_id", said),
        // What was said of an earlier turn's end does not hold for this one.
        Some("turn.started") => said.end = None,
        Some("item.completed") => {
            if let Some(item) = event.object("item") {
                completed(&item, said);
            }
        }
        Some("turn.completed") => said.ended(End::Clean),
        Some("turn.failed") => said.ended(End::Failed(words(event, "error"))),
        // An `error` event may be a retry that is announced ("Reconnecting… 2/5"), as an item of
        // type `error` is a warning.
        _ => {}
    }
}

/// A turn, to be counted, is what the model did at a time: a message or the use of a tool.
fn completed(item: &Object<'_>, said: &mut Transcript) {
    match item.text("type").as_deref() {
        Some("agent_message") => {
            said.turns += 1;
            if let Some(text) = item.text("text") {
                said.message(&text);
            }
        }
        Some("command_execution" | "mcp_tool_call" | "file_change" | "web_search") => {
            said.turns += 1;
        }
        _ => {}
    }
}

fn saved(line: &Object<'_>, said: &mut Transcript) {
    if line.is("type", "response_item")
        && let Some(payload) = line.object("payload")
        && payload.is("type", "message")
        && payload.is("role", "assistant")
    {
        said.begin(None);
        text_parts(&payload, "output_text", None, said);
        said.close();
    }
}
