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
fn what_the_change_silenced_is_gone_and_accepted_by_nobody() {
    let (mut report, _) = samples::two();
    let gone = |path: &str| json!({"tool": "tsc", "severity": "error", "code": "TS9", "path": path, "message": "m"});
    let by = |path: &str| {
        json!({"tool": "obelus", "severity": "warning", "code": "silenced/x", "path": path,
        "line": 3, "column": 5, "message": "it silences"})
    };
    for path in ["a.ts", "tsconfig.json"] {
        report.records.push(serde_json::from_value(by(path)).unwrap());
        report.origins.push(obelus_record::Origin { runs: [].into(), count: 1 });
    }
    let attribution = json!({
        "attributable": true, "say": [], "new": [2, 3], "fixed": [], "unchanged": [[0, 0], [1, 1]],
        "silenced": [{"before": 2, "by": 2}, {"before": 3, "by": 3}], "hidden": [4], "revealed": [],
        "duplicates": {"before": [], "after": []}, "unattributed": {"before": [], "after": []},
        "baseline": {"records": [{"index": 2, "record": gone("a.ts")}, {"index": 3, "record": gone("a.ts")},
            {"index": 4, "record": gone("b.ts")}]},
    });
    report.attribution = serde_json::from_value(attribution).unwrap();
    let log = log(&report);
    let runs = log["runs"].as_array().unwrap().iter();
    let gone: Vec<Value> = runs
        .flat_map(|run| run["results"].as_array().unwrap())
        .filter(|result| result["baselineState"] == "absent")
        .map(|result| result["suppressions"].clone())
        .collect();
    let suppression = |kind: &str, path: &str| {
        json!([{"kind": kind, "status": "underReview",
            "justification": format!("silenced/x: it silences ({path}:3:5)")}])
    };
    assert_eq!(gone, [suppression("inSource", "a.ts"), suppression("external", "tsconfig.json")]);
}

#[test]
fn a_rule_has_the_page_that_any_of_its_results_names() {
    let record = |help: Value| json!({"tool": "t", "severity": "error", "code": "R1", "message": "m", "help": help});
    let records = vec![(0, record(Value::Null)), (0, record(json!("https://example.org/R1")))];
    let report = samples::report(vec![json!({"checker": "t"})], records, json!([]));
    let rules = &log(&report)["runs"][0]["tool"]["driver"]["rules"];
    assert_eq!(*rules, json!([{"id": "R1", "helpUri": "https://example.org/R1"}]));
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
            "ruleId": "obelus/without-code", "ruleIndex": 0,
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
