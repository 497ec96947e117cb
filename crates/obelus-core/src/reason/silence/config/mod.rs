//! Configuration that asks for less than before: options turned off, rules turned down, files left
//! out, commands that check no more.

mod biome;
mod commands;
mod eslint;
mod obelus;
mod python;
mod rust;
mod settings;
mod typescript;

use std::ops::Range;
use std::sync::Arc;

use globset::{Glob, GlobSet, GlobSetBuilder};

use super::construct::{Codes, Construct, Reach, Tools};
use super::files::File;
use super::find::{Found, Scope};
use settings::{Setting, Settings, ini, json, lines, toml};

/// One way in which a configuration asks for less.
#[derive(Clone, Debug)]
struct Weaker {
    kind: &'static str,
    says: String,
    /// Its bytes and line after the change; nothing for what is gone.
    place: Option<(Range<usize>, u32)>,
    tools: Tools,
    codes: Codes,
    /// The files that it concerns, as globs; empty for all.
    files: Vec<String>,
    /// The tools that it concerns by name, in place of `tools`.
    named: Vec<String>,
    /// Whether checkers may not run at all because of it.
    stops: bool,
}

impl Weaker {
    fn new(kind: &'static str, tools: Tools, says: String) -> Self {
        Weaker {
            kind,
            says,
            place: None,
            tools,
            codes: Codes::All,
            files: Vec::new(),
            named: Vec::new(),
            stops: false,
        }
    }

    fn at(mut self, setting: &Setting) -> Self {
        self.place = Some((setting.span.clone(), setting.line));
        self
    }

    fn codes<S: Into<String>>(mut self, codes: impl IntoIterator<Item = S>) -> Self {
        self.codes = Codes::listed(codes);
        self
    }

    fn files(mut self, globs: impl IntoIterator<Item = String>) -> Self {
        self.files = globs.into_iter().collect();
        self
    }
}

/// Both sides of a configuration.
#[derive(Clone, Copy)]
struct Both<'s> {
    before: &'s Settings,
    after: &'s Settings,
}

impl Both<'_> {
    /// The elements of a list that are new.
    fn came(&self, path: &[&str]) -> Vec<Setting> {
        difference(self.after.list(path), &self.before.list(path))
    }

    /// The elements of a list that are gone.
    fn went(&self, path: &[&str]) -> Vec<Setting> {
        difference(self.before.list(path), &self.after.list(path))
    }

    /// A record for each new entry of a list of files to leave out.
    fn left_out(&self, path: &[&str], tools: Tools, found: &mut Vec<Weaker>) {
        for entry in self.came(path) {
            let says = format!("{:?} in {}", entry.value, path.last().unwrap_or(&"the file"));
            found.push(Weaker::new("excluded", tools, says).at(&entry).files(globs(&entry.value)));
        }
    }

    /// A record for each new code in a list of what is ignored.
    fn ignored(&self, path: &[&str], tools: Tools, found: &mut Vec<Weaker>) {
        for entry in self.came(path) {
            let says = format!("{} in {}", entry.value, path.join("."));
            found
                .push(Weaker::new("rule-off", tools, says).at(&entry).codes([entry.value.clone()]));
        }
    }

    /// A record for each code that a list of what is asked for has lost.
    fn deselected(&self, path: &[&str], tools: Tools, found: &mut Vec<Weaker>) {
        let all = |setting: &Setting| setting.value == "ALL";
        if self.after.list(path).iter().any(all) {
            return;
        }
        for entry in self.went(path) {
            let says = format!("{} is gone from {}", entry.value, path.join("."));
            found.push(Weaker::new("rule-off", tools, says).codes([entry.value.clone()]));
        }
    }
}

fn difference(of: Vec<Setting>, without: &[Setting]) -> Vec<Setting> {
    of.into_iter().filter(|one| !without.iter().any(|other| other.value == one.value)).collect()
}

/// What an entry that leaves files out may mean: the tools' own grammars differ, and a path of a
/// folder means all below it.
fn globs(entry: &str) -> Vec<String> {
    let entry = entry.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
    ["", "**/"]
        .iter()
        .flat_map(|head| [format!("{head}{entry}"), format!("{head}{entry}/**")])
        .collect()
}

