//! Claude Code (code.claude.com/docs/en/hooks): exit status 2 blocks, and standard error is what
//! the agent reads; any other status but 0 is shown to the user and lets everything pass, so that a
//! hook must not use it. `stop_hook_active` says that the agent goes on because of a hook already.

use serde_json::{Value, json};

use super::host::{Answer, Host, Moment, Said, in_the_manner_of_claude};
use super::settings::{Entry, with_hooks};

/// Claude Code.
pub struct ClaudeCode;

/// Seconds after which it gives a hook up.
const TIMEOUT: u32 = 900;

impl Host for ClaudeCode {
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
        ".claude/settings.json"
    }

    fn installed(&self, before: Option<&str>) -> Result<Option<String>, String> {
        let hook =
            json!({"type": "command", "command": "obelus hook claude-code", "timeout": TIMEOUT});
        let edited = json!({"matcher": "Edit|MultiEdit|Write|NotebookEdit", "hooks": [hook]});
        let stops = json!({"hooks": [hook]});
        let entries = [Entry::new("PostToolUse", edited), Entry::new("Stop", stops)];
        with_hooks(before, "obelus hook claude-code", &entries, &[])
    }
}
