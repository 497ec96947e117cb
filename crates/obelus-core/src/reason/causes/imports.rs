//! Imports that fail: which messages say so, what they name, and which names the import was to
//! bring into its file.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use obelus_record::Diagnostic;

use super::ground::Ground;

/// The language of a file, as far as its imports are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Script,
    Python,
    Go,
    Rust,
    Other,
}

impl Language {
    /// By the extension of `path`.
    pub fn of(path: &str) -> Self {
        match path.rsplit('.').next().unwrap_or_default() {
            "ts" | "tsx" | "mts" | "cts" | "js" | "jsx" | "mjs" | "cjs" | "vue" | "svelte"
            | "astro" => Language::Script,
            "py" | "pyi" | "ipynb" => Language::Python,
            "go" => Language::Go,
            "rs" => Language::Rust,
            _ => Language::Other,
        }
    }
}

/// What stands before the name of a module that can't be had, in lower case; the name follows,
/// quoted or not. Only messages that the module as a whole is missing: that it lacks one name is
/// another matter.
const FAILS: [&str; 25] = [
    "cannot find module ",
    "cannot find package ",
    "could not import ",
    "unable to import ",
    "no module named ",
    "unable to resolve path to module ",
    "parse errors in imported module ",
    "could not resolve ",
    "can't resolve ",
    "cannot resolve module ",
    "failed to resolve import ",
    "no required module provides package ",
    "cannot find module providing package ",
    "cannot find implementation or library stub for module named ",
    "import error: ",
    "can't find crate for ",
    "use of undeclared crate or module ",
    "use of unresolved module or unlinked crate ",
    "no such module ",
    "target of uri doesn't exist: ",
    "cannot load such file -- ",
    "could not find module ",
    "missing module ",
    "package not installed: ",
    "unresolved import ",
];

/// Looks for all of them in one pass: hardly any record is about an import.
static ANY_FAILS: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(FAILS).ok());

/// Whether the message may be one of a failed import.
pub fn may_be_import(message: &str) -> bool {
    let any = ANY_FAILS.as_ref().is_none_or(|any| any.is_match(message));
    any || message.starts_with("Import ") || message.starts_with("package ")
}

/// The module that the record says can't be had.
pub fn failed_import(record: &Diagnostic) -> Option<&str> {
    let message = &*record.message;
    if !may_be_import(message) {
        return None;
    }
    let lower = message.to_ascii_lowercase();
    if let Some((at, words)) = FAILS.iter().find_map(|words| Some((lower.find(words)?, words))) {
        let name = first_word(&message[at + words.len()..])?;
        // rustc says "unresolved import" also where the crate is there and one name in it is not.
        let of_rust = *words == "unresolved import " && !names_crate(record);
        return (!of_rust).then_some(name);
    }
    // pyright: Import "x" could not be resolved. Only stubs are found, or only sources: no matter.
    let rest = message.strip_prefix("Import ")?;
    let name = first_word(rest)?;
    (lower.contains("could not be resolved") && !lower.contains("resolved from source"))
        .then_some(name)
        .or_else(|| {
            let (package, rest) = message.strip_prefix("package ")?.split_once(' ')?;
            rest.starts_with("does not exist").then_some(package)
        })
}

/// Whether rustc says of an import that it is the crate itself that is missing.
fn names_crate(record: &Diagnostic) -> bool {
    let says = |text: &str| {
        text.contains("unlinked crate")
            || text.contains("undeclared crate")
            || text.contains("missing crate")
    };
    says(&record.message) || record.related.iter().any(|related| says(&related.message))
}

/// The first word of `text`, or what its quotes hold.
fn first_word(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let open = text.chars().next()?;
    let word = if "'\"`‘“".contains(open) {
        let inner = &text[open.len_utf8()..];
        &inner[..inner.find(['\'', '"', '`', '’', '”']).unwrap_or(inner.len())]
    } else {
        let end =
            text.find(|c: char| c.is_whitespace() || "();,".contains(c)).unwrap_or(text.len());
        text[..end].trim_end_matches([':', '.'])
    };
    (!word.is_empty()).then_some(word)
}

