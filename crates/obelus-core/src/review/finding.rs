//! The findings of a block: each complete and of the right types, or the whole block is malformed.

use obelus_record::{ReviewFinding, Severity};

use super::json::{Object, Value, has_repeated_key};

/// The findings of a block's value, or why it is no list of findings.
pub fn list(value: Value<'_>) -> Result<Vec<ReviewFinding>, String> {
    if has_repeated_key(value) {
        return Err("an object of the block has a key twice".to_owned());
    }
    let items = match value.object() {
        Some(object) => object.get("findings").and_then(Value::array),
        None => value.array(),
    };
    let items = items.ok_or("the block is neither a list of findings nor an object with one")?;
    items
        .iter()
        .enumerate()
        .map(|(index, item)| finding(*item).map_err(|why| format!("finding {}: {why}", index + 1)))
        .collect()
}

fn finding(value: Value<'_>) -> Result<ReviewFinding, String> {
    let object = value.object().ok_or("it is not an object")?;
    let line = number(&object, "line")?;
    let end_line = number(&object, "end_line")?;
    match (line, end_line) {
        (None, Some(_)) => return Err("it has an `end_line` and no `line`".to_owned()),
        (Some(line), Some(end)) if end < line => {
            return Err("its `end_line` lies before its `line`".to_owned());
        }
        _ => {}
    }
    Ok(ReviewFinding {
        path: words(&object, "path")?,
        line,
        end_line,
        severity: severity(&object)?,
        code: optional(&object, "code")?,
        title: optional(&object, "title")?,
        message: words(&object, "message")?,
        suggestion: optional(&object, "suggestion")?,
        place: None,
    })
}

fn words(object: &Object<'_>, key: &str) -> Result<String, String> {
    match object.text(key) {
        Some(text) if !text.is_empty() => Ok(text.into_owned()),
        _ => Err(format!("its `{key}` is not a text with something in it")),
    }
}

fn optional(object: &Object<'_>, key: &str) -> Result<Option<String>, String> {
    match object.get(key) {
        None => Ok(None),
        Some(value) if value.is_null() => Ok(None),
        Some(value) => match value.text() {
            Some(text) => Ok(Some(text.into_owned())),
            None => Err(format!("its `{key}` is neither a text nor null")),
        },
    }
}

fn number(object: &Object<'_>, key: &str) -> Result<Option<u64>, String> {
    match object.get(key) {
        None => Ok(None),
        Some(value) if value.is_null() => Ok(None),
        // `1.0` and `1e0` are numbers in a notation that no line has.
        Some(value) => match value.written().parse() {
            Ok(number) if number >= 1 => Ok(Some(number)),
            _ => Err(format!("its `{key}` is neither a whole number from 1 nor null")),
        },
    }
}

fn severity(object: &Object<'_>) -> Result<Severity, String> {
    const ALL: [Severity; 4] = [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint];
    let stated = object.text("severity");
    let known = ALL.into_iter().find(|severity| stated.as_deref() == Some(severity.as_str()));
    known.ok_or_else(|| "its `severity` is not error, warning, info or hint".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Vec<ReviewFinding>, String> {
        list(Value::prefix(json).unwrap().0)
    }

    fn with(extra: &str) -> String {
        format!(r#"[{{"path":"a","message":"m","severity":"error"{extra}}}]"#)
    }

    #[test]
    fn absent_keys_are_null_and_unknown_ones_are_ignored() {
        let found = read(&with(r#","confidence":0.5,"nested":{"a":[1e999]},"code":null"#)).unwrap();
        let wanted = ReviewFinding {
            path: "a".to_owned(),
            line: None,
            end_line: None,
            severity: Severity::Error,
            code: None,
            title: None,
            message: "m".to_owned(),
            suggestion: None,
            place: None,
        };
        assert_eq!(found, [wanted]);
        let found =
            read(&with(r#","line":4294967296,"end_line":4294967296,"title":"","code":"c""#))
                .unwrap();
        assert_eq!((found[0].line, found[0].end_line), (Some(1 << 32), Some(1 << 32)));
        assert_eq!((found[0].title.as_deref(), found[0].code.as_deref()), (Some(""), Some("c")));
        assert_eq!(read(r#"{"findings":[],"summary":"s"}"#), Ok(vec![]));
        assert_eq!(
            read(r#"[{"path":"\ud83e","message":"m","severity":"hint"}]"#).unwrap()[0].path,
            "\u{FFFD}"
        );
    }

    #[test]
    fn a_wrong_type_anywhere_breaks_the_whole_block() {
        for extra in [
            r#","line":0"#,
            r#","line":-1"#,
            r#","line":"7""#,
            r#","line":1.0"#,
            r#","line":true"#,
            r#","line":1e2"#,
            r#","line":[1]"#,
            r#","end_line":3"#,
            r#","line":null,"end_line":3"#,
            r#","line":5,"end_line":4"#,
            r#","line":5,"end_line":"5""#,
            r#","code":5"#,
            r#","title":[]"#,
            r#","suggestion":{}"#,
            r#","path":"b""#,
            r#","x":1,"x":1"#,
            r#","x":[{"y":1,"y":1}]"#,
        ] {
            assert!(read(&with(extra)).is_err(), "{extra}");
        }
        for broken in [
            r#"[{"path":"","message":"m","severity":"error"}]"#,
            r#"[{"path":"a","message":"","severity":"error"}]"#,
            r#"[{"path":null,"message":"m","severity":"error"}]"#,
            r#"[{"message":"m","severity":"error"}]"#,
            r#"[{"path":"a","severity":"error"}]"#,
            r#"[{"path":"a","message":"m"}]"#,
            r#"[{"path":"a","message":"m","severity":"Error"}]"#,
            r#"[{"path":"a","message":"m","severity":"critical"}]"#,
            r#"[null]"#,
            r#"["a"]"#,
            r#"[[]]"#,
            r#"{}"#,
            r#"{"findings":null}"#,
            r#"{"findings":{}}"#,
            r#"{"findings":[],"findings":[]}"#,
            r#"{"issues":[]}"#,
            "null",
            "5",
            "\"[]\"",
            "true",
        ] {
            assert!(read(broken).is_err(), "{broken}");
        }
        assert!(read(&with("").replace(']', ",5]")).is_err());
    }
}
