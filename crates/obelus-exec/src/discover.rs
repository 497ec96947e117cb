//! What is in a repository: one walk answers the detection rules and the project markers of all
//! checkers at once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use globset::GlobMatcher;
use obelus_core::checker::{Checker, Evidence, Rule, contents_needed, holds};
use thiserror::Error;

use crate::repository::relative;

/// Folders that hold other people's code or what a build wrote. They are left out even where no
/// `.gitignore` says so.
pub(crate) const FOREIGN: [&str; 10] = [
    ".git",
    ".obelus",
    "node_modules",
    ".venv",
    "venv",
    "__pycache__",
    ".tox",
    ".mypy_cache",
    ".ruff_cache",
    "target",
];

/// A configuration larger than this is not looked into.
const LARGEST_CONFIG: u64 = 4 << 20;

/// A rule whose glob can't be used.
#[derive(Debug, Error)]
#[error("obelus.toml, {what}: {error}")]
pub struct GlobError {
    what: String,
    error: globset::Error,
}

/// What the walk found out.
#[derive(Debug, Default)]
pub struct Found {
    /// For each checker by name, what declares it.
    pub declared: BTreeMap<String, Vec<Evidence>>,
    /// For each checker by name, what there is for it: the first such file at least.
    pub possible: BTreeMap<String, Vec<Evidence>>,
    /// For each checker by name, its markers' paths relative to the root, sorted.
    pub markers: BTreeMap<String, Vec<String>>,
    /// Paths of all files whose name some checker's `unless-above` holds.
    pub above: BTreeSet<String>,
}

