//! Hooks added to a JSON file of settings; everything else in it stays as it is and where it is.

use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};

/// A hook of one event.
pub struct Entry {
    event: &'static str,
    hook: Value,
}

impl Entry {
    /// `hook`, one more of those of `event`.
    pub fn new(event: &'static str, hook: Value) -> Self {
        Entry { event, hook }
    }
}

/// The settings `before` with `entries` under `hooks`, and with `more` where it has no such key;
/// nothing where every entry's event has a hook with `mark` already.
pub fn with_hooks(
    before: Option<&str>,
    mark: &str,
    entries: &[Entry],
    more: &[(&str, Value)],
) -> Result<Option<String>, String> {
    let text = before.filter(|text| !text.trim().is_empty());
    let mut settings = match text {
        None => Json::Object(Vec::new()),
        Some(text) => serde_json::from_str(text).map_err(|error| {
            format!(
                "it is not plain JSON ({error}), so nothing is changed; add by hand:\n{}",
                shown(entries)
            )
        })?,
    };
    let unexpected =
        |what: &str| format!("{what}, so nothing is changed; add by hand:\n{}", shown(entries));
    let mut changed = false;
    for (key, value) in more {
        let top = settings.object().ok_or_else(|| unexpected("it is no JSON object"))?;
        if !top.iter().any(|(known, _)| known == key) {
            top.push(((*key).to_owned(), Json::from(value)));
        }
    }
    let hooks = settings
        .entry("hooks", Json::Object(Vec::new()))
        .ok_or_else(|| unexpected("it is no JSON object"))?;
    for entry in entries {
        let list = hooks.entry(entry.event, Json::Array(Vec::new()));
        let Some(Json::Array(list)) = list else {
            return Err(unexpected("its \"hooks\" are of another shape"));
        };
        if list.iter().any(|known| known.mentions(mark)) {
            continue;
        }
        list.push(Json::from(&entry.hook));
        changed = true;
    }
    if !changed {
        return Ok(None);
    }
    serde_json::to_string_pretty(&settings)
        .map(|text| Some(text + "\n"))
        .map_err(|error| error.to_string())
}

fn shown(entries: &[Entry]) -> String {
    let of = |entry: &Entry| format!("  hooks.{}: {}\n", entry.event, entry.hook);
    entries.iter().map(of).collect()
}

/// A JSON value whose objects keep their order.
#[derive(Clone, Debug, PartialEq)]
enum Json {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn object(&mut self) -> Option<&mut Vec<(String, Json)>> {
        match self {
            Json::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The member `key`, which becomes `otherwise` where there is none; nothing if this is no object.
    fn entry(&mut self, key: &str, otherwise: Json) -> Option<&mut Json> {
        let members = self.object()?;
        let at = match members.iter().position(|(known, _)| known == key) {
            Some(at) => at,
            None => {
                members.push((key.to_owned(), otherwise));
                members.len() - 1
            }
        };
        members.get_mut(at).map(|(_, value)| value)
    }

    /// Whether a text in it holds `mark`.
    fn mentions(&self, mark: &str) -> bool {
        match self {
            Json::Text(text) => text.contains(mark),
            Json::Array(items) => items.iter().any(|item| item.mentions(mark)),
            Json::Object(members) => members.iter().any(|(_, value)| value.mentions(mark)),
            Json::Null | Json::Bool(_) | Json::Number(_) => false,
        }
    }
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Number(number) => Json::Number(number.clone()),
            Value::String(text) => Json::Text(text.clone()),
            Value::Array(items) => Json::Array(items.iter().map(Json::from).collect()),
            Value::Object(members) => Json::Object(
                members.iter().map(|(key, value)| (key.clone(), value.into())).collect(),
            ),
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Number(number) => number.serialize(serializer),
            Json::Text(text) => serializer.serialize_str(text),
            Json::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Json::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Json, E> {
        Number::from_f64(value).map(Json::Number).ok_or_else(|| E::custom("no number"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Json::Object(members))
    }
}
