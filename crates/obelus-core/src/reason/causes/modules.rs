//! Which records lie in the module that an import names.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::ground::Ground;
use super::imports::Language;

/// What may stand behind a module's name, or in place of the ending that it has.
const SCRIPT_ENDINGS: [&str; 12] =
    ["", ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"];

/// Finds modules; remembers what it read of the project.
pub struct Modules<'a> {
    ground: &'a Ground<'a>,
    /// Folder → the name in its `package.json`, for folders above files with records.
    packages: FxHashMap<String, String>,
    /// Folder → the module path of the `go.mod` at or above it, with that one's folder.
    go: RefCell<FxHashMap<String, Option<(String, String)>>>,
    /// First parts of names → whether files with records lie in a folder of that name.
    folders: RefCell<FxHashMap<String, bool>>,
}

impl<'a> Modules<'a> {
    /// Reads the `package.json` above each file that has records.
    pub fn new(ground: &'a Ground<'a>) -> Self {
        let mut packages = FxHashMap::default();
        let mut asked = rustc_hash::FxHashSet::default();
        for path in ground.files() {
            for folder in folders_above(path) {
                if !asked.insert(folder) {
                    break;
                }
                if let Some(name) = package_name(folder, ground) {
                    packages.insert(name, folder.to_owned());
                }
            }
        }
        Modules { ground, packages, go: RefCell::default(), folders: RefCell::default() }
    }

    /// The errors that lie in the module `name`, as imported by the file at `path`, by place; none
    /// where the module is not a part of this repository.
    pub fn errors_in(&self, name: &str, path: &str) -> Vec<u32> {
        match Language::of(path) {
            Language::Script => self.of_script(name, path),
            Language::Python => self.of_python(name, path),
            Language::Go => self.of_go(name, path),
            Language::Rust | Language::Other => Vec::new(),
        }
    }

    /// Whether a module of this name would be a part of this repository, be it there or not.
    pub fn is_local(&self, name: &str, path: &str) -> bool {
        match Language::of(path) {
            Language::Script => self.is_local_script(name),
            Language::Python => self.is_local_python(name, path),
            Language::Go => {
                self.go_module(path).is_some_and(|(module, _)| is_below(name, &module).is_some())
            }
            Language::Rust => ["crate", "self", "super", "Self"]
                .contains(&name.split("::").next().unwrap_or(name)),
            Language::Other => name.starts_with(['.', '/']),
        }
    }

    fn errors_of(&self, records: &[u32]) -> Vec<u32> {
        records.iter().copied().filter(|&index| self.ground.is_error(index)).collect()
    }

    fn of_script(&self, name: &str, path: &str) -> Vec<u32> {
        if name.starts_with('.') {
            let Some(base) = join(folder_of(path), name) else { return Vec::new() };
            let stem = match base.rsplit_once('.') {
                // A source is imported by the name of what is made of it.
                Some((stem, "js" | "mjs" | "cjs" | "jsx")) => stem,
                _ => &base,
            };
            let names = [base.as_str(), stem].map(str::to_owned);
            let index = format!("{base}/index");
            let files = names.iter().chain(std::iter::once(&index)).flat_map(|stem| {
                SCRIPT_ENDINGS.iter().map(move |ending| format!("{stem}{ending}"))
            });
            let found = files.map(|file| self.errors_of(self.ground.in_file(&file)));
            return found.into_iter().find(|errors| !errors.is_empty()).unwrap_or_default();
        }
        let Some(folder) = self.packages.get(package_of(name)) else { return Vec::new() };
        if is_below(path, folder).is_some() {
            return Vec::new();
        }
        let mut files: Vec<&str> = self
            .ground
            .files()
            .filter(|file| is_below(file, folder).is_some() && !file.contains("node_modules/"))
            .collect();
        files.sort_unstable();
        files.into_iter().flat_map(|file| self.errors_of(self.ground.in_file(file))).collect()
    }

    fn of_python(&self, name: &str, path: &str) -> Vec<u32> {
        let dots = name.len() - name.trim_start_matches('.').len();
        let tail = name.trim_start_matches('.').replace('.', "/");
        let mut roots: Vec<&str> = folders_above(path).collect();
        if dots > 0 {
            // One dot is the folder itself.
            roots = roots.into_iter().skip(dots - 1).take(1).collect();
        }
        let in_src = ["src".to_owned(), "lib".to_owned()];
        let roots = roots.into_iter().chain(in_src.iter().map(String::as_str));
        for root in roots {
            let base = if root.is_empty() { tail.clone() } else { format!("{root}/{tail}") };
            for ending in [".py", ".pyi", "/__init__.py", "/__init__.pyi"] {
                let file = format!("{base}{ending}");
                let errors = if file == path {
                    Vec::new()
                } else {
                    self.errors_of(self.ground.in_file(&file))
                };
                if !errors.is_empty() {
                    return errors;
                }
            }
        }
        Vec::new()
    }

    fn of_go(&self, name: &str, path: &str) -> Vec<u32> {
        let Some((module, root)) = self.go_module(path) else { return Vec::new() };
        let Some(rest) = is_below(name, &module) else { return Vec::new() };
        let folder = match (root.as_str(), rest) {
            ("", rest) => rest.to_owned(),
            (root, "") => root.to_owned(),
            (root, rest) => format!("{root}/{rest}"),
        };
        if folder == folder_of(path) {
            return Vec::new();
        }
        self.errors_of(self.ground.in_folder(&folder))
    }

