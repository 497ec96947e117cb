//! Cursor (cursor.com/docs/hooks): `stop` answers with a `followup_message`, which is sent as the
//! next message of the user; `loop_limit` and `loop_count` bound that. Nothing else is read of its
//! answer, and any failure of a hook lets everything pass, so that also what Obelus failed in is
//! told as a message, with exit status 0. What follows an edit can't be told to the agent.

use serde_json::{Value, json};

use super::host::{Answer, Host, Moment, Said, text};
use super::settings::{Entry, with_hooks};

/// Cursor.
pub struct Cursor;

/// How often it may be kept from stopping.
const LOOP_LIMIT: u32 = 3;

impl Host for Cursor {
    fn moment(&self, event: &Value) -> Moment {
        match (event["hook_event_name"].as_str(), event["status"].as_str()) {
            // One that was aborted, or broke down, is not to be set going again.
            (Some("stop"), Some("completed") | None) => {
                let count = event["loop_count"].as_u64().unwrap_or(0);
                Moment::Stopping { again: count >= u64::from(LOOP_LIMIT) }
            }
            _ => Moment::Other,
        }
    }

    fn answer(&self, moment: Moment, said: &Said) -> Answer {
        match (moment, text(said)) {
            (Moment::Stopping { again: false }, Some(text)) => {
                Answer::json(&json!({ "followup_message": text }))
            }
            // The user sees standard error in the log of hooks.
            (Moment::Stopping { again: true }, Some(text)) => {
                Answer { stdout: "{}\n".to_owned(), stderr: text, blocks: false }
            }
            _ => Answer::json(&json!({})),
        }
    }

    fn settings(&self) -> &'static str {
        ".cursor/hooks.json"
    }

    fn installed(&self, before: Option<&str>) -> Result<Option<String>, String> {
        let hook = json!({"command": "obelus hook cursor", "loop_limit": LOOP_LIMIT});
        with_hooks(
            before,
            "obelus hook cursor",
            &[Entry::new("stop", hook)],
            &[("version", json!(1))],
        )
    }
}
