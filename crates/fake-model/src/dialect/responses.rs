//! OpenAI's Responses: <https://platform.openai.com/docs/api-reference/responses-streaming>

use serde_json::{Value, json};

use super::{Asked, Dialect, Said, named_events, openai_error};

pub(super) const DIALECT: Dialect = Dialect { stream, whole, error: openai_error };

fn response(asked: Asked<'_>, status: &str, output: Value) -> Value {
    json!({
        "id": format!("resp_{}", asked.number),
        "object": "response",
        "status": status,
        "model": asked.model,
        "output": output,
        "usage": {
            "input_tokens": 100,
            "input_tokens_details": { "cached_tokens": 0 },
            "output_tokens": 10,
            "output_tokens_details": { "reasoning_tokens": 0 },
            "total_tokens": 110,
        },
    })
}

fn item(said: &Said, asked: Asked<'_>) -> Value {
    match said {
        Said::Text(text) => json!({
            "type": "message",
            "id": format!("msg_{}", asked.number),
            "role": "assistant",
            "status": "completed",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }],
        }),
        Said::Tool { name, input } => json!({
            "type": "function_call",
            "id": format!("fc_{}", asked.number),
            "call_id": format!("call_{}", asked.number),
            "name": name,
            "arguments": json!(input).to_string(),
            "status": "completed",
        }),
    }
}

fn whole(said: &Said, asked: Asked<'_>) -> Value {
    response(asked, "completed", json!([item(said, asked)]))
}

fn stream(said: &Said, asked: Asked<'_>) -> String {
    let item = item(said, asked);
    let created = response(asked, "in_progress", json!([]));
    let mut begun = item.clone();
    begun["status"] = json!("in_progress");
    if let Said::Text(_) = said {
        begun["content"] = json!([]);
    }
    let mut events = vec![
        json!({ "type": "response.created", "response": created }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": begun }),
    ];
    if let Said::Text(text) = said {
        events.extend(Said::halves(text).map(|half| {
            json!({
                "type": "response.output_text.delta",
                "item_id": item["id"],
                "output_index": 0,
                "content_index": 0,
                "delta": half,
            })
        }));
    }
    events.extend([
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
        json!({ "type": "response.completed", "response": whole(said, asked) }),
    ]);
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    named_events(events)
}
