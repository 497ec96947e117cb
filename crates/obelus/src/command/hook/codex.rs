//! Codex (developers.openai.com/codex/hooks): the events and answers of Claude Code, of which it
//! knows those that are used here. Edits are its tool `apply_patch`, which a matcher may also call
//! `Edit` or `Write`. On exit status 0 only JSON may stand on standard output. A hook runs only after
//! the user has trusted it with `/hooks`.

use serde_json::{Value, json};

use super::host::{Answer, Host, Moment, Said, in_the_manner_of_claude};
use super::settings::{Entry, with_hooks};

/// Codex.
pub struct Codex;

/// Seconds after which it gives a hook up.
const TIMEOUT: u32 = 900;

impl Host for Codex {
    fn moment(&self, event: &Value) -> Moment {
        match event["hook_event_name"].as_str() {
            Some("PostToolUse") => Moment::Edited,
            Some("Stop" | "SubagentStop") => {
                Moment::Stopping { again: event["stop_hook_active"] == json!(true) }
            }
            _ => Moment::Other,
        }
    }

    fn answer(&self, moment: Moment, said: &Said) -> Answer {
        in_the_manner_of_claude(moment, said)
    }

    fn settings(&self) -> &'static str {
        ".codex/hooks.json"
    }

    fn installed(&self, before: Option<&str>) -> Result<Option<String>, String> {
        let hook = json!({"type": "command", "command": "obelus hook codex", "timeout": TIMEOUT});
        let edited = json!({"matcher": "^(apply_patch|Edit|Write)$", "hooks": [hook]});
        let stops = json!({"hooks": [hook]});
        let entries = [Entry::new("PostToolUse", edited), Entry::new("Stop", stops)];
        with_hooks(before, "obelus hook codex", &entries, &[])
    }
}
