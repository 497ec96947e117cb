//! Anthropic's Messages: <https://docs.anthropic.com/en/api/messages-streaming>

use serde_json::{Value, json};

use super::{Asked, Dialect, Said, named_events};

pub(super) const DIALECT: Dialect = Dialect { stream, whole, error };

fn message(asked: Asked<'_>, content: Value, stop: Value) -> Value {
    json!({
        "id": format!("msg_{}", asked.number),
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": { "input_tokens": 100, "output_tokens": 10 },
    })
}

fn block(said: &Said, asked: Asked<'_>) -> (Value, &'static str) {
    match said {
        Said::Text(text) => (json!({ "type": "text", "text": text }), "end_turn"),
        Said::Tool { name, input } => {
            let id = format!("toolu_{}", asked.number);
            (json!({ "type": "tool_use", "id": id, "name": name, "input": input }), "tool_use")
        }
    }
}

fn whole(said: &Said, asked: Asked<'_>) -> Value {
    let (block, stop) = block(said, asked);
    message(asked, json!([block]), json!(stop))
}

fn stream(said: &Said, asked: Asked<'_>) -> String {
    let (mut block, stop) = block(said, asked);
    let deltas: Vec<Value> = match said {
        Said::Text(text) => {
            block["text"] = json!("");
            Said::halves(text).map(|half| json!({ "type": "text_delta", "text": half })).into()
        }
        Said::Tool { input, .. } => {
            block["input"] = json!({});
            let text = json!(input).to_string();
            Said::halves(&text)
                .map(|half| json!({ "type": "input_json_delta", "partial_json": half }))
                .into()
        }
    };
    let start = message(asked, json!([]), Value::Null);
    let mut events = vec![
        json!({ "type": "message_start", "message": start }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
    ];
    events.extend(
        deltas
            .into_iter()
            .map(|delta| json!({ "type": "content_block_delta", "index": 0, "delta": delta })),
    );
    events.extend([
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({
            "type": "message_delta",
            "delta": { "stop_reason": stop, "stop_sequence": null },
            "usage": { "output_tokens": 10 },
        }),
        json!({ "type": "message_stop" }),
    ]);
    named_events(events)
}

fn error(status: u16, message: &str) -> Value {
    let kind = match status {
        401 => "authentication_error",
        403 => "permission_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        400..500 => "invalid_request_error",
        _ => "api_error",
    };
    json!({ "type": "error", "error": { "type": kind, "message": message } })
}
