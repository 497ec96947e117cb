//! Gemini CLI, `gemini --output-format stream-json`. Seen in runs of 0.61.

use super::{EventReader, Plain, Protocol, note_session, words};
use crate::review::json::Object;
use crate::review::transcript::{End, Transcript};

/// The protocol of Gemini CLI.
#[derive(Debug)]
pub struct Gemini;

impl Protocol for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn has_end_event(&self) -> bool {
        true
    }

    /// Its source: the status of FatalTurnLimitedError.
    fn turn_limit_exit(&self) -> Option<i32> {
        Some(53)
    }

    fn reader(&self) -> Box<dyn EventReader + Send> {
        Box::new(Plain(event))
    }

    /// `~/.gemini/tmp/<project>/chats/session-*.jsonl`
    fn conversation(&self) -> Option<Box<dyn EventReader + Send>> {
        Some(Box::new(Saved::default()))
    }
}

fn event(event: &Object<'_>, said: &mut Transcript) {
    note_session(event, "session_id", said);
    let kind = event.text("type");
    if kind.as_deref() == Some("message") && event.is("role", "assistant") {
        let text = event.text("content").unwrap_or_default();
        if !event.is_true("delta") {
            said.message(&text);
            return;
        }
        if !said.is_open(None) {
            said.turns += 1;
            said.begin(None);
        }
        said.text(None, &text);
        return;
    }
    said.close();
    if kind.as_deref() == Some("result") {
        result(event, said);
    }
}

fn result(event: &Object<'_>, said: &mut Transcript) {
    if event.is("status", "success") {
        return said.ended(End::Clean);
    }
    let error = event.object("error");
    said.turns_exhausted |= error.is_some_and(|error| error.is("type", "FatalTurnLimitedError"));
    said.ended(End::Failed(words(event, "error")));
}

/// A record is written again, under the same name, when it has changed.
#[derive(Default)]
struct Saved {
    records: Vec<(Option<String>, String)>,
}

impl EventReader for Saved {
    fn event(&mut self, line: &Object<'_>, _said: &mut Transcript) {
        let text = line.text("content").filter(|_| line.is("type", "gemini"));
        let Some(text) = text.map(|text| text.into_owned()) else { return };
        let id = line.text("id").map(|id| id.into_owned());
        match self.records.iter_mut().rev().find(|(known, _)| id.is_some() && *known == id) {
            Some((_, known)) => *known = text,
            None => self.records.push((id, text)),
        }
    }

    fn finish(&mut self, said: &mut Transcript) {
        for (_, text) in self.records.drain(..) {
            said.message(&text);
        }
    }
}
