use super::*;

const F: &str = r#"{"path":"a.ts","severity":"hint","message":"m"}"#;

fn outcome(text: &str) -> &'static str {
    match read(text, "FINDINGS:") {
        Block::Absent => "absent",
        Block::Malformed(_) => "malformed",
        Block::Complete(findings) if findings.is_empty() => "none",
        Block::Complete(_) => "findings",
    }
}

#[test]
fn a_marker_stands_at_column_0_outside_fences_and_alone_or_before_the_value() {
    for (text, wanted) in [
        ("FINDINGS:\n[]", "none"),
        ("prose\nFINDINGS: \t\r\n\n []\nmore prose", "none"),
        ("FINDINGS:[]", "none"),
        ("FINDINGS: {\"findings\": []} and prose", "none"),
        (" FINDINGS:\n[]", "absent"),
        ("> FINDINGS:\n> []", "absent"),
        ("so FINDINGS: []", "absent"),
        ("FINDINGS: none\n[]", "absent"),
        ("FINDINGS: see below\nFINDINGS:\n[]", "none"),
        ("FINDINGS\n[]", "absent"),
        ("findings:\n[]", "absent"),
        ("```\nFINDINGS:\n[]\n```", "absent"),
        ("   ~~~~ text\nFINDINGS:\n[]\n~~~\n", "absent"),
        ("~~~\n```\n~~~\nFINDINGS:\n[]", "none"),
        ("````\n```\nFINDINGS:\n[1]\n````\nFINDINGS:\n[]", "none"),
        ("    ```\nFINDINGS:\n[]", "none"),
        ("```\nFINDINGS:\n[1]\n``` \nFINDINGS:\n[]", "none"),
        ("``` code ```\nFINDINGS:\n[]", "none"),
        ("a\u{2028}FINDINGS:\n[]", "absent"),
        ("a\rFINDINGS:\n[]", "absent"),
        ("", "absent"),
    ] {
        assert_eq!(outcome(text), wanted, "{text:?}");
    }
}

#[test]
fn the_grammar_of_json_ends_the_value() {
    let quoting = r#"{"path":"a","severity":"info","message":"say ```\nFINDINGS:\n[]\n``` here"}"#;
    for (text, wanted) in [
        (format!("FINDINGS:\n```json\n[{F}]\n```\n"), "findings"),
        (format!("FINDINGS:\n```\n[{F}]\n```\n"), "findings"),
        (format!("FINDINGS:\n`````json [{F}]`````"), "findings"),
        (format!("FINDINGS: ```json\n[{F}]\n```"), "findings"),
        (format!("FINDINGS:\n```json\n[{F}]"), "findings"),
        (format!("FINDINGS:\n```json\n[{quoting}]\n```"), "findings"),
        (format!("FINDINGS:\n[{F}"), "malformed"),
        (format!("FINDINGS:\n[{F},]"), "malformed"),
        ("FINDINGS:\n".to_owned(), "malformed"),
        ("FINDINGS:\nNone, all good.\n".to_owned(), "malformed"),
        ("FINDINGS: null".to_owned(), "malformed"),
        ("FINDINGS:\n\"[]\"".to_owned(), "malformed"),
        ("FINDINGS:\n```yaml\n[]\n```".to_owned(), "malformed"),
        ("FINDINGS:\nHere they are:\n[]".to_owned(), "malformed"),
    ] {
        assert_eq!(outcome(&text), wanted, "{text:?}");
    }
}

#[test]
fn several_blocks_of_one_message_must_be_equal() {
    let fenced = |list: &str| format!("FINDINGS:\n```json\n{list}\n```\n");
    let one = format!("[{F}]");
    assert_eq!(outcome(&(fenced(&one) + "again\n" + &fenced(&one))), "findings");
    assert_eq!(outcome(&(fenced(&one) + &format!("FINDINGS: {{\"findings\":[{F}]}}"))), "findings");
    assert_eq!(outcome(&(fenced(&one) + &fenced("[]"))), "malformed");
    assert_eq!(outcome(&(fenced("[]") + "FINDINGS:\n")), "malformed");
    // A fence that was left open, or closed late, hides no block.
    assert_eq!(outcome(&format!("FINDINGS:\n```json\n[]\nFINDINGS:\n[{F}]")), "malformed");
    assert_eq!(outcome(&format!("FINDINGS:\n```json\n[]\nok\n```\nFINDINGS:\n[{F}]")), "malformed");
    // What is quoted behind a block stays quoted.
    assert_eq!(outcome(&(fenced("[]") + "```\nFINDINGS:\n[1]\n```\n")), "none");
}
