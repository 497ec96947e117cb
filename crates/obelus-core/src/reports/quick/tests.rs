use super::*;
use crate::reports::record::GivenRecord;

/// What serde reads, where it reads anything.
fn by_serde(text: &str) -> Option<Diagnostic> {
    let given: GivenRecord<'_> = serde_json::from_str(text).ok()?;
    Some(Names::default().record(given))
}

#[test]
fn what_is_plain_is_read_as_serde_reads_it() {
    for text in [
        r#"{"tool":"tsc","severity":"error","message":"m"}"#,
        r#" { "message" : "Ünïcode 注文" , "severity" : "hint" , "tool" : "a" } "#,
        r#"{"tool":"a","severity":"info","code":"c","path":"p","line":4294967295,"column":0,"end_line":7,"end_column":10,"message":"","related":[],"suggestion":null,"cell":3,"help":"https://x"}"#,
        r#"{"tool":"a\/b","severity":"info","code":"\u00e9","path":"a\\b","message":"\"x\" is\n\tnot \ud83d\ude00","help":"\""}"#,
        r#"{"tool":"a","severity":"info","code":null,"path":null,"line":null,"message":"","help":null}"#,
        r#"{"tool":"a","severity":"warning","message":"","related":[{"path":"p","line":1,"message":"[\"}"}]}"#,
    ] {
        let quick = record(text, &mut Names::default());
        assert!(quick.is_some(), "{text}");
        assert_eq!(quick, by_serde(text), "{text}");
    }
}

#[test]
fn room_is_made_for_no_more_records_than_there_can_be() {
    // A record that seems to end at its tool.
    let record = r#"{"tool":"}","severity":"hint","message":""},"#;
    let text = format!("[{}{}]", record.repeat(999), record.trim_end_matches(','));
    let records = Cursor::new(&text).records(&mut Names::default()).unwrap();
    assert_eq!(records.len(), 1000);
    assert!(records.capacity() < 1100, "{}", records.capacity());
}

#[test]
fn what_is_not_plain_is_left_to_serde() {
    for text in [
        r#"{"tool":"tsc","severity":"error","message":"a\xb"}"#,
        r#"{"tool":"tsc","severity":"error","message":"a\ud800b"}"#,
        r#"{"tool":"tsc","severity":"err\u006fr","message":"m"}"#,
        r#"{"tool":"tsc","severity":"error","message":"m","more":1}"#,
        r#"{"tool":"tsc","severity":"error","message":"m","line":1.0}"#,
        r#"{"tool":"tsc","severity":"error","message":"m","line":01}"#,
        r#"{"tool":"tsc","severity":"error","message":"m","line":4294967296}"#,
        r#"{"tool":"tsc","severity":"error","message":"m","line":-1}"#,
        r#"{"tool":"tsc","severity":"error","message":"m","tool":"tsc"}"#,
        r#"{"tool":"tsc","severity":"fatal","message":"m"}"#,
        r#"{"tool":"tsc","severity":"error"}"#,
        r#"{"tool":null,"severity":"error","message":"m"}"#,
        r#"{"tool":"tsc","severity":"error","message":"m",}"#,
        r#"{"tool":"tsc","severity":"error","message":"m"} x"#,
        r#"{"tool":"tsc","severity":"error","message":"m""#,
        "{\"tool\":\"tsc\",\"severity\":\"error\",\"message\":\"a\tb\"}",
        "",
    ] {
        assert_eq!(record(text, &mut Names::default()), None, "{text}");
    }
}

#[test]
fn a_report_is_parted_wherever_its_records_stand() {
    let one = r#"{"tool":"a","severity":"error","message":"m"}"#;
    for (text, rest) in [
        (
            format!(r#"{{"runs":[{{"x":"]}}\\\""}}],"records":[{one},{one}],"id":null}}"#),
            r#"{"runs":[{"x":"]}\\\""}],"records":[],"id":null}"#,
        ),
        (
            format!(r#"{{ "records": [ {one} , {one} ] , "n": -1.5e3 }}"#),
            r#"{ "records": [] , "n": -1.5e3 }"#,
        ),
    ] {
        let parted = part(&text, &mut Names::default()).expect("it is plain");
        assert_eq!((parted.records.len(), &*parted.rest), (2, rest));
    }
    for text in [
        format!(r#"{{"records":[{one}],"records":[]}}"#),
        format!(r#"{{"records":[{one},]}}"#),
        r#"{"records":{}}"#.to_owned(),
        r#"{"runs":[]}"#.to_owned(),
        "{".to_owned(),
    ] {
        assert!(part(&text, &mut Names::default()).is_none(), "{text}");
    }
}
