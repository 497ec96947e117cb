//! `obelus contract` with programs that keep their promise, and with those that break it as real ones do.

mod support;

use serde_json::{Value, json};
use support::{Done, Repo};

const EVENT: &str = r#"out:{"role":"assistant","content":"x"}\n"#;

fn contract(more: &[&str], command: &[&str]) -> (Done, Value) {
    let repo = Repo::empty();
    let args: Vec<&str> = [&["contract", "--output", "json"], more, &["--"], command].concat();
    let done = repo.obelus(&args);
    let report = done.report();
    (done, report)
}

/// The runs of a report: circumstance, outcome, and the reason where it is no pass.
fn runs(report: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = report["runs"].as_array().expect("there are runs");
    all.iter()
        .map(|run| {
            let reason = if run["outcome"] == "pass" {
                ""
            } else {
                run["reason"].as_str().unwrap_or_default()
            };
            (text(&run["circumstance"]), text(&run["outcome"]), reason.to_owned())
        })
        .collect()
}

fn fake(script: &str) -> [&str; 3] {
    ["sh", "-c", script]
}

fn broken(report: &Value) -> Vec<String> {
    let all = runs(report).into_iter().filter(|(_, outcome, _)| outcome == "fail");
    all.map(|(circumstance, ..)| circumstance).collect()
}

#[test]
fn a_program_that_keeps_its_promise() {
    let (done, report) = contract(&[], &["fake-checker", EVENT, "err:a banner\\n"]);
    assert_eq!(done.status, Some(0), "{report:#}");
    assert_eq!(report["outcome"], "pass");
    assert_eq!(report["argv"], json!(["fake-checker", EVENT, "err:a banner\\n"]));
    let circumstances: Vec<String> = runs(&report).into_iter().map(|run| run.0).collect();
    let all = ["plain", "telemetry", "logging", "colour", "closed_stdin", "slow_reader"];
    assert_eq!(circumstances, all);
}

#[test]
fn a_banner_with_telemetry_alone_is_named_with_its_line_and_writer() {
    let script = r#"[ -n "$OTEL_EXPORTER_OTLP_ENDPOINT" ] && echo "· Using OTLP to send metrics and traces to $OTEL_EXPORTER_OTLP_ENDPOINT"
        echo '{"a":1}'"#;
    let (done, report) = contract(&[], &fake(script));
    assert_eq!(done.status, Some(1), "{report:#}");
    assert_eq!(broken(&report), ["telemetry"]);
    let breach = &report["runs"][1]["breaches"][0];
    assert_eq!(
        (&breach["stream"], &breach["line"], &breach["kind"], &breach["snippet"]),
        (
            &json!("stdout"),
            &json!(1),
            &json!("invalid_json"),
            &json!("· Using OTLP to send metrics and traces to http://127.0.0.1:9")
        )
    );
    assert_eq!(breach["writer"]["name"], "OpenTelemetry exporter banner");
}

#[test]
fn each_circumstance_brings_out_its_own_fault() {
    let event = "echo '{\"a\":1}'";
    for (script, wanted) in [
        (format!("[ -n \"$RUST_LOG\" ] && echo 'DEBUG: up'; {event}"), "logging"),
        (format!("[ -n \"$FORCE_COLOR\" ] && printf '\\033[0m'; {event}"), "colour"),
        (format!("{event}; cat > /dev/null 2>&1 || echo 'no input'"), "closed_stdin"),
    ] {
        let (done, report) = contract(&[], &fake(&script));
        assert_eq!(done.status, Some(1), "{report:#}");
        assert_eq!(broken(&report), [wanted], "{report:#}");
    }
}

#[test]
fn the_input_is_handed_over() {
    let repo = Repo::empty();
    repo.write("prompt", "{\"role\":\"user\"}\n");
    let done = repo.obelus(&["contract", "--input", "prompt", "--", "cat"]);
    assert_eq!(done.status, Some(0), "{}", done.stdout);
    let kept = done.stdout.lines().filter(|line| line.starts_with("kept    ")).count();
    // Without an input cat fails, and says so on stderr.
    assert_eq!(kept, 6, "{}", done.stdout);
}

#[test]
fn a_large_stream_that_is_read_slowly_comes_whole() {
    let line = "yes '{\"a\":\"0123456789012345678901234567890123456789\"}' | head -n 20000";
    let (done, report) = contract(&[], &fake(line));
    assert_eq!(done.status, Some(0), "{report:#}");
    for run in report["runs"].as_array().expect("there are runs") {
        assert_eq!(run["events"], 20000, "{}", run["circumstance"]);
    }
}

#[test]
fn nothing_is_known_of_a_program_that_says_nothing_or_never_ends() {
    let (done, report) = contract(&[], &["fake-checker", "exit:3"]);
    assert_eq!(done.status, Some(70));
    let reason = "stdout is empty, so nothing is known: exit status 3";
    assert_eq!(report["runs"][0]["reason"], reason);

    let (done, report) = contract(&["--time-limit", "1"], &["fake-checker", EVENT, "sleep:60000"]);
    assert_eq!(done.status, Some(70));
    let reason = "it was stopped after its time limit of 1 s; what it printed until then is clean";
    assert_eq!(report["runs"][0]["reason"], reason);

    let (done, report) = contract(&[], &["there-is-no-such-program"]);
    assert_eq!(done.status, Some(70));
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(1));
    let reason = report["runs"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("could not be started"), "{reason}");
}

#[test]
fn a_protocol_with_an_end_event_must_have_it() {
    let steps = ["fake-checker", "out:{\"type\":\"system\"}\\n"];
    let (done, report) = contract(&["--protocol", "claude"], &steps);
    assert_eq!(done.status, Some(1));
    let reason = "stdout ends without the end event of the protocol";
    assert_eq!(report["runs"][0]["reason"], reason);
    assert_eq!(contract(&[], &steps).0.status, Some(0));
}

#[test]
fn a_wrong_protocol_and_no_command_are_wrong_usage() {
    let repo = Repo::empty();
    let done = repo.obelus(&["contract", "--protocol", "morse", "--", "true"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert!(
        done.stderr.contains("there is no protocol \"morse\"; there are acp"),
        "{}",
        done.stderr
    );
    assert_eq!(repo.obelus(&["contract"]).status, Some(2));
}

#[test]
fn obelus_keeps_its_own_promise() {
    let repo = Repo::empty();
    repo.write("a.js", "x\n").with_fake(
        &[r#"out:[{"filePath":"a.js","messages":[{"ruleId":"no-undef","severity":2,"message":"no","line":1,"column":1}]}]"#, "exit:1"],
        "eslint-json",
        "",
    );
    let obelus = env!("CARGO_BIN_EXE_obelus");
    let command = ["contract", "--", obelus, "check", "fake", "--output", "jsonl"];
    let done = repo.obelus(&command);
    assert_eq!(done.status, Some(0), "{}{}", done.stdout, done.stderr);
}
