//! The imports of one file, as far as lines alone tell them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Sources;
use crate::reason::causes::modules::{folder_of, folders_above, join};
use crate::reason::origin::is_outside;

/// Imports stand near the start.
const BYTES: usize = 65_536;
/// What an import of a script may leave out.
const SCRIPT_ENDINGS: [&str; 14] = [
    "",
    ".ts",
    ".tsx",
    ".mts",
    ".cts",
    ".d.ts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".vue",
    ".svelte",
    "/index.ts",
    "/index.js",
];
/// What of these a file may end in that passes on what it imports.
const PASSING: [&str; 4] = ["/index.ts", ".ts", "/index.js", ".js"];
/// What stands before the name of a module in a script.
const SCRIPT_WORDS: [&str; 4] = ["from", "import", "require(", "import("];

/// Finds the files that others import.
pub struct Files<'a> {
    sources: &'a dyn Sources,
    known: FxHashSet<&'a str>,
    /// Files by their last part; headers are found by it.
    by_name: FxHashMap<&'a str, Vec<&'a str>>,
    /// Files by their folder: a package of Go is one.
    by_folder: FxHashMap<&'a str, Vec<&'a str>>,
}

impl<'a> Files<'a> {
    /// Only imports of `known` files are found, and of files through which scripts pass them on.
    pub fn new(known: &[&'a str], sources: &'a dyn Sources) -> Self {
        let mut by_name: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        let mut by_folder: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for &path in known {
            by_name.entry(path.rsplit('/').next().unwrap_or(path)).or_default().push(path);
            by_folder.entry(folder_of(path)).or_default().push(path);
        }
        Files { sources, known: known.iter().copied().collect(), by_name, by_folder }
    }

    /// The files that the file at `path` imports, in its order.
    pub fn imports(&self, path: &str) -> Vec<String> {
        let find: fn(&Self, &str, &str, &mut Vec<String>) = match ending(path) {
            "ts" | "tsx" | "mts" | "cts" | "js" | "jsx" | "mjs" | "cjs" | "vue" | "svelte"
            | "astro" => Self::script,
            "py" | "pyi" => Self::python,
            "rs" => Self::rust,
            "go" => Self::go,
            "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "hxx" => Self::include,
            _ => return Vec::new(),
        };
        if is_outside(path) {
            return Vec::new();
        }
        let Some(bytes) = self.sources.read(path) else { return Vec::new() };
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(BYTES)]);
        let mut found = Vec::new();
        text.lines().for_each(|line| find(self, path, line.trim_start(), &mut found));
        found.retain(|file| file != path);
        found
    }

    fn add(&self, candidates: impl IntoIterator<Item = String>, found: &mut Vec<String>) {
        found.extend(candidates.into_iter().find(|file| self.known.contains(file.as_str())));
    }

    /// `import { a } from "./b"`, `export * from "./b"`, `require("./b")`.
    fn script(&self, path: &str, line: &str, found: &mut Vec<String>) {
        if line.starts_with("//") {
            return;
        }
        for (at, open) in line.match_indices(['"', '\'']) {
            let name = &line[at + 1..];
            let Some(end) = name.find(open) else { continue };
            let (name, before) = (&name[..end], line[..at].trim_end());
            if !name.starts_with('.') || !SCRIPT_WORDS.iter().any(|word| before.ends_with(word)) {
                continue;
            }
            let Some(base) = join(folder_of(path), name) else { continue };
            // A source is imported by the name of what is made of it.
            let stem = match base.rsplit_once('.') {
                Some((stem, "js" | "mjs" | "cjs" | "jsx")) => stem,
                _ => &base,
            };
            let with = |ending: &&str| format!("{stem}{ending}");
            let known =
                SCRIPT_ENDINGS.iter().map(with).find(|file| self.known.contains(file.as_str()));
            // What only passes on what it imports has no finding of its own.
            let passes = || PASSING.iter().map(with).find(|file| self.sources.exists(file));
            found.extend(known.or_else(passes));
        }
    }

    /// `from a.b import c, d`, `import a.b as c`.
    fn python(&self, path: &str, line: &str, found: &mut Vec<String>) {
        let (modules, names) = match (line.strip_prefix("from "), line.strip_prefix("import ")) {
            (Some(rest), _) => rest.split_once(" import ").unwrap_or((rest, "")),
            (_, Some(rest)) => (rest, ""),
            _ => return,
        };
        for module in modules.split(',').filter_map(|module| module.split_whitespace().next()) {
            let dots = module.len() - module.trim_start_matches('.').len();
            let tail = module.trim_start_matches('.').replace('.', "/");
            let mut roots: Vec<&str> = folders_above(path).collect();
            match dots {
                0 => roots.extend(["src", "lib"]),
                // One dot is the folder itself.
                dots => roots = roots.into_iter().skip(dots - 1).take(1).collect(),
            }
            for root in roots {
                let base: Vec<&str> = [root, &tail].into_iter().filter(|p| !p.is_empty()).collect();
                let base = base.join("/");
                let module = [".py", ".pyi", "/__init__.py", "/__init__.pyi"];
                self.add(module.iter().map(|ending| format!("{base}{ending}")), found);
                for name in names.split([',', ' ', '(', ')']).filter(|name| !name.is_empty()) {
                    self.add([format!("{base}/{name}.py")], found);
                }
            }
        }
    }

    /// `use crate::a::b`, `use super::a`, `mod a;`.
    fn rust(&self, path: &str, line: &str, found: &mut Vec<String>) {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let Some(rest) = line.strip_prefix("use ") else { return };
        let (folder, stem) = (folder_of(path), path.trim_end_matches(".rs"));
        // The folder of a module's children bears its name, unless it is the folder's own.
        let own = match stem.rsplit_once('/').map_or(stem, |(_, name)| name) {
            "mod" | "lib" | "main" => folder,
            _ => stem,
        };
        let (base, rest) = match rest.split_once("::") {
            Some(("crate", rest)) => {
                let root = folders_above(path).find(|folder| {
                    ["lib.rs", "main.rs"].iter().any(|root| {
                        let file = format!("{folder}/{root}");
                        self.sources.exists(file.trim_start_matches('/'))
                    })
                });
                let Some(root) = root else { return };
                (root, rest)
            }
            Some(("self", rest)) => (own, rest),
            Some(("super", rest)) => (folder_of(own), rest),
            _ => return,
        };
        let end = rest.find(['{', ';', ' ', '*']).unwrap_or(rest.len());
        let mut parts: Vec<&str> = rest[..end].split("::").filter(|p| !p.is_empty()).collect();
        while !parts.is_empty() {
            let module = format!("{base}/{}", parts.join("/"));
            let module = module.trim_start_matches('/');
            let files = [format!("{module}.rs"), format!("{module}/mod.rs")];
            if let Some(file) = files.into_iter().find(|file| self.known.contains(file.as_str())) {
                found.push(file);
                return;
            }
            parts.pop();
        }
    }

    /// `"module/folder"` within an import: a package is a folder, named by its last parts.
    fn go(&self, path: &str, line: &str, found: &mut Vec<String>) {
        let Some(name) = line.split('"').nth(1).filter(|_| !line.starts_with("//")) else { return };
        let lies = |folder: &&&str| {
            !folder.is_empty()
                && **folder != folder_of(path)
                && name.strip_suffix(**folder).is_some_and(|head| head.ends_with('/'))
        };
        let folder = self.by_folder.keys().filter(lies).max_by_key(|folder| folder.len());
        if let Some(files) = folder.and_then(|folder| self.by_folder.get(folder)) {
            found.extend(files.iter().map(|&file| file.to_owned()));
        }
    }

    /// `#include "a/b.h"`: beside the file, or the one known file of that name.
    fn include(&self, path: &str, line: &str, found: &mut Vec<String>) {
        let Some(rest) = line.strip_prefix('#') else { return };
        let Some(rest) = rest.trim_start().strip_prefix("include") else { return };
        let Some(name) =
            rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next())
        else {
            return;
        };
        let beside = join(folder_of(path), name);
        if let Some(file) = beside.filter(|file| self.known.contains(file.as_str())) {
            found.push(file);
            return;
        }
        let named = self.by_name.get(name.rsplit('/').next().unwrap_or(name));
        let tail = format!("/{name}");
        let mut fits = named.into_iter().flatten().filter(|file| file.ends_with(&tail));
        if let (Some(&file), None) = (fits.next(), fits.next()) {
            found.push((*file).to_owned());
        }
    }
}

fn ending(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}
