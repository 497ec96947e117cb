//! An import that fails because the module that it names has an error of its own: that error is the
//! cause, and what the import was to bring is missing for the same reason.

use obelus_record::CauseRule;
use rustc_hash::FxHashMap;

use super::Rule;
use super::claims::Claims;
use super::ground::Ground;
use super::imports::names;
use super::modules::Modules;
use super::names::is_about;
use super::syntax::is_syntax_error;

/// Imports that fail in turn are followed so far.
const LONGEST_CHAIN: usize = 64;

/// See the module.
pub struct FailedImport;

impl Rule for FailedImport {
    fn find(&self, ground: &Ground<'_>, claims: &mut Claims) {
        let imports = ground.failed_imports();
        if imports.is_empty() {
            return;
        }
        let places = Places::new(ground);
        let modules = Modules::new(ground);
        let mut because: FxHashMap<u32, u32> = FxHashMap::default();
        for &(index, module) in &imports {
            if let Some(error) = error_behind(index, module, ground, &places, &modules) {
                because.insert(index, error);
            }
        }
        for &(index, module) in &imports {
            let Some(cause) = first_cause(index, &because) else { continue };
            let record = ground.record(index);
            let names = names(record, module, ground);
            let follows =
                |&other: &u32| other != cause && is_about(&ground.record(other).message, &names);
            let path = record.path.as_deref().unwrap_or_default();
            let in_file = ground.in_file(path).iter().copied().filter(follows);
            claims.add(
                CauseRule::FailedImport,
                &[cause],
                None,
                std::iter::once(index).chain(in_file),
            );
        }
    }
}

/// The end of a chain of imports that fail one because of the other; nothing for a ring of them.
fn first_cause(import: u32, because: &FxHashMap<u32, u32>) -> Option<u32> {
    let mut at = *because.get(&import)?;
    for _ in 0..LONGEST_CHAIN {
        match because.get(&at) {
            None => return Some(at),
            Some(&next) if next == import => return None,
            Some(&next) => at = next,
        }
    }
    None
}

/// The error for which the import fails: the one whose place the message quotes, else the first in
/// the module, a syntax error before others.
fn error_behind(
    import: u32,
    module: &str,
    ground: &Ground<'_>,
    places: &Places,
    modules: &Modules<'_>,
) -> Option<u32> {
    let record = ground.record(import);
    let path = record.path.as_deref()?;
    if let Some(quoted) = places.quoted(&record.message, import, ground) {
        return Some(quoted);
    }
    let errors = modules.errors_in(module, path);
    let others = || errors.iter().copied().filter(|&error| error != import);
    let at_line = line_quoted(&record.message)
        .and_then(|(line, _)| others().find(|&error| ground.record(error).line == Some(line)));
    at_line
        .or_else(|| others().find(|&error| is_syntax_error(ground.record(error))))
        .or_else(|| others().next())
}

/// The `(4:15)` with which some tools end what they say about an imported file.
fn line_quoted(message: &str) -> Option<(u32, u32)> {
    let (_, inner) = message.trim_end_matches(['.', ' ']).strip_suffix(')')?.rsplit_once('(')?;
    let (line, column) = inner.split_once(':')?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

/// Errors by the base name of their file and their line.
struct Places(FxHashMap<(String, u32), Vec<u32>>);

impl Places {
    fn new(ground: &Ground<'_>) -> Self {
        let mut places: FxHashMap<(String, u32), Vec<u32>> = FxHashMap::default();
        for index in ground.indices().filter(|&index| ground.is_error(index)) {
            let record = ground.record(index);
            if let (Some(path), Some(line)) = (record.path.as_deref(), record.line) {
                let name = path.rsplit('/').next().unwrap_or(path).to_owned();
                places.entry((name, line)).or_default().push(index);
            }
        }
        Places(places)
    }

    /// The error at a place `path:line` or `path:line:column` that the message quotes.
    fn quoted(&self, message: &str, import: u32, ground: &Ground<'_>) -> Option<u32> {
        message.split(|c: char| c.is_whitespace() || "()[]'\"`,".contains(c)).find_map(|word| {
            let mut parts = word.trim_end_matches([':', '.', ';']).split(':');
            let path = parts.next().filter(|path| !path.is_empty())?;
            let line: u32 = parts.next()?.parse().ok()?;
            let column: Option<u32> = parts.next().and_then(|column| column.parse().ok());
            let name = path.rsplit(['/', '\\']).next()?;
            let here = self.0.get(&(name.to_owned(), line))?;
            let matches = |&&index: &&u32| {
                let record = ground.record(index);
                let own = record.path.as_deref().unwrap_or_default();
                index != import && (is_tail(own, path) || is_tail(path, own))
            };
            let at_column =
                |&&index: &&u32| column.is_none() || ground.record(index).column == column;
            here.iter()
                .filter(matches)
                .find(at_column)
                .or_else(|| here.iter().find(matches))
                .copied()
        })
    }
}

/// Whether `tail` is `path`, or its last parts.
fn is_tail(path: &str, tail: &str) -> bool {
    let tail = tail.trim_start_matches("./");
    path.strip_suffix(tail).is_some_and(|head| head.is_empty() || head.ends_with('/'))
}
