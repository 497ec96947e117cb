//! Which declarations a record may be about: those that its message names, and what the expression
//! stands for at which it points.

use obelus_record::Diagnostic;

use super::named::About;
use super::pointed::Pointed;
use super::{missing, named, pointed};
use crate::reason::declarations::{Declarations, Declared, Reading};

/// Declarations that one record may be about; of more, none is meant.
const MOST: usize = 8;
/// Lines between a record and a declaration that are shown together anyway.
const NEAR: u32 = 3;

/// What is asked for the declarations of one record.
pub(super) struct Question<'q> {
    pub(super) record: &'q Diagnostic,
    /// The file of the record.
    pub(super) own: &'q str,
    /// The first line of the message: what follows explains, and names more than it is about.
    pub(super) says: &'q str,
    /// The same in lower case.
    pub(super) lower: String,
    pub(super) declarations: &'q Declarations<'q>,
    pub(super) reading: &'q Reading<'q>,
}

impl Question<'_> {
    /// Whether the message holds any of `words`.
    pub(super) fn says_any(&self, words: &[&str]) -> bool {
        words.iter().any(|words| self.lower.contains(words))
    }
}

/// What a record may be about.
#[derive(Debug, Default)]
pub struct Subjects {
    /// The declarations, the likeliest first.
    pub declared: Vec<Declared>,
    /// Whether one record is enough to tell the first of them: it says what is not there, or how
    /// often, or the place is what a value has to fit. Of a type that does not fit, or an operator,
    /// several have to agree: else nothing says which side is wrong.
    pub enough: bool,
}

/// The declarations that the record may be about.
pub fn subjects(
    record: &Diagnostic,
    declarations: &Declarations<'_>,
    reading: &Reading<'_>,
) -> Subjects {
    let Some(own) = record.path.as_deref() else { return Subjects::default() };
    let says = record.message.lines().next().unwrap_or_default();
    let lower = says.to_lowercase();
    let question = Question { record, own, says, lower, declarations, reading };
    // What has no type has it from something else that is wrong, and is about nothing declared.
    let has_no_type = question.says_any(&["'any'", "\"any\"", " any "]);
    let mut related = record.related.iter();
    let elsewhere = related.any(|related| related.path.is_some() && related.path != record.path);
    if has_no_type || elsewhere && pointed::is_in_macro(&question) {
        return Subjects::default();
    }
    let (enough, found) = match missing::name(&question) {
        // What a tool attaches here is a name that is spelled alike.
        Some(missing) => (true, missing.subjects(&question)),
        // Where the tool itself says where to look, that is enough.
        None if elsewhere => return Subjects::default(),
        None => described(&question),
    };
    let mut seen: Vec<Declared> = Vec::new();
    for declared in found {
        let same = |other: &Declared| {
            other.path == declared.path && other.declaration.line == declared.declaration.line
        };
        if seen.len() < MOST && !is_near(&declared, record) && !seen.iter().any(same) {
            seen.push(declared);
        }
    }
    Subjects { declared: seen, enough }
}

/// What a message describes that is about nothing missing, and whether one record is enough.
fn described(question: &Question<'_>) -> (bool, Vec<Declared>) {
    let said = named::said(question);
    let Pointed { parts, expects, is_field } = pointed::pointed(question, said.about);
    let found = match said.about {
        About::Lack => [said.members, said.types, parts, expects, said.functions].concat(),
        About::Arguments => [said.functions, said.members, expects, parts].concat(),
        // A compiler names the function of an argument, but not the field of a value.
        About::Other if is_field => [expects, parts, said.members].concat(),
        // What a message of types names are types that don't fit; what is of these types is what it
        // points at.
        About::Other => [parts, expects, said.members, said.functions, said.types].concat(),
    };
    (said.about != About::Other || is_field, found)
}

/// Whether the record lies at the declaration, or where it is seen anyway.
fn is_near(declared: &Declared, record: &Diagnostic) -> bool {
    let near = |line: u32| line.abs_diff(declared.declaration.line) <= NEAR;
    record.path.as_ref() == Some(&declared.path) && record.line.is_some_and(near)
}

/// The names in a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .filter(|word| !word.is_empty())
}
