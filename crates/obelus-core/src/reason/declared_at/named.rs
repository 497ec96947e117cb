//! What a message names: members of the types that it names, functions, and types that lack
//! something.

use super::pointed;
use super::subject::{Question, words};
use crate::reason::causes::names::{is_identifier, quoted};
use crate::reason::declarations::{Declaration, Declared, Kind, TypeName};

/// Words of messages that something lacks a member, or what it must have.
const LACKS: [&str; 14] = [
    "does not exist on type",
    "does not exist in type",
    "has no attribute",
    "cannot access attribute",
    "no field",
    "has no field",
    "no method named",
    "no variant",
    "no associated",
    "no function or associated item",
    "is missing",
    "missing the following properties",
    "is not satisfied",
    "were not satisfied",
];
/// Words of messages about how many arguments there are, or what they are called.
const ARGUMENTS: [&str; 12] = [
    "missing positional argument",
    "missing named argument",
    "missing argument",
    "argument missing",
    "arguments missing",
    "too many arguments",
    "too many positional",
    "too few arguments",
    "unexpected keyword argument",
    "arguments, but got",
    "arguments but",
    "positional argument",
];

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// A type lacks something.
    Lack,
    /// The number of arguments of a call.
    Arguments,
    Other,
}

/// What a message names.
pub(super) struct Said {
    pub(super) about: About,
    /// Members of the types that it names.
    pub(super) members: Vec<Declared>,
    /// The types; of those that lack something each with what it extends.
    pub(super) types: Vec<Declared>,
    /// Functions, and types that are called as such.
    pub(super) functions: Vec<Declared>,
}

/// What the message names.
pub(super) fn said(question: &Question<'_>) -> Said {
    let about = match () {
        () if question.says_any(&ARGUMENTS) => About::Arguments,
        () if question.says_any(&LACKS) => About::Lack,
        () => About::Other,
    };
    let Question { declarations, own, says, .. } = question;
    let mut types: Vec<Declared> = Vec::new();
    let here = pointed::types(question);
    for word in quoted(says).flat_map(words) {
        // Several types may have one name: what is pointed at says which is meant.
        let from = here.iter().find(|of| of.name == word).map_or(*own, |of| &*of.path);
        let declared = declarations.type_named(word, from);
        types.extend(declared.filter(|declared| !types.contains(declared)));
    }
    let type_name = |declared: &Declared| TypeName {
        path: declared.path.clone(),
        name: declared.declaration.name.clone(),
    };
    let type_names: Vec<TypeName> = types.iter().map(type_name).collect();
    // Of a path, `Base.pay`, the last part is meant.
    let plain: Vec<&str> =
        quoted(says).filter_map(last_part).filter(|name| is_identifier(name)).collect();
    let members = plain.iter().filter_map(|name| declarations.member(&type_names, name)).collect();
    let may_be_called = |declared: &Declaration| {
        declared.kind == Kind::Function || about == About::Arguments && declared.kind == Kind::Type
    };
    let functions =
        plain.iter().filter_map(|name| declarations.named(name, own, may_be_called)).collect();
    let types = if about == About::Lack { lacking(question, types) } else { types };
    Said { about, members, types, functions }
}

/// The last part of a path of names; nothing for other texts.
fn last_part(text: &str) -> Option<&str> {
    let is_path = text.chars().all(|c| c.is_alphanumeric() || "_$.:".contains(c));
    text.rsplit(['.', ':']).next().filter(|_| is_path)
}

/// Of each type what should hold what it lacks: where that is a method, and methods stand apart,
/// these; and the types that it extends, which may lack it for all of theirs.
fn lacking(question: &Question<'_>, types: Vec<Declared>) -> Vec<Declared> {
    let of_functions = question.says_any(&["method", "function or associated item"]);
    let mut found = Vec::new();
    for of in types {
        let wider = question.declarations.wider(&of);
        for of in std::iter::once(of).chain(wider) {
            let apart = question.declarations.members_of(&of).filter(|_| of_functions);
            found.push(apart.unwrap_or(of));
        }
    }
    found
}
