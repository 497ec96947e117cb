//! eslint's configurations, as JSON or as the objects of a module, and oxlint's.

use super::{Both, Setting, Settings, Weaker};
use crate::reason::silence::construct::Tools;

pub(super) fn compare(both: Both<'_>, found: &mut Vec<Weaker>) {
    rules(both, Tools::ESLINT, found);
}

pub(super) fn compare_oxlint(both: Both<'_>, found: &mut Vec<Weaker>) {
    rules(both, Tools::OXLINT, found);
}

pub(super) fn compare_ignored(both: Both<'_>, found: &mut Vec<Weaker>) {
    both.left_out(&[], Tools::ESLINT, found);
}

fn rules(both: Both<'_>, tools: Tools, found: &mut Vec<Weaker>) {
    let (before, after) = (levels(both.before), levels(both.after));
    for (rule, level, setting) in &after {
        let known = before.iter().any(|old| (old.0, old.1) == (*rule, *level));
        let was = before.iter().filter(|old| old.0 == *rule).map(|old| old.1).max();
        // A rule that was not named may come from a preset: to turn it off, or down, says so.
        if !known && was.map_or(*level == 0, |was| was > *level) {
            let says = format!("{rule} at {:?}", setting.value);
            found.push(Weaker::new("rule-off", tools, says).at(setting).codes([*rule]));
        }
    }
    for (rule, level, _) in &before {
        if *level > 0 && !after.iter().any(|new| new.0 == *rule) {
            let says = format!("{rule}, which is not named any more,");
            found.push(Weaker::new("rule-off", tools, says).codes([*rule]));
        }
    }
    let before = ignored(both.before);
    for entry in ignored(both.after) {
        if !before.iter().any(|old| old.value == entry.value) {
            let says = format!("{:?} among what is ignored", entry.value);
            found.push(
                Weaker::new("excluded", tools, says).at(entry).files(super::globs(&entry.value)),
            );
        }
    }
}

/// Each rule with its level: 0 off, 1 warn, 2 error.
fn levels(settings: &Settings) -> Vec<(&str, u8, &Setting)> {
    let of = |setting| {
        let Setting { path, value, .. }: &Setting = setting;
        let at = path.iter().position(|key| key == "rules")?;
        let rest = path.get(at + 2..)?;
        if !rest.is_empty() && rest != ["#0"] {
            return None;
        }
        let level = match value.as_str() {
            "off" | "0" | "allow" => 0,
            "warn" | "1" => 1,
            "error" | "2" | "deny" => 2,
            _ => return None,
        };
        Some((path[at + 1].as_str(), level, setting))
    };
    settings.0.iter().filter_map(of).collect()
}

fn ignored(settings: &Settings) -> Vec<&Setting> {
    let lists = ["ignores", "ignorePatterns"];
    let is_entry = |setting: &&Setting| {
        setting.path.iter().any(|key| lists.contains(&key.as_str()))
            && !setting.value.starts_with('!')
    };
    settings.0.iter().filter(is_entry).collect()
}
