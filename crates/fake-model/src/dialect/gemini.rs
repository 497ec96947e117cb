//! Gemini: <https://ai.google.dev/api/generate-content>

use serde_json::{Value, json};

use super::{Asked, Dialect, Said, plain_events};

pub(super) const DIALECT: Dialect = Dialect { stream, whole, error };

fn part_of_answer(parts: &Value, asked: Asked<'_>, finish: Option<&str>) -> Value {
    let mut candidate = json!({ "index": 0, "content": { "role": "model", "parts": parts } });
    if let Some(finish) = finish {
        candidate["finishReason"] = json!(finish);
    }
    json!({
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110,
        },
        "modelVersion": asked.model,
        "responseId": format!("response-{}", asked.number),
    })
}

fn whole(said: &Said, asked: Asked<'_>) -> Value {
    let part = match said {
        Said::Text(text) => json!({ "text": text }),
        Said::Tool { name, input } => json!({ "functionCall": { "name": name, "args": input } }),
    };
    part_of_answer(&json!([part]), asked, Some("STOP"))
}

fn stream(said: &Said, asked: Asked<'_>) -> String {
    match said {
        Said::Text(text) => {
            let [first, second] = Said::halves(text);
            plain_events([
                part_of_answer(&json!([{ "text": first }]), asked, None),
                part_of_answer(&json!([{ "text": second }]), asked, Some("STOP")),
            ])
        }
        Said::Tool { .. } => plain_events([whole(said, asked)]),
    }
}

fn error(status: u16, message: &str) -> Value {
    let name = match status {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        429 => "RESOURCE_EXHAUSTED",
        _ => "INTERNAL",
    };
    json!({ "error": { "code": status, "message": message, "status": name } })
}
