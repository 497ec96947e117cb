//! An OpenTelemetry collector on loopback that keeps what it is sent.

use std::io::Read;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::thread;

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use tiny_http::{Response, Server};

/// A running collector.
pub struct Collector {
    server: Arc<Server>,
    address: SocketAddr,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    traces: Vec<ExportTraceServiceRequest>,
    metrics: Vec<ExportMetricsServiceRequest>,
}

impl Collector {
    pub fn start() -> Self {
        let server = Arc::new(Server::http("127.0.0.1:0").expect("a free port"));
        let address = server.server_addr().to_ip().expect("an address");
        let kept = Arc::new(Mutex::new(Kept::default()));
        let (serving, keeping) = (Arc::clone(&server), Arc::clone(&kept));
        thread::spawn(move || {
            while let Ok(mut request) = serving.recv() {
                let mut body = Vec::new();
                request.as_reader().read_to_end(&mut body).expect("a whole body");
                let mut kept = keeping.lock().expect("nobody panicked");
                match request.url() {
                    "/v1/traces" => {
                        kept.traces.push(Message::decode(&body[..]).expect("traces"));
                    }
                    "/v1/metrics" => {
                        kept.metrics.push(Message::decode(&body[..]).expect("metrics"));
                    }
                    other => panic!("nothing is sent to {other}"),
                }
                drop(kept);
                request.respond(Response::empty(200)).expect("the sender waits");
            }
        });
        Collector { server, address, kept }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All spans that came, with the name of the service that sent them.
    pub fn spans(&self) -> Vec<(String, Span)> {
        let kept = self.kept.lock().expect("nobody panicked");
        let mut spans = Vec::new();
        for resource in kept.traces.iter().flat_map(|request| &request.resource_spans) {
            let attributes = resource.resource.as_ref().map(|of| &of.attributes[..]);
            let service = attribute(attributes.unwrap_or_default(), "service.name");
            let all = resource.scope_spans.iter().flat_map(|scope| &scope.spans);
            spans.extend(all.map(|span| (service.clone(), span.clone())));
        }
        spans
    }

    /// The names of all metrics that came, sorted.
    pub fn metrics(&self) -> Vec<String> {
        let kept = self.kept.lock().expect("nobody panicked");
        let scopes = kept
            .metrics
            .iter()
            .flat_map(|request| &request.resource_metrics)
            .flat_map(|resource| &resource.scope_metrics);
        let mut names: Vec<String> =
            scopes.flat_map(|scope| &scope.metrics).map(|metric| metric.name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.server.unblock();
    }
}

/// An attribute as text; empty where it is not there.
pub fn attribute(attributes: &[KeyValue], name: &str) -> String {
    let found = attributes.iter().find(|attribute| attribute.key == name);
    match found.and_then(|attribute| attribute.value.as_ref()) {
        Some(AnyValue { value: Some(Value::StringValue(text)) }) => text.clone(),
        Some(AnyValue { value: Some(Value::IntValue(number)) }) => number.to_string(),
        _ => String::new(),
    }
}
