use super::*;

fn fault(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn a_small_report_is_enough() {
    let report = read(
        br#"{"runs": [{"tool": "cargo", "exit": 0, "outcome": "pass"}],
             "records": [{"tool": "rustc", "severity": "warning", "message": "m"}]}"#,
    )
    .unwrap();
    assert_eq!(report.runs[0].checker, "cargo");
    assert_eq!(report.runs[0].termination, Termination::Exited { code: 0 });
    assert_eq!(report.origins, [Origin { runs: [0].into(), count: 1 }]);
    assert_eq!((report.outcome, report.counts.warning), (Outcome::Pass, 1));
}

#[test]
fn bare_records_are_a_run_of_their_own() {
    let one = r#"{"tool": "tsc", "severity": "error", "message": "m"}"#;
    let report = read(format!("{one}\n\n{one}\r\n").as_bytes()).unwrap();
    assert_eq!((report.records.len(), report.runs.len()), (2, 1));
    assert_eq!(report.outcome, Outcome::Fail);
    // A record may begin with any of its keys.
    let other = r#"{"help": "https://x", "tool": "tsc", "severity": "error", "message": "m"}"#;
    assert_eq!(read(other.as_bytes()).unwrap().records.len(), 1);
    assert_eq!(read(b" \n").unwrap().outcome, Outcome::HarnessError);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (text, message) in [
        ("\n[1]", "line 2: neither a report nor a record starts here: both are JSON objects"),
        (
            "{\"tool\": \"a\", \"severity\": \"error\", \"message\": \"\"}\n{\"tool\": 1}",
            "line 2: not a record: invalid type: integer `1`, expected a string (column 10)",
        ),
        (
            "{\"runs\": [],\n \"records\": 3}",
            "line 2: not a report: invalid type: integer `3`, expected a sequence (column 13)",
        ),
        (
            "{\"runs\": [{\"tool\": \"a\"}], \"records\": []}",
            "line 1: not a report: missing field `outcome` (column 23)",
        ),
        (
            "{\"version\": 2, \"runs\": [], \"records\": []}",
            "line 1: a report of version 2; this Obelus reads version 1",
        ),
        (
            "{\"runs\": [], \"records\": [{\"tool\": \"a\", \"severity\": \"hint\", \"message\": \"\"}]}",
            "line 1: not a report: it has records, and no run that they are of",
        ),
    ] {
        assert_eq!(fault(text), message);
    }
    assert_eq!(read(b"{\"tool\": \"\xFF\"}").unwrap_err().what, "it is not UTF-8");
}

#[test]
fn shards_are_one_check() {
    let shard = |records: &str, not_run: &str| {
        let text = format!(
            r#"{{"runs": [{{"tool": "tsc", "exit": 2, "outcome": "fail"}}], "records": [{records}],
                "not_run": [{{"checker": "{not_run}", "reason": "r"}}]}}"#
        );
        read(text.as_bytes()).unwrap()
    };
    let record = |line: u32| {
        format!(
            r#"{{"tool": "tsc", "severity": "error", "path": "a", "line": {line}, "message": "m"}}"#
        )
    };
    let one = shard(&[record(1), record(2)].join(","), "tsc");
    let two = shard(&record(2), "mypy");
    let report = merge(vec![one, two]);
    assert_eq!((report.records.len(), report.runs.len(), report.not_run.len()), (2, 2, 1));
    assert_eq!(*report.origins[1].runs, [0, 1]);
}
