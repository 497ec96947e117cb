//! JSON values that are looked into only where somebody asks.
//!
//! The text is validated once, by [`Object::parse`]; a [`Value`] is a part of it that is not decoded
//! yet. So events of any shape, depth and size are read in one pass without building trees, repeated
//! keys are no fault (the last counts, as in most readers), and unpaired surrogates, which agents
//! write when they cut a text inside a character, become U+FFFD.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Why a text is no object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotObject {
    /// It is not one JSON value.
    Invalid,
    /// It is one JSON value of another kind.
    Other,
}

/// One JSON object.
#[derive(Clone, Debug)]
pub struct Object<'a> {
    members: Vec<(Cow<'a, str>, Value<'a>)>,
}

impl<'a> Object<'a> {
    /// Reads `text`, which must be one object with nothing but white space around it.
    pub fn parse(text: &'a str) -> Result<Self, NotObject> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let read = (&mut deserializer).deserialize_map(Members);
        match read.and_then(|object| deserializer.end().map(|()| object)) {
            Ok(object) => Ok(object),
            Err(_) => match serde_json::from_str::<IgnoredAny>(text) {
                Ok(_) => Err(NotObject::Other),
                Err(_) => Err(NotObject::Invalid),
            },
        }
    }

    /// The value of `name`; of several the last.
    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        self.members.iter().rev().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    /// The value of `name`, if it is a text.
    pub fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name)?.text()
    }

    /// Whether the value of `name` is this text.
    pub fn is(&self, name: &str, text: &str) -> bool {
        self.text(name).is_some_and(|value| value == text)
    }

    /// Whether the value of `name` is `true`.
    pub fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value.0 == "true")
    }

    /// The value of `name`, if it is an object.
    pub fn object(&self, name: &str) -> Option<Object<'a>> {
        self.get(name)?.object()
    }

    /// The elements of `name`; none if it is no array.
    pub fn array(&self, name: &str) -> Vec<Value<'a>> {
        self.get(name).and_then(Value::array).unwrap_or_default()
    }
}

/// A valid JSON value, as it is written.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a>(&'a str);

impl<'a> Value<'a> {
    /// The value at the start of `text`, and how many bytes it takes, white space before it included.
    pub fn prefix(text: &'a str) -> Option<(Self, usize)> {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
        let value = values.next()?.ok()?;
        Some((Value(value.get()), values.byte_offset()))
    }

    /// The text of the value as it is written.
    pub fn written(self) -> &'a str {
        self.0
    }

    /// The value, if it is an object.
    pub fn object(self) -> Option<Object<'a>> {
        self.0.starts_with('{').then(|| Object::parse(self.0).ok())?
    }

    /// The elements, if it is an array.
    pub fn array(self) -> Option<Vec<Value<'a>>> {
        if !self.0.starts_with('[') {
            return None;
        }
        serde_json::Deserializer::from_str(self.0).deserialize_seq(Elements).ok()
    }

    /// The value, if it is a text.
    pub fn text(self) -> Option<Cow<'a, str>> {
        if !self.0.starts_with('"') {
            return None;
        }
        let inner = &self.0[1..self.0.len() - 1];
        if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
            return Some(Cow::Borrowed(inner));
        }
        let Decoded(text) =
            Decoded::deserialize(&mut serde_json::Deserializer::from_str(self.0)).ok()?;
        Some(text)
    }

    /// Whether it is null.
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::with_capacity(12);
        while let Some(Decoded(key)) = map.next_key()? {
            let value: &RawValue = map.next_value()?;
            members.push((key, Value(value.get())));
        }
        Ok(Object { members })
    }
}

struct Elements;

impl<'de> Visitor<'de> for Elements {
    type Value = Vec<Value<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(value) = seq.next_element::<&RawValue>()? {
            elements.push(Value(value.get()));
        }
        Ok(elements)
    }
}

/// A text. serde_json hands out bytes even where an escape stands for half a character.
struct Decoded<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Decoded<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(Bytes)
    }
}

struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = Decoded<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        Ok(Decoded(match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(replace_surrogates(bytes)),
        }))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Decoded(Cow::Owned(match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => replace_surrogates(bytes),
        })))
    }
}

