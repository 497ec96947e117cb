//! Gemini CLI (geminicli.com/docs/hooks/reference): standard output holds one JSON document and
//! nothing else. After a tool `additionalContext` is added to what the tool said; a denial would
//! replace it. After the agent a denial, or exit status 2, makes it try again with the reason.

use serde_json::{Value, json};

use super::host::{Answer, Host, Moment, Said, text};
use super::settings::{Entry, with_hooks};

/// Gemini CLI.
pub struct Gemini;

/// Milliseconds after which it gives a hook up.
const TIMEOUT: u32 = 900_000;

impl Host for Gemini {
    fn moment(&self, event: &Value) -> Moment {
        match event["hook_event_name"].as_str() {
            Some("AfterTool") => Moment::Edited,
            Some("AfterAgent") => {
                Moment::Stopping { again: event["stop_hook_active"] == json!(true) }
            }
            _ => Moment::Other,
        }
    }

    fn answer(&self, moment: Moment, said: &Said) -> Answer {
        let Some(text) = text(said) else { return Answer::json(&json!({})) };
        match moment {
            Moment::Edited => Answer::json(&json!({
                "hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": text}
            })),
            Moment::Stopping { again: false } => Answer::block(&text),
            Moment::Stopping { again: true } => Answer::json(&json!({ "systemMessage": text })),
            Moment::Other => Answer::json(&json!({})),
        }
    }

    fn settings(&self) -> &'static str {
        ".gemini/settings.json"
    }

    fn installed(&self, before: Option<&str>) -> Result<Option<String>, String> {
        let hook = json!({"name": "obelus", "type": "command", "command": "obelus hook gemini", "timeout": TIMEOUT});
        let edited = json!({"matcher": "write_file|replace", "hooks": [hook]});
        let stops = json!({"hooks": [hook]});
        let entries = [Entry::new("AfterTool", edited), Entry::new("AfterAgent", stops)];
        with_hooks(before, "obelus hook gemini", &entries, &[])
    }
}
