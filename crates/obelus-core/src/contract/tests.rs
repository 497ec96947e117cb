use obelus_record::{Circumstance, Outcome, StreamFaultKind, Termination};

use super::{contract, judge, read, text, writer};
use crate::review::protocol;

const CLEAN: &str = "{\"role\":\"assistant\",\"content\":\"x\"}\n";

fn judged(
    protocol: &str,
    stdout: &str,
    termination: Termination,
    spoke: bool,
) -> (Outcome, String) {
    let protocol = protocol::find(protocol).unwrap();
    let run = judge(Circumstance::Plain, termination, read(protocol, stdout.as_bytes()), spoke);
    (run.outcome, run.reason)
}

fn exited(code: i32) -> Termination {
    Termination::Exited { code }
}

#[test]
fn each_cell_of_the_judgement() {
    let signaled = Termination::Signaled { signal: 9 };
    let late = Termination::TimedOut { limit_seconds: 5 };
    for (stdout, termination, spoke, outcome, reason) in [
        (
            CLEAN,
            exited(0),
            false,
            Outcome::Pass,
            "1 event on stdout and nothing else: exit status 0",
        ),
        (
            CLEAN,
            exited(3),
            false,
            Outcome::Pass,
            "1 event on stdout and nothing else: exit status 3",
        ),
        (
            CLEAN,
            signaled,
            true,
            Outcome::Pass,
            "1 event on stdout and nothing else: signal 9 ended it",
        ),
        ("hello\n", exited(0), false, Outcome::Fail, "stdout, line 1: not JSON: \"hello\""),
        (
            "{}\n[]\n\u{1b}[2J\n1\n",
            late.clone(),
            false,
            Outcome::Fail,
            "stdout, line 2: JSON, but not an object: \"[]\"; 2 more lines are no events",
        ),
        (
            CLEAN,
            late,
            true,
            Outcome::HarnessError,
            "it was stopped after its time limit of 5 s; what it printed until then is clean",
        ),
        (
            "",
            exited(0),
            false,
            Outcome::HarnessError,
            "stdout is empty, so nothing is known: exit status 0",
        ),
        ("\n", exited(0), true, Outcome::Fail, "stdout is empty: its events were lost on the way"),
        ("", exited(1), true, Outcome::Pass, "no event on stdout and nothing else: exit status 1"),
    ] {
        let got = judged("jsonl", stdout, termination, spoke);
        assert_eq!(got, (outcome, reason.to_owned()), "{stdout:?}");
    }
    let got = judged("claude", "{\"type\":\"system\"}\n", exited(0), true);
    let wanted = "stdout ends without the end event of the protocol";
    assert_eq!(got, (Outcome::Fail, wanted.to_owned()));
    assert_eq!(judged("claude", "{\"type\":\"system\"}\n", exited(1), true).0, Outcome::Pass);
}

#[test]
fn every_line_is_told_and_those_behind_it_are_read() {
    let protocol = protocol::find("jsonl").unwrap();
    let stdout = format!("one\n{CLEAN}two\n{{\"a\":");
    let found = read(protocol, stdout.as_bytes());
    let run = judge(Circumstance::Telemetry, exited(0), found, true);
    assert_eq!((run.events, run.faults), (1, 3));
    let lines: Vec<(u64, StreamFaultKind)> =
        run.breaches.iter().map(|breach| (breach.line, breach.kind)).collect();
    let bad = StreamFaultKind::InvalidJson;
    assert_eq!(lines, [(1, bad), (3, bad), (4, bad)]);
    let last = run.breaches[2].writer.as_ref().unwrap();
    assert!(last.name.starts_with("the program itself"), "{last:?}");
}

#[test]
fn a_broken_promise_outweighs_what_is_not_known() {
    let protocol = protocol::find("jsonl").unwrap();
    let run = |stdout: &str| {
        judge(Circumstance::Plain, exited(0), read(protocol, stdout.as_bytes()), false)
    };
    let outcome = |runs| contract(vec!["x".to_owned()], protocol, runs).outcome;
    assert_eq!(outcome(vec![run(CLEAN)]), Outcome::Pass);
    assert_eq!(outcome(vec![run(CLEAN), run("")]), Outcome::HarnessError);
    assert_eq!(outcome(vec![run(""), run("x\n"), run(CLEAN)]), Outcome::Fail);
    assert_eq!(outcome(Vec::new()), Outcome::HarnessError);
}

#[test]
fn known_writers_are_named() {
    for (line, name) in [
        (
            "· Using OTLP to send metrics and traces to http://x",
            Some("OpenTelemetry exporter banner"),
        ),
        ("[dotenv@17.2.0] injecting env (3) from .env", Some("dotenv")),
        ("\u{2009}WARN\u{2009} deprecated x", Some("pnpm")),
        ("npm warn exec The following package was not found", Some("npm")),
        ("> app@1.0.0 start", Some("npm run")),
        ("(node:41) ExperimentalWarning: x", Some("Node.js warning")),
        ("INFO:httpx:HTTP Request: GET", Some("Python logging")),
        (
            "\u{1b}[2m2026-01-01T10:00:00Z\u{1b}[0m \u{1b}[32m INFO\u{1b}[0m app: up",
            Some("a logger (tracing, env_logger, logging, log4j …)"),
        ),
        (
            "2026-01-01 10:00:00,123 WARNING app up",
            Some("a logger (tracing, env_logger, logging, log4j …)"),
        ),
        ("\u{1b}[?2004h{}", Some("terminal codes")),
        ("\u{1b}[31mred\u{1b}[0m", Some("terminal codes")),
        ("· Session: $0.00 | 3 turns", Some("gptme session summary")),
        ("Hello there", None),
        ("[]", None),
    ] {
        assert_eq!(writer(line).map(|writer| writer.name).as_deref(), name, "{line:?}");
    }
}

#[test]
fn what_was_printed_cannot_act_on_a_terminal() {
    let protocol = protocol::find("jsonl").unwrap();
    let found = read(protocol, "\u{1b}[2J{}\n".as_bytes());
    let run = judge(Circumstance::Colour, exited(0), found, true);
    let report = text(&contract(vec!["x".to_owned()], protocol, vec![run]));
    assert_eq!(
        report,
        "broken  colour asked for: stdout, line 1: not JSON: \"\\u{1b}[2J{}\"\n        \
         line 1 is likely by terminal codes: write colours and cursor codes only where stdout is a \
         terminal, whatever FORCE_COLOR says\nbroken in 1 of 1 runs\n"
    );
}
