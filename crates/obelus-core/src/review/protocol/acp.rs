//! The Agent Client Protocol, version 1: JSON-RPC 2.0, one message a line. Read in its JSON Schema.

use super::{EventReader, Plain, Protocol, note_session, words};
use crate::review::json::Object;
use crate::review::transcript::{End, Transcript};

/// The protocol of all agents that speak ACP.
#[derive(Debug)]
pub struct Acp;

impl Protocol for Acp {
    fn name(&self) -> &'static str {
        "acp"
    }

    fn has_end_event(&self) -> bool {
        true
    }

    fn reader(&self) -> Box<dyn EventReader + Send> {
        Box::new(Plain(event))
    }

    /// Each agent saves in its own way.
    fn conversation(&self) -> Option<Box<dyn EventReader + Send>> {
        None
    }
}

fn event(event: &Object<'_>, said: &mut Transcript) {
    if event.is("method", "session/update") {
        let params = event.object("params");
        if let Some(update) = params.and_then(|params| params.object("update")) {
            return updated(&update, said);
        }
    }
    close_unnamed(said);
    if event.get("method").is_some() {
        return;
    }
    if let Some(result) = event.object("result") {
        note_session(&result, "sessionId", said);
        if let Some(reason) = result.text("stopReason") {
            stopped(&reason, said);
        }
    } else if event.get("error").is_some_and(|error| !error.is_null()) {
        said.ended(End::Failed(words(event, "error")));
    }
}

fn updated(update: &Object<'_>, said: &mut Transcript) {
    match update.text("sessionUpdate").as_deref() {
        Some("agent_message_chunk") => {
            let id = update.text("messageId");
            if !said.is_open(id.as_deref()) {
                said.begin(id.as_deref());
            }
            let content = update.object("content").filter(|content| content.is("type", "text"));
            if let Some(text) = content.and_then(|content| content.text("text")) {
                said.text(None, &text);
            }
        }
        kind => {
            said.turns += u64::from(kind == Some("tool_call"));
            close_unnamed(said);
        }
    }
}

/// Chunks without a name are one message as long as nothing stands between them.
fn close_unnamed(said: &mut Transcript) {
    if said.is_open(None) {
        said.close();
    }
}

fn stopped(reason: &str, said: &mut Transcript) {
    said.turns_exhausted |= reason == "max_turn_requests";
    said.ended(match reason {
        "end_turn" => End::Clean,
        other => End::Failed(format!("it stopped for the reason {other:?}")),
    });
}
