//! biome.json.

use super::{Both, Setting, Settings, Weaker, globs};
use crate::reason::silence::construct::Tools;

pub(super) fn compare(both: Both<'_>, found: &mut Vec<Weaker>) {
    let tools = Tools::BIOME;
    let (before, after) = (levels(both.before), levels(both.after));
    for (rule, level, setting) in &after {
        let known = before.iter().any(|old| (&old.0, old.1) == (rule, *level));
        let was = before.iter().filter(|old| old.0 == *rule).map(|old| old.1).max();
        if !known && was.map_or(*level == 0, |was| was > *level) {
            let says = format!("{rule} at {:?}", setting.value);
            found.push(Weaker::new("rule-off", tools, says).at(setting).codes([rule.clone()]));
        }
    }
    for (rule, level, _) in &before {
        if *level > 0 && !after.iter().any(|new| new.0 == *rule) {
            let says = format!("{rule}, which is not named any more,");
            found.push(Weaker::new("rule-off", tools, says).codes([rule.clone()]));
        }
    }
    for (part, code) in [("linter", "lint"), ("formatter", "format"), ("assist", "assist")] {
        let off = |settings: &Settings| settings.is(&[part, "enabled"], "false");
        if let Some(setting) =
            both.after.get(&[part, "enabled"]).filter(|_| !off(both.before) && off(both.after))
        {
            let says = format!("{part}.enabled: false");
            found.push(Weaker::new("rule-off", tools, says).at(setting).codes([code]));
        }
    }
    for part in ["files", "linter"] {
        both.left_out(&[part, "ignore"], tools, found);
        for entry in both.came(&[part, "includes"]) {
            if let Some(out) = entry.value.strip_prefix('!') {
                let says = format!("{:?} in {part}.includes", entry.value);
                let out = globs(out.trim_start_matches('!'));
                found.push(Weaker::new("excluded", tools, says).at(&entry).files(out));
            }
        }
    }
}

/// Each rule as biome prints it, with its level: 0 off, 1 info, 2 warn, 3 error.
fn levels(settings: &Settings) -> Vec<(String, u8, &Setting)> {
    let of = |setting| {
        let Setting { path, value, .. }: &Setting = setting;
        let at = path.iter().position(|key| key == "rules")?;
        let names: &[String] = match path.get(at + 1..)? {
            [names @ .., last] if last == "level" => names,
            names => names,
        };
        let level = match value.as_str() {
            "off" => 0,
            "false" if names.last().is_some_and(|name| name == "recommended") => 0,
            "info" => 1,
            "warn" => 2,
            "error" | "on" => 3,
            _ => return None,
        };
        let names = names.iter().filter(|name| *name != "recommended").map(String::as_str);
        let code: Vec<&str> = std::iter::once("lint").chain(names).collect();
        (code.len() <= 3).then(|| (code.join("/"), level, setting))
    };
    settings.0.iter().filter_map(of).collect()
}
