//! opencode, `opencode run --format json`. Seen in runs of 1.18.

use super::{EventReader, Protocol, note_session, words};
use crate::review::json::Object;
use crate::review::transcript::{End, Transcript};

/// The protocol of opencode.
#[derive(Debug)]
pub struct Opencode;

impl Protocol for Opencode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn has_end_event(&self) -> bool {
        true
    }

    fn reader(&self) -> Box<dyn EventReader + Send> {
        Box::new(Reader::default())
    }

    /// It keeps its sessions in a database.
    fn conversation(&self) -> Option<Box<dyn EventReader + Send>> {
        None
    }
}

#[derive(Default)]
struct Reader {
    /// An error event is never taken back, whatever follows it.
    failed: bool,
}

impl EventReader for Reader {
    fn event(&mut self, event: &Object<'_>, said: &mut Transcript) {
        note_session(event, "sessionID", said);
        match event.text("type").as_deref() {
            Some("text") => {
                if let Some(part) = event.object("part")
                    && let Some(text) = part.text("text")
                {
                    said.begin(part.text("messageID").as_deref());
                    said.text(None, &text);
                }
            }
            // A step that has begun is not over, whatever was said of the one before it.
            Some("step_start") if !self.failed => said.end = None,
            Some("step_finish") => {
                said.turns += 1;
                if !self.failed {
                    self.step_finished(event, said);
                }
            }
            Some("error") => {
                self.failed = true;
                let error = event.object("error");
                let told = error.as_ref().filter(|error| error.object("data").is_some());
                let why = told.map_or_else(|| words(event, "error"), |error| words(error, "data"));
                said.ended(End::Failed(why));
            }
            _ => {}
        }
    }
}

impl Reader {
    fn step_finished(&self, event: &Object<'_>, said: &mut Transcript) {
        let part = event.object("part");
        let reason = part.as_ref().and_then(|part| part.text("reason")).unwrap_or_default();
        match &*reason {
            "stop" => said.ended(End::Clean),
            // The next step follows; a stream that stops here has no end.
            "tool-calls" => said.end = None,
            other => {
                said.ended(End::Failed(format!("its last step ended for the reason {other:?}")))
            }
        }
    }
}
