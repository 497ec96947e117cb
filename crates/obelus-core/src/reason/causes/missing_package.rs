//! A package that can't be found: one cause, however many files import it; what they miss because
//! of it follows.

use obelus_record::{CauseRule, Diagnostic};
use rustc_hash::FxHashMap;

use super::Rule;
use super::claims::Claims;
use super::ground::Ground;
use super::imports::{Language, failed_import, names};
use super::modules::{Modules, package_of};
use super::names::{is_about, quoted};

/// A parameter, or a part of one, for which no type is left.
const IMPLICIT_ANY: [&str; 2] = ["TS7006", "TS7031"];
/// Words with which tools say in other ways that a package is not there.
const MISSING: [&str; 9] = [
    "not found",
    "not installed",
    "should be listed",
    "could not find",
    "cannot find",
    "can't find",
    "missing",
    "does not exist",
    "unresolved",
];

/// See the module.
pub struct MissingPackage;

impl Rule for MissingPackage {
    fn find(&self, ground: &Ground<'_>, claims: &mut Claims) {
        let imports: Vec<(u32, &str)> = ground
            .failed_imports()
            .into_iter()
            .filter(|&(index, _)| claims.is_free(index))
            .collect();
        if imports.is_empty() {
            return;
        }
        let modules = Modules::new(ground);
        let mut packages: Vec<(&str, Vec<(u32, &str)>)> = Vec::new();
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        for (index, module) in imports {
            let Some(path) = ground.record(index).path.as_deref() else { continue };
            if modules.is_local(module, path) {
                continue;
            }
            let package = package(module, path);
            let at = *known.entry(package).or_insert_with(|| {
                packages.push((package, Vec::new()));
                packages.len() - 1
            });
            packages[at].1.push((index, module));
        }
        let mut named = named_elsewhere(ground, &known);
        for (at, (_, imports)) in packages.iter().enumerate() {
            let mut shown_by: Vec<u32> = imports.iter().map(|&(index, _)| index).collect();
            shown_by.extend(named.remove(&at).unwrap_or_default());
            shown_by.sort_unstable();
            shown_by.dedup();
            shown_by.retain(|&index| claims.is_free(index));
            claims.add(CauseRule::MissingPackage, &shown_by, None, consequences(imports, ground));
        }
    }
}

/// The package that a module is a part of.
fn package<'m>(module: &'m str, path: &str) -> &'m str {
    match Language::of(path) {
        Language::Python => module.split('.').next().unwrap_or(module),
        Language::Rust => module.split("::").next().unwrap_or(module),
        Language::Script => package_of(module),
        Language::Go | Language::Other => module,
    }
}

/// Records that say in other words that one of `packages` is not there.
fn named_elsewhere(
    ground: &Ground<'_>,
    packages: &FxHashMap<&str, usize>,
) -> FxHashMap<usize, Vec<u32>> {
    let mut named: FxHashMap<usize, Vec<u32>> = FxHashMap::default();
    let says_missing = |record: &Diagnostic| {
        let lower = record.message.to_ascii_lowercase();
        MISSING.iter().any(|words| lower.contains(words)) && !is_about_a_member(&lower)
    };
    for index in ground.sayings.that(says_missing) {
        let record = ground.record(index);
        let path = record.path.as_deref().unwrap_or_default();
        let hit = quoted(&record.message).find_map(|name| packages.get(package(name, path)));
        if let Some(&at) = hit {
            named.entry(at).or_default().push(index);
        }
    }
    named
}

/// Whether the message is about a name that a module lacks, which says that the module is there, or
/// about a name of the file itself, which may be spelled as the package is.
fn is_about_a_member(message: &str) -> bool {
    ["member", "property", "attribute", "cannot find name", "find value", "find type", "export"]
        .iter()
        .any(|word| message.contains(word))
}

/// In the files that import it: what is about the names that it was to bring, and parameters whose
/// type came from them.
fn consequences(imports: &[(u32, &str)], ground: &Ground<'_>) -> Vec<u32> {
    let mut found = Vec::new();
    for &(index, module) in imports {
        let record = ground.record(index);
        let Some(path) = record.path.as_deref() else { continue };
        let names = names(record, module, ground);
        found.extend(ground.in_file(path).iter().copied().filter(|&other| {
            let other = ground.record(other);
            failed_import(other).is_none()
                && (is_about(&other.message, &names) || has_lost_its_type(other, ground))
        }));
    }
    found
}

/// A parameter without a type, unless it belongs to a function that is declared on its line: such a
/// one never had a type to lose.
fn has_lost_its_type(record: &Diagnostic, ground: &Ground<'_>) -> bool {
    let implicit = record.code.as_deref().is_some_and(|code| IMPLICIT_ANY.contains(&code));
    let (Some(path), Some(line)) = (record.path.as_deref(), record.line) else { return implicit };
    implicit && !ground.line(path, line).is_some_and(|source| declares_function(&source))
}

fn declares_function(source: &str) -> bool {
    let mut text = source.trim_start();
    for word in ["export ", "default ", "declare ", "async "] {
        text = text.strip_prefix(word).unwrap_or(text).trim_start();
    }
    text.starts_with("function ") || text.starts_with("function*")
}
