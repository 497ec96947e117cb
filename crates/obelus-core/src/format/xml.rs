//! Strict XML: a stream is one document, well formed to its end, or it is rejected with its place.
//!
//! Nothing is looked up: entities beyond the five of XML itself and references to characters reject
//! the document, and a document type is skipped unread.

use std::borrow::Cow;
use std::io::BufRead;

use obelus_record::{Fault, FaultKind, Stream};
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::lines::{snippet, strip_escapes, unreadable};

/// A whole stream that is one XML document.
pub(super) struct Document {
    stream: Stream,
    bytes: Vec<u8>,
}

/// What a document consists of, in the order in which it stands there.
pub(super) enum Node<'d> {
    /// An element begins; an empty one ends at once.
    Open(Element<'d>),
    /// Text, perhaps only a piece of what stands there.
    Text(Cow<'d, str>),
    /// The innermost open element ends.
    Close,
}

/// The start of an element.
pub(super) struct Element<'d> {
    tag: BytesStart<'d>,
}

impl Element<'_> {
    /// The name as written.
    pub(super) fn name(&self) -> &str {
        self.tag.name().into_inner()
    }

    /// The value of an attribute. Those that can't be read were rejected before.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let attribute = self.tag.try_get_attribute(name).ok()??;
        unescaped(&attribute.value).ok().map(Cow::into_owned)
    }
}

impl Document {
    /// Reads all of `reader`, without a byte order mark and colour sequences.
    pub(super) fn read(reader: &mut dyn BufRead, stream: Stream) -> Result<Self, Fault> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| unreadable(stream, 1, &error))?;
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        // XML itself never holds a raw escape character.
        if memchr::memchr(0x1B, &bytes).is_some() {
            let mut plain = Vec::with_capacity(bytes.len());
            strip_escapes(&bytes, &mut plain);
            bytes = plain;
        }
        Ok(Document { stream, bytes })
    }

    /// Hands every node to `each`, whose error is what is wrong with the shape of the document.
    pub(super) fn walk(
        &self,
        mut each: impl FnMut(Node<'_>) -> Result<(), String>,
    ) -> Result<(), Fault> {
        if self.bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(self.fault(0, FaultKind::Empty, String::new()));
        }
        let text = std::str::from_utf8(&self.bytes)
            .map_err(|error| self.fault(error.valid_up_to(), FaultKind::NotUtf8, String::new()))?;
        let mut reader = quick_xml::Reader::from_str(text);
        let (mut depth, mut roots) = (0_usize, 0_usize);
        loop {
            let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
            let event = reader.read_event().map_err(|error| {
                let at = usize::try_from(reader.error_position()).unwrap_or(at);
                // A construct that never ends is a document that was cut.
                let kind = match error {
                    quick_xml::Error::Syntax(_) => FaultKind::CutOff,
                    _ => FaultKind::InvalidXml,
                };
                self.fault(at, kind, error.to_string())
            })?;
            let wrong = |detail: String| self.fault(at, FaultKind::InvalidXml, detail);
            match event {
                Event::Start(tag) | Event::Empty(tag) if depth == 0 && roots > 0 => {
                    return Err(wrong(format!("a second root, <{}>", tag.name().into_inner())));
                }
                Event::Start(tag) => {
                    depth += 1;
                    roots += 1;
                    check(&tag).map_err(wrong)?;
                    each(Node::Open(Element { tag })).map_err(wrong)?;
                }
                Event::Empty(tag) => {
                    roots += 1;
                    check(&tag).map_err(wrong)?;
                    each(Node::Open(Element { tag })).map_err(wrong)?;
                    each(Node::Close).map_err(wrong)?;
                }
                Event::End(_) => {
                    depth = depth.saturating_sub(1);
                    each(Node::Close).map_err(wrong)?;
                }
                Event::Text(text) if depth == 0 => {
                    if !text.trim().is_empty() {
                        return Err(wrong("text outside the root".to_owned()));
                    }
                }
                Event::Text(text) => each(Node::Text(text.xml10_content())).map_err(wrong)?,
                Event::CData(text) => each(Node::Text(text.xml10_content())).map_err(wrong)?,
                Event::GeneralRef(name) => {
                    each(Node::Text(resolved(&name).map_err(wrong)?)).map_err(wrong)?;
                }
                Event::Eof if depth > 0 || roots == 0 => {
                    return Err(self.fault(self.bytes.len(), FaultKind::CutOff, String::new()));
                }
                Event::Eof => return Ok(()),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }

    /// A fault at the byte `at`.
    fn fault(&self, at: usize, kind: FaultKind, detail: String) -> Fault {
        let at = at.min(self.bytes.len());
        let before = &self.bytes[..at];
        let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let line = self.bytes[start..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        // A report is often one long line: show the part at which it went wrong.
        let shown = if line.len() > 160 { &line[(at - start).saturating_sub(80)..] } else { line };
        Fault {
            stream: self.stream,
            line: memchr::memchr_iter(b'\n', before).count() as u64 + 1,
            kind,
            snippet: snippet(shown),
            detail,
        }
    }
}

/// What is wrong with the attributes of an element, if anything is.
fn check(tag: &BytesStart<'_>) -> Result<(), String> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        unescaped(&attribute.value)?;
    }
    Ok(())
}

fn unescaped(value: &str) -> Result<Cow<'_, str>, String> {
    quick_xml::escape::unescape(value).map_err(|error| error.to_string())
}

