//! Obelus tells a collector of its own runs, and keeps the promise that it asks of others: whatever
//! telemetry and logging are switched on, stdout holds what was asked for and nothing else.

mod support;

#[path = "support/collector.rs"]
mod collector;

use std::net::TcpListener;
use std::process::{Command, Stdio};

use collector::{Collector, attribute};
use serde_json::Value;
use support::{Done, Repo};

const ONE: &str = r#"out:[{"filePath":"a.js","messages":[{"ruleId":"no-undef","severity":2,"message":"'x' is not defined.","line":1,"column":1}]}]"#;

/// A repository with three checkers: one finds something, one nothing, one fails itself.
fn repo() -> Repo {
    let repo = Repo::empty();
    let table = |name: &str, steps: &[&str]| {
        let steps: Vec<String> = steps.iter().map(|step| format!("{step:?}")).collect();
        format!(
            "[checker.{name}]\nsummary = \"a fake\"\n\
             binary = {{ name = \"fake-checker\", install = \"make fake\" }}\n\
             exits = {{ clean = [0], findings = [1] }}\n\
             run = [{{ argv = [\"{{binary}}\", {}], format = \"eslint-json\" }}]\n",
            steps.join(", ")
        )
    };
    let tables = [
        table("finds", &[ONE, "exit:1"]),
        table("clean", &["sleep:1000", "out:[]"]),
        table("fails", &["err:out of memory\\n", "exit:3"]),
    ];
    repo.write("a.js", "x\n").write("obelus.toml", &tables.concat());
    repo
}

fn check(repo: &Repo, output: &str) -> Command {
    repo.command(&["check", "finds", "clean", "fails", "--output", output])
}

/// With everything that makes programs talk about themselves.
fn with_everything_on<'c>(command: &'c mut Command, endpoint: &str) -> &'c mut Command {
    command
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        .env("OTEL_TRACES_EXPORTER", "otlp")
        .env("OTEL_METRICS_EXPORTER", "otlp")
        .env("OTEL_LOG_LEVEL", "debug")
        .env("OBELUS_LOG", "trace")
        .env("RUST_LOG", "trace")
        .env("NO_PROXY", "127.0.0.1")
}

/// A port on which nobody listens.
fn closed() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    format!("http://{}", listener.local_addr().expect("an address"))
}

#[test]
fn a_collector_gets_a_span_for_each_run_below_the_one_of_the_check() {
    let collector = Collector::start();
    let repo = repo();
    let mut command = check(&repo, "json");
    let trace = "0af7651916cd43dd8448eb211c80319c";
    with_everything_on(&mut command, &collector.url())
        .env("TRACEPARENT", format!("00-{trace}-b7ad6b7169203331-01"));
    let done: Done = command.output().expect("obelus runs").into();
    assert_eq!(done.status, Some(70), "{}", done.stderr);

    let spans = collector.spans();
    let root = spans.iter().find(|(_, span)| span.name == "check").expect("a span of the check");
    let hex: String = root.1.trace_id.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, trace, "it is part of the trace around it");
    let mut told: Vec<[String; 5]> = spans
        .iter()
        .filter(|(_, span)| span.parent_span_id == root.1.span_id)
        .map(|(service, span)| {
            let of = |name| attribute(&span.attributes, name);
            [
                service.clone(),
                span.name.clone(),
                of("obelus.outcome"),
                of("obelus.findings"),
                of("process.exit.code"),
            ]
        })
        .collect();
    told.sort();
    assert_eq!(
        told,
        [
            ["obelus", "run clean", "pass", "0", "0"],
            ["obelus", "run fails", "harness_error", "0", "3"],
            ["obelus", "run finds", "fail", "1", "1"],
        ]
    );
    assert_eq!(attribute(&root.1.attributes, "obelus.outcome"), "harness_error");
    assert_eq!(collector.metrics(), ["obelus.findings", "obelus.run.duration", "obelus.runs"]);
}

