//! The interfaces of model servers, one file each: one thing said, in the words of each.

mod anthropic;
mod chat;
mod gemini;
mod responses;

use serde_json::{Map, Value, json};

/// What a model says when it is not refused.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    Text(String),
    Tool { name: String, input: Map<String, Value> },
}

impl Said {
    /// A text in two parts, so that whoever reads a stream has something to join.
    fn halves(text: &str) -> [&str; 2] {
        let middle = (text.len() / 2..).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
        [&text[..middle], &text[middle..]]
    }
}

/// What an answer is about: which model was asked, and which request it was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub model: &'a str,
    /// The turn's number, from 1; 0 for questions beside the conversation. Part of every identifier.
    pub number: usize,
}

/// One interface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    /// The answer as server-sent events.
    pub stream: fn(&Said, Asked<'_>) -> String,
    /// The answer in one document.
    pub whole: fn(&Said, Asked<'_>) -> Value,
    /// A refusal.
    pub error: fn(u16, &str) -> Value,
}

/// Which interface a path belongs to.
pub(crate) fn of(path: &str) -> Option<&'static Dialect> {
    let path = path.split('?').next().unwrap_or(path);
    if path.ends_with("/messages") {
        Some(&anthropic::DIALECT)
    } else if path.ends_with("/responses") {
        Some(&responses::DIALECT)
    } else if path.ends_with("/chat/completions") {
        Some(&chat::DIALECT)
    } else if path.ends_with(":streamGenerateContent") || path.ends_with(":generateContent") {
        Some(&gemini::DIALECT)
    } else {
        None
    }
}

/// What is asked besides answers, before or between them; none of it takes a turn of the script.
pub(crate) fn aside(path: &str) -> Option<Value> {
    let path = path.split('?').next().unwrap_or(path);
    if path == "/" || path == "/api/hello" {
        Some(json!({}))
    } else if path.ends_with("/messages/count_tokens") {
        Some(json!({ "input_tokens": 100 }))
    } else if path.ends_with(":countTokens") {
        Some(json!({ "totalTokens": 100 }))
    } else if path.ends_with("/models") {
        let model = json!({ "id": "fake-model", "object": "model", "owned_by": "fake-model" });
        Some(json!({ "object": "list", "data": [model], "models": [] }))
    } else {
        None
    }
}

/// Server-sent events, each with its type in its data and in its `event` field.
fn named_events(events: impl IntoIterator<Item = Value>) -> String {
    events
        .into_iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or("")))
        .collect()
}

/// Server-sent events without a type.
fn plain_events(events: impl IntoIterator<Item = Value>) -> String {
    events.into_iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// A refusal as OpenAI's interfaces word it.
fn openai_error(status: u16, message: &str) -> Value {
    let (kind, code) = match status {
        401 => ("invalid_request_error", "invalid_api_key"),
        429 => ("requests", "rate_limit_exceeded"),
        400..500 => ("invalid_request_error", "invalid_value"),
        _ => ("server_error", "server_error"),
    };
    json!({ "error": { "message": message, "type": kind, "param": null, "code": code } })
}
