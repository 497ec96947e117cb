//! What Obelus tells about its own runs, to an OpenTelemetry collector, over OTLP.
//!
//! It is told where `OTEL_EXPORTER_OTLP_ENDPOINT` (or the variable of one signal) names a collector:
//! a span for the check, below it one for each run of a checker, one for a review, one for a loop and below it one a
//! round, and counts and durations. It goes out on threads of its own. A collector that can't be reached costs nothing but [`FLUSH`] at the
//! end, and no telemetry ever fails or changes anything.

mod client;
mod looped;
mod reviewed;
mod watched;

use std::collections::HashMap;
use std::env;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::{Context, KeyValue, global};
use opentelemetry_http::HttpClient;
use opentelemetry_otlp::{
    ExporterBuildError, MetricExporter, Protocol, SpanExporter, WithExportConfig, WithHttpConfig,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{BatchConfigBuilder, BatchSpanProcessor, SdkTracerProvider};

pub use looped::Looped;
pub use reviewed::Reviewed;
pub use watched::Watched;

use client::Client;

use crate::output;

/// The name of the library that tells, as collectors show it.
const SCOPE: &str = "obelus";
/// How long the end of the process waits for what was not sent yet.
const FLUSH: Duration = Duration::from_millis(200);
/// How much longer it waits for a collector that has answered before.
const REACHED: Duration = Duration::from_secs(2);
/// How long a span that has ended waits for others before it is sent.
const SOON: Duration = Duration::from_millis(200);

/// The telemetry of this process; nothing where none was asked for.
#[derive(Debug, Default)]
pub struct Telemetry {
    tracers: Option<SdkTracerProvider>,
    meters: Option<SdkMeterProvider>,
    /// A collector has answered.
    answered: Arc<AtomicBool>,
}

impl Telemetry {
    /// Starts what the environment asks for. What it asks for and can't be had is told on stderr.
    pub fn start() -> Self {
        if is_set_to("OTEL_SDK_DISABLED", "true") {
            return Telemetry::default();
        }
        let mut telemetry = Telemetry::default();
        let client: Arc<dyn HttpClient> = match Signal::ALL.iter().any(Signal::is_wanted) {
            true => Arc::new(Client::new(Arc::clone(&telemetry.answered))),
            false => return telemetry,
        };
        if Signal::Traces.is_wanted() {
            match tracers(Arc::clone(&client)) {
                Ok(tracers) => {
                    global::set_tracer_provider(tracers.clone());
                    telemetry.tracers = Some(tracers);
                }
                Err(error) => complain(Signal::Traces, &error),
            }
        }
        if Signal::Metrics.is_wanted() {
            match meters(client) {
                Ok(meters) => {
                    global::set_meter_provider(meters.clone());
                    telemetry.meters = Some(meters);
                }
                Err(error) => complain(Signal::Metrics, &error),
            }
        }
        telemetry
    }

    /// Sends what is left, for at most [`FLUSH`] where no collector has ever answered; what takes
    /// longer is lost.
    pub fn finish(self) {
        let (sender, done) = mpsc::channel::<()>();
        let Telemetry { tracers, meters, answered } = self;
        let tracers = tracers.map(|tracers| move || tracers.shutdown_with_timeout(REACHED));
        let meters = meters.map(|meters| move || meters.shutdown_with_timeout(REACHED));
        if let Some(flush) = tracers {
            in_background(flush, sender.clone());
        }
        if let Some(flush) = meters {
            in_background(flush, sender.clone());
        }
        drop(sender);
        // Nothing is ever sent: the channel closes when the last flush is done.
        let waited = done.recv_timeout(FLUSH);
        if waited == Err(RecvTimeoutError::Timeout) && answered.load(Ordering::Relaxed) {
            // What is not sent by then is lost.
            let _ = done.recv_timeout(REACHED);
        }
    }
}

/// Flushes on a thread that nobody waits for; `done` is dropped when it has done so.
fn in_background(flush: impl FnOnce() -> OTelSdkResult + Send + 'static, done: mpsc::Sender<()>) {
    // Where there is no thread to be had, what is left is lost.
    let _ = thread::Builder::new().name("telemetry".to_owned()).spawn(move || {
        // What could not be sent changes nothing.
        let _ = flush();
        drop(done);
    });
}

/// What is sent.
#[derive(Clone, Copy, Debug)]
enum Signal {
    Traces,
    Metrics,
}

impl Signal {
    const ALL: [Signal; 2] = [Signal::Traces, Signal::Metrics];

    fn variable(self) -> &'static str {
        match self {
            Signal::Traces => "TRACES",
            Signal::Metrics => "METRICS",
        }
    }

    /// Whether a collector is named for it, and nobody says that it is not to be sent.
    fn is_wanted(&self) -> bool {
        let own = format!("OTEL_EXPORTER_OTLP_{}_ENDPOINT", self.variable());
        let named = [own.as_str(), "OTEL_EXPORTER_OTLP_ENDPOINT"]
            .into_iter()
            .any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()));
        named && !is_set_to(&format!("OTEL_{}_EXPORTER", self.variable()), "none")
    }
}

fn is_set_to(name: &str, wanted: &str) -> bool {
    env::var(name).is_ok_and(|value| value.trim().eq_ignore_ascii_case(wanted))
}

fn complain(signal: Signal, error: &ExporterBuildError) {
    let signal = signal.variable().to_ascii_lowercase();
    output::say(&format!(
        "no {signal} are sent: the OTEL_EXPORTER_OTLP variables can't be used: {error}"
    ));
}

fn tracers(client: Arc<dyn HttpClient>) -> Result<SdkTracerProvider, ExporterBuildError> {
    let exporter = SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_shared_http_client(client)
        .build()?;
    let soon = BatchConfigBuilder::default().with_scheduled_delay(SOON).build();
    let processor = BatchSpanProcessor::builder(exporter).with_batch_config(soon).build();
    Ok(SdkTracerProvider::builder()
        .with_span_processor(processor)
        .with_resource(resource())
        .build())
}

fn meters(client: Arc<dyn HttpClient>) -> Result<SdkMeterProvider, ExporterBuildError> {
    let exporter = MetricExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_shared_http_client(client)
        .build()?;
    Ok(SdkMeterProvider::builder()
        .with_periodic_exporter(exporter)
        .with_resource(resource())
        .build())
}

/// Who is telling: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` say it otherwise.
fn resource() -> Resource {
    let named = env::var_os("OTEL_SERVICE_NAME").is_some()
        || env::var("OTEL_RESOURCE_ATTRIBUTES").is_ok_and(|all| all.contains("service.name="));
    let resource = Resource::builder()
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    match named {
        true => resource.build(),
        false => resource.with_service_name("obelus").build(),
    }
}

/// The trace that whoever started Obelus is part of, by `TRACEPARENT`.
fn surroundings() -> Context {
    let carrier: HashMap<String, String> = ["traceparent", "tracestate"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), env::var(name.to_ascii_uppercase()).ok()?)))
        .collect();
    TraceContextPropagator::new().extract(&carrier)
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
