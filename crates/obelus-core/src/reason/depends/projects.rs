//! The projects that files belong to, and which of them their manifests say they depend on:
//! `references` of a tsconfig.json, dependencies within the repository of package.json, Cargo.toml,
//! pyproject.toml and go.mod.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use crate::Sources;
use crate::reason::causes::modules::{folder_of, folders_above, join};
use crate::reason::origin::is_outside;

/// What makes a folder a project.
const MANIFESTS: [&str; 5] =
    ["package.json", "tsconfig.json", "Cargo.toml", "pyproject.toml", "go.mod"];
/// Tables of dependencies.
const NODE: [&str; 4] =
    ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
const CARGO: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// Finds projects; remembers what it looked for.
pub struct Projects<'a> {
    sources: &'a dyn Sources,
    /// Folder → the nearest folder at or above it that has a manifest.
    nearest: FxHashMap<String, String>,
    /// The names of projects that have findings → their folders.
    names: FxHashMap<String, String>,
}

impl<'a> Projects<'a> {
    /// Reads the names of the projects of `paths`.
    pub fn new(paths: &[&str], sources: &'a dyn Sources) -> Self {
        let (nearest, names) = (FxHashMap::default(), FxHashMap::default());
        let mut projects = Projects { sources, nearest, names };
        let mut named = FxHashSet::default();
        for path in paths {
            let folder = projects.of(path);
            if !named.insert(folder.clone()) {
                continue;
            }
            for name in projects.names_of(&folder) {
                projects.names.entry(name).or_insert_with(|| folder.clone());
            }
        }
        projects
    }

    /// The folder of the project that the file at `path` belongs to; the root where there is none.
    pub fn of(&mut self, path: &str) -> String {
        if is_outside(path) {
            return String::new();
        }
        let mut asked = Vec::new();
        let mut found = String::new();
        for folder in folders_above(path) {
            if let Some(known) = self.nearest.get(folder) {
                found.clone_from(known);
                break;
            }
            asked.push(folder);
            if MANIFESTS.iter().any(|name| self.sources.exists(&within(folder, name))) {
                folder.clone_into(&mut found);
                break;
            }
        }
        for folder in asked {
            self.nearest.insert(folder.to_owned(), found.clone());
        }
        found
    }

    /// The folders of the projects that the one in `folder` depends on, in its order.
    pub fn references(&self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(text) = self.text(&within(folder, "tsconfig.json")) {
            found.extend(tsconfig(&text).filter_map(|path| join(folder, path)).map(|path| {
                match path.ends_with(".json") {
                    true => folder_of(&path).to_owned(),
                    false => path,
                }
            }));
        }
        self.node(folder, &mut found);
        self.cargo(folder, &mut found);
        self.python(folder, &mut found);
        if let Some(text) = self.text(&within(folder, "go.mod")) {
            let words = text.split_whitespace().filter_map(|word| self.names.get(word));
            found.extend(words.cloned());
        }
        found.retain(|other| other != folder);
        found
    }

    fn text(&self, path: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&self.sources.read(path)?).into_owned())
    }

    fn json(&self, path: &str) -> Value {
        let read = || serde_json::from_slice(&self.sources.read(path)?).ok();
        read().unwrap_or_default()
    }

    fn toml(&self, path: &str) -> toml::Table {
        let read = || self.text(path)?.parse().ok();
        read().unwrap_or_default()
    }

    fn names_of(&self, folder: &str) -> Vec<String> {
        let node = self.json(&within(folder, "package.json"));
        let mut names: Vec<String> = node["name"].as_str().map(str::to_owned).into_iter().collect();
        let named = |table: Option<&toml::Value>| Some(table?.get("name")?.as_str()?.to_owned());
        names.extend(named(self.toml(&within(folder, "Cargo.toml")).get("package")));
        names.extend(named(self.toml(&within(folder, "pyproject.toml")).get("project")));
        if let Some(text) = self.text(&within(folder, "go.mod")) {
            let module = text.lines().find_map(|line| line.trim().strip_prefix("module "));
            names.extend(module.map(|name| name.trim().trim_matches('"').to_owned()));
        }
        names
    }

    fn node(&self, folder: &str, found: &mut Vec<String>) {
        let manifest = self.json(&within(folder, "package.json"));
        for (name, version) in NODE.iter().filter_map(|table| manifest[table].as_object()).flatten()
        {
            let version = version.as_str().unwrap_or_default();
            let path = ["file:", "link:", "portal:", "workspace:."]
                .iter()
                .find_map(|scheme| version.strip_prefix(scheme));
            let by_path = path.and_then(|path| join(folder, path));
            found.extend(self.names.get(name).cloned().or(by_path));
        }
    }

    fn cargo(&self, folder: &str, found: &mut Vec<String>) {
        let manifest = self.toml(&within(folder, "Cargo.toml"));
        let targets = manifest.get("target").and_then(toml::Value::as_table);
        let targets = targets.into_iter().flat_map(|table| table.values());
        let tables = std::iter::once(&manifest).chain(targets.filter_map(toml::Value::as_table));
        let of_table = |table: &'_ toml::Table| -> Vec<(String, toml::Value)> {
            let kinds = CARGO.iter().filter_map(|kind| table.get(*kind)?.as_table());
            kinds.flatten().map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let wanted: Vec<(String, toml::Value)> = tables.flat_map(of_table).collect();
        for (name, value) in wanted {
            let path = value.get("path").and_then(toml::Value::as_str);
            let by_path = path.and_then(|path| join(folder, path));
            let inherited = value.get("workspace").is_some();
            found.extend(by_path.or_else(|| inherited.then(|| self.inherited(folder, &name))?));
        }
    }

    /// Where the workspace above `folder` says that the crate `name` lies.
    fn inherited(&self, folder: &str, name: &str) -> Option<String> {
        let inside = within(folder, "Cargo.toml");
        folders_above(&inside).find_map(|root| {
            let manifest = self.toml(&within(root, "Cargo.toml"));
            let wanted = manifest.get("workspace")?.get("dependencies")?.get(name)?;
            join(root, wanted.get("path")?.as_str()?)
        })
    }

    fn python(&self, folder: &str, found: &mut Vec<String>) {
        let manifest = self.toml(&within(folder, "pyproject.toml"));
        let dependencies = manifest.get("project").and_then(|project| project.get("dependencies"));
        for wanted in dependencies.and_then(toml::Value::as_array).into_iter().flatten() {
            let wanted = wanted.as_str().unwrap_or_default();
            let end = wanted.find(|c: char| !(c.is_alphanumeric() || "-_.".contains(c)));
            found.extend(self.names.get(&wanted[..end.unwrap_or(wanted.len())]).cloned());
        }
        let tools = manifest.get("tool");
        let uv = tools.and_then(|tool| tool.get("uv")?.get("sources")?.as_table());
        let poetry = tools.and_then(|tool| tool.get("poetry")?.get("dependencies")?.as_table());
        for (name, value) in uv.into_iter().chain(poetry).flatten() {
            let path = value.get("path").and_then(toml::Value::as_str);
            let by_path = path.and_then(|path| join(folder, path));
            found.extend(by_path.or_else(|| self.names.get(name).cloned()));
        }
    }
}

/// The paths of a tsconfig's `references`, read past comments and commas that JSON does not have.
fn tsconfig(text: &str) -> impl Iterator<Item = &str> {
    let list = text.split_once("\"references\"").and_then(|(_, rest)| rest.split_once(']'));
    let entries = list.map_or("", |(list, _)| list).split("\"path\"").skip(1);
    entries.filter_map(|entry| entry.split('"').nth(1))
}

fn within(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
