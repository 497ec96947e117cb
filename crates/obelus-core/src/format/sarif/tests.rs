use obelus_record::FaultKind;

use super::Sarif;
use crate::format::testing::{all_shown, read};

fn log(run: &str) -> String {
    format!(r#"{{"version":"2.1.0","runs":[{{"tool":{{"driver":{{"name":"lint"}}}},{run}}}]}}"#)
}

fn at(uri: &str) -> String {
    let result = format!(
        r#""results":[{{"message":{{"text":"m"}},"locations":[{{"physicalLocation":{{"artifactLocation":{{"uri":"{uri}"}},"region":{{"startLine":1}}}}}}]}}]"#
    );
    all_shown(&read(&Sarif, &log(&result), ""))[0].clone()
}

#[test]
fn a_log_without_runs_is_a_failure() {
    let got = read(&Sarif, r#"{"version":"2.1.0","runs":[]}"#, "");
    assert_eq!(got.tool_failed.as_deref(), Some("its log holds no run"));
    let got = read(&Sarif, r#"{"version":"2.1.0","runs":null}"#, "");
    assert_eq!(got.tool_failed.as_deref(), Some("its log holds no run"));
    let got = read(&Sarif, r#"{"version":"2.1.0"}"#, "");
    assert_eq!(got.fault.map(|fault| fault.kind), Some(FaultKind::WrongShape));
}

#[test]
fn results_that_are_null_are_none_at_all() {
    let got = read(&Sarif, &log(r#""results":null"#), "");
    assert_eq!(
        got.tool_failed.as_deref(),
        Some("the run of lint has no results, so it did not begin")
    );
}

#[test]
fn paths_of_every_kind() {
    assert_eq!(at("a/b%20c.py"), "warning - a/b c.py:1:---:- m");
    assert_eq!(at("100%.py"), "warning - 100%.py:1:---:- m");
    assert_eq!(at("/repo/a.py"), "warning - a.py:1:---:- m");
    assert_eq!(at("file:/repo/a%20b.py"), "warning - a b.py:1:---:- m");
    assert_eq!(at("file:///repo/a.py"), "warning - a.py:1:---:- m");
    assert_eq!(at("https://example.org/a.py"), "warning - -:-:---:- m");
}

#[test]
fn bases_that_run_in_a_circle_end() {
    let run = r#""originalUriBaseIds":{"A":{"uri":"a/","uriBaseId":"B"},"B":{"uri":"b","uriBaseId":"A"}},
        "results":[{"message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"x.py","uriBaseId":"A"}}}]}]"#;
    assert_eq!(all_shown(&read(&Sarif, &log(run), "")), ["warning - b/a/x.py:-:---:- m"]);
}

#[test]
fn a_fix_without_an_end_is_no_fix() {
    let fix = |region: &str| {
        let run = format!(
            r#""results":[{{"message":{{"text":"m"}},"fixes":[{{"artifactChanges":[{{"artifactLocation":{{"uri":"a.py"}},"replacements":[{{"deletedRegion":{region}}}]}}]}}]}}]"#
        );
        read(&Sarif, &log(&run), "").diagnostics[0].suggestion.is_some()
    };
    assert!(!fix(r#"{"startLine":1}"#));
    assert!(!fix(r#"{"startLine":1,"startColumn":3}"#));
    assert!(fix(r#"{"startLine":1,"startColumn":3,"endColumn":3}"#));
}

#[test]
fn the_rule_of_an_extension() {
    let text = r#"{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"lint"},"extensions":[{"name":"x","rules":[
        {"id":"X1","defaultConfiguration":{"level":"error"}}]}]},
        "results":[{"rule":{"index":0,"toolComponent":{"index":0}},"message":{"text":"m"}}]}]}"#;
    assert_eq!(all_shown(&read(&Sarif, text, "")), ["error X1 -:-:---:- m"]);
}
