//! Cursor's command, `cursor-agent -p --output-format stream-json`, from its documentation: Claude's
//! shape without names of messages.

use super::{EventReader, Plain, Protocol, claude, note_session, text_parts};
use crate::review::json::Object;
use crate::review::transcript::Transcript;

/// The protocol of Cursor's command.
#[derive(Debug)]
pub struct Cursor;

impl Protocol for Cursor {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn has_end_event(&self) -> bool {
        true
    }

    fn reader(&self) -> Box<dyn EventReader + Send> {
        Box::new(Plain(event))
    }

    /// `~/.cursor/projects/…/agent-transcripts/*.jsonl`
    fn conversation(&self) -> Option<Box<dyn EventReader + Send>> {
        Some(Box::new(Plain(saved)))
    }
}

fn event(event: &Object<'_>, said: &mut Transcript) {
    note_session(event, "session_id", said);
    match event.text("type").as_deref() {
        Some("assistant") if event.get("parent_tool_use_id").is_none_or(|id| id.is_null()) => {
            if let Some(message) = event.object("message") {
                said.turns += 1;
                whole(&message, said);
            }
        }
        Some("result") => claude::result(event, said),
        _ => {}
    }
}

fn whole(message: &Object<'_>, said: &mut Transcript) {
    let role = message.text("role");
    if role.is_none_or(|role| role == "assistant") && !message.is("model", "<synthetic>") {
        said.begin(None);
        text_parts(message, "text", None, said);
        said.close();
    }
}

fn saved(line: &Object<'_>, said: &mut Transcript) {
    if line.is("role", "assistant")
        && let Some(message) = line.object("message")
    {
        whole(&message, said);
    }
}
