//! A loop that is watched: one span, below it one a round, and a count of what rounds came to.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use obelus_record::{LoopReport, LoopRound};
use opentelemetry::trace::{Span, SpanBuilder, Status, TraceContextExt, Tracer};
use opentelemetry::{Context, KeyValue, global};

use super::{SCOPE, number};

/// A loop that has begun.
pub struct Looped {
    context: Context,
    /// When the round that is going on began.
    since: Mutex<SystemTime>,
}

impl Looped {
    /// A loop begins.
    pub fn begin() -> Self {
        let span = global::tracer(SCOPE).start_with_context("loop", &super::surroundings());
        Looped { context: Context::new().with_span(span), since: Mutex::new(SystemTime::now()) }
    }

    /// A round has ended, and the next begins.
    pub fn round(&self, round: &LoopRound) {
        let now = SystemTime::now();
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        let began = std::mem::replace(&mut *since, now);
        let builder =
            SpanBuilder::from_name(format!("round {}", round.round)).with_start_time(began);
        let mut span = global::tracer(SCOPE).build_with_context(builder, &self.context);
        let count = |count| i64::try_from(count).unwrap_or(i64::MAX);
        span.set_attributes([
            KeyValue::new("obelus.round", i64::from(round.round)),
            KeyValue::new("obelus.decision", round.decision.as_str()),
            KeyValue::new("obelus.new", count(round.new)),
            KeyValue::new("obelus.fixed", count(round.fixed)),
            KeyValue::new("obelus.silenced", count(round.silenced)),
            KeyValue::new("obelus.tokens_sent", count(round.tokens_sent)),
        ]);
        span.end_with_timestamp(now);
        let labels = [KeyValue::new("obelus.decision", round.decision.as_str())];
        let meter = global::meter(SCOPE);
        let rounds = meter
            .u64_counter("obelus.rounds")
            .with_description("Rounds of loops, by what was decided")
            .with_unit("{round}")
            .build();
        rounds.add(1, &labels);
        let durations = meter
            .f64_histogram("obelus.round.duration")
            .with_description("How long rounds took, with agent and checks")
            .with_unit("s")
            .build();
        durations
            .record(now.duration_since(began).unwrap_or(Duration::ZERO).as_secs_f64(), &labels);
    }

    /// The loop has ended with a report, or without one.
    pub fn end(self, report: Option<&LoopReport>) {
        let span = self.context.span();
        match report {
            Some(report) => {
                span.set_attribute(KeyValue::new("obelus.decision", report.decision.as_str()));
                span.set_attribute(KeyValue::new("obelus.rounds", number(report.rounds.len())));
            }
            None => span.set_status(Status::error("no report")),
        }
        span.end();
    }
}