fn set(globs: &[String]) -> Option<GlobSet> {
    let mut builder = GlobSetBuilder::new();
    globs.iter().filter_map(|glob| Glob::new(glob).ok()).for_each(|glob| {
        builder.add(glob);
    });
    builder.build().ok()
}

type Read = fn(&[u8]) -> Settings;
type Compare = fn(Both<'_>, &mut Vec<Weaker>);

fn of_json(bytes: &[u8]) -> Settings {
    json(bytes, false)
}

fn of_module(bytes: &[u8]) -> Settings {
    json(bytes, true)
}

/// How the file called `name` is read, and what is compared of it.
fn reader(name: &str) -> Option<(Read, &'static [Compare])> {
    let is = |head: &str, tail: &str| name.starts_with(head) && name.ends_with(tail);
    Some(match name {
        _ if is("tsconfig", ".json") || is("jsconfig", ".json") => {
            (of_json, &[typescript::compare])
        }
        ".eslintrc" | ".eslintrc.json" => (of_json, &[eslint::compare]),
        ".oxlintrc.json" => (of_json, &[eslint::compare_oxlint]),
        _ if name.starts_with("eslint.config.") || name.starts_with(".eslintrc.") => {
            (of_module, &[eslint::compare])
        }
        ".eslintignore" => (lines, &[eslint::compare_ignored]),
        "biome.json" | "biome.jsonc" => (of_json, &[biome::compare]),
        "ruff.toml" | ".ruff.toml" => (toml, &[python::compare_ruff]),
        "pyproject.toml" => (toml, &[python::compare_project]),
        "mypy.ini" | ".mypy.ini" | "setup.cfg" | "tox.ini" | ".flake8" | ".pylintrc"
        | "pylintrc" => (ini, &[python::compare_ini]),
        "pyrightconfig.json" => (of_json, &[python::compare_pyright]),
        "Cargo.toml" => (toml, &[rust::compare_manifest]),
        "clippy.toml" | ".clippy.toml" => (toml, &[rust::compare_clippy]),
        ".shellcheckrc" => (ini, &[commands::compare_shellcheck]),
        "package.json" => (of_json, &[commands::compare_scripts]),
        _ => return None,
    })
}

/// Whether a path is one of a configuration that is looked at.
pub(super) fn is_configuration(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    reader(name).is_some() || path == obelus::FILE || commands::is_recipe(path)
}

/// What the configuration in a changed file asks for less.
pub(super) fn find(file: &File<'_>) -> Vec<Found> {
    let path = file.name();
    if !is_configuration(path) {
        return Vec::new();
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut weaker = Vec::new();
    if let Some((read, compare)) = reader(name) {
        let side = |text: Option<&super::files::Text>| {
            text.map(|text| read(text.bytes())).unwrap_or_default()
        };
        let (before, after) = (side(file.before()), side(file.after()));
        let both = Both { before: &before, after: &after };
        compare.iter().for_each(|compare| compare(both, &mut weaker));
    } else if path == obelus::FILE {
        weaker = obelus::compare(file);
    } else {
        weaker = commands::compare_recipe(file);
    }
    // What is new as a whole, or gone, may stand for another file; there a finding must prove it.
    let edited = file.before().is_some() && file.after().is_some();
    let path: Arc<str> = Arc::from(path);
    weaker.into_iter().map(|weaker| found(weaker, &path, folder, edited)).collect()
}

fn found(weaker: Weaker, path: &Arc<str>, folder: &str, edited: bool) -> Found {
    let (span, line) = weaker.place.clone().unwrap_or((0..0, 1));
    let mut construct = Construct::new(weaker.kind, span, line, weaker.tools);
    construct.codes = weaker.codes;
    construct.reach = Reach::File;
    construct.needs_finding = !edited;
    construct.says = weaker.says;
    let only = if weaker.files.is_empty() { None } else { set(&weaker.files) };
    Found {
        construct,
        path: Arc::clone(path),
        placed: weaker.place.is_some() && edited,
        scope: Scope::Below {
            folder: folder.to_owned(),
            only,
            named: weaker.named,
            stopped: weaker.stops,
        },
    }
}
