//! Where names are declared: looked for in the repository's own files, within stated bounds, and
//! told only where one place alone can be meant.
//!
//! Nothing here judges types as a compiler does. A name is followed through what the sources say in
//! words: annotations, results, what a type extends. Where these are silent or several declarations
//! fit, nothing is known.

mod expression;
mod index;
mod module;
mod outline;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Tree;

use crate::Sources;
use crate::reason::silence::syntax::Language;
use index::Index;
pub use outline::{Declaration, Kind};

pub use expression::Reading;
pub use module::Module;

/// Files whose declarations are read.
const MOST_OUTLINES: usize = 300;
/// Bytes of files that are parsed.
const MOST_PARSED: usize = 8 << 20;
/// How often all files are searched for names.
const MOST_SEARCHES: usize = 12;
/// How alike two names are of which one may have been the other.
const LIKE: f64 = 0.75;
/// Steps from a type to what it extends, from that to what that extends, and so on.
const LONGEST_LINE_OF_TYPES: usize = 6;

/// A declaration and the file that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The file.
    pub path: Arc<str>,
    /// What it declares.
    pub declaration: Declaration,
}

/// A name of a type, as the file at `path` writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    /// The file.
    pub path: Arc<str>,
    /// The name.
    pub name: String,
}

/// What was found for a name that is missing in a file.
type Answers = FxHashMap<(Arc<str>, String), Option<Declared>>;

/// The declarations of a repository, read where they are asked for.
pub struct Declarations<'a> {
    sources: &'a dyn Sources,
    index: Index,
    /// Bytes that were parsed.
    parsed: Cell<usize>,
    outlines: RefCell<FxHashMap<Arc<str>, Rc<[Declaration]>>>,
    /// The sources of files that were read for what they import.
    texts: RefCell<FxHashMap<Arc<str>, Rc<str>>>,
    /// The names that files import; nothing for one that may import any.
    imported: RefCell<FxHashMap<Box<str>, Option<FxHashSet<String>>>>,
    /// By file and missing name, what may be that name now.
    unmentioned: RefCell<Answers>,
}

impl<'a> Declarations<'a> {
    /// Reads which file declares which names; nothing where there are no files to read, or more
    /// than are read.
    pub fn new(sources: &'a dyn Sources, languages: &[Language]) -> Option<Self> {
        let index = Index::new(sources, languages)?;
        let (outlines, texts) = (RefCell::default(), RefCell::default());
        let (imported, unmentioned) = (RefCell::default(), RefCell::default());
        let parsed = Cell::new(0);
        Some(Declarations { sources, index, parsed, outlines, texts, imported, unmentioned })
    }

    /// The syntax tree of a file; nothing where too much was parsed before.
    fn parse(&self, path: &str, bytes: &[u8]) -> Option<Tree> {
        let parsed = self.parsed.get() + bytes.len();
        if parsed > MOST_PARSED {
            return None;
        }
        self.parsed.set(parsed);
        Language::of(path, bytes)?.parse(bytes)
    }

    /// What the file at `path` declares; nothing where it can't be read.
    pub fn outline(&self, path: &Arc<str>) -> Rc<[Declaration]> {
        if let Some(known) = self.outlines.borrow().get(path) {
            return Rc::clone(known);
        }
        let read = || {
            let bytes = self.sources.read(path)?;
            let tree = self.parse(path, &bytes)?;
            Some(outline::outline(&tree, &bytes))
        };
        let room = self.outlines.borrow().len() < MOST_OUTLINES;
        let found: Rc<[Declaration]> =
            if room { read().unwrap_or_default() } else { vec![] }.into();
        self.outlines.borrow_mut().insert(Arc::clone(path), Rc::clone(&found));
        found
    }

    /// The declaration that the file at `from` means by `name`, of a kind that `fits`, no member: its
    /// own, else the one that it imports, else the only one that there is.
    pub fn named(
        &self,
        name: &str,
        from: &str,
        fits: impl Fn(&Declaration) -> bool,
    ) -> Option<Declared> {
        let mut found: Vec<Declared> = Vec::new();
        for path in self.index.files(name, from) {
            let outline = self.outline(path);
            let here = |declared: &&Declaration| {
                declared.name == name
                    && declared.holder.is_none()
                    && !matches!(declared.kind, Kind::Members | Kind::Extends)
                    && fits(declared)
            };
            if let Some(first) = outline.iter().find(here) {
                let declared = Declared { path: Arc::clone(path), declaration: first.clone() };
                if &**path == from {
                    return Some(declared);
                }
                found.push(declared);
            }
        }
        if found.len() > 1 {
            found.retain(|declared| self.imports(from, &declared.path));
        }
        if found.len() == 1 { found.pop() } else { None }
    }

