//! Which file an import means, as far as paths and the manifests of packages say it.

use std::sync::Arc;

use super::{Declarations, Declared, Kind};
use crate::reason::causes::modules::{folder_of, join};
use crate::reason::silence::syntax::Language;

/// Files whose declarations one module gives on.
const MOST_PARTS: usize = 200;
/// Manifests that are read.
const MOST_MANIFESTS: usize = 500;
const SCRIPT_ENDINGS: [&str; 8] = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".d.ts"];

/// What an import names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Module {
    /// This file.
    File(Arc<str>),
    /// A module whose file is there, but this one does not declare it.
    Undeclared(Arc<str>),
    /// A package of this repository that this manifest does not name.
    NotListed(Arc<str>),
}

impl Declarations<'_> {
    /// The module that the file at `from` means by `name`: by `a.b`, `./a`, `@x/a`, `a::b`.
    pub fn module(&self, name: &str, from: &str) -> Option<Module> {
        match Language::of(from, b"")? {
            Language::TypeScript | Language::Jsx => self.of_script(name, from).map(Module::File),
            Language::Python => self.of_python(name, from).map(Module::File),
            Language::Rust => self.of_rust(name, from),
            _ => None,
        }
    }

    /// The file of a module, and those whose declarations it gives on.
    pub fn parts(&self, module: &Arc<str>) -> Vec<Arc<str>> {
        let mut found = vec![Arc::clone(module)];
        let mut at = 0;
        while let Some(path) = found.get(at).cloned() {
            at += 1;
            let text = self.text(&path);
            let given_on = text.lines().filter(|line| line.trim_start().starts_with("export *"));
            let names = given_on.filter_map(|line| line.split(['"', '\'']).nth(1));
            for file in names.filter_map(|name| self.of_script(name, &path)) {
                if found.len() < MOST_PARTS && !found.contains(&file) {
                    found.push(file);
                }
            }
        }
        found
    }

    /// A module as a place: its file.
    pub fn as_place(path: &Arc<str>, name: &str) -> Declared {
        let declaration = super::Declaration {
            name: name.to_owned(),
            line: 1,
            kind: Kind::Value,
            holder: None,
            types: Vec::new(),
            exported: true,
        };
        Declared { path: Arc::clone(path), declaration }
    }

    fn file(&self, path: String) -> Option<Arc<str>> {
        self.sources.exists(&path).then(|| Arc::from(path))
    }

    fn of_script(&self, name: &str, from: &str) -> Option<Arc<str>> {
        let with_ending = |base: &str| {
            let stem = ["", ".js", ".mjs", ".cjs", ".jsx"].iter().rev();
            let stem = stem.filter_map(|ending| base.strip_suffix(ending)).next().unwrap_or(base);
            let bases = [stem.to_owned(), format!("{stem}/index")];
            let files =
                bases.iter().flat_map(|base| SCRIPT_ENDINGS.map(|end| format!("{base}{end}")));
            files
                .into_iter()
                .find_map(|file| self.file(file))
                .or_else(|| self.file(base.to_owned()))
        };
        if name.starts_with('.') {
            return with_ending(&join(folder_of(from), name)?);
        }
        let slashes = usize::from(name.starts_with('@'));
        let end = name.match_indices('/').nth(slashes).map_or(name.len(), |(end, _)| end);
        let (package, rest) = name.split_at(end);
        let root = self.package(package, "package.json")?;
        let rest = rest.trim_start_matches('/');
        let bases = match rest {
            "" => [join(&root, "src/index"), join(&root, "index"), join(&root, "lib/index")],
            rest => [join(&root, &format!("src/{rest}")), join(&root, rest), None],
        };
        bases.into_iter().flatten().find_map(|base| with_ending(&base))
    }

    fn of_python(&self, name: &str, from: &str) -> Option<Arc<str>> {
        let dots = name.len() - name.trim_start_matches('.').len();
        let tail = name.trim_start_matches('.').replace('.', "/");
        let mut root = folder_of(from);
        if dots > 0 {
            for _ in 1..dots {
                root = folder_of(root);
            }
            return self.python_file(root, &tail);
        }
        loop {
            if let Some(file) = self.python_file(root, &tail) {
                return Some(file);
            }
            if root.is_empty() {
                return self.python_file("src", &tail);
            }
            root = folder_of(root);
        }
    }

    fn python_file(&self, root: &str, tail: &str) -> Option<Arc<str>> {
        let base = join(root, tail)?;
        let endings = [".py", "/__init__.py", ".pyi", "/__init__.pyi"];
        endings.iter().find_map(|ending| self.file(format!("{base}{ending}")))
    }

    fn of_rust(&self, name: &str, from: &str) -> Option<Module> {
        let mut parts = name.split("::");
        let first = parts.next()?;
        let manifest = manifest_above(from, |path| self.sources.exists(path))?;
        let own = folder_of(&manifest).to_owned();
        let root = match first {
            "crate" => own,
            "self" | "super" | "Self" => return None,
            name => {
                let root = self.package(name, "Cargo.toml")?;
                let listed = super::outline::words(&self.text(&manifest).replace('-', "_"))
                    .any(|word| word == name);
                if !listed && root != own {
                    return Some(Module::NotListed(Arc::from(manifest)));
                }
                root
            }
        };
        let source = join(&root, "src")?;
        let mut at =
            self.file(join(&source, "lib.rs")?).or_else(|| self.file(join(&source, "main.rs")?))?;
        let mut under = source;
        for part in parts {
            let base = join(&under, part)?;
            let file =
                self.file(format!("{base}.rs")).or_else(|| self.file(format!("{base}/mod.rs")));
            let declares = self.outline(&at).iter().any(|declared| declared.name == *part);
            match file {
                Some(_) if !declares => return Some(Module::Undeclared(at)),
                Some(file) => (at, under) = (file, base),
                None => break,
            }
        }
        Some(Module::File(at))
    }

    /// The folder of the package of this name in this repository.
    fn package(&self, name: &str, manifest: &str) -> Option<String> {
        let plain = |name: &str| name.replace('-', "_");
        let named = |text: &str| match manifest {
            "package.json" => {
                let package: serde_json::Value = serde_json::from_str(text).ok()?;
                Some(package.get("name")?.as_str()?.to_owned())
            }
            _ => {
                let line = text.lines().find_map(|line| line.trim().strip_prefix("name"))?;
                line.split('"').nth(1).map(str::to_owned)
            }
        };
        let here = |path: &&Arc<str>| path.rsplit('/').next() == Some(manifest);
        let manifests = self.index.manifests().iter().filter(here).take(MOST_MANIFESTS);
        let is_it = |path: &&Arc<str>| {
            named(&self.text(path)).is_some_and(|own| match manifest {
                "package.json" => own == name,
                _ => plain(&own) == plain(name),
            })
        };
        manifests.into_iter().find(is_it).map(|path| folder_of(path).to_owned())
    }
}

/// The nearest `Cargo.toml` above a file.
fn manifest_above(path: &str, exists: impl Fn(&str) -> bool) -> Option<String> {
    let mut at = folder_of(path);
    loop {
        let manifest =
            if at.is_empty() { "Cargo.toml".to_owned() } else { format!("{at}/Cargo.toml") };
        if exists(&manifest) {
            return Some(manifest);
        }
        if at.is_empty() {
            return None;
        }
        at = folder_of(at);
    }
}
