//! A check that is watched: its runs become spans and counts as they happen.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use obelus_exec::check::Events;
use obelus_exec::invocation::Invocation;
use obelus_record::{Outcome, Report, Run};
use opentelemetry::global::BoxedSpan;
use opentelemetry::metrics::{Counter, Histogram};
use opentelemetry::trace::{Span, Status, TraceContextExt, Tracer};
use opentelemetry::{Context, KeyValue, global};

/// The name of the library that tells, as collectors show it.
const SCOPE: &str = "obelus";

/// Passes the events of a check on, and tells of them.
///
/// Where no telemetry was asked for, spans and counts are OpenTelemetry's own that do nothing.
pub struct Watched<'e> {
    events: &'e dyn Events,
    check: Context,
    running: Mutex<HashMap<usize, BoxedSpan>>,
    runs: Counter<u64>,
    findings: Counter<u64>,
    durations: Histogram<f64>,
}

impl<'e> Watched<'e> {
    /// A check begins.
    pub fn begin(events: &'e dyn Events) -> Self {
        let span = global::tracer(SCOPE).start_with_context("check", &super::surroundings());
        let meter = global::meter(SCOPE);
        Watched {
            events,
            check: Context::new().with_span(span),
            running: Mutex::default(),
            runs: meter
                .u64_counter("obelus.runs")
                .with_description("Runs of checkers, by what they came to")
                .with_unit("{run}")
                .build(),
            findings: meter
                .u64_counter("obelus.findings")
                .with_description("Records, by tool and severity")
                .with_unit("{finding}")
                .build(),
            durations: meter
                .f64_histogram("obelus.run.duration")
                .with_description("How long checkers ran")
                .with_unit("s")
                .build(),
        }
    }

    /// The check has ended with a report, or without one.
    pub fn end(self, report: Option<&Report>) {
        let span = self.check.span();
        match report {
            Some(report) => {
                // Runs that could not begin are no events.
                for run in report.runs.iter().filter(|run| run.argv.is_empty()) {
                    self.tell(self.span(&run.checker), run, 0);
                }
                for record in &report.records {
                    let labels = [
                        KeyValue::new("obelus.tool", record.tool.clone()),
                        KeyValue::new("obelus.severity", record.severity.as_str()),
                    ];
                    self.findings.add(1, &labels);
                }
                span.set_attribute(KeyValue::new("obelus.outcome", report.outcome.as_str()));
                span.set_attribute(KeyValue::new("obelus.runs", number(report.runs.len())));
                span.set_attribute(KeyValue::new("obelus.findings", number(report.records.len())));
                span.set_status(status(report.outcome, &report.reason));
            }
            None => span.set_status(Status::error("no report")),
        }
        span.end();
    }

    /// A span for a run, below the one of the check.
    fn span(&self, checker: &str) -> BoxedSpan {
        global::tracer(SCOPE).start_with_context(format!("run {checker}"), &self.check)
    }

    fn tell(&self, mut span: BoxedSpan, run: &Run, findings: usize) {
        span.set_attributes(
            [
                Some(KeyValue::new("obelus.checker", run.checker.clone())),
                Some(KeyValue::new("obelus.tool", run.tool.clone())),
                Some(KeyValue::new("obelus.outcome", run.outcome.as_str())),
                Some(KeyValue::new("obelus.reason", run.reason.clone())),
                Some(KeyValue::new("obelus.findings", number(findings))),
                run.project.clone().map(|project| KeyValue::new("obelus.project", project)),
                run.version.clone().map(|version| KeyValue::new("obelus.tool.version", version)),
                run.exit.map(|code| KeyValue::new("process.exit.code", i64::from(code))),
            ]
            .into_iter()
            .flatten(),
        );
        span.set_status(status(run.outcome, &run.reason));
        span.end();
        let labels = [
            KeyValue::new("obelus.checker", run.checker.clone()),
            KeyValue::new("obelus.outcome", run.outcome.as_str()),
        ];
        self.runs.add(1, &labels);
        self.durations.record(Duration::from_millis(run.duration_ms).as_secs_f64(), &labels);
    }
}

impl Events for Watched<'_> {
    fn started(&self, number: usize, invocation: &Invocation) {
        let span = self.span(&invocation.checker.name);
        // A panic elsewhere leaves the map as good as it was.
        self.running.lock().unwrap_or_else(PoisonError::into_inner).insert(number, span);
        self.events.started(number, invocation);
    }

    fn ended(&self, number: usize, run: &Run, findings: usize) {
        self.events.ended(number, run, findings);
        let span = self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
        if let Some(span) = span {
            self.tell(span, run, findings);
        }
    }

    fn note(&self, text: String) {
        self.events.note(text);
    }
}

/// Findings are what a check is for; only one that failed itself is an error.
fn status(outcome: Outcome, reason: &str) -> Status {
    match outcome {
        Outcome::Pass | Outcome::Fail => Status::Ok,
        Outcome::HarnessError => Status::error(reason.to_owned()),
    }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
