//! Changes to what judges, made by the change that is judged: `obelus.toml`, the file of adopted
//! findings, and the files by which checkers are configured.

use std::collections::BTreeMap;

use obelus_core::Sources;
use obelus_core::checker::{self, Checker, Config, ConfigError, Rule, held};
use obelus_core::reason::adopted::{AdoptedFile, FILE};
use obelus_record::{PolicyChange, PolicyEffect};

use crate::discover::matcher;
use crate::git::Change;
use crate::repository::CONFIG_FILE;

/// Both sides of a change.
pub struct Sides<'a> {
    /// The files before.
    pub before: &'a dyn Sources,
    /// The files after.
    pub after: &'a dyn Sources,
    /// The files that differ; paths are from the root.
    pub changes: &'a [Change],
}

/// The configuration that `files` hold; the default where they hold none.
pub fn config_of(files: &dyn Sources) -> Result<Config, ConfigError> {
    let Some(bytes) = files.read(CONFIG_FILE) else { return Ok(Config::default()) };
    checker::parse_config(CONFIG_FILE, &String::from_utf8_lossy(&bytes))
}

impl Sides<'_> {
    /// What the change does to the rules: those of Obelus with what it means, those of
    /// `checkers` with who reads them. What loosens comes first.
    pub fn policy(&self, work: &Config, checkers: &[&Checker]) -> Vec<PolicyChange> {
        let mut found = match config_of(self.before) {
            Ok(before) => checker::changes(CONFIG_FILE, &before, work),
            Err(error) => vec![PolicyChange {
                file: CONFIG_FILE.to_owned(),
                checkers: Vec::new(),
                effect: PolicyEffect::Changed,
                statement: format!("it could not be read before: {error}"),
            }],
        };
        found.extend(self.adopted());
        found.extend(self.configurations(checkers));
        found.sort_by_key(|change| change.effect);
        found
    }

    /// Findings that were adopted by the change itself.
    fn adopted(&self) -> Option<PolicyChange> {
        let file = |files: &dyn Sources| {
            let text = files.read(FILE)?;
            AdoptedFile::parse(&String::from_utf8_lossy(&text)).ok()
        };
        let grown = file(self.after)?.growth(&file(self.before).unwrap_or_default());
        (grown > 0).then(|| PolicyChange {
            file: FILE.to_owned(),
            checkers: Vec::new(),
            effect: PolicyEffect::Loosened,
            statement: match grown {
                1 => "1 finding more is adopted".to_owned(),
                many => format!("{many} findings more are adopted"),
            },
        })
    }

    /// Files by which `checkers` are configured, where what they read of them is another.
    fn configurations(&self, checkers: &[&Checker]) -> Vec<PolicyChange> {
        let mut readers: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
        for checker in checkers {
            for rule in checker.configuration() {
                let Ok(glob) = matcher(&rule.file) else { continue };
                for change in self.changes {
                    let fits = |path: &Option<String>| {
                        path.as_deref().is_some_and(|path| glob.is_match(path))
                    };
                    let Some(path) = change.after.as_deref().or(change.before.as_deref()) else {
                        continue;
                    };
                    if !(fits(&change.before) || fits(&change.after)) || !self.differs(rule, change)
                    {
                        continue;
                    }
                    let what = match change.kind {
                        'A' => "is new",
                        'D' => "is gone",
                        'R' => "was renamed",
                        _ => "changed",
                    };
                    let names = readers.entry((path, what)).or_default();
                    if !names.contains(&checker.name) {
                        names.push(checker.name.clone());
                    }
                }
            }
        }
        let changes = readers.into_iter().map(|((path, what), checkers)| {
            let read = if checkers.len() == 1 { "reads" } else { "read" };
            PolicyChange {
                file: path.to_owned(),
                effect: PolicyEffect::Changed,
                statement: format!("it {what}, and {} {read} it", checkers.join(" and ")),
                checkers,
            }
        });
        changes.collect()
    }

    /// Whether what `rule` asks of the file is another after the change.
    fn differs(&self, rule: &Rule, change: &Change) -> bool {
        if rule.key.is_none() {
            return true;
        }
        let part = |files: &dyn Sources, path: &Option<String>| {
            let path = path.as_deref()?;
            held(rule, path, &files.read(path)?)
        };
        part(self.before, &change.before) != part(self.after, &change.after)
    }
}