/// The names that the import at the record was to bring into its file.
pub fn names(record: &Diagnostic, module: &str, ground: &Ground<'_>) -> Vec<String> {
    let Some(path) = record.path.as_deref() else { return Vec::new() };
    let statement = record.line.and_then(|line| statement(path, line, module, ground));
    let statement = statement.as_deref().unwrap_or_default();
    match Language::of(path) {
        Language::Script => of_script(statement),
        Language::Python => of_python(statement),
        Language::Go => vec![of_go(statement, module)],
        Language::Rust => of_rust(statement, module),
        Language::Other => Vec::new(),
    }
}

/// The names that `line` of the file at `path` brings into it, or that it says the project needs.
pub fn brought(path: &str, line: &str) -> Vec<String> {
    let text = line.trim_start();
    let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    let mut names = match Language::of(path) {
        Language::Script if begins(&["import ", "import{"]) => of_script(text),
        Language::Python => of_python(text),
        Language::Rust if begins(&["use ", "pub use "]) => of_rust(text, ""),
        Language::Other if path.ends_with(".toml") || path.ends_with(".json") => {
            let key = text.split(['=', ':']).next().unwrap_or_default();
            let key = key.trim().trim_matches('"');
            vec![key.to_owned(), key.replace('-', "_")]
        }
        _ => Vec::new(),
    };
    names.retain(|name| !name.is_empty());
    names
}

/// Lines that one import may take.
const LONGEST: u32 = 60;

/// The source of the import that names `module` at `line`, on one line.
fn statement(path: &str, line: u32, module: &str, ground: &Ground<'_>) -> Option<String> {
    let mut text = ground.line(path, line)?;
    match Language::of(path) {
        Language::Script => {
            // The tool points at the module's name, which comes last.
            let starts = |text: &str| {
                let text = text.trim_start();
                ["import", "export", "const", "let", "var"]
                    .iter()
                    .any(|word| text.starts_with(word))
            };
            let mut first = line;
            while !starts(&text) && first > 1 && line - first < LONGEST {
                first -= 1;
                text = ground.line(path, first)? + " " + &text;
            }
        }
        Language::Python | Language::Rust => {
            let open = |text: &str| match Language::of(path) {
                Language::Python => text.contains('(') && !text.contains(')'),
                _ => text.contains("use ") && !text.contains(';'),
            };
            let mut last = line;
            while open(&text) && last - line < LONGEST {
                last += 1;
                let Some(next) = ground.line(path, last) else { break };
                text = text + " " + &next;
            }
        }
        Language::Go => {
            // Several imports stand in one block, each on its own line.
            text = text.contains(module).then_some(text)?;
        }
        Language::Other => {}
    }
    Some(text)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .filter(|word| !word.is_empty())
}

/// `import a, { b as c, type D } from`, `import * as ns from`, `const { a, b: c } = require(`.
fn of_script(statement: &str) -> Vec<String> {
    let text = statement.trim_start();
    let clause = match text.strip_prefix("import") {
        Some(rest) => rest.rfind(" from").or_else(|| rest.rfind("from")).map(|end| &rest[..end]),
        None => ["const", "let", "var"]
            .iter()
            .find_map(|word| text.strip_prefix(word))
            .and_then(|rest| rest.split_once('='))
            .map(|(pattern, _)| pattern),
    };
    let clause = clause.unwrap_or_default();
    let mut names = Vec::new();
    for part in clause.split(['{', '}', ',']) {
        // What stands last is the name in this file: `b as c`, `b: c`, `type D`, `* as ns`.
        if let Some(name) = words(part).last().filter(|&name| name != "type") {
            names.push(name.to_owned());
        }
    }
    names
}

