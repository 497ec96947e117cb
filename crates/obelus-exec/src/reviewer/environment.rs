//! The environment of an agent: what its table takes away and sets. Only names are ever kept.

use std::collections::{BTreeMap, BTreeSet};

use crate::process::environment::{CHANGES, Change};

/// The environment of one run.
#[derive(Clone, Debug, Default)]
pub struct AgentEnvironment {
    /// Variables that are set.
    pub set: BTreeMap<String, String>,
    /// Names of variables that are there and are taken away.
    pub removed: Vec<String>,
    /// The names of all that the agent gets, sorted.
    pub names: Vec<String>,
}

impl AgentEnvironment {
    /// What becomes of the environment of this process, where the table removes names by patterns
    /// (`*` at the end stands for any rest) and sets others.
    pub fn new(remove: &[String], set: BTreeMap<String, String>) -> Self {
        let own: BTreeSet<String> =
            std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
        let is_removed = |name: &str| {
            remove.iter().any(|pattern| match pattern.strip_suffix('*') {
                Some(start) => name.starts_with(start),
                None => name == pattern,
            })
        };
        let removed: Vec<String> = own
            .iter()
            .filter(|name| is_removed(name) && !set.contains_key(*name))
            .cloned()
            .collect();
        let mut names = own;
        for (name, change, _) in CHANGES {
            match change {
                Change::Set(_) => names.insert((*name).to_owned()),
                Change::Remove => names.remove(*name),
            };
        }
        names.retain(|name| !removed.contains(name));
        names.extend(set.keys().cloned());
        AgentEnvironment { set, removed, names: names.into_iter().collect() }
    }

    /// The value of a variable as the agent sees it.
    pub fn value(&self, name: &str) -> Option<String> {
        match self.set.get(name) {
            Some(value) => Some(value.clone()),
            None if self.removed.iter().any(|removed| removed == name) => None,
            None => std::env::var(name).ok().filter(|value| !value.is_empty()),
        }
    }
}
