use serde_json::json;

use super::*;
use crate::NoSources;
use crate::present::samples::{self, written};

#[test]
fn two_errors_and_a_pass() {
    let (report, sources) = samples::two();
    insta::assert_snapshot!(written(&Human, &report, &sources, Look::Plain));
}

#[test]
fn every_shape() {
    let report = samples::everything();
    insta::assert_snapshot!(written(&Human, &report, &samples::sources(), Look::Plain));
}

#[test]
fn colours() {
    let (report, sources) = samples::two();
    let shown = written(&Human, &report, &sources, Look::Coloured);
    insta::assert_snapshot!(shown.replace('\x1b', "␛"));
}

#[test]
fn no_control_character_passes() {
    let report = samples::everything();
    let shown = written(&Human, &report, &samples::sources(), Look::Plain);
    let control = shown.chars().find(|&c| c.is_control() && c != '\n');
    assert_eq!(control, None);
}

#[test]
fn no_line_is_long_and_no_record_missing() {
    let report = samples::everything();
    let shown = written(&Human, &report, &samples::sources(), Look::Plain);
    assert_eq!(shown.lines().map(|line| line.chars().count()).filter(|&n| n > 200).max(), None);
    for record in &report.records {
        let first = record.message.lines().next().unwrap();
        assert!(shown.contains(&crate::present::text::lines(first)), "{first}");
    }
}

#[test]
fn without_sources_the_places_stay() {
    let (report, _) = samples::two();
    insta::assert_snapshot!(written(&Human, &report, &NoSources, Look::Plain));
}

#[test]
fn nobody_looked_is_not_clean() {
    let not_run = json!([{"checker": "ruff", "reason": "not installed: pip install ruff"}]);
    let report = samples::report(Vec::new(), Vec::new(), not_run);
    insta::assert_snapshot!(written(&Human, &report, &NoSources, Look::Plain));
}

#[test]
fn clean() {
    let run = json!({"checker": "tsc", "outcome": "pass", "reason": "exit status 0"});
    let report = samples::report(vec![run], Vec::new(), json!([]));
    insta::assert_snapshot!(written(&Human, &report, &NoSources, Look::Plain));
}

/// Places of every kind, most of them nonsense, are drawn somehow and never panic.
#[test]
fn any_place_can_be_drawn() {
    let source = "\tab\n\né🙂\r\nlast";
    let sources = samples::MapSources::new(&[("f", source.as_bytes())]);
    let numbers = [0_u32, 1, 2, 3, 4, 5, 9, u32::MAX];
    for line in numbers {
        for column in numbers {
            for end_line in numbers {
                let records = numbers.map(|end_column| {
                    let place = json!({"path": "f", "line": line, "column": column,
                        "end_line": end_line, "end_column": end_column, "message": "here", "text": "x\ny"});
                    let mut record = json!({"tool": "t", "severity": "error", "related": [place],
                        "suggestion": {"applicability": "safe", "edits": [place]}});
                    for key in ["path", "line", "column", "end_line", "end_column", "message"] {
                        record[key] = place[key].clone();
                    }
                    (0, record)
                });
                let run = json!({"checker": "t"});
                let report = samples::report(vec![run], records.to_vec(), json!([]));
                written(&Human, &report, &sources, Look::Plain);
                written(&crate::present::Agent, &report, &sources, Look::Plain);
            }
        }
    }
}

/// Colours add nothing: without their sequences the same text is left.
#[test]
fn nothing_is_said_by_colour_alone() {
    let report = samples::everything();
    let plain = written(&Human, &report, &samples::sources(), Look::Plain);
    let coloured = written(&Human, &report, &samples::sources(), Look::Coloured);
    assert_eq!(without_sequences(&coloured), plain);
}

/// `text` without its colour sequences, which are all `ESC [ … m`.
fn without_sequences(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut left = parts.next().unwrap().to_owned();
    for part in parts {
        left += part.split_once('m').expect("a colour sequence ends").1;
    }
    left
}