/// The rules of one checker, ready to match.
struct Rules<'c> {
    checker: &'c Checker,
    declared: Vec<(GlobMatcher, &'c Rule)>,
    possible: Vec<(GlobMatcher, &'c Rule)>,
    markers: Vec<(GlobMatcher, &'c Rule)>,
}

/// Walks the repository below `root` and answers the rules of `checkers`. What git ignores, what
/// `exclude` names and folders of dependencies are not looked at.
pub fn discover(root: &Path, exclude: &[String], checkers: &[Checker]) -> Result<Found, GlobError> {
    let rules = checkers.iter().map(compile).collect::<Result<Vec<_>, _>>()?;
    let exclude = exclude
        .iter()
        .map(|glob| {
            matcher(glob).map_err(|error| GlobError { what: format!("exclude {glob:?}"), error })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut found = Found::default();
    let walk_root = root.to_owned();
    let walk = ignore::WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .sort_by_file_name(Ord::cmp)
        .filter_entry(move |entry| wanted(&walk_root, entry, &exclude))
        .build();
    for entry in walk.flatten() {
        // A link is not followed: what it leads to is checked where it lies.
        if entry.file_type().is_some_and(|kind| kind.is_file())
            && let Some(path) = relative(root, entry.path())
        {
            look_at(&rules, entry.path(), &path, &mut found);
        }
    }
    for checker in checkers.iter().filter(|checker| !checker.project.unless_above.is_empty()) {
        found.leave_out_below(checker);
    }
    found.markers.values_mut().for_each(|markers| markers.sort());
    Ok(found)
}

impl Found {
    /// Leaves out what lies in or below a folder that a rule of `checker` excludes.
    fn leave_out_below(&mut self, checker: &Checker) {
        let names = &checker.project.unless_above;
        let counts = |path: &str| {
            !self.above.iter().any(|above| {
                let (folder, name) = above.rsplit_once('/').unwrap_or(("", above));
                names.iter().any(|wanted| wanted == name) && is_below(folder_of(path), folder)
            })
        };
        if let Some(all) = self.possible.get_mut(&checker.name) {
            all.retain(|evidence| counts(&evidence.path));
        }
        if let Some(markers) = self.markers.get_mut(&checker.name) {
            markers.retain(|marker| counts(marker));
        }
        self.possible.retain(|_, all| !all.is_empty());
    }
}

fn wanted(root: &Path, entry: &ignore::DirEntry, exclude: &[GlobMatcher]) -> bool {
    let name = entry.file_name().to_str().unwrap_or_default();
    if entry.depth() == 0 {
        return true;
    }
    if entry.file_type().is_some_and(|kind| kind.is_dir()) && FOREIGN.contains(&name) {
        return false;
    }
    match relative(root, entry.path()) {
        Some(path) => !exclude.iter().any(|glob| glob.is_match(&path)),
        // Records are UTF-8 by contract; such a file can't be named in one.
        None => false,
    }
}

fn compile(checker: &Checker) -> Result<Rules<'_>, GlobError> {
    let all = |rules: &'_ [Rule]| -> Result<Vec<GlobMatcher>, GlobError> {
        rules
            .iter()
            .map(|rule| {
                matcher(&rule.file).map_err(|error| GlobError {
                    what: format!("[checker.{}], file {:?}", checker.name, rule.file),
                    error,
                })
            })
            .collect()
    };
    let pair = |rules| all(rules).map(|globs| globs.into_iter().zip(rules).collect());
    Ok(Rules {
        checker,
        declared: pair(&checker.detect.declared)?,
        possible: pair(&checker.detect.possible)?,
        markers: pair(&checker.project.markers)?,
    })
}

/// A glob without a slash matches the name in any folder; one with a slash the path from the root.
pub(crate) fn matcher(glob: &str) -> Result<GlobMatcher, globset::Error> {
    let anywhere = if glob.contains('/') { glob.to_owned() } else { format!("**/{glob}") };
    Ok(globset::GlobBuilder::new(&anywhere).literal_separator(true).build()?.compile_matcher())
}

fn look_at(all: &[Rules<'_>], on_disk: &Path, path: &str, found: &mut Found) {
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut contents = Contents { path: on_disk, bytes: None };
    for rules in all {
        let checker = rules.checker;
        for (_, rule) in rules.declared.iter().filter(|(glob, _)| glob.is_match(path)) {
            if let Some(evidence) = contents.holds(rule, path) {
                found.declared.entry(checker.name.clone()).or_default().push(evidence);
            }
        }
        // One such file is enough, unless it may turn out not to count.
        if !found.possible.contains_key(&checker.name) || !checker.project.unless_above.is_empty() {
            for (_, rule) in rules.possible.iter().filter(|(glob, _)| glob.is_match(path)) {
                if let Some(evidence) = contents.holds(rule, path) {
                    found.possible.entry(checker.name.clone()).or_default().push(evidence);
                }
            }
        }
        let marks = rules
            .markers
            .iter()
            .any(|(glob, rule)| glob.is_match(path) && contents.holds(rule, path).is_some());
        if marks {
            found.markers.entry(checker.name.clone()).or_default().push(path.to_owned());
        }
        if checker.project.unless_above.iter().any(|above| above == name) {
            found.above.insert(path.to_owned());
        }
    }
}

/// The contents of a file, read when the first rule asks.
struct Contents<'p> {
    path: &'p Path,
    bytes: Option<Vec<u8>>,
}

impl Contents<'_> {
    fn holds(&mut self, rule: &Rule, path: &str) -> Option<Evidence> {
        if !contents_needed(rule) {
            return holds(rule, path, b"");
        }
        let bytes = self.bytes.get_or_insert_with(|| read_small(self.path));
        holds(rule, path, bytes)
    }
}

fn read_small(path: &Path) -> Vec<u8> {
    let small = std::fs::metadata(path).is_ok_and(|metadata| metadata.len() <= LARGEST_CONFIG);
    small.then(|| std::fs::read(path).ok()).flatten().unwrap_or_default()
}

/// The folder of a path relative to the root; `""` for the root.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether `path` is `folder` or lies below it; everything lies below `""`.
pub fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The folders from `folder` (relative to the root) upwards to the root, on disk.
pub fn upwards<'r>(root: &'r Path, folder: &str) -> impl Iterator<Item = PathBuf> + use<'r> {
    let inner = root.join(folder);
    std::iter::successors(Some(inner), |at| at.parent().map(Path::to_owned))
        .take_while(move |at| at.starts_with(root))
}
