use serde_json::{Value, json};

use super::Sarif;
use crate::NoSources;
use crate::present::{Look, samples};

fn log(report: &obelus_record::Report) -> Value {
    serde_json::from_str(&samples::written(&Sarif, report, &NoSources, Look::Plain)).unwrap()
}

#[test]
fn a_checker_has_a_run_for_each_tool_that_it_speaks_for() {
    let record = |tool: &str| json!({"tool": tool, "severity": "warning", "message": "m"});
    let report = samples::report(
        vec![
            json!({"checker": "clippy", "tool": "clippy", "version": "0.1.95", "project": "a"}),
            json!({"checker": "tsc", "outcome": "pass"}),
            json!({"checker": "clippy", "tool": "clippy", "version": "0.1.95", "project": "b"}),
        ],
        vec![(0, record("rustc")), (2, record("clippy")), (2, record("rustc"))],
        json!([]),
    );
    let log = log(&report);
    let runs: Vec<(&str, usize, usize)> = log["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| {
            let count = |key: &str| run[key].as_array().unwrap().len();
            (
                run["tool"]["driver"]["name"].as_str().unwrap(),
                count("results"),
                count("invocations"),
            )
        })
        .collect();
    assert_eq!(runs, [("rustc", 2, 2), ("clippy", 1, 2), ("tsc", 0, 1)]);
    assert_eq!(log["runs"][0]["tool"]["driver"]["version"], "0.1.95");
    assert_eq!(log["runs"][2]["automationDetails"]["id"], "obelus/tsc/");
}

#[test]
fn a_checker_that_failed_itself_is_no_clean_run() {
    let run = json!({"checker": "tsc", "outcome": "harness_error", "reason": "killed by signal 9",
        "signal": 9, "exit": null, "termination": {"how": "signaled", "signal": 9}});
    let report = samples::report(vec![run], Vec::new(), json!([]));
    let log = log(&report);
    assert_eq!(
        log["runs"][0]["invocations"][0],
        json!({
            "exitSignalNumber": 9, "executionSuccessful": false,
            "toolExecutionNotifications":
                [{"level": "error", "message": {"text": "killed by signal 9"}}],
            "properties": {"outcome": "harness_error", "reason": "killed by signal 9"},
        })
    );
    assert_eq!(log["properties"]["outcome"], "harness_error");
    assert_eq!(log["properties"]["verdict"], "harness error: tsc; no findings by the others");
}

#[test]
fn what_the_change_did_is_told_of_each() {
    let (mut report, _) = samples::two();
    let fixed = json!({"tool": "tsc", "severity": "error", "code": "TS9", "message": "gone"});
    let attribution = json!({
        "attributable": true, "say": [], "new": [0], "fixed": [1], "unchanged": [[0, 1]],
        "hidden": [], "revealed": [], "duplicates": {"before": [], "after": []},
        "unattributed": {"before": [], "after": []},
        "evidence": [{"pair": 0, "evidence": "moved", "certainty": "certain", "moved": true}],
        "baseline": {"records": [{"index": 1, "record": fixed}]},
    });
    report.attribution = serde_json::from_value(attribution).unwrap();
    let log = log(&report);
    let states: Vec<(&str, &Value)> = log["runs"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|run| run["results"].as_array().unwrap())
        .map(|result| (result["ruleId"].as_str().unwrap(), &result["baselineState"]))
        .collect();
    assert_eq!(
        states,
        [("TS2532", &json!("new")), ("TS2345", &json!("updated")), ("TS9", &json!("absent"))]
    );
}

#[test]
fn a_message_holds_no_link_of_its_own() {
    let record = json!({"tool": "t", "severity": "hint", "path": "a b.ts", "line": 2,
        "message": "call [x](https://example.org) {0}"});
    let run = json!({"checker": "t"});
    let report = samples::report(vec![run], vec![(0, record)], json!([]));
    assert_eq!(
        log(&report)["runs"][0]["results"][0],
        json!({
            "level": "note", "message": {"text": r"call \[x](https://example.org) {0}"},
            "locations": [{"physicalLocation": {
                "artifactLocation": {"uri": "a%20b.ts", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 2}}}],
            "partialFingerprints":
                log(&report)["runs"][0]["results"][0]["partialFingerprints"].clone(),
            "properties": {"severity": "hint"},
        })
    );
}
