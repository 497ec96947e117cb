//! Protocols: what the events of each agent program mean, one file each.
//!
//! A protocol says which text is the main agent's own, what belongs to one message, and by which
//! events a run ends. Text of the change, of tools, of users, of subagents and of the program
//! itself never gets into the [`Transcript`], whatever it holds. Unknown events mean nothing.

use super::json::Object;
use super::transcript::Transcript;

mod acp;
mod claude;
mod codex;
mod cursor;
mod gemini;
mod gptme;
mod jsonl;
mod opencode;
mod pi;
mod qwen;

/// All protocols, in alphabetical order.
pub static PROTOCOLS: &[&dyn Protocol] = &[
    &acp::Acp,
    &claude::Claude,
    &codex::Codex,
    &cursor::Cursor,
    &gemini::Gemini,
    &gptme::Gptme,
    &jsonl::Jsonl,
    &opencode::Opencode,
    &pi::Pi,
    &qwen::Qwen,
];

/// The protocol called `name`.
pub fn find(name: &str) -> Option<&'static dyn Protocol> {
    PROTOCOLS.iter().copied().find(|protocol| protocol.name() == name)
}

/// What the events of one agent program mean.
pub trait Protocol: Sync {
    /// The name, as tables and the command line have it.
    fn name(&self) -> &'static str;

    /// A run that ends well says so in an event; without one its stream is not whole.
    fn has_end_event(&self) -> bool;

    /// The exit status that says, where there was no end event, that the turns are used up.
    fn turn_limit_exit(&self) -> Option<i32> {
        None
    }

    /// A reader of the events on standard output.
    fn reader(&self) -> Box<dyn EventReader + Send>;

    /// A reader of the lines of the saved conversation, where the program saves one as JSON lines.
    fn conversation(&self) -> Option<Box<dyn EventReader + Send>>;
}

/// Reads the events of one stream, in order.
pub trait EventReader {
    /// Takes the next event.
    fn event(&mut self, event: &Object<'_>, said: &mut Transcript);

    /// The stream has ended.
    fn finish(&mut self, _said: &mut Transcript) {}
}

/// A reader that need not remember anything.
struct Plain(fn(&Object<'_>, &mut Transcript));

impl EventReader for Plain {
    fn event(&mut self, event: &Object<'_>, said: &mut Transcript) {
        (self.0)(event, said);
    }
}

/// The texts of a message's `content` list that are parts of type `kind`, put into the open message.
fn text_parts(message: &Object<'_>, kind: &str, event: Option<&str>, said: &mut Transcript) {
    for part in message.array("content") {
        if let Some(part) = part.object()
            && part.is("type", kind)
            && let Some(text) = part.text("text")
        {
            said.text(event, &text);
        }
    }
}

/// The words by which an error object, or a text in its stead, says what happened.
fn words(event: &Object<'_>, name: &str) -> String {
    let object = event.object(name);
    let text = match &object {
        Some(error) => error.text("message").or_else(|| error.text("name")),
        None => event.text(name),
    };
    text.map_or_else(|| "it says no more".to_owned(), |text| shortened(&text))
}

/// Words of an agent are shown in one line of bounded length.
fn shortened(text: &str) -> String {
    super::stream::snippet(text.replace(char::is_control, " ").as_bytes())
}

/// Remembers the agent's own name of its session.
fn note_session(event: &Object<'_>, key: &str, said: &mut Transcript) {
    if said.session.is_none() {
        said.session = event.text(key).map(|id| id.into_owned());
    }
}

#[cfg(test)]
mod tests;
