//! Claude Code, `claude -p --output-format stream-json --verbose`. Read in the type definitions of
//! its SDK and seen in runs of 2.1.

use super::{EventReader, Plain, Protocol, note_session, text_parts, words};
use crate::review::json::Object;
use crate::review::transcript::{End, Transcript};

/// The protocol of Claude Code.
#[derive(Debug)]
pub struct Claude;

impl Protocol for Claude {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn has_end_event(&self) -> bool {
        true
    }

    fn reader(&self) -> Box<dyn EventReader + Send> {
        Box::new(Plain(event))
    }

    /// `~/.claude/projects/<folder>/<session>.jsonl`
    fn conversation(&self) -> Option<Box<dyn EventReader + Send>> {
        Some(Box::new(Plain(saved)))
    }
}

/// An event of Claude's shape, which others have taken over.
pub(super) fn event(event: &Object<'_>, said: &mut Transcript) {
    note_session(event, "session_id", said);
    match event.text("type").as_deref() {
        // A subagent's events carry the call that it answers.
        Some("assistant") if is_absent(event, "parent_tool_use_id") => assistant(event, said),
        Some("result") => result(event, said),
        _ => {}
    }
}

/// One event holds one block of a message; those of one message share its id.
fn assistant(event: &Object<'_>, said: &mut Transcript) {
    // A refusal or a broken tool call takes back what was said before.
    for uuid in event.array("supersedes") {
        if let Some(uuid) = uuid.text() {
            said.take_back(&uuid);
        }
    }
    let Some(message) = event.object("message") else { return };
    if !is_own(&message) {
        return;
    }
    let id = message.text("id");
    if id.is_none() || !said.is_open(id.as_deref()) {
        said.turns += 1;
    }
    said.begin(id.as_deref());
    text_parts(&message, "text", event.text("uuid").as_deref(), said);
}

/// Whether a message is the model's: the command's own error text has a model that is none.
fn is_own(message: &Object<'_>) -> bool {
    let role = message.text("role");
    role.is_none_or(|role| role == "assistant") && !message.is("model", "<synthetic>")
}

fn is_absent(event: &Object<'_>, name: &str) -> bool {
    event.get(name).is_none_or(|value| value.is_null())
}

/// `subtype` may be `success` where `is_error` says otherwise (no login, HTTP 401).
pub(super) fn result(event: &Object<'_>, said: &mut Transcript) {
    let subtype = event.text("subtype").unwrap_or_default().into_owned();
    if subtype == "error_max_turns" {
        said.turns_exhausted = true;
        said.ended(End::Failed(subtype));
    } else if subtype.starts_with("error") {
        said.ended(End::Failed(subtype));
    } else if event.get("is_error").is_some_and(|value| value.written() == "false") {
        said.ended(End::Clean);
    } else {
        said.ended(End::Failed(words(event, "result")));
    }
}

fn saved(line: &Object<'_>, said: &mut Transcript) {
    if line.is("type", "assistant")
        && !line.is_true("isSidechain")
        && let Some(message) = line.object("message")
        && is_own(&message)
    {
        said.begin(message.text("id").as_deref());
        text_parts(&message, "text", None, said);
    }
}