    /// As [`Self::named`], but where the file itself says that it knows the name: it declares or
    /// imports it.
    pub fn known(
        &self,
        name: &str,
        from: &str,
        fits: impl Fn(&Declaration) -> bool,
    ) -> Option<Declared> {
        let declared = self.named(name, from, fits)?;
        (&*declared.path == from || self.brings(from, name)).then_some(declared)
    }

    /// Whether the file imports `name`, or may: it imports everything from somewhere, or its
    /// language needs no import.
    fn brings(&self, from: &str, name: &str) -> bool {
        if let Some(names) = self.imported.borrow().get(from) {
            return names.as_ref().is_none_or(|names| names.contains(name));
        }
        let names = imported(from, &self.text(from));
        let brings = names.as_ref().is_none_or(|names| names.contains(name));
        self.imported.borrow_mut().insert(from.into(), names);
        brings
    }

    /// The type that the file at `from` means by `name`.
    pub fn type_named(&self, name: &str, from: &str) -> Option<Declared> {
        self.named(name, from, |declared| declared.kind == Kind::Type)
    }

    /// The only member `name` of the types, in their order, or of what they extend.
    pub fn member(&self, types: &[TypeName], name: &str) -> Option<Declared> {
        types.iter().find_map(|of| {
            let mut seen = Vec::new();
            self.member_of(of, name, &mut seen, LONGEST_LINE_OF_TYPES)
        })
    }

    fn member_of(
        &self,
        of: &TypeName,
        name: &str,
        seen: &mut Vec<TypeName>,
        steps: usize,
    ) -> Option<Declared> {
        if steps == 0 || seen.contains(of) {
            return None;
        }
        seen.push(of.clone());
        let holder = self.type_named(&of.name, &of.path)?;
        let mut files = vec![Arc::clone(&holder.path)];
        // Members may be declared apart from their type.
        files.extend(self.index.apart(&of.name, &holder.path).iter().cloned());
        files.dedup();
        let mut wider = types_of(&holder);
        for path in &files {
            let outline = self.outline(path);
            let is_member = |declared: &&Declaration| {
                declared.name == name && declared.holder.as_deref() == Some(&of.name)
            };
            if let Some(member) = outline.iter().find(is_member) {
                return Some(Declared { path: Arc::clone(path), declaration: member.clone() });
            }
            let extends = |declared: &&Declaration| {
                declared.kind == Kind::Extends && declared.name == of.name
            };
            for more in outline.iter().filter(extends) {
                wider.extend(type_names(&more.types, path));
            }
        }
        wider.iter().find_map(|wider| self.member_of(wider, name, seen, steps - 1))
    }

    /// What holds the members of a type: the only block of them that stands apart from it.
    pub fn members_of(&self, of: &Declared) -> Option<Declared> {
        let mut found = Vec::new();
        for path in self.index.apart(&of.declaration.name, &of.path) {
            let outline = self.outline(path);
            let here = |block: &&Declaration| {
                block.kind == Kind::Members && block.name == of.declaration.name
            };
            found.extend(
                outline
                    .iter()
                    .filter(here)
                    .map(|block| Declared { path: Arc::clone(path), declaration: block.clone() }),
            );
        }
        if found.len() == 1 { found.pop() } else { None }
    }

    /// What the type extends first, or stands for, and what that extends.
    pub fn wider(&self, of: &Declared) -> Vec<Declared> {
        let mut found: Vec<Declared> = Vec::new();
        let mut at = of.clone();
        while let Some(name) = at.declaration.types.first() {
            match self.known(name, &at.path, |declared| declared.kind == Kind::Type) {
                Some(wider) if found.len() < LONGEST_LINE_OF_TYPES && !found.contains(&wider) => {
                    found.push(wider.clone());
                    at = wider;
                }
                _ => break,
            }
        }
        found
    }

    /// The only declaration in `files` that nothing else mentions, and that is written as `name`
    /// is: what is missing under the one name may be there under the other.
    pub fn unmentioned(&self, files: &[Arc<str>], name: &str) -> Option<Declared> {
        let key = (files.first()?.clone(), name.to_owned());
        if let Some(known) = self.unmentioned.borrow().get(&key) {
            return known.clone();
        }
        if self.unmentioned.borrow().len() >= MOST_SEARCHES {
            return None;
        }
        let found = self.search_unmentioned(files, name);
        self.unmentioned.borrow_mut().insert(key, found.clone());
        found
    }

