//! Code that silences a checker: casts to nothing, attributes, annotations, pragmas.

mod c;
mod java;
mod python;
mod rust;
mod typescript;

use std::ops::RangeInclusive;

use tree_sitter::{Node, Tree};

use super::construct::Construct;
use super::syntax::{self, Language};

/// Words of which all such code holds one.
pub(super) fn words(language: Language) -> &'static [&'static str] {
    match language {
        Language::TypeScript | Language::Jsx => typescript::WORDS,
        Language::Python => python::WORDS,
        Language::Rust => rust::WORDS,
        Language::Java => java::WORDS,
        Language::C => c::WORDS,
        Language::Go | Language::Shell => &[],
    }
}

/// All such code in a file.
pub(super) fn find(language: Language, tree: &Tree, bytes: &[u8]) -> Vec<Construct> {
    let of_node: fn(Node<'_>, &[u8]) -> Option<Construct> = match language {
        Language::TypeScript | Language::Jsx => typescript::find,
        Language::Python => python::find,
        Language::Rust => rust::find,
        Language::Java => java::find,
        Language::C => c::find,
        Language::Go | Language::Shell => return Vec::new(),
    };
    syntax::nodes(tree).filter_map(|node| of_node(node, bytes)).collect()
}

/// The lines of the statement in which a node stands: checkers point at any part of it. Of one that
/// holds blocks, those up to its first block.
fn statement(node: Node<'_>) -> RangeInclusive<u32> {
    let own = syntax::lines(node);
    let is_statement = |node: &Node<'_>| {
        let kind = node.kind();
        kind.ends_with("_statement")
            || kind.ends_with("_declaration")
            || kind.ends_with("_definition")
    };
    let Some(statement) = syntax::around(node).find(is_statement) else { return own };
    let blocks = ["block", "statement_block", "compound_statement", "class_body"];
    let block = syntax::below(statement)
        .find(|inner| blocks.contains(&inner.kind()) && inner.start_byte() > node.end_byte());
    let end = block.map_or_else(|| syntax::last_line(statement), syntax::line);
    syntax::line(statement)..=end.max(*own.end())
}

/// The one name to which the value at `node` is given, where `kind` declares it in `role`.
fn bound(node: Node<'_>, kind: &str, role: &str, bytes: &[u8]) -> Option<String> {
    let above = node.parent().filter(|above| above.kind() == kind)?;
    let name = above.child_by_field_name(role).filter(|name| name.kind() == "identifier")?;
    Some(syntax::text(name, bytes).to_owned())
}
