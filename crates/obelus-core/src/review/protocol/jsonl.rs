//! A bare stream of objects with `role` and `content`, for programs that have no protocol of their own.

use super::{EventReader, Plain, Protocol, text_parts};
use crate::review::json::Object;
use crate::review::transcript::Transcript;

/// Objects with a role and a content.
#[derive(Debug)]
pub struct Jsonl;

impl Protocol for Jsonl {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn has_end_event(&self) -> bool {
        false
    }

    fn reader(&self) -> Box<dyn EventReader + Send> {
        Box::new(Plain(event))
    }

    fn conversation(&self) -> Option<Box<dyn EventReader + Send>> {
        Some(Box::new(Plain(event)))
    }
}

/// Each object is a message; its content is a text, or a list of parts of which those of type
/// `text` count.
fn event(event: &Object<'_>, said: &mut Transcript) {
    if !event.is("role", "assistant") {
        return;
    }
    said.turns += 1;
    said.begin(None);
    match event.text("content") {
        Some(text) => said.text(None, &text),
        None => text_parts(event, "text", None, said),
    }
    said.close();
}
