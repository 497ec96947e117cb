//! Which file declares which names, from the words alone: what stands behind `class`, `fn`, `def`.

use std::sync::{Arc, LazyLock};

use aho_corasick::{AhoCorasick, MatchKind};
use rustc_hash::FxHashMap;

use crate::Sources;
use crate::reason::declared::DECLARES;
use crate::reason::origin::is_dependency;
use crate::reason::silence::syntax::Language;

/// Files that a repository may have, and how long one may be that is read, in bytes. Of a larger
/// repository nothing is said: what is declared once among some of its files may be declared in
/// others too.
const MOST_FILES: usize = 8_000;
const LONGEST_FILE: usize = 512 << 10;
/// Words that declare what functions have plenty of: only at the start of a line is it more.
const LOCAL_TOO: [&str; 4] = ["const", "let", "var", "static"];
/// Words beside these of which the next is a name.
const MORE: [&str; 4] = ["mod", "namespace", "macro_rules!", "impl"];

/// All words that declare, and what finds them in one pass.
static KEYWORDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| DECLARES.iter().chain(&MORE).copied().collect());
static FIND: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| longest(&KEYWORDS));

/// Finds the longest of `words` wherever one starts: `function` where `func` is one as well.
fn longest(words: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(words).ok()
}

/// Names and the files that declare them.
#[derive(Default)]
pub(super) struct Index {
    by_name: FxHashMap<Box<str>, Vec<u32>>,
    /// By the name of a type, files that declare members of it apart from it.
    apart: FxHashMap<Box<str>, Vec<Arc<str>>>,
    files: Vec<(Arc<str>, Family)>,
    /// Files that name packages.
    manifests: Vec<Arc<str>>,
}

/// Languages whose files use each other's declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Script,
    Other(Language),
}

fn family(language: Language) -> Family {
    match language {
        Language::TypeScript | Language::Jsx => Family::Script,
        other => Family::Other(other),
    }
}

impl Index {
    pub(super) fn new(sources: &dyn Sources, languages: &[Language]) -> Option<Self> {
        let families: Vec<Family> = languages.iter().map(|&language| family(language)).collect();
        let of = |path: &str| Language::of(path, b"").map(family);
        let mut paths = sources.paths(MOST_FILES)?;
        paths.retain(|path| !is_dependency(path, sources));
        paths.sort_unstable();
        let is_manifest =
            |path: &&String| matches!(path.rsplit('/').next(), Some("package.json" | "Cargo.toml"));
        let manifests = paths.iter().filter(is_manifest).map(|path| Arc::from(&**path)).collect();
        let mut index = Index { manifests, ..Index::default() };
        for path in paths {
            let Some(family) = of(&path).filter(|family| families.contains(family)) else {
                continue;
            };
            if let Some(bytes) = read(sources, &path) {
                index.add(Arc::from(path), family, &bytes);
            }
        }
        Some(index)
    }

    fn add(&mut self, path: Arc<str>, family: Family, bytes: &[u8]) {
        let number = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let mut add = |name: &str| {
            let files = self.by_name.entry(name.into()).or_default();
            if files.last() != Some(&number) {
                files.push(number);
            }
        };
        for found in FIND.iter().flat_map(|find| find.find_iter(bytes)) {
            let keyword = KEYWORDS[found.pattern().as_usize()];
            let before = found.start().checked_sub(1).map(|at| bytes[at]);
            if before.is_some_and(is_word) || bytes.get(found.end()).copied().is_some_and(is_word) {
                continue;
            }
            let line = &bytes[line_start(bytes, found.start())..];
            let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
            if keyword == "impl" {
                let head = String::from_utf8_lossy(line);
                for name in super::outline::words(head.split('{').next().unwrap_or_default()) {
                    let files = self.apart.entry(name.into()).or_default();
                    if files.last() != Some(&path) {
                        files.push(Arc::clone(&path));
                    }
                }
                continue;
            }
            let is_open = !line.starts_with(b" ") && !line.starts_with(b"\t");
            let is_local = LOCAL_TOO.contains(&keyword) && !is_open;
            let name = word_at(bytes, found.end());
            if !name.is_empty() && !DECLARES.contains(&name) && (!is_local || is_public(line)) {
                add(name);
            }
        }
        if family == Family::Other(Language::Python) {
            bytes.split(|&byte| byte == b'\n').filter_map(constant).for_each(&mut add);
        }
        self.files.push((path, family));
    }

    /// The files that may declare `name`, of the language of the file at `from`.
    pub(super) fn files(&self, name: &str, from: &str) -> impl Iterator<Item = &Arc<str>> {
        let of = Language::of(from, b"").map(family);
        let found = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        found.iter().filter_map(move |&number| {
            let (path, family) = self.files.get(number as usize)?;
            (Some(*family) == of).then_some(path)
        })
    }

    /// How often each of these names stands in all files, told up to 2.
    pub(super) fn mentions(&self, names: &[&str], sources: &dyn Sources) -> Vec<u32> {
        let mut counts = vec![0; names.len()];
        let Some(find) = longest(names) else { return counts };
        for (path, _) in &self.files {
            let Some(bytes) = read(sources, path) else { continue };
            for found in find.find_iter(&*bytes) {
                let before = found.start().checked_sub(1).map(|at| bytes[at]);
                let behind = bytes.get(found.end()).copied();
                if !before.is_some_and(is_word) && !behind.is_some_and(is_word) {
                    counts[found.pattern().as_usize()] += 1;
                }
            }
            if counts.iter().all(|&count| count > 1) {
                break;
            }
        }
        counts
    }

    /// The files that name packages, sorted.
    pub(super) fn manifests(&self) -> &[Arc<str>] {
        &self.manifests
    }

    /// The files that declare members of the type `name` apart from it.
    pub(super) fn apart(&self, name: &str, holder: &str) -> &[Arc<str>] {
        match holder.ends_with(".rs") {
            true => self.apart.get(name).map_or(&[], Vec::as_slice),
            false => &[],
        }
    }
}

fn read(sources: &dyn Sources, path: &str) -> Option<Arc<[u8]>> {
    sources.read(path).filter(|bytes| bytes.len() <= LONGEST_FILE)
}

/// Whether the byte may belong to a name; of other scripts every byte may.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn line_start(bytes: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1)
}

/// The name behind a word that declares: white space, and the mark of a generator, stand between.
fn word_at(bytes: &[u8], at: usize) -> &str {
    let rest = &bytes[at..];
    let gap = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'*')).count();
    let name = &rest[gap..];
    let end = name.iter().take_while(|byte| is_word(**byte)).count();
    let is_name = gap > 0 && !name.first().is_some_and(u8::is_ascii_digit);
    std::str::from_utf8(&name[..end]).ok().filter(|_| is_name).unwrap_or_default()
}

/// Whether an indented line says that others may use what it declares.
fn is_public(line: &[u8]) -> bool {
    memchr::memmem::find(line, b"pub ").is_some()
}

/// The constant that a line of Python declares: no word stands before it.
fn constant(line: &[u8]) -> Option<&str> {
    let end = line.iter().take_while(|byte| is_word(**byte)).count();
    let (name, rest) = line.split_at(end);
    let rest = rest.trim_ascii_start();
    let assigns = rest.starts_with(b"=") && !rest.starts_with(b"==") || rest.starts_with(b": ");
    std::str::from_utf8(name).ok().filter(|name| assigns && !name.is_empty())
}
