//! Which vanished finding was silenced by what.

use obelus_record::{Attribution, Diagnostic, Report, Severity};
use rustc_hash::FxHashMap;

use super::construct::Reach;
use super::files::{File, Landing};
use super::find::{Found, Scope};
use crate::reason::text::tokens;

/// A finding that is not printed any more.
pub(super) struct Vanished<'a> {
    /// Its index in the baseline.
    pub index: u32,
    pub record: &'a Diagnostic,
    /// Its file after the change.
    pub path: Option<&'a str>,
    /// Where its code is now.
    pub landing: Landing,
    /// The words of its line before.
    words: Vec<u64>,
    /// Whether its checker did not run any more.
    stopped: bool,
}

/// The findings that vanished, with what became of their code.
pub(super) fn vanished<'a>(
    before: &'a Report,
    attribution: &Attribution,
    files: &'a [File<'a>],
) -> Vec<Vanished<'a>> {
    let by_path: FxHashMap<&str, &File<'_>> =
        files.iter().filter_map(|file| Some((file.before_path.as_deref()?, file))).collect();
    let gone = attribution.fixed.iter().map(|&index| (index, false));
    let stopped = attribution.unattributed.before.iter().map(|&index| (index, true));
    let of = |(index, stopped): (u32, bool)| {
        let record = before.records.get(index as usize)?;
        let path = record.path.as_deref();
        let file = path.and_then(|path| by_path.get(path).copied());
        let (path, landing) = match file {
            Some(file) => {
                // The lines of a cell are not those of the notebook.
                let land = |line| match record.cell {
                    Some(_) => Landing::Gone,
                    None => file.land(line, record.column),
                };
                (file.path.as_deref(), record.line.map_or(Landing::Gone, land))
            }
            None => (path, record.line.map_or(Landing::Gone, Landing::Kept)),
        };
        let text = file.and_then(|file| file.before());
        let words = match (text, record.line) {
            (Some(text), Some(line)) => {
                tokens(text.line(line)).iter().map(|token| token.hash).collect()
            }
            _ => Vec::new(),
        };
        Some(Vanished { index, record, path, landing, words, stopped })
    };
    gone.chain(stopped).filter_map(of).collect()
}

/// For each vanished finding what silences it: what reaches least far, of all that do.
pub(super) fn cover(found: &[Found], vanished: &[Vanished<'_>]) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&at| width(&found[at]));
    let by =
        |vanished: &Vanished<'_>| order.iter().copied().find(|&at| covers(&found[at], vanished));
    vanished.iter().map(by).collect()
}

/// How far something reaches.
fn width(found: &Found) -> (u8, u32) {
    match (&found.scope, &found.construct.reach) {
        (Scope::Below { .. }, _) => (2, 0),
        (_, Reach::File) => (1, 0),
        (_, Reach::Lines(lines)) => (0, lines.end().saturating_sub(*lines.start())),
    }
}

fn covers(found: &Found, vanished: &Vanished<'_>) -> bool {
    let (construct, record) = (&found.construct, vanished.record);
    // golangci-lint's list is one of linters.
    let listed =
        construct.codes.cover(record.code.as_deref()) || construct.codes.cover(Some(&record.tool));
    if !construct.tools.hold(&record.tool) || !listed {
        return false;
    }
    if construct.needs_finding && record.severity != Severity::Error {
        return false;
    }
    match &found.scope {
        Scope::Below { folder, only, named, stopped } => {
            if !named.is_empty() && !named.iter().any(|tool| **tool == *record.tool) {
                return false;
            }
            let Some(path) = record.path.as_deref() else { return only.is_none() };
            let within = folder.is_empty()
                || path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
            let from_there =
                if folder.is_empty() { path } else { path.get(folder.len() + 1..).unwrap_or(path) };
            // A configuration silences code that is as it was. What was edited may be fixed.
            let stayed = matches!(vanished.landing, Landing::Kept(_)) || record.line.is_none();
            let fits = only
                .as_ref()
                .map_or(stayed, |only| only.is_match(from_there) || only.is_match(path));
            within && fits && (*stopped || !vanished.stopped)
        }
        _ if vanished.stopped => false,
        Scope::Before(path) => {
            record.path.as_deref() == Some(path) && construct.reach.holds(record.line)
        }
        Scope::After => {
            if vanished.path != Some(&*found.path) {
                return false;
            }
            // What stands in its place silences it only as a part of more.
            let replaced = || match (&construct.reach, vanished.landing) {
                (Reach::Lines(lines), Landing::Replaced(line)) => {
                    lines.start() < lines.end() && lines.contains(&line)
                }
                _ => false,
            };
            let uses = || {
                let kept = matches!(vanished.landing, Landing::Kept(_));
                let name = construct.binds.as_deref().filter(|_| kept);
                name.is_some_and(|name| {
                    tokens(name.as_bytes()).iter().all(|token| vanished.words.contains(&token.hash))
                })
            };
            construct.reach.holds(vanished.landing.line()) || replaced() || uses()
        }
    }
}
