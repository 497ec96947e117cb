//! A model server on loopback with canned answers, for running real agent programs.
//!
//! ```
//! use fake_model::{Script, Server, Turn};
//!
//! let server = Server::start(Script::new([Turn::text("FINDINGS:\n[]")])).unwrap();
//! // An agent is now run with its base URL set to `server.url()`.
//! assert!(server.requests().is_empty());
//! ```
//!
//! It speaks the interfaces of Anthropic (Messages), OpenAI (Responses and Chat Completions) and
//! Google (Gemini), as server-sent events or whole, and asks for no credentials.

mod dialect;
mod schema;
mod script;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{io, thread};

use serde::Serialize;
use serde_json::{Value, json};
use tiny_http::{Header, Response};

pub use script::{Answer, Script, Turn};

use dialect::{Asked, Dialect, Said};

/// A running server; it ends with this value.
#[derive(Debug)]
pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
}

/// What was asked once.
#[derive(Clone, Debug, Serialize)]
pub struct Request {
    /// The HTTP method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// The body; null where it was no JSON.
    pub body: Value,
    /// The HTTP status that was answered.
    pub status: u16,
}

struct Shared {
    http: tiny_http::Server,
    script: Script,
    log: Mutex<Log>,
    watch: Watch,
}

/// Sees each request after it was answered.
pub type Watch = Box<dyn Fn(&Request) + Send + Sync>;

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("script", &self.script).finish_non_exhaustive()
    }
}

#[derive(Default)]
struct Log {
    requests: Vec<Request>,
    /// How many turns of the script were taken.
    turns: usize,
}

impl Server {
    /// Starts a server on a free port of loopback.
    pub fn start(script: Script) -> io::Result<Self> {
        Server::start_at(0, script, Box::new(|_| ()))
    }

    /// Starts a server on this port of loopback (0: a free one); `watch` sees each request.
    pub fn start_at(port: u16, script: Script, watch: Watch) -> io::Result<Self> {
        let http = tiny_http::Server::http(("127.0.0.1", port)).map_err(io::Error::other)?;
        let address = http.server_addr().to_ip().ok_or(io::ErrorKind::AddrNotAvailable)?;
        let shared = Arc::new(Shared { http, script, log: Mutex::default(), watch });
        let serving = Arc::clone(&shared);
        thread::Builder::new().name("fake-model".to_owned()).spawn(move || {
            while let Ok(request) = serving.http.recv() {
                let shared = Arc::clone(&serving);
                // A turn that takes long keeps no other request waiting; nobody waits for its thread.
                thread::spawn(move || shared.answer(request));
            }
        })?;
        Ok(Server { shared, address })
    }

    /// Where it listens: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was asked so far, in order.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.log().requests.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.http.unblock();
    }
}

/// The body of an answer, and its type.
struct Body {
    status: u16,
    kind: &'static str,
    text: String,
}

impl Body {
    fn json(status: u16, value: &Value) -> Self {
        Body { status, kind: "application/json", text: value.to_string() }
    }
}

impl Shared {
    fn log(&self) -> std::sync::MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, mut request: tiny_http::Request) {
        let mut bytes = Vec::new();
        // A body that breaks off is no JSON, and is answered as such.
        let _ = request.as_reader().read_to_end(&mut bytes);
        let asked = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        let path = request.url().to_owned();
        let body = match dialect::of(&path) {
            Some(dialect) => self.take_turn(dialect, &path, &asked),
            None => match dialect::aside(&path) {
                Some(value) => Body::json(200, &value),
                None => Body::json(404, &json!({ "error": { "message": "no such path" } })),
            },
        };
        let method = request.method().to_string();
        let entry = Request { method, path, body: asked, status: body.status };
        (self.watch)(&entry);
        self.log().requests.push(entry);
        let kind = Header::from_bytes("Content-Type", body.kind).ok();
        let response = Response::from_string(body.text).with_status_code(body.status);
        let response = kind.into_iter().fold(response, Response::with_header);
        // An agent that was ended meanwhile reads no answer.
        let _ = request.respond(response);
    }

    fn take_turn(&self, dialect: &Dialect, path: &str, asked: &Value) -> Body {
        // A question beside the conversation takes no turn of the script.
        if let Some(schema) = schema::asked_for(asked) {
            let said = Said::Text(schema::plainest(schema).to_string());
            return say(dialect, &said, path, asked, 0);
        }
        let number = {
            let mut log = self.log();
            log.turns += 1;
            log.turns
        };
        let turn = self.script.turn(number - 1);
        thread::sleep(Duration::from_millis(turn.delay_ms));
        let said = match &turn.answer {
            Answer::Error { error, message } => {
                return Body::json(*error, &(dialect.error)(*error, message));
            }
            Answer::Text { text } => Said::Text(text.replace("{marker}", &marker(asked))),
            Answer::Tool { tool, input } => Said::Tool { name: tool.clone(), input: input.clone() },
        };
        say(dialect, &said, path, asked, number)
    }
}

/// One thing said, as the request asks for it: as a stream or whole.
fn say(dialect: &Dialect, said: &Said, path: &str, asked: &Value, number: usize) -> Body {
    let model = asked["model"].as_str().unwrap_or("fake-model");
    let context = Asked { model, number };
    let streams = asked["stream"].as_bool().unwrap_or(path.contains(":streamGenerateContent"));
    match streams {
        true => {
            Body { status: 200, kind: "text/event-stream", text: (dialect.stream)(said, context) }
        }
        false => Body::json(200, &(dialect.whole)(said, context)),
    }
}

/// The marker that a request asks for: the first `FINDINGS NONCE:` in any text of it.
fn marker(asked: &Value) -> String {
    let plain = "FINDINGS:".to_owned();
    match asked {
        Value::String(text) => text
            .match_indices("FINDINGS ")
            .find_map(|(at, word)| {
                let rest = &text[at + word.len()..];
                let nonce = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next()?;
                let named = !nonce.is_empty() && rest[nonce.len()..].starts_with(':');
                named.then(|| format!("FINDINGS {nonce}:"))
            })
            .unwrap_or(plain),
        Value::Array(values) => {
            values.iter().map(marker).find(|found| *found != plain).unwrap_or(plain)
        }
        Value::Object(fields) => {
            fields.values().map(marker).find(|found| *found != plain).unwrap_or(plain)
        }
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marker_is_the_one_of_the_prompt() {
        let asked = json!({ "messages": [{ "content": "say FINDINGS or not" }, { "content": [
            { "text": "… after a line\nFINDINGS 3f-9A:\n[]" }] }] });
        assert_eq!(marker(&asked), "FINDINGS 3f-9A:");
        assert_eq!(marker(&json!({ "messages": ["FINDINGS:"] })), "FINDINGS:");
    }
}
