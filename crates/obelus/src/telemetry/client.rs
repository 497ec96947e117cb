//! How telemetry reaches the collector: HTTP on the exporter's own thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use ureq::Agent;

/// How long one request may take; nobody waits for it.
const TIME: Duration = Duration::from_secs(10);
/// A collector answers with a few bytes.
const ANSWER: u64 = 1 << 20;

/// A blocking client.
#[derive(Debug)]
pub struct Client {
    agent: Agent,
    answered: Arc<AtomicBool>,
}

impl Client {
    /// A client that keeps its connections, and sets `answered` as soon as a collector has answered.
    pub fn new(answered: Arc<AtomicBool>) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(TIME))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .user_agent(concat!("obelus/", env!("CARGO_PKG_VERSION")));
        Client { agent: config.build().into(), answered }
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let answer = self.agent.run(Request::from_parts(parts, &body[..]))?;
        self.answered.store(true, Ordering::Relaxed);
        let (parts, mut body) = answer.into_parts();
        let body = body.with_config().limit(ANSWER).read_to_vec()?;
        Ok(Response::from_parts(parts, body.into()))
    }
}