    /// The module path that the nearest `go.mod` states, and the folder of that file.
    fn go_module(&self, path: &str) -> Option<(String, String)> {
        let folder = folder_of(path);
        if let Some(known) = self.go.borrow().get(folder) {
            return known.clone();
        }
        let found = folders_above(path).find_map(|folder| {
            let file =
                if folder.is_empty() { "go.mod".to_owned() } else { format!("{folder}/go.mod") };
            let text = self.ground.text(&file)?;
            let text = String::from_utf8_lossy(text.bytes()).into_owned();
            let module = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
            Some((module.trim().trim_matches('"').to_owned(), folder.to_owned()))
        });
        self.go.borrow_mut().insert(folder.to_owned(), found.clone());
        found
    }

    fn is_local_script(&self, name: &str) -> bool {
        // `@/a`, `~/a` and `#a` are aliases within a project.
        let alias = name.starts_with(['.', '/', '~', '#']) || name.starts_with("@/");
        let scoped = name.starts_with('@');
        let first = name.split('/').next().unwrap_or(name);
        // A path from a base folder looks like a package: told by files that lie there.
        let from_base = !scoped && first != name && self.has_folder(first);
        alias || from_base || self.packages.contains_key(package_of(name))
    }

    fn is_local_python(&self, name: &str, path: &str) -> bool {
        let first = name.split('.').next().unwrap_or(name);
        let lies = |folder: &str| {
            let base =
                if folder.is_empty() { first.to_owned() } else { format!("{folder}/{first}") };
            self.ground.sources.exists(&format!("{base}.py"))
                || self.ground.sources.exists(&format!("{base}/__init__.py"))
        };
        name.starts_with('.')
            || self.has_folder(first)
            || folders_above(path).any(lies)
            || lies("src")
    }

    /// Whether a file with records lies below `name`, at the root or in `src`.
    fn has_folder(&self, name: &str) -> bool {
        if let Some(&known) = self.folders.borrow().get(name) {
            return known;
        }
        let found = self.ground.files().any(|file| {
            let file = file.strip_prefix("src/").unwrap_or(file);
            file.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
        });
        self.folders.borrow_mut().insert(name.to_owned(), found);
        found
    }
}

/// The names under which other files import the file at `path`, as [`module_key`] makes them.
pub fn import_names(path: &str, ground: &Ground<'_>) -> Vec<String> {
    let (stem, _) = path.rsplit_once('.').unwrap_or((path, ""));
    let mut names = vec![stem.to_owned()];
    if let Some(tail) = stem.strip_prefix("src/") {
        names.push(tail.to_owned());
    }
    if let Some((folder, "index" | "main" | "lib" | "mod" | "__init__")) = stem.rsplit_once('/') {
        names.push(folder.to_owned());
        names.extend(folders_above(path).find_map(|folder| package_name(folder, ground)));
    }
    names
}

/// A quoted name, as one by which the file at `path` may import another.
pub fn module_key(name: &str, path: &str) -> Option<String> {
    let name = name.trim_matches(['"', '\'']);
    match Language::of(path) {
        Language::Script if name.starts_with('.') => {
            let base = join(folder_of(path), name)?;
            let stem = SCRIPT_ENDINGS.iter().skip(1).find_map(|ending| base.strip_suffix(ending));
            Some(stem.unwrap_or(&base).to_owned())
        }
        Language::Script => Some(name.to_owned()),
        Language::Python if name.contains('.') => Some(name.replace('.', "/")),
        _ => None,
    }
}

/// The folders that a file lies in, the nearest first, the root as "".
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(path);
    std::iter::from_fn(move || {
        let here = rest.filter(|here| !here.is_empty())?;
        let folder = folder_of(here);
        rest = Some(folder);
        Some(folder)
    })
}

/// The folder that a file lies in, the root as "".
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// What is left of `path` below `folder`; nothing if it lies elsewhere.
fn is_below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(folder)?;
    if folder.is_empty() || rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// `folder` and a relative path, as one; nothing if that leads out of the repository.
pub fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The package in an import of one of its files: `@a/b/c` is in `@a/b`, `a/b` in `a`.
pub fn package_of(name: &str) -> &str {
    let slashes = usize::from(name.starts_with('@'));
    name.match_indices('/').nth(slashes).map_or(name, |(end, _)| &name[..end])
}

/// The name in the `package.json` of a folder.
fn package_name(folder: &str, ground: &Ground<'_>) -> Option<String> {
    let file = if folder.is_empty() {
        "package.json".to_owned()
    } else {
        format!("{folder}/package.json")
    };
    let bytes = ground.sources.read(&file)?;
    let package: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    Some(package.get("name")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        assert_eq!(folders_above("a/b/c.ts").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(folders_above("c.ts").collect::<Vec<_>>(), [""]);
        assert_eq!(join("a/b", "../c.js").as_deref(), Some("a/c.js"));
        assert_eq!(join("", "../c"), None);
        assert_eq!((package_of("@a/b/c"), package_of("a/b"), package_of("a")), ("@a/b", "a", "a"));
        assert_eq!(
            (is_below("a/b", "a"), is_below("ab", "a"), is_below("a", "")),
            (Some("b"), None, Some("a"))
        );
    }
}
