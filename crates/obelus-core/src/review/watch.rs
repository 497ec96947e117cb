//! A look at a stream of events while it is still being written.
//!
//! It only tells when the agent has said its last word and how many turns it took, so that the one
//! who runs it knows how long to wait. What the stream comes to is read from the whole of it.

use super::json::Object;
use super::protocol::{EventReader, Protocol};
use super::stream::LONGEST_LINE;
use super::transcript::Transcript;

/// Follows a stream.
pub struct Watch {
    reader: Box<dyn EventReader + Send>,
    said: Transcript,
    /// The line that is not whole yet.
    line: Vec<u8>,
    /// A line was too long: nothing more is looked at.
    lost: bool,
}

impl Watch {
    /// Nothing was seen yet.
    pub fn new(protocol: &dyn Protocol, marker: &str) -> Self {
        let said = Transcript::new(marker);
        Watch { reader: protocol.reader(), said, line: Vec::new(), lost: false }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.keep(&bytes[..end]);
            let line = std::mem::take(&mut self.line);
            self.take(&line);
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    /// Whether the last end event that was seen holds.
    pub fn has_ended(&self) -> bool {
        self.said.end.is_some()
    }

    /// How many turns the agent took.
    pub fn turns(&self) -> u64 {
        self.said.turns
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.lost |= self.line.len() + bytes.len() > LONGEST_LINE;
        match self.lost {
            true => self.line = Vec::new(),
            false => self.line.extend_from_slice(bytes),
        }
    }

    fn take(&mut self, line: &[u8]) {
        let object = std::str::from_utf8(line).ok().map(Object::parse);
        if let Some(Ok(object)) = object {
            self.reader.event(&object, &mut self.said);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::protocol;

    #[test]
    fn the_end_is_seen_however_the_bytes_come() {
        let stream = "{\"type\":\"turn.started\"}\nnoise\n{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"é\"}}\r\n{\"type\":\"turn.completed\"}\n";
        for size in [1, 3, 1000] {
            let mut watch = Watch::new(protocol::find("codex").unwrap(), "F:");
            let mut seen = Vec::new();
            for bytes in stream.as_bytes().chunks(size) {
                assert!(!watch.has_ended());
                watch.feed(bytes);
                seen.push(watch.turns());
            }
            assert!(watch.has_ended());
            assert_eq!(seen.last(), Some(&1));
        }
    }
}
