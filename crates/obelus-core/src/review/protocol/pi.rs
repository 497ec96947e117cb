//! pi, `pi --mode json`. Seen in runs of 0.73.

use super::{EventReader, Protocol, note_session, shortened, text_parts};
use crate::review::json::Object;
use crate::review::transcript::{End, Transcript};

/// The protocol of pi.
#[derive(Debug)]
pub struct Pi;

impl Protocol for Pi {
    fn name(&self) -> &'static str {
        "pi"
    }

    fn has_end_event(&self) -> bool {
        true
    }

    fn reader(&self) -> Box<dyn EventReader + Send> {
        Box::new(Reader::default())
    }

    /// `~/.pi/agent/sessions/<folder>/<time>_<id>.jsonl`
    fn conversation(&self) -> Option<Box<dyn EventReader + Send>> {
        Some(Box::new(Saved))
    }
}

/// `message_update`, `turn_end` and `agent_end` say again what `message_end` says.
#[derive(Default)]
struct Reader {
    /// Why the last message of the agent ended, if that was a failure.
    failed: Option<String>,
}

impl EventReader for Reader {
    fn event(&mut self, event: &Object<'_>, said: &mut Transcript) {
        match event.text("type").as_deref() {
            Some("session") => note_session(event, "id", said),
            Some("agent_start") => said.end = None,
            Some("message_end") => {
                if let Some(message) = event.object("message")
                    && whole(&message, said)
                {
                    self.failed = failure(&message);
                    if let Some(why) = &self.failed {
                        said.ended(End::Failed(why.clone()));
                    }
                }
            }
            Some("turn_end") => said.turns += 1,
            Some("agent_end") => said.ended(match self.failed.clone() {
                Some(why) => End::Failed(why),
                None => End::Clean,
            }),
            _ => {}
        }
    }
}

struct Saved;

impl EventReader for Saved {
    fn event(&mut self, line: &Object<'_>, said: &mut Transcript) {
        if line.is("type", "message")
            && let Some(message) = line.object("message")
        {
            whole(&message, said);
        }
    }
}

/// Takes the message if it is the agent's.
fn whole(message: &Object<'_>, said: &mut Transcript) -> bool {
    let own = message.is("role", "assistant");
    if own {
        said.begin(None);
        text_parts(message, "text", None, said);
        said.close();
    }
    own
}

fn failure(message: &Object<'_>) -> Option<String> {
    let reason =
        message.text("stopReason").filter(|reason| matches!(&**reason, "error" | "aborted"))?;
    Some(match message.text("errorMessage") {
        Some(words) => format!("{reason}: {}", shortened(&words)),
        None => reason.into_owned(),
    })
}
