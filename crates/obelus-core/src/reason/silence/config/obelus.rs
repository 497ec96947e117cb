//! obelus.toml itself.

use super::{Weaker, globs};
use crate::checker::{Config, builtin, changes, parse_config};
use crate::reason::silence::construct::Tools;
use crate::reason::silence::files::File;
use obelus_record::PolicyEffect;

pub(super) const FILE: &str = "obelus.toml";

/// What it lets pass that it did not. One that can't be read is told elsewhere.
pub(super) fn compare(file: &File<'_>) -> Vec<Weaker> {
    let config = |text: Option<&crate::reason::text::Text>| match text {
        None => Some(Config::default()),
        Some(text) => parse_config(FILE, &String::from_utf8_lossy(text.bytes())).ok(),
    };
    let Some((before, after)) = config(file.before()).zip(config(file.after())) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for glob in after.exclude.iter().filter(|glob| !before.exclude.contains(glob)) {
        let mut weaker = Weaker::new("obelus-config", Tools::EVERY, format!("{glob:?} in exclude"));
        weaker.place = line(file, glob);
        found.push(weaker.files(globs(glob)));
    }
    let rest = Config { exclude: after.exclude.clone(), ..before };
    for change in changes(FILE, &rest, &after) {
        if change.effect != PolicyEffect::Loosened {
            continue;
        }
        let mut weaker = Weaker::new("obelus-config", Tools::EVERY, change.statement);
        weaker.place =
            change.checkers.first().and_then(|name| line(file, name)).or_else(|| line(file, ""));
        let tool = |name: &String| {
            builtin(name).and_then(|table| table.tool).unwrap_or_else(|| name.clone())
        };
        weaker.named = change.checkers.iter().map(tool).collect();
        weaker.stops = true;
        found.push(weaker);
    }
    found
}

/// The first line that the change wrote and that mentions `word`.
fn line(file: &File<'_>, word: &str) -> Option<(std::ops::Range<usize>, u32)> {
    let text = file.after()?;
    let mentions = |line: &u32| {
        let content = text.line(*line).trim_ascii();
        !content.is_empty() && memchr::memmem::find(content, word.as_bytes()).is_some()
    };
    let line = (1..=text.line_count()).filter(|&line| file.wrote(line)).find(mentions)?;
    Some((file.span(line)?, line))
}
