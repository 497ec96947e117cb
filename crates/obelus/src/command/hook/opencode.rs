//! opencode (opencode.ai/docs/plugins): its hooks are plugins, so that a small one hands the events
//! over and does what the answer says: `{"append": …}` behind what the edit tool said, `{"prompt":
//! …}` as the next message when the session is idle, `{"say": …}` for the user. A hook that ends in
//! any other way is told as a failure of the check, by the plugin itself.

use serde_json::{Value, json};

use super::host::{Answer, Host, Moment, Said, text};

/// opencode.
pub struct Opencode;

/// The plugin.
const PLUGIN: &str = include_str!("opencode.js");

impl Host for Opencode {
    fn moment(&self, event: &Value) -> Moment {
        match event["hook_event_name"].as_str() {
            Some("tool.execute.after") => Moment::Edited,
            Some("session.idle") => {
                Moment::Stopping { again: event["stop_hook_active"] == json!(true) }
            }
            _ => Moment::Other,
        }
    }

    fn answer(&self, moment: Moment, said: &Said) -> Answer {
        let Some(text) = text(said) else { return Answer::json(&json!({})) };
        Answer::json(&match moment {
            Moment::Edited => json!({ "append": text }),
            Moment::Stopping { again: false } => json!({ "prompt": text }),
            Moment::Stopping { again: true } => json!({ "say": text }),
            Moment::Other => json!({}),
        })
    }

    fn settings(&self) -> &'static str {
        ".opencode/plugins/obelus.js"
    }

    fn installed(&self, before: Option<&str>) -> Result<Option<String>, String> {
        Ok((before != Some(PLUGIN)).then(|| PLUGIN.to_owned()))
    }
}
