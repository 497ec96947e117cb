//! A review that is watched: one span, and a count of what reviews came to.

use std::time::Duration;

use obelus_record::Review;
use opentelemetry::global::BoxedSpan;
use opentelemetry::trace::{Span, Status, Tracer};
use opentelemetry::{KeyValue, global};

use super::{SCOPE, number};

/// A review that has begun.
pub struct Reviewed {
    reviewer: String,
    span: BoxedSpan,
}

impl Reviewed {
    /// A reviewer is about to be run.
    pub fn begin(reviewer: &str) -> Self {
        let span = global::tracer(SCOPE)
            .start_with_context(format!("review {reviewer}"), &super::surroundings());
        Reviewed { reviewer: reviewer.to_owned(), span }
    }

    /// The review has ended with an artifact, or without one.
    pub fn end(mut self, review: Option<&Review>) {
        let Some(review) = review else {
            self.span.set_status(Status::error("no artifact"));
            return self.span.end();
        };
        let findings = number(review.findings.len());
        self.span.set_attributes([
            KeyValue::new("obelus.reviewer", self.reviewer.clone()),
            KeyValue::new("obelus.outcome", review.outcome.as_str()),
            KeyValue::new("obelus.accepted", review.accepted),
            KeyValue::new("obelus.reason", review.reason.clone()),
            KeyValue::new("obelus.findings", findings),
            KeyValue::new("obelus.turns", i64::try_from(review.stream.turns).unwrap_or(i64::MAX)),
        ]);
        self.span.set_status(match review.accepted {
            true => Status::Ok,
            false => Status::error(review.reason.clone()),
        });
        self.span.end();
        let labels = [
            KeyValue::new("obelus.reviewer", self.reviewer),
            KeyValue::new("obelus.outcome", review.outcome.as_str()),
        ];
        let meter = global::meter(SCOPE);
        let reviews = meter
            .u64_counter("obelus.reviews")
            .with_description("Reviews, by what they came to")
            .with_unit("{review}")
            .build();
        reviews.add(1, &labels);
        if let Some(run) = &review.run {
            let durations = meter
                .f64_histogram("obelus.review.duration")
                .with_description("How long reviewers ran")
                .with_unit("s")
                .build();
            durations.record(Duration::from_millis(run.duration_ms).as_secs_f64(), &labels);
        }
    }
}
