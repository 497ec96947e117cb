//! The lints of Cargo.toml, and clippy.toml.

use super::{Both, Setting, Settings, Weaker};
use crate::reason::silence::construct::Tools;

pub(super) fn compare_manifest(both: Both<'_>, found: &mut Vec<Weaker>) {
    let (before, after) = (levels(both.before), levels(both.after));
    for (lint, level, setting) in &after {
        let was = before.iter().find(|old| old.0 == *lint).map(|old| old.1);
        if was.map_or(*level == 0, |was| was > *level) {
            let says = format!("{lint} at {:?}", setting.value);
            found
                .push(Weaker::new("rule-off", Tools::RUST, says).at(setting).codes([lint.clone()]));
        }
    }
    for (lint, level, _) in &before {
        if *level > 0 && !after.iter().any(|new| new.0 == *lint) {
            let says = format!("{lint}, which is not named any more,");
            found.push(Weaker::new("rule-off", Tools::RUST, says).codes([lint.clone()]));
        }
    }
}

/// Each lint as it is printed, with its level: 0 allow, 1 warn, 2 deny, 3 forbid.
fn levels(settings: &Settings) -> Vec<(String, u8, &Setting)> {
    let of = |setting| {
        let Setting { path, value, .. }: &Setting = setting;
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let (tool, lint) = match path.as_slice() {
            ["lints", tool, lint] | ["lints", tool, lint, "level"] => (*tool, *lint),
            ["workspace", "lints", tool, lint] | ["workspace", "lints", tool, lint, "level"] => {
                (*tool, *lint)
            }
            _ => return None,
        };
        let level = match value.as_str() {
            "allow" => 0,
            "warn" => 1,
            "deny" => 2,
            "forbid" => 3,
            _ => return None,
        };
        let code = if tool == "rust" { lint.to_owned() } else { format!("{tool}::{lint}") };
        Some((code, level, setting))
    };
    settings.0.iter().filter_map(of).collect()
}

pub(super) fn compare_clippy(both: Both<'_>, found: &mut Vec<Weaker>) {
    for setting in &both.after.0 {
        let [key] = setting.path.as_slice() else { continue };
        let was = both.before.get(&[key]).map(|setting| setting.value.as_str());
        let number = |value: &str| value.parse::<u64>().ok();
        let grew = match (was.and_then(number), number(&setting.value)) {
            (Some(was), Some(is)) => is > was,
            // Without one, the threshold is clippy's own, which is lower than one that is worth setting.
            (None, Some(_)) => key.ends_with("-threshold"),
            _ => false,
        };
        let allows = key.starts_with("allow-") && setting.value == "true" && was != Some("true");
        if grew || allows {
            let says = format!("{key} = {}", setting.value);
            found.push(Weaker::new("rule-off", Tools::RUST, says).at(setting));
        }
    }
    for key in ["disallowed-methods", "disallowed-types", "disallowed-macros", "disallowed-names"] {
        for entry in both.went(&[key]) {
            let says = format!("{:?}, which is gone from {key},", entry.value);
            let code = format!("clippy::{}", key.replace('-', "_"));
            found.push(Weaker::new("rule-off", Tools::RUST, says).codes([code]));
        }
    }
}
