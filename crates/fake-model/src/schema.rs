//! Questions beside the conversation: agents ask for a title, or who speaks next, as JSON of a schema.

use serde_json::{Map, Value, json};

/// The schema that the answer must have, where the request names one.
pub(crate) fn asked_for(request: &Value) -> Option<&Value> {
    [
        "/output_config/format/schema",         // Anthropic
        "/text/format/schema",                  // OpenAI Responses
        "/response_format/json_schema/schema",  // OpenAI Chat Completions
        "/generationConfig/responseJsonSchema", // Gemini
        "/generationConfig/responseSchema",     // Gemini
    ]
    .into_iter()
    .find_map(|place| request.pointer(place))
}

/// The plainest value that a schema allows.
pub(crate) fn plainest(schema: &Value) -> Value {
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    // Gemini writes types in capitals.
    let kind = schema["type"].as_str().unwrap_or("string").to_ascii_lowercase();
    match kind.as_str() {
        "object" => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            Value::Object(
                fields.map(|(name, of)| (name.clone(), plainest(of))).collect::<Map<_, _>>(),
            )
        }
        "array" => json!([]),
        "boolean" => json!(false),
        "integer" | "number" => json!(0),
        "null" => Value::Null,
        _ => json!("fake"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_has_the_schema() {
        let schema = json!({ "type": "OBJECT", "properties": {
            "title": { "type": "STRING" },
            "next": { "type": "string", "enum": ["user", "model"] },
            "sure": { "type": "boolean" },
        } });
        let request = json!({ "generationConfig": { "responseSchema": schema } });
        let asked = asked_for(&request).expect("it names a schema");
        assert_eq!(plainest(asked), json!({ "title": "fake", "next": "user", "sure": false }));
        assert_eq!(asked_for(&json!({ "generationConfig": {} })), None);
    }
}
