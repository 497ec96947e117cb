//! Names that are not there: in a module that should have them, or in the file itself.

use tree_sitter::Node;

use super::pointed;
use super::subject::Question;
use crate::reason::causes::names::{is_identifier, quoted};
use crate::reason::declarations::{Declarations, Declared, Module};
use crate::reason::silence::syntax;

/// Words of messages that a name is not known in its file.
const UNKNOWN: [&str; 9] = [
    "cannot find name",
    "is not defined",
    "cannot find type",
    "cannot find function",
    "cannot find value",
    "cannot find struct",
    "cannot find trait",
    "cannot find macro",
    "use of undeclared type",
];

/// A name that is not there.
pub(super) struct Missing<'m> {
    /// Where it should be; nothing for the file itself.
    module: Option<String>,
    /// The name; of an import of Rust, the last part of the path.
    name: &'m str,
}

/// The name that the message says is not there.
pub(super) fn name<'q>(question: &'q Question<'_>) -> Option<Missing<'q>> {
    let mut said = quoted(question.says).map(|name| name.trim_matches(['"', '\'']));
    let says = |words: &str| question.lower.contains(words);
    if says("no exported member") {
        let module = said.next()?.to_owned();
        return Some(Missing { module: Some(module), name: said.next()? });
    }
    if says("module \"") && says("has no attribute") {
        let module = said.next()?.to_owned();
        return Some(Missing { module: Some(module), name: said.next()? });
    }
    if says("is unknown import symbol") {
        let import = syntax::around(pointed::node(question)?)
            .find(|node| node.kind() == "import_from_statement")?;
        let module: Option<Node<'_>> = import.child_by_field_name("module_name");
        let module = question.reading.text(module?).to_owned();
        return Some(Missing { module: Some(module), name: said.next()? });
    }
    if says("unresolved import") || says("cannot find module or crate") {
        let module = said.next()?;
        let name = module.rsplit("::").next()?;
        return Some(Missing { module: Some(module.to_owned()), name });
    }
    if UNKNOWN.iter().any(|words| says(words)) {
        return Some(Missing {
            module: None,
            name: said.next().filter(|name| is_identifier(name))?,
        });
    }
    None
}

impl Missing<'_> {
    /// Where it may be meant: the module, where that does not give on what is there; else what the
    /// tool itself thinks it is called now, or what alone nobody mentions.
    pub(super) fn subjects(&self, question: &Question<'_>) -> Vec<Declared> {
        let declarations = question.declarations;
        let Some(module) = &self.module else {
            let own = question.record.path.iter().cloned().collect::<Vec<_>>();
            return declarations.unmentioned(&own, self.name).into_iter().collect();
        };
        let file = match declarations.module(module, question.own) {
            Some(Module::File(file)) => file,
            Some(Module::Undeclared(file) | Module::NotListed(file)) => {
                return vec![Declarations::as_place(&file, module)];
            }
            None => return Vec::new(),
        };
        let files = declarations.parts(&file);
        let here = |declared: &Declared| files.contains(&declared.path);
        if let Some(there) = declarations.named(self.name, &file, |_| true) {
            // It is there: either nobody may use it, or the module does not give it on.
            return match here(&there) || !there.declaration.exported {
                true => vec![there],
                false => vec![Declarations::as_place(&file, module), there],
            };
        }
        let proposed = question.record.suggestion.iter().flat_map(|suggestion| &suggestion.edits);
        let proposed = proposed.map(|edit| edit.text.trim());
        let proposed = proposed.chain(quoted(question.says)).filter(|name| is_identifier(name));
        let proposed =
            proposed.filter_map(|name| declarations.named(name, &file, |_| true)).find(here);
        let found = proposed.or_else(|| declarations.unmentioned(&files, self.name));
        found.into_iter().collect()
    }
}
