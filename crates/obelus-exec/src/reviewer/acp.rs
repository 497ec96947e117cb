//! The client's side of the Agent Client Protocol, as small as a reviewer needs it: it opens a
//! session, hands over the prompt, lets the agent read files of the repository, and refuses
//! everything else. The protocol: agentclientprotocol.com, version 1.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::listener::Follow;
use crate::process::talk::{Heard, Listener};

/// Largest file that is handed to an agent, and longest line that is taken from one, in bytes.
const LARGEST: usize = 64 << 20;

const INITIALIZE: u64 = 0;
const NEW_SESSION: u64 = 1;
const PROMPT: u64 = 2;

/// Talks to an agent about one prompt.
pub struct Client {
    follow: Follow,
    root: PathBuf,
    prompt: String,
    line: Vec<u8>,
    over: bool,
}

impl Client {
    /// A client that asks `prompt` about the repository at `root`.
    pub fn new(follow: Follow, root: PathBuf, prompt: String) -> Self {
        Client { follow, root, prompt, line: Vec::new(), over: false }
    }

    /// What the agent gets first.
    pub fn opening() -> Vec<u8> {
        request(
            INITIALIZE,
            "initialize",
            &json!({
                "protocolVersion": 1,
                "clientCapabilities": {
                    "fs": {"readTextFile": true, "writeTextFile": false},
                    "terminal": false,
                },
                "clientInfo": {"name": "obelus", "version": env!("CARGO_PKG_VERSION")},
            }),
        )
    }

    fn take(&mut self, line: &[u8], reply: &mut Vec<u8>) {
        // What is no message is for the strict reader to say.
        let Ok(message) = serde_json::from_slice::<Value>(line) else { return };
        match (message["method"].as_str(), &message["id"]) {
            (Some(method), id) if !id.is_null() => {
                let answer = self.answer(method, &message["params"]);
                reply.extend(match answer {
                    Ok(result) => written(&json!({"jsonrpc": "2.0", "id": id, "result": result})),
                    Err(why) => written(&json!({
                        "jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": why},
                    })),
                });
            }
            (None, id) => self.answered(id.as_u64(), &message, reply),
            (Some(_), _) => {}
        }
    }

    /// The agent has answered one of our requests.
    fn answered(&mut self, id: Option<u64>, message: &Value, reply: &mut Vec<u8>) {
        match (id, message.get("result")) {
            (Some(INITIALIZE), Some(_)) => {
                let params = json!({"cwd": self.root, "mcpServers": []});
                reply.extend(request(NEW_SESSION, "session/new", &params));
            }
            (Some(NEW_SESSION), Some(result)) => {
                let prompt = json!([{"type": "text", "text": self.prompt}]);
                let params = json!({"sessionId": result["sessionId"], "prompt": prompt});
                reply.extend(request(PROMPT, "session/prompt", &params));
            }
            // The answer to the prompt, or an error: there is nothing more to be said.
            _ => self.over = true,
        }
    }

    /// The answer to a request of the agent's.
    fn answer(&self, method: &str, params: &Value) -> Result<Value, String> {
        match method {
            "session/request_permission" => Ok(permission(params)),
            "fs/read_text_file" => self.read_file(params),
            other => Err(format!("a reviewer may not call {other}")),
        }
    }

    fn read_file(&self, params: &Value) -> Result<Value, String> {
        let path = params["path"].as_str().unwrap_or_default();
        let text = text_of(&self.root, path)?;
        let from = params["line"].as_u64().unwrap_or(1).max(1) - 1;
        let most = params["limit"].as_u64().unwrap_or(u64::MAX);
        let lines = text.split_inclusive('\n');
        let skip = usize::try_from(from).unwrap_or(usize::MAX);
        let take = usize::try_from(most).unwrap_or(usize::MAX);
        let content: String = lines.skip(skip).take(take).collect();
        Ok(json!({"content": content}))
    }
}

impl Listener for Client {
    fn hear(&mut self, bytes: &[u8]) -> Heard {
        let mut reply = Vec::new();
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.line.extend_from_slice(&rest[..end]);
            let line = std::mem::take(&mut self.line);
            self.take(&line, &mut reply);
            rest = &rest[end + 1..];
        }
        self.line.extend_from_slice(rest);
        if self.line.len() > LARGEST {
            self.line = Vec::new();
            self.over = true;
        }
        Heard { reply, close_input: self.over, wish: self.follow.follow(bytes) }
    }
}

/// What is allowed once is to read and to search; all else is refused.
fn permission(params: &Value) -> Value {
    let reads = matches!(params["toolCall"]["kind"].as_str(), Some("read" | "search"));
    let wanted = if reads { "allow_once" } else { "reject_once" };
    let options = params["options"].as_array();
    let option = options.into_iter().flatten().find(|option| option["kind"] == wanted);
    match option {
        Some(option) => json!({"outcome": {"outcome": "selected", "optionId": option["optionId"]}}),
        None => json!({"outcome": {"outcome": "cancelled"}}),
    }
}

/// The text of a file of the repository; links that lead out of it are not followed.
fn text_of(root: &Path, path: &str) -> Result<String, String> {
    let refused = || format!("{path} can't be read: it is no file of the repository");
    let real = root.join(path).canonicalize().map_err(|_| refused())?;
    let metadata = real.metadata().map_err(|_| refused())?;
    if !real.starts_with(root) || !metadata.is_file() || metadata.len() > LARGEST as u64 {
        return Err(refused());
    }
    std::fs::read_to_string(&real).map_err(|_| refused())
}

fn request(id: u64, method: &str, params: &Value) -> Vec<u8> {
    written(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

fn written(message: &Value) -> Vec<u8> {
    let mut line = message.to_string().into_bytes();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_reading_is_allowed() {
        let options = json!([
            {"optionId": "a", "kind": "allow_always"}, {"optionId": "b", "kind": "allow_once"},
            {"optionId": "c", "kind": "reject_once"}]);
        let chosen = |kind: &str| {
            let answer = permission(&json!({"toolCall": {"kind": kind}, "options": options}));
            answer["outcome"]["optionId"].clone()
        };
        assert_eq!(chosen("read"), "b");
        for kind in ["edit", "execute", "delete", "fetch", "other"] {
            assert_eq!(chosen(kind), "c", "{kind}");
        }
        assert_eq!(permission(&json!({}))["outcome"]["outcome"], "cancelled");
    }

    #[test]
    fn files_outside_the_repository_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let outer = folder.path().canonicalize().unwrap();
        let root = outer.join("repo");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(outer.join("secret"), "s").unwrap();
        std::fs::write(root.join("a"), "1\n2\n").unwrap();
        assert_eq!(text_of(&root, "a").unwrap(), "1\n2\n");
        assert_eq!(text_of(&root, &root.join("a").display().to_string()).unwrap(), "1\n2\n");
        for path in ["../secret", "/etc/hostname", "b", ".", ""] {
            assert!(text_of(&root, path).is_err(), "{path}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.join("secret"), root.join("link")).unwrap();
            assert!(text_of(&root, "link").is_err());
        }
    }
}
