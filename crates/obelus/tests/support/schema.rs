//! As much of JSON Schema as the schemas of Obelus use; a word beyond that fails the test.

use std::path::Path;

use serde_json::Value;

/// The schema that is committed as `schema/NAME.json`.
pub fn committed(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../schema/{name}.json"));
    let text = std::fs::read_to_string(path).expect("the schema is committed");
    serde_json::from_str(&text).expect("the schema is JSON")
}

/// Where `value` is not of the shape that `schema` describes.
pub fn faults(value: &Value, schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(value, schema, schema, "", &mut faults);
    faults
}

fn check(value: &Value, schema: &Value, root: &Value, at: &str, faults: &mut Vec<String>) {
    let Some(words) = schema.as_object() else { return };
    let holds = |schema: &Value| {
        let mut faults = Vec::new();
        check(value, schema, root, at, &mut faults);
        faults.is_empty()
    };
    for (word, rule) in words {
        let fine = match word.as_str() {
            "$ref" => {
                let pointer = rule.as_str().unwrap_or_default().trim_start_matches('#');
                check(value, root.pointer(pointer).expect("it refers"), root, at, faults);
                true
            }
            "type" => match rule {
                Value::Array(types) => types.iter().any(|rule| is_of_type(value, rule)),
                rule => is_of_type(value, rule),
            },
            "properties" => {
                for (key, schema) in rule.as_object().expect("properties are an object") {
                    if let Some(value) = value.get(key) {
                        check(value, schema, root, &format!("{at}/{key}"), faults);
                    }
                }
                true
            }
            "required" => rule
                .as_array()
                .expect("a list")
                .iter()
                .all(|key| value.get(key.as_str().unwrap_or_default()).is_some()),
            "items" => {
                for (index, value) in value.as_array().into_iter().flatten().enumerate() {
                    check(value, rule, root, &format!("{at}/{index}"), faults);
                }
                true
            }
            "prefixItems" => {
                let rules = rule.as_array().expect("a list");
                for (index, (value, rule)) in
                    value.as_array().into_iter().flatten().zip(rules).enumerate()
                {
                    check(value, rule, root, &format!("{at}/{index}"), faults);
                }
                true
            }
            "minItems" => {
                value.as_array().is_none_or(|list| list.len() as u64 >= rule.as_u64().unwrap_or(0))
            }
            "maxItems" => {
                value.as_array().is_none_or(|list| list.len() as u64 <= rule.as_u64().unwrap_or(0))
            }
            "additionalProperties" => value.as_object().into_iter().flatten().all(|(_, value)| {
                let mut inner = Vec::new();
                check(value, rule, root, at, &mut inner);
                inner.is_empty()
            }),
            "anyOf" => rule.as_array().expect("a list").iter().any(holds),
            "oneOf" => {
                rule.as_array().expect("a list").iter().filter(|rule| holds(rule)).count() == 1
            }
            "const" => value == rule,
            "enum" => rule.as_array().expect("a list").contains(value),
            "minimum" => !value.is_number() || value.as_f64() >= rule.as_f64(),
            "maximum" => !value.is_number() || value.as_f64() <= rule.as_f64(),
            "$defs" | "$id" | "$schema" | "title" | "description" | "default" | "format" => true,
            other => panic!("the schema uses `{other}`, which this check does not know"),
        };
        if !fine {
            faults.push(format!("{at}: {word} {rule} does not hold for {value}"));
        }
    }
}

fn is_of_type(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("null") => value.is_null(),
        _ => false,
    }
}