    fn search_unmentioned(&self, files: &[Arc<str>], name: &str) -> Option<Declared> {
        let upper = |name: &str| name.trim_start_matches('_').starts_with(char::is_uppercase);
        let mut found = Vec::new();
        for path in files {
            let fits = |declared: &&Declaration| {
                declared.holder.is_none()
                    && !matches!(declared.kind, Kind::Members | Kind::Extends)
                    && upper(&declared.name) == upper(name)
            };
            found.extend(self.outline(path).iter().filter(fits).map(|declared| Declared {
                path: Arc::clone(path),
                declaration: declared.clone(),
            }));
        }
        let names: Vec<&str> = found.iter().map(|declared| &*declared.declaration.name).collect();
        let mut mentions = self.index.mentions(&names, self.sources).into_iter();
        found.retain(|_| mentions.next() == Some(1));
        if found.len() > 1 {
            let like = |other: &Declared| strsim::jaro(&other.declaration.name, name) > LIKE;
            found.retain(like);
        }
        if found.len() == 1 { found.pop() } else { None }
    }

    /// Whether the file at `from` says that it takes something from the file at `path`: it names
    /// the file, or the folder whose module that is.
    fn imports(&self, from: &str, path: &str) -> bool {
        let text = self.text(from);
        let (stem, _) = path.rsplit_once('.').unwrap_or((path, ""));
        let mut parts: Vec<&str> = stem.rsplit('/').collect();
        if matches!(parts.first(), Some(&("index" | "__init__" | "mod" | "lib" | "main"))) {
            parts.remove(0);
        }
        let Some(module) = parts.first() else { return false };
        let plain = |name: &str| name.replace('-', "_");
        let is_it = |said: &str| outline::words(&plain(said)).any(|word| word == plain(module));
        match Language::of(from, b"") {
            // The module stands between quotes.
            Some(Language::TypeScript | Language::Jsx) => text
                .lines()
                .filter(|line| ["from", "import", "require"].iter().any(|word| line.contains(word)))
                .any(|line| line.split(['"', '\'']).skip(1).step_by(2).any(is_it)),
            Some(Language::Python) => {
                let imports =
                    |line: &&str| line.starts_with("from ") || line.starts_with("import ");
                text.lines().map(str::trim_start).filter(imports).any(is_it)
            }
            _ => text.contains(&format!("{module}::")) || text.contains(&format!("::{module}")),
        }
    }

    fn text(&self, path: &str) -> Rc<str> {
        if let Some(known) = self.texts.borrow().get(path) {
            return Rc::clone(known);
        }
        let bytes = self.sources.read(path);
        let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let text: Rc<str> = text.unwrap_or_default().into();
        self.texts.borrow_mut().insert(path.into(), Rc::clone(&text));
        text
    }
}

/// The words of all imports of a file; nothing where it may know names without.
fn imported(path: &str, text: &str) -> Option<FxHashSet<String>> {
    let (starts, wildcard): (&[&str], &str) = match Language::of(path, b"")? {
        Language::TypeScript | Language::Jsx => (&["import ", "import{", "const ", "export {"], ""),
        Language::Python => (&["import ", "from "], "import *"),
        Language::Rust => (&["use ", "pub use ", "pub(crate) use ", "extern crate"], "::*"),
        _ => return None,
    };
    let mut names = FxHashSet::default();
    let mut open = false;
    for line in text.lines().map(str::trim_start) {
        let starts = starts.iter().any(|start| line.starts_with(start));
        if !open && !starts {
            continue;
        }
        if !wildcard.is_empty() && line.contains(wildcard) {
            return None;
        }
        names.extend(outline::words(line).map(str::to_owned));
        let opens = line.contains(['(', '{']);
        let closes = line.contains([')', '}', ';']);
        open = if starts { opens && !closes } else { !closes };
    }
    Some(names)
}

/// The types that a declaration mentions, as its file writes them.
pub fn types_of(declared: &Declared) -> Vec<TypeName> {
    type_names(&declared.declaration.types, &declared.path)
}

fn type_names(names: &[String], path: &Arc<str>) -> Vec<TypeName> {
    let name = |name: &String| TypeName { path: Arc::clone(path), name: name.clone() };
    names.iter().map(name).collect()
}

#[cfg(test)]
mod tests;