#[test]
fn a_collector_gets_a_span_for_a_review() {
    let collector = Collector::start();
    let repo = Repo::empty();
    repo.write("a.rs", "fn a() {}\n").committed();
    repo.write("a.rs", "fn b() {}\n").write(
        "obelus.toml",
        "[agents.fake]\ncommand = \"fake-checker\"\nversion = [\"--version\"]\nprotocol = \"jsonl\"\n\
         review = { argv = [\"{binary}\", 'out:{\"role\":\"assistant\",\"content\":\"fine\"}\\n'] }\n",
    );
    let mut command = repo.command(&["review", "--reviewer", "fake", "--output", "json"]);
    let done: Done =
        with_everything_on(&mut command, &collector.url()).output().expect("obelus runs").into();
    assert_eq!(done.status, Some(70), "{}", done.stderr);
    assert_eq!(done.report()["outcome"], "missing_findings");
    let spans = collector.spans();
    let [(_, span)] = &spans[..] else { panic!("one span: {spans:?}") };
    assert_eq!(span.name, "review fake");
    assert_eq!(attribute(&span.attributes, "obelus.outcome"), "missing_findings");
    assert_eq!(collector.metrics(), ["obelus.review.duration", "obelus.reviews"]);
}

#[test]
fn a_collector_gets_a_span_for_each_round_below_the_one_of_the_loop() {
    let collector = Collector::start();
    let repo = Repo::empty();
    repo.with_fake(&["exit:0"], "tsc-text", "").write("a.ts", "x\n").committed();
    let agent = ["loop", "do it", "--agent-command", "echo y > a.ts", "--output", "json"];
    let mut command = repo.command(&agent);
    let done: Done =
        with_everything_on(&mut command, &collector.url()).output().expect("obelus runs").into();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let spans = collector.spans();
    let named = |name: &str| spans.iter().find(|(_, span)| span.name == name).map(|(_, span)| span);
    let (whole, round) = (named("loop").expect("the loop"), named("round 1").expect("its round"));
    assert_eq!(round.parent_span_id, whole.span_id);
    assert!(round.start_time_unix_nano < round.end_time_unix_nano);
}

#[test]
fn what_is_switched_off_is_not_sent() {
    let collector = Collector::start();
    let repo = repo();
    for (name, value, metrics) in [
        ("OTEL_SDK_DISABLED", "true", 0),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "", 0),
        ("OTEL_TRACES_EXPORTER", "none", 3),
    ] {
        let mut command = check(&repo, "json");
        with_everything_on(&mut command, &collector.url()).env(name, value);
        let done: Done = command.output().expect("obelus runs").into();
        assert_eq!(done.status, Some(70), "{}", done.stderr);
        assert!(collector.spans().is_empty(), "{name}={value}");
        assert_eq!(collector.metrics().len(), metrics, "{name}={value}");
    }
}

#[test]
fn a_collector_that_is_not_there_changes_nothing() {
    let repo = repo();
    let plain: Done = check(&repo, "jsonl").output().expect("obelus runs").into();
    assert_eq!(plain.stdout.lines().count(), 1, "{}", plain.stdout);
    // Nobody listens; nobody answers; no URL at all.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let silent = format!("http://{}", silent.local_addr().expect("an address"));
    for endpoint in [closed(), silent, "no url".to_owned()] {
        let mut command = check(&repo, "jsonl");
        let done: Done =
            with_everything_on(&mut command, &endpoint).output().expect("obelus runs").into();
        assert_eq!((done.status, &done.stdout), (plain.status, &plain.stdout), "{endpoint}");
        let told = done.stderr.lines().all(|line| line.starts_with("obelus: no "));
        assert!(told, "{endpoint}: {}", done.stderr);
    }
}

#[test]
fn stdout_holds_the_output_alone_whatever_is_switched_on() {
    let collector = Collector::start();
    let repo = repo();
    for endpoint in [collector.url(), closed()] {
        for output in ["json", "jsonl", "agent", "human"] {
            let plain: Done = check(&repo, output).output().expect("obelus runs").into();
            let mut command = check(&repo, output);
            // Neither a terminal nor anything else to read from.
            let told = with_everything_on(&mut command, &endpoint).stdin(Stdio::null()).output();
            let told: Done = told.expect("obelus runs").into();
            assert_eq!(told.status, plain.status);
            match output {
                "jsonl" => {
                    for line in told.stdout.lines() {
                        let value: Value = serde_json::from_str(line).expect("strict JSON");
                        assert!(value.is_object(), "{line}");
                    }
                    assert_eq!(told.stdout, plain.stdout);
                }
                "json" => assert_eq!(told.report()["records"], plain.report()["records"]),
                // The last line tells how long it took.
                _ => assert_eq!(told.stdout.lines().count(), plain.stdout.lines().count()),
            }
        }
    }
}
