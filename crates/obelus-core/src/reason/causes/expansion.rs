//! A macro that says the same wherever it is used: the cause is what is written in it, and its uses
//! follow. What a tool says at the definition itself, as gcc does and all do of templates, is one
//! record already.
//!
//! That a place lies in a macro is said by the tool, or stands in the source. Messages must be
//! equal, and about a name that is written there: what depends on an argument is about that one, and
//! may be wrong at each use for itself.

use std::sync::Arc;

use obelus_record::{CauseLocation, CauseRule, Diagnostic, Related};
use rustc_hash::FxHashMap;

use super::Rule;
use super::claims::Claims;
use super::ground::Ground;
use super::names::{is_identifier, quoted};

/// With what notes begin that lead from a use to the finding in a macro.
const EXPANDED: &str = "expanded from macro ";
/// A macro's definition is looked for so many lines above what is written in it.
const LONGEST_MACRO: u32 = 400;

/// See the module.
pub struct Expansion;

/// Where the text of a macro is that a record is about.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Written<'a> {
    path: &'a Arc<str>,
    line: u32,
    column: Option<u32>,
}

impl Rule for Expansion {
    fn find(&self, ground: &Ground<'_>, claims: &mut Claims) {
        type Key<'a> = (Written<'a>, &'a str, Option<&'a str>, &'a str);
        let mut groups: FxHashMap<Key<'_>, Vec<u32>> = FxHashMap::default();
        for &index in ground.with_related.iter().filter(|&&index| claims.is_free(index)) {
            let record = ground.record(index);
            let Some(written) = written(record, ground) else { continue };
            if names_what_is_written(record, &written, ground) {
                let key = (written, &*record.tool, record.code.as_deref(), &*record.message);
                groups.entry(key).or_default().push(index);
            }
        }
        let mut groups: Vec<(Key<'_>, Vec<u32>)> =
            groups.into_iter().filter(|(_, records)| records.len() > 1).collect();
        groups.sort_by_key(|(_, records)| records[0]);
        for ((written, ..), records) in groups {
            let location = CauseLocation { path: Arc::clone(written.path), line: written.line };
            claims.add(CauseRule::Expansion, &[], Some(location), records);
        }
    }
}

fn written<'a>(record: &'a Diagnostic, ground: &Ground<'_>) -> Option<Written<'a>> {
    let inwards = |related: &&Related| related.message.starts_with(EXPANDED);
    if let Some(innermost) = record.related.iter().take_while(inwards).last() {
        return at(innermost);
    }
    let name = macro_called(record, ground)?;
    let defined = |place: &&Related| is_in_macro(place, &name, ground);
    record.related.iter().find(defined).and_then(at)
}

fn at(place: &Related) -> Option<Written<'_>> {
    let (path, line) = (place.path.as_ref()?, place.line?);
    Some(Written { path, line, column: place.column })
}

/// The name of the macro whose call, `path::name!(…)`, is where a record of rustc lies.
fn macro_called(record: &Diagnostic, ground: &Ground<'_>) -> Option<String> {
    let (path, line, column) = (record.path.as_deref()?, record.line?, record.column?);
    if !path.ends_with(".rs") {
        return None;
    }
    let source = ground.line(path, line)?;
    let call: String = source.chars().skip(column.saturating_sub(1) as usize).collect();
    let (name, _) = call.split_once('!')?;
    let name = name.rsplit("::").next().unwrap_or(name);
    is_identifier(name).then(|| name.to_owned())
}

/// Whether the place lies below the head of `macro_rules! name`, and not behind the end of it.
fn is_in_macro(place: &Related, name: &str, ground: &Ground<'_>) -> bool {
    let (Some(path), Some(last)) = (place.path.as_deref(), place.line) else { return false };
    let first = last.saturating_sub(LONGEST_MACRO).max(1);
    let lines = (first..=last).rev().map_while(|line| ground.line(path, line));
    for line in lines {
        if let Some((_, rest)) = line.split_once("macro_rules!") {
            let end = rest.trim_start();
            let end = end.split(|c: char| !(c.is_alphanumeric() || c == '_')).next();
            return end == Some(name);
        }
        // The end of an item that is not indented.
        if line.starts_with('}') {
            return false;
        }
    }
    false
}

