//! `cast(Any, …)`.

use tree_sitter::Node;

use super::{bound, statement};
use crate::reason::silence::construct::{Construct, Reach, Tools};
use crate::reason::silence::syntax;

/// One of these stands in each, in whatever case.
pub(super) const WORDS: &[&str] = &["cast"];

pub(super) fn find(node: Node<'_>, bytes: &[u8]) -> Option<Construct> {
    if node.kind() != "call" {
        return None;
    }
    let function = node.child_by_field_name("function")?;
    let name = match function.kind() {
        "identifier" => syntax::text(function, bytes),
        "attribute" => syntax::field(function, "attribute", bytes),
        _ => return None,
    };
    let arguments = syntax::children(node.child_by_field_name("arguments")?);
    // Another `cast`, as of a database, takes its type as the second argument.
    let [target, _] = arguments.as_slice() else { return None };
    let target = syntax::text(*target, bytes).trim_matches(['"', '\'']);
    let is_any = matches!(target, "Any" | "typing.Any" | "t.Any");
    if name != "cast" || !is_any {
        return None;
    }
    let mut construct =
        Construct::new("cast-any", node.byte_range(), syntax::line(node), Tools::PYTHON_TYPES);
    construct.reach = Reach::Lines(statement(node));
    construct.binds = bound(node, "assignment", "left", bytes);
    construct.says = "cast(Any, …)".to_owned();
    Some(construct)
}
