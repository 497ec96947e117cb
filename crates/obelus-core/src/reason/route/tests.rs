use obelus_record::{Attribution, Cause, CauseLocation};
use serde_json::json;

use super::*;
use crate::NoSources;
use crate::present::samples;

fn report(records: &[(&str, &str)]) -> Report {
    let record = |&(path, severity): &(&str, &str)| {
        let path = (!path.is_empty()).then_some(path);
        (0, json!({"tool": "t", "severity": severity, "path": path, "line": 1, "message": ""}))
    };
    samples::report(vec![json!({"checker": "t"})], records.iter().map(record).collect(), json!([]))
}

fn routed(report: &Report, request: &Request) -> (Vec<u32>, Vec<Reason>, (u64, u64)) {
    let route =
        route(report, &ByFile::new(&report.records), &Grouped::default(), request, &NoSources);
    let reasons = route.withheld.iter().map(|withheld| withheld.reason).collect();
    (route.sent, reasons, (route.unsent.errors, route.unsent.files))
}

#[test]
fn paths_are_read_as_tools_write_them() {
    let touched =
        Touched::read("./src//a.ts\r\n\n  \nsrc/b/../c.ts\nsrc/a.ts\n/abs/./x\n../out.ts\n");
    let paths: Vec<&str> = touched.paths().collect();
    assert_eq!(paths, ["../out.ts", "/abs/x", "src/a.ts", "src/c.ts"]);
    assert!(!touched.contains("src/A.ts"));
}

#[test]
fn without_a_change_everything_that_is_ours_is_sent() {
    let report =
        report(&[("a", "hint"), ("node_modules/a", "error"), ("/usr/a", "error"), ("", "info")]);
    let (sent, reasons, unsent) = routed(&report, &Request::default());
    assert_eq!(sent, [0, 3]);
    assert_eq!(reasons, [Reason::Dependency, Reason::OutsideRepository]);
    assert_eq!(unsent, (2, 2));
    let errors = Request { level: Some(Severity::Error), ..Request::default() };
    assert_eq!(routed(&report, &errors).0, [0_u32; 0]);
    let all = Request { everything: true, ..Request::default() };
    assert_eq!(routed(&report, &all).0, [0, 1, 2, 3]);
    let below = Request { paths: vec!["node_modules".to_owned()], everything: true, ..all };
    assert_eq!(routed(&report, &below).0, [1, 3]);
}

#[test]
fn a_touched_file_sends_its_errors_whosever_it_is() {
    let report = report(&[
        ("node_modules/a", "error"),
        ("a", "warning"),
        ("b", "error"),
        ("", "warning"),
        ("", "error"),
    ]);
    let request =
        Request { touched: Some(Touched::of(["node_modules/a", "a"])), ..Request::default() };
    let (sent, reasons, unsent) = routed(&report, &request);
    assert_eq!(sent, [0, 4]);
    assert_eq!(reasons, [Reason::BelowLevel, Reason::UntouchedFile, Reason::BelowLevel]);
    assert_eq!(unsent, (1, 1));
    let warnings = Request { level: Some(Severity::Warning), ..request };
    assert_eq!(routed(&report, &warnings).0, [0, 1, 3, 4]);
}

#[test]
fn what_is_new_is_sent_wherever_it_lies() {
    let mut report = report(&[
        ("a", "warning"),
        ("b", "error"),
        ("c", "error"),
        ("a", "error"),
        ("node_modules/d", "error"),
        ("d", "error"),
    ]);
    report.attribution = Some(Box::new(Attribution {
        new: vec![0, 4],
        unchanged: vec![(0, 1), (1, 2)],
        duplicates: obelus_record::Duplicates { before: Vec::new(), after: vec![(4, 3)] },
        ..Attribution::default()
    }));
    let request = Request { touched: Some(Touched::of(["c"])), ..Request::default() };
    let (sent, reasons, unsent) = routed(&report, &request);
    assert_eq!(sent, [0, 2, 4]);
    assert_eq!(reasons, [Reason::Unchanged, Reason::Duplicate, Reason::UntouchedFile]);
    assert_eq!(unsent, (2, 2));
    // What could not be compared is not kept back where nothing is known of the touched files.
    assert_eq!(routed(&report, &Request::default()).0, [0, 4, 5]);
}

/// What a library says of a call here is routed as if it lay at the call.
#[test]
fn what_a_call_here_led_to_is_ours() {
    let report = report(&[("/usr/include/map", "error"), ("/usr/include/map", "error")]);
    let location = CauseLocation { path: "main.cc".into(), line: 4 };
    let cause = Cause { records: vec![0], location: Some(location), consequences: Vec::new() };
    let grouped =
        Grouped { causes: vec![cause], rules: vec![CauseRule::CallSite], independent: vec![1] };
    let sent = |request: &Request| {
        route(&report, &ByFile::new(&report.records), &grouped, request, &NoSources).sent
    };
    assert_eq!(sent(&Request::default()), [0]);
    let touched = |path: &str| Request { touched: Some(Touched::of([path])), ..Request::default() };
    assert_eq!(sent(&touched("main.cc")), [0]);
    assert_eq!(sent(&touched("other.cc")), [0_u32; 0]);
}