/// Whether what is written at the place is a name that the message quotes.
fn names_what_is_written(record: &Diagnostic, written: &Written<'_>, ground: &Ground<'_>) -> bool {
    let (line, column) = (ground.line(written.path, written.line), written.column);
    let (Some(line), Some(column)) = (line, column) else { return false };
    let in_name = |c: &char| c.is_alphanumeric() || *c == '_' || *c == '$';
    let at = line.chars().skip(column.saturating_sub(1) as usize);
    let name: String = at.take_while(in_name).collect();
    is_identifier(&name) && quoted(&record.message).any(|said| said == name)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::tests::grouped;
    use super::*;
    use crate::present::samples::MapSources;

    fn sources() -> MapSources {
        MapSources::new(&[
            ("m.h", b"#define CENTS(m) ((m)->total * 100)\n#define DOUBLE(m) ((m) * 2)\n"),
            ("a.rs", b"key!(A);\n    shop::key!(B);\nkeys!(C);\n"),
            ("m.rs", b"macro_rules! key {\n    fn f() -> Number {}\n}\nfn g() -> Number {}\n"),
        ])
    }

    fn at(
        path: &str,
        line: u32,
        column: u32,
        message: &str,
        notes: &[(&str, u32, u32, &str)],
    ) -> Value {
        let notes: Vec<Value> = notes
            .iter()
            .map(|(path, line, column, message)| json!({"path": path, "line": line, "column": column, "message": message}))
            .collect();
        json!({"path": path, "line": line, "column": column, "message": message, "related": notes})
    }

    #[test]
    fn a_macro_that_names_what_is_not_there_is_the_cause() {
        let lacks = |path: &str, line| {
            at(
                path,
                line,
                1,
                "no member named 'total' in 'm'",
                &[("m.h", 1, 24, "expanded from macro 'CENTS'")],
            )
        };
        let (causes, independent) = grouped(&[lacks("a.c", 3), lacks("b.c", 4)], &sources());
        assert_eq!(causes, [(CauseRule::Expansion, vec![], vec![0, 1])]);
        assert!(independent.is_empty());
    }

    #[test]
    fn what_depends_on_an_argument_is_wrong_at_each_use_for_itself() {
        let operand = |path: &str| {
            at(
                path,
                3,
                1,
                "invalid operands ('m' and 'int')",
                &[("m.h", 2, 24, "expanded from macro 'DOUBLE'")],
            )
        };
        let given = [operand("a.c"), operand("b.c")];
        assert_eq!(grouped(&given, &sources()), (vec![], vec![0, 1]));
        // Another type in place of `m` lacks the member for another reason.
        let lacks = |path: &str, of: &str| {
            let message = format!("no member named 'total' in '{of}'");
            at(path, 3, 1, &message, &[("m.h", 1, 24, "expanded from macro 'CENTS'")])
        };
        let given = [lacks("a.c", "m"), lacks("b.c", "n")];
        assert_eq!(grouped(&given, &sources()), (vec![], vec![0, 1]));
    }

    #[test]
    fn a_macro_of_rust_is_known_by_its_definition() {
        let call = |line, column, place: (u32, u32)| {
            at(
                "a.rs",
                line,
                column,
                "cannot find type `Number` in this scope",
                &[("m.rs", place.0, place.1, "")],
            )
        };
        let (causes, independent) =
            grouped(&[call(1, 1, (2, 15)), call(2, 5, (2, 15))], &sources());
        assert_eq!(causes, [(CauseRule::Expansion, vec![], vec![0, 1])]);
        assert!(independent.is_empty());
        // Not the macro that is called, or behind its end.
        let given = [call(1, 1, (2, 15)), call(3, 1, (2, 15)), call(2, 5, (4, 11))];
        assert_eq!(grouped(&given, &sources()), (vec![], vec![0, 1, 2]));
    }
}
