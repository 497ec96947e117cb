//! What the model says, request by request.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

/// The answers, in the order of the requests; the last one is given to every request after it.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct Script {
    turns: Vec<Turn>,
}

impl Script {
    /// A script of these turns.
    ///
    /// # Panics
    /// Where there are none: a model that says nothing at all can't be asked.
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        let turns: Vec<Turn> = turns.into_iter().collect();
        assert!(!turns.is_empty(), "a script needs a turn");
        Script { turns }
    }

    /// Reads a script from JSON: an array of turns.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        let script: Script = serde_json::from_str(text)?;
        match script.turns.is_empty() {
            true => Err(serde::de::Error::custom("a script needs a turn")),
            false => Ok(script),
        }
    }

    /// The answer to the request with this number, counted from 0.
    pub(crate) fn turn(&self, number: usize) -> &Turn {
        &self.turns[number.min(self.turns.len() - 1)]
    }
}

/// One answer, and how long it takes.
#[derive(Clone, Debug, Deserialize)]
pub struct Turn {
    /// What is answered.
    #[serde(flatten)]
    pub answer: Answer,
    /// How many milliseconds the model thinks before its first byte.
    #[serde(default)]
    pub delay_ms: u64,
}

/// What the model does in one turn.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Answer {
    /// It says something.
    Text {
        /// What it says; `{marker}` stands for the marker that the prompt asks for.
        text: String,
    },
    /// It asks for a tool to be used.
    Tool {
        /// The tool's name, as the agent calls it.
        tool: String,
        /// What it is given.
        #[serde(default)]
        input: Map<String, Value>,
    },
    /// The server refuses.
    Error {
        /// The HTTP status: 400, 401, 429 …
        error: u16,
        /// The reason.
        #[serde(default = "refused")]
        message: String,
    },
}

fn refused() -> String {
    "refused, as the script says".to_owned()
}

impl Turn {
    /// The model says `text`.
    pub fn text(text: impl Into<String>) -> Self {
        Turn { answer: Answer::Text { text: text.into() }, delay_ms: 0 }
    }

    /// The model asks for a tool.
    ///
    /// # Panics
    /// Where the input is no JSON object.
    pub fn tool(tool: impl Into<String>, input: Value) -> Self {
        let Value::Object(input) = input else { panic!("the input of a tool is an object") };
        Turn { answer: Answer::Tool { tool: tool.into(), input }, delay_ms: 0 }
    }

    /// The server refuses with an HTTP status.
    pub fn error(status: u16) -> Self {
        Turn { answer: Answer::Error { error: status, message: refused() }, delay_ms: 0 }
    }

    /// The same answer, but later.
    #[must_use]
    pub fn after(self, delay: Duration) -> Self {
        Turn { delay_ms: u64::try_from(delay.as_millis()).unwrap_or(u64::MAX), ..self }
    }
}