/// The text in which each surrogate, three bytes that UTF-8 doesn't have, is one U+FFFD.
fn replace_surrogates(bytes: &[u8]) -> String {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == 0xED && matches!(bytes.get(at + 1), Some(0xA0..=0xBF)) {
            plain.extend_from_slice("\u{FFFD}".as_bytes());
            at += 3;
        } else {
            plain.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// Whether an object in `value`, however deep, has a key twice.
pub fn has_repeated_key(value: Value<'_>) -> bool {
    let bytes = value.0.as_bytes();
    let mut seen = rustc_hash::FxHashSet::default();
    // The objects and arrays around the place, the innermost last; an array has no number.
    let mut around: Vec<Option<u64>> = Vec::new();
    let (mut objects, mut at, mut expects_key) = (0_u64, 0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let end = string_end(bytes, at);
                if let (true, Some(Some(object))) = (expects_key, around.last())
                    && let Some(key) = Value(&value.0[at..end]).text()
                    && !seen.insert((*object, key))
                {
                    return true;
                }
                expects_key = false;
                at = end;
                continue;
            }
            b'{' => {
                objects += 1;
                around.push(Some(objects));
                expects_key = true;
            }
            b'[' => {
                around.push(None);
                expects_key = false;
            }
            b'}' | b']' => {
                around.pop();
                expects_key = false;
            }
            b',' => expects_key = matches!(around.last(), Some(Some(_))),
            _ => {}
        }
        at += 1;
    }
    false
}

/// Behind the closing quote of the string that begins at `start`, in valid JSON.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(next) = memchr::memchr2(b'"', b'\\', &bytes[at.min(bytes.len())..]) {
        if bytes[at + next] == b'"' {
            return at + next + 1;
        }
        at += next + 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_strict_about_json_and_about_nothing_else() {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(200_000), "]".repeat(200_000));
        for valid in [
            "{}",
            " {\"a\":1}\t\r",
            "{\"a\":1,\"a\":2}",
            "{\"\\ud83e\":\"\\udd80\"}",
            "{\"a\":1e999}",
            &deep,
        ] {
            assert!(Object::parse(valid).is_ok(), "{}", &valid[..valid.len().min(40)]);
        }
        for other in ["[]", "null", " 5", "\"a\"", "true", "[{}]"] {
            assert_eq!(Object::parse(other).unwrap_err(), NotObject::Other, "{other}");
        }
        for invalid in [
            "",
            "{",
            "{}{}",
            "{} x",
            "[1] x",
            "NaN",
            "{\"a\":NaN}",
            "{\"a\":01}",
            "{\"a\":1,}",
            "{'a':1}",
            "{\"a\":\"\t\"}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\ud8\"}",
            "{\"a\":Infinity}",
            "\u{0}{}",
            "{a:1}",
            "{\"a\":\"\u{0}\"}",
            "\u{b}{}",
        ] {
            assert_eq!(Object::parse(invalid).unwrap_err(), NotObject::Invalid, "{invalid:?}");
        }
    }

    #[test]
    fn half_a_character_reads_as_a_replacement() {
        let text = |json: &str| Object::parse(json).unwrap().text("a").unwrap().into_owned();
        assert_eq!(text(r#"{"a":"x\ud83e"}"#), "x\u{FFFD}");
        assert_eq!(text(r#"{"a":"\ud83e\ud83e\udd80\udd80y"}"#), "\u{FFFD}🦀\u{FFFD}y");
        assert_eq!(text(r#"{"a":"é\ud83e\n"}"#), "é\u{FFFD}\n");
        assert_eq!(text(r#"{"a":"\ud83ex"}"#), "\u{FFFD}x");
        assert_eq!(text(r#"{"a":1,"a":"last"}"#), "last");
        assert_eq!(text(r#"{"\u0061":"by its escape"}"#), "by its escape");
    }

    #[test]
    fn a_repeated_key_is_found_at_any_depth_and_under_any_spelling() {
        let repeated = |json| has_repeated_key(Value::prefix(json).unwrap().0);
        assert!(repeated(r#"{"a":1,"a":1}"#));
        assert!(repeated(r#"[{"b":[{"a":"{","\u0061":2}]}]"#));
        assert!(repeated(r#"{"a":{"x":1},"b":[1,2],"a":3}"#));
        assert!(!repeated(r#"[{"a":1},{"a":1,"b":{"a":"a","b":"\"a\""}},["a","a"]]"#));
    }
}