fn resolved(name: &BytesRef<'_>) -> Result<Cow<'static, str>, String> {
    if let Some(c) = name.resolve_char_ref().map_err(|error| error.to_string())? {
        return Ok(c.to_string().into());
    }
    let name = name.xml10_content();
    resolve_predefined_entity(&name)
        .map(Cow::Borrowed)
        .ok_or_else(|| format!("an entity that XML does not have, &{name};"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(text: &[u8]) -> Result<String, (FaultKind, u64)> {
        let mut reader = text;
        let document = Document::read(&mut reader, Stream::Report).unwrap();
        let mut seen = String::new();
        document
            .walk(|node| {
                match node {
                    Node::Open(element) => {
                        seen += &format!("<{} {:?}>", element.name(), element.attribute("a"));
                    }
                    Node::Text(text) => seen += text.trim(),
                    Node::Close => seen += "</>",
                }
                Ok(())
            })
            .map(|()| seen)
            .map_err(|fault| (fault.kind, fault.line))
    }

    #[test]
    fn a_document_is_handed_out_in_order_with_its_references_resolved() {
        let text = "\u{FEFF}<?xml version=\"1.0\"?>\n<!DOCTYPE r>\n<!-- c -->\n<r a=\"x &lt;&#10;é\">1 &amp; 2<![CDATA[ <3> ]]><e/></r>\n";
        assert_eq!(
            walk(text.as_bytes()),
            Ok("<r Some(\"x <\\né\")>1&2<3><e None></></>".to_owned())
        );
    }

    #[test]
    fn what_is_no_whole_document_is_rejected_with_its_line() {
        assert_eq!(walk(b" \n"), Err((FaultKind::Empty, 1)));
        assert_eq!(walk(b"<r>\n<e>\n"), Err((FaultKind::CutOff, 3)));
        assert_eq!(walk(b"<r>\n<e a=\"x"), Err((FaultKind::CutOff, 2)));
        assert_eq!(walk(b"<r>\n</e>"), Err((FaultKind::InvalidXml, 2)));
        assert_eq!(walk(b"<r/>\n<r/>"), Err((FaultKind::InvalidXml, 2)));
        assert_eq!(walk(b"npm run lint\n<r/>"), Err((FaultKind::InvalidXml, 1)));
        assert_eq!(walk(b"<r>&house;</r>"), Err((FaultKind::InvalidXml, 1)));
        assert_eq!(walk(b"<r a=\"&house;\"/>"), Err((FaultKind::InvalidXml, 1)));
        assert_eq!(walk(b"<r a=1 a=2/>"), Err((FaultKind::InvalidXml, 1)));
        assert_eq!(walk(b"<r>\n\xE9</r>"), Err((FaultKind::NotUtf8, 2)));
        assert_eq!(walk(b"usage: cppcheck\n"), Err((FaultKind::InvalidXml, 1)));
    }
}
