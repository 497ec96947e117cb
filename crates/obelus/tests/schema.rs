//! The schemas describe what the types write: no less, and not just anything.

mod support;

use obelus_record::{Diagnostic, Report};
use serde_json::{Value, json};
use support::schema::{committed, faults};

/// A report in which every field is filled.
fn report() -> Value {
    let place = json!({"path": "a.ts", "line": 1, "column": 2, "end_line": 1, "end_column": 3,
        "message": "here", "text": "x"});
    let record = json!({"tool": "tsc", "severity": "error", "code": "TS1", "path": "a.ts", "line": 1,
        "column": 2, "end_line": 1, "end_column": 3, "message": "no", "cell": 4, "help": "https://example.org", "related": [place],
        "suggestion": {"applicability": "safe", "message": "so", "edits": [place],
            "alternatives": [{"applicability": "incomplete", "message": null, "edits": [place]}]}});
    json!({
        "version": 1, "outcome": "harness_error", "reason": "why", "id": "1", "scope": ["a"],
        "runs": [{"checker": "tsc", "tool": "tsc", "format": "tsc-text", "project": ".",
            "version": "5.9", "argv": ["tsc"], "cwd": ".", "exit": null, "signal": 9,
            "termination": {"how": "signaled", "signal": 9}, "outcome": "harness_error",
            "reason": "killed", "partial": true, "notes": ["a note"], "out_of_scope": 1,
            "fault": {"stream": "stdout", "line": 1, "kind": "cut_off", "snippet": "{", "detail": ""},
            "unrecognised": {"count": 1, "lines": [{"stream": "stderr", "line": 1, "text": "?"}]},
            "duration_ms": 1}],
        "not_run": [{"checker": "mypy", "reason": "not installed"}],
        "records": [record], "origins": [{"runs": [0], "count": 2}],
        "counts": {"error": 1, "warning": 0, "info": 0, "hint": 0, "files": 1, "by_tool": {"tsc": 1},
            "by_code": {"TS1": 1}, "by_file": {"a.ts": 1}, "new": 1, "unchanged": 0,
            "shape": {"count": 5, "of": 9, "severity": "error", "code": "TS1", "files": 2}},
        "causes": [{"records": [0], "location": {"path": "a.ts", "line": 1}, "consequences": [1]}],
        "cause_rules": ["failed_import"], "independent": [2],
        "route": {"sent": [0], "unsent": {"errors": 1, "files": 1}, "touched": ["a.ts"],
            "withheld": [{"record": 1, "reason": "consequence"}]},
        "attribution": {
            "attributable": false, "say": ["baseline_failed"], "new": [0], "fixed": [0],
            "unchanged": [[1, 2]], "hidden": [3], "revealed": [1],
            "duplicates": {"before": [[0, 2]], "after": []}, "unattributed": {"before": [], "after": [4]},
            "evidence": [{"pair": 0, "evidence": "nearest", "certainty": "likely", "moved": true}],
            "runs": [{"checker": "tsc", "project": ".", "before": 0, "after": null,
                "attributable": false, "say": ["not_run_after"], "details": ["it was not run"]}],
            "edits": [{"path": "a.ts", "line": 1, "end_line": 2, "names": ["total"], "within": ["Order"]}],
            "baseline": {"name": "main", "revision": "0123", "id": "1", "outcome": "fail", "total": 4,
                "obtained": "kept", "notes": ["a note"],
                "records": [{"index": 0, "record": record}]}},
        "policy": [{"file": "obelus.toml", "checkers": ["tsc"], "effect": "loosened", "statement": "so"}],
        "shard": {"number": 1, "of": 2, "obelus": "0.1.0", "tree": "0123", "configuration": "4567",
            "adopted": "89ab", "plan": [{"checker": "tsc", "project": ".", "version": "5.9",
                "command": "cdef", "shard": 1}]},
        "adopted": {"file": "obelus-baseline.txt", "standing": [0], "stale": [3]},
        "duration_ms": 2,
    })
}

#[test]
fn a_full_report_is_valid() {
    let report: Report = serde_json::from_value(report()).unwrap();
    let written = serde_json::to_value(&report).unwrap();
    assert_eq!(faults(&written, &committed("report")), Vec::<String>::new());
}

#[test]
fn a_bare_record_is_valid() {
    let record = json!({"tool": "tsc", "severity": "hint", "message": ""});
    let record: Diagnostic = serde_json::from_value(record).unwrap();
    let written = serde_json::to_value(&record).unwrap();
    assert_eq!(faults(&written, &committed("record")), Vec::<String>::new());
}

#[test]
fn another_shape_is_not_valid() {
    for (pointer, wrong) in [
        ("/version", json!(2)),
        ("/outcome", json!("clean")),
        ("/records/0/line", json!("1")),
        ("/records/0/severity", json!("fatal")),
        ("/runs/0/termination", json!({"how": "signaled"})),
        ("/counts/by_tool/tsc", json!(-1)),
        ("/attribution/say/0", json!("lost")),
        ("/attribution/unchanged/0", json!([1])),
    ] {
        let mut report = report();
        *report.pointer_mut(pointer).unwrap() = wrong;
        assert_ne!(faults(&report, &committed("report")), Vec::<String>::new(), "{pointer}");
    }
}

#[test]
fn a_full_report_of_a_loop_is_valid() {
    let round = json!({"round": 1, "decision": "retry", "reason": "so", "outcome": "fail", "new": 1,
        "fixed": 2, "silenced": 3, "standing": 4, "tokens_sent": 5, "fixes_applied": 6,
        "agent": {"ended": "turns_exhausted", "reason": "so"}, "tree": "0123", "check": "1",
        "gate": {"argv": ["make"], "exit": 2, "passed": false, "last_lines": ["x"]},
        "duration_ms": 7});
    let report = json!({"version": 1, "id": "1-loop", "decision": "worse", "reason": "so",
        "best_round": 1, "in_place": 1, "agent": "claude",
        "baseline": {"outcome": "pass", "findings": 0, "tree": "0123"},
        "policy": [{"file": "obelus.toml", "checkers": [], "effect": "changed", "statement": "so"}],
        "rounds": [round], "tokens_sent": 5, "duration_ms": 8});
    let read: obelus_record::LoopReport = serde_json::from_value(report.clone()).unwrap();
    let written = serde_json::to_value(&read).unwrap();
    assert_eq!(written, report);
    assert_eq!(faults(&written, &committed("loop")), Vec::<String>::new());
    let mut wrong = written;
    wrong["rounds"][0]["decision"] = json!("perhaps");
    assert!(!faults(&wrong, &committed("loop")).is_empty());
}
