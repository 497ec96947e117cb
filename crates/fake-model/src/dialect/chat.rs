//! OpenAI's Chat Completions: <https://platform.openai.com/docs/api-reference/chat/streaming>

use serde_json::{Value, json};

use super::{Asked, Dialect, Said, openai_error, plain_events};

pub(super) const DIALECT: Dialect = Dialect { stream, whole, error: openai_error };

fn completion(asked: Asked<'_>, object: &str, choices: Value) -> Value {
    json!({
        "id": format!("chatcmpl-{}", asked.number),
        "object": object,
        "created": 1_700_000_000,
        "model": asked.model,
        "choices": choices,
    })
}

fn usage() -> Value {
    json!({ "prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110 })
}

fn call(name: &str, arguments: &str, asked: Asked<'_>) -> Value {
    json!({
        "index": 0,
        "id": format!("call_{}", asked.number),
        "type": "function",
        "function": { "name": name, "arguments": arguments },
    })
}

fn whole(said: &Said, asked: Asked<'_>) -> Value {
    let (message, finish) = match said {
        Said::Text(text) => (json!({ "role": "assistant", "content": text }), "stop"),
        Said::Tool { name, input } => {
            let call = call(name, &json!(input).to_string(), asked);
            (json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls")
        }
    };
    let choice = json!({ "index": 0, "message": message, "finish_reason": finish });
    let mut completion = completion(asked, "chat.completion", json!([choice]));
    completion["usage"] = usage();
    completion
}

fn stream(said: &Said, asked: Asked<'_>) -> String {
    let (deltas, finish): (Vec<Value>, _) = match said {
        Said::Text(text) => {
            (Said::halves(text).map(|half| json!({ "content": half })).into(), "stop")
        }
        Said::Tool { name, input } => {
            let call = call(name, &json!(input).to_string(), asked);
            (vec![json!({ "tool_calls": [call] })], "tool_calls")
        }
    };
    let chunk = |delta: Value, finish: Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        completion(asked, "chat.completion.chunk", json!([choice]))
    };
    let mut events = vec![chunk(json!({ "role": "assistant", "content": "" }), Value::Null)];
    events.extend(deltas.into_iter().map(|delta| chunk(delta, Value::Null)));
    events.push(chunk(json!({}), json!(finish)));
    let mut last = completion(asked, "chat.completion.chunk", json!([]));
    last["usage"] = usage();
    events.push(last);
    plain_events(events) + "data: [DONE]\n\n"
}
