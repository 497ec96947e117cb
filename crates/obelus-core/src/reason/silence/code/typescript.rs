//! `as any`, `<any>x`, `as unknown as T`, and the non-null `!`.

use tree_sitter::Node;

use super::{bound, statement};
use crate::reason::silence::construct::{Construct, Reach, Tools};
use crate::reason::silence::syntax;

/// One of these stands in each, in whatever case.
pub(super) const WORDS: &[&str] = &["any", "unknown", "!"];

pub(super) fn find(node: Node<'_>, bytes: &[u8]) -> Option<Construct> {
    let (kind, at, says) = match node.kind() {
        "as_expression" => cast(node, bytes)?,
        "type_assertion" => {
            let arguments = node.named_child(0)?;
            let target = arguments.named_child(0)?;
            (syntax::text(target, bytes) == "any").then_some(("as-any", target, "<any>"))?
        }
        "non_null_expression" => ("non-null", node.child(node.child_count().checked_sub(1)?)?, "!"),
        _ => return None,
    };
    let mut construct =
        Construct::new(kind, node.byte_range(), syntax::line(at), Tools::TYPESCRIPT);
    construct.reach = Reach::Lines(statement(node));
    construct.binds = bound(node, "variable_declarator", "name", bytes);
    construct.says = says.to_owned();
    Some(construct)
}

fn cast<'t>(node: Node<'t>, bytes: &[u8]) -> Option<(&'static str, Node<'t>, &'static str)> {
    let (value, target) = (node.named_child(0)?, node.named_child(1)?);
    match syntax::text(target, bytes) {
        "any" => return Some(("as-any", target, "as any")),
        // Alone it makes a type stricter; what is made of it then is another.
        "unknown" | "const" => return None,
        _ => {}
    }
    let mut inner = value;
    while inner.kind() == "parenthesized_expression" {
        inner = inner.named_child(0)?;
    }
    let through = inner.kind() == "as_expression"
        && inner.named_child(1).is_some_and(|target| syntax::text(target, bytes) == "unknown");
    through.then_some(("as-unknown-as", target, "as unknown as"))
}
