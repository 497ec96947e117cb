//! What the main agent said, message by message, and how its stream ended.

use super::block::{self, Block};

/// How a stream of events ended, by its own word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Well.
    Clean,
    /// With an error, in the agent's words.
    Failed(String),
}

/// What a protocol's reader writes down about a stream.
///
/// Only text of the main agent with the assistant's role comes here. Of finished messages only
/// those are kept that may hold a block.
#[derive(Clone, Debug)]
pub struct Transcript {
    marker: String,
    kept: Vec<Message>,
    open: Option<Message>,
    /// How the last end event says that the stream ended.
    pub end: Option<End>,
    /// The agent says that it has used up its turns.
    pub turns_exhausted: bool,
    /// How many turns it took so far.
    pub turns: u64,
    /// The agent's own name of the session.
    pub session: Option<String>,
}

#[derive(Clone, Debug, Default)]
struct Message {
    id: Option<String>,
    parts: Vec<Part>,
}

/// A piece of a message, with the name of its event where that can be taken back.
#[derive(Clone, Debug)]
struct Part {
    event: Option<String>,
    text: String,
}

impl Transcript {
    /// Nothing was said yet; blocks begin with `marker`.
    pub fn new(marker: &str) -> Self {
        Transcript {
            marker: marker.to_owned(),
            kept: Vec::new(),
            open: None,
            end: None,
            turns_exhausted: false,
            turns: 0,
            session: None,
        }
    }

    /// Text that follows belongs to the message `id`: to the open one if that is its name, else to
    /// a new one. A message without a name is always a new one.
    pub fn begin(&mut self, id: Option<&str>) {
        if id.is_some() && self.open.as_ref().is_some_and(|open| open.id.as_deref() == id) {
            return;
        }
        self.close();
        self.open = Some(Message { id: id.map(str::to_owned), parts: Vec::new() });
    }

    /// Whether a message of this name, or one without a name, is open.
    pub fn is_open(&self, id: Option<&str>) -> bool {
        self.open.as_ref().is_some_and(|open| open.id.as_deref() == id)
    }

    /// A part of the open message, in the event of this name.
    pub fn text(&mut self, event: Option<&str>, text: &str) {
        if let Some(open) = &mut self.open {
            open.push(event, text, &self.marker);
        }
    }

    /// A message by itself.
    pub fn message(&mut self, text: &str) {
        self.begin(None);
        self.text(None, text);
        self.close();
    }

    /// The open message is whole.
    pub fn close(&mut self) {
        let Some(message) = self.open.take() else { return };
        let text = message.whole(&self.marker);
        if !text.contains(&self.marker) {
            return;
        }
        // What can't be taken back any more governs over all before it.
        let stays = message.parts.iter().all(|part| part.event.is_none());
        if stays && block::read(&text, &self.marker) != Block::Absent {
            self.kept.clear();
        }
        self.kept.push(message);
    }

    /// The agent takes back what it said in the event of this name.
    pub fn take_back(&mut self, event: &str) {
        for message in self.kept.iter_mut().chain(&mut self.open) {
            message.parts.retain(|part| part.event.as_deref() != Some(event));
        }
    }

    /// The stream says that it ended so; the last such word counts.
    pub fn ended(&mut self, end: End) {
        self.end = Some(end);
    }

    /// The block of the last message that has a marker.
    pub fn governing_block(&mut self) -> Block {
        self.close();
        let blocks = self.kept.iter().rev().map(|message| {
            let text = message.whole(&self.marker);
            block::read(&text, &self.marker)
        });
        blocks.into_iter().find(|block| *block != Block::Absent).unwrap_or(Block::Absent)
    }
}

impl Message {
    fn push(&mut self, event: Option<&str>, text: &str, marker: &str) {
        match self.parts.last_mut() {
            Some(last) if event.is_none() && last.event.is_none() => {
                join(&mut last.text, text, marker)
            }
            _ => self.parts.push(Part { event: event.map(str::to_owned), text: text.to_owned() }),
        }
    }

    fn whole(&self, marker: &str) -> String {
        let mut whole = String::new();
        for part in &self.parts {
            join(&mut whole, &part.text, marker);
        }
        whole
    }
}

/// Puts `part` behind `text`. A part that begins with the marker's line was a line of its own where
/// the agent wrote it.
fn join(text: &mut String, part: &str, marker: &str) {
    let begins_a_block =
        !text.is_empty() && !text.ends_with('\n') && block::begins_with_marker(part, marker);
    if begins_a_block {
        text.push('\n');
    }
    text.push_str(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(block: &Block) -> Option<usize> {
        match block {
            Block::Complete(findings) => Some(findings.len()),
            _ => None,
        }
    }

    const ONE: &str = r#"[{"path":"a","severity":"hint","message":"m"}]"#;

    #[test]
    fn parts_join_without_anything_between_them_but_a_block_begins_a_line() {
        let mut said = Transcript::new("F:");
        said.begin(Some("1"));
        for part in
            ["prose\nF", ":\n[{\"path\":\"a\",\"sev", "erity\":\"hint\",\"message\":\"m\"}]"]
        {
            said.begin(Some("1"));
            said.text(None, part);
        }
        assert_eq!(count(&said.governing_block()), Some(1));
        let mut said = Transcript::new("F:");
        said.begin(None);
        said.text(None, "I am done.");
        said.text(None, "F: []");
        assert_eq!(count(&said.governing_block()), Some(0));
        let mut said = Transcript::new("F:");
        said.begin(None);
        said.text(None, "The line is ");
        said.text(None, "F: what I was told to write");
        assert_eq!(said.governing_block(), Block::Absent);
    }

    #[test]
    fn the_last_message_with_a_marker_governs_and_blocks_do_not_span_messages() {
        let mut said = Transcript::new("F:");
        said.message("F: []");
        said.message(&format!("F:\n{ONE}"));
        said.message("that was all, and F: is only named");
        assert_eq!(count(&said.governing_block()), Some(1));
        let mut said = Transcript::new("F:");
        said.message("F: []");
        said.message("F:\n[{");
        said.message("\"path\":1}]");
        assert!(matches!(said.governing_block(), Block::Malformed(_)));
    }

    #[test]
    fn what_is_taken_back_was_not_said() {
        let mut said = Transcript::new("F:");
        said.begin(Some("m1"));
        said.text(Some("e1"), &format!("F:\n{ONE}"));
        said.begin(Some("m2"));
        said.text(Some("e2"), "F: []");
        said.take_back("e2");
        assert_eq!(count(&said.governing_block()), Some(1));
        said.take_back("e1");
        assert_eq!(said.governing_block(), Block::Absent);
    }
}