/// `from x import a, b as c`, `import a.b`, `import a.b as c`.
fn of_python(statement: &str) -> Vec<String> {
    let text = statement.trim_start();
    if let Some((_, list)) = text.strip_prefix("from ").and_then(|rest| rest.split_once("import")) {
        let list = list.split('#').next().unwrap_or_default();
        return list.split(',').filter_map(|part| words(part).last()).map(str::to_owned).collect();
    }
    let Some(list) = text.strip_prefix("import ") else { return Vec::new() };
    let list = list.split('#').next().unwrap_or_default();
    let name = |part: &str| match part.split_once(" as ") {
        Some((_, name)) => words(name).next().map(str::to_owned),
        None => words(part).next().map(str::to_owned),
    };
    list.split(',').filter_map(name).collect()
}

/// The alias before the path, else the last part of the path that is no version.
fn of_go(statement: &str, module: &str) -> String {
    let before = statement.split('"').next().unwrap_or_default();
    if let Some(alias) = words(before).last().filter(|&word| word != "import") {
        return alias.to_owned();
    }
    let is_version = |part: &&str| {
        part.strip_prefix('v')
            .is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
    };
    let last = module.rsplit('/').find(|part| !is_version(part)).unwrap_or(module);
    let last = last.strip_prefix("go-").unwrap_or(last);
    // gopkg.in/yaml.v3
    let last = last.split_once(".v").map_or(last, |(name, _)| name);
    last.strip_suffix("-go").unwrap_or(last).to_owned()
}

/// `use a::{B, c as d};`, and the crate's own name.
fn of_rust(statement: &str, module: &str) -> Vec<String> {
    let root = module.split("::").next().unwrap_or(module);
    let mut names = vec![root.to_owned()];
    if let Some((_, list)) = statement.split_once("use ") {
        let list = list.split(';').next().unwrap_or_default();
        for part in list.split(['{', '}', ',']) {
            names.extend(words(part).last().map(str::to_owned));
        }
    }
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fails(message: &str) -> Option<String> {
        let record = json!({"tool": "t", "severity": "error", "message": message});
        let record: Diagnostic = serde_json::from_value(record).unwrap();
        failed_import(&record).map(str::to_owned)
    }

    #[test]
    fn messages_of_failed_imports() {
        for (message, module) in [
            (
                "Cannot find module '@shop/money' or its corresponding type declarations.",
                "@shop/money",
            ),
            ("could not import example.com/shop/tax (-: # example.com)", "example.com/shop/tax"),
            ("Import \"shop.tax\" could not be resolved", "shop.tax"),
            (
                "Cannot find implementation or library stub for module named \"shop.tax\"",
                "shop.tax",
            ),
            ("Unable to import 'yaml'", "yaml"),
            ("Unable to resolve path to module './a'.", "./a"),
            ("can't find crate for `serde`", "serde"),
            ("no required module provides package github.com/a/b; to add it:", "github.com/a/b"),
        ] {
            assert_eq!(fails(message).as_deref(), Some(module));
        }
        for message in [
            "'\"./cart.js\"' has no exported member named 'cartTotals'.",
            "unresolved import `crate::tax`",
            "Import \"x\" could not be resolved from source",
        ] {
            assert_eq!(fails(message), None, "{message}");
        }
    }

    #[test]
    fn names_that_imports_bring() {
        assert_eq!(of_script("import add, { b as c, type D } from 'x';"), ["add", "c", "D"]);
        assert_eq!(of_script("import * as ns from 'x'"), ["ns"]);
        assert_eq!(of_script("const { a, b: c } = require('x')"), ["a", "c"]);
        assert_eq!(of_script("import 'x'"), [""; 0]);
        assert_eq!(of_python("from x import (a, b as c)"), ["a", "c"]);
        assert_eq!(of_python("import a.b, c as d"), ["a", "d"]);
        assert_eq!(of_go("\tt \"x/tax\"", "x/tax"), "t");
        assert_eq!(of_go("import \"x/tax/v2\"", "x/tax/v2"), "tax");
        assert_eq!(of_go("", "gopkg.in/yaml.v3"), "yaml");
        assert_eq!(
            of_rust("use money::{Amount, add as plus};", "money"),
            ["Amount", "money", "plus"]
        );
    }
}
