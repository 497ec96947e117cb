//! `#[allow]`, `#[expect]` and `#![allow]`; and, where an error was, `unwrap`, `expect` and the
//! macros that stand for code not yet written.

use tree_sitter::Node;

use super::statement;
use crate::reason::silence::construct::{Codes, Construct, Reach, Tools};
use crate::reason::silence::syntax;

/// One of these stands in each, in whatever case.
pub(super) const WORDS: &[&str] =
    &["allow", "expect", "cfg_attr", "unwrap", "todo", "unimplemented"];

pub(super) fn find(node: Node<'_>, bytes: &[u8]) -> Option<Construct> {
    match node.kind() {
        "attribute_item" | "inner_attribute_item" => attribute(node, bytes),
        "call_expression" => method(node, bytes),
        "macro_invocation" => macro_call(node, bytes),
        _ => None,
    }
}

fn attribute(node: Node<'_>, bytes: &[u8]) -> Option<Construct> {
    let attribute = node.named_child(0).filter(|child| child.kind() == "attribute")?;
    let tokens = attribute.child_by_field_name("arguments")?;
    let name = syntax::text(attribute.named_child(0)?, bytes);
    let (word, tokens) = match name {
        "allow" | "expect" => (name, tokens),
        // Its first argument is a condition, the others are attributes.
        "cfg_attr" => within(tokens, bytes)?,
        _ => return None,
    };
    let inner = node.kind() == "inner_attribute_item";
    let kind = match (word, inner) {
        ("allow", false) => "allow",
        ("allow", true) => "allow-inner",
        (_, false) => "expect",
        (_, true) => "expect-inner",
    };
    let mut construct = Construct::new(kind, node.byte_range(), syntax::line(node), Tools::RUST);
    construct.codes = Codes::listed(lints(tokens, bytes));
    construct.reach = reach(node, inner);
    construct.says = format!("#{}[{word}]", if inner { "!" } else { "" });
    Some(construct)
}

/// The first attribute in the arguments of `cfg_attr` that silences.
fn within<'t, 'b>(tokens: Node<'t>, bytes: &'b [u8]) -> Option<(&'b str, Node<'t>)> {
    let children = syntax::children(tokens);
    children.windows(2).find_map(|pair| {
        let word = syntax::text(pair[0], bytes);
        let silences = matches!(word, "allow" | "expect") && pair[1].kind() == "token_tree";
        silences.then_some((word, pair[1]))
    })
}

/// The lints that are named, without `reason = "…"`.
fn lints(tokens: Node<'_>, bytes: &[u8]) -> Vec<String> {
    let text = syntax::text(tokens, bytes).trim_start_matches('(').trim_end_matches(')');
    let names = text.split(',').map(|name| name.split_whitespace().collect::<String>());
    names.take_while(|name| !name.contains('=')).filter(|name| !name.is_empty()).collect()
}

/// The item behind the attribute, or the one around an inner attribute.
fn reach(node: Node<'_>, inner: bool) -> Reach {
    if inner {
        let block = syntax::around(node)
            .skip(1)
            .find(|around| matches!(around.kind(), "block" | "declaration_list"));
        return block.map_or(Reach::File, |block| Reach::Lines(syntax::lines(block)));
    }
    let mut item = node.next_named_sibling();
    while let Some(next) =
        item.filter(|next| next.kind() == "attribute_item" || syntax::is_comment(*next))
    {
        item = next.next_named_sibling();
    }
    let end = item.map_or_else(|| syntax::last_line(node), syntax::last_line);
    Reach::Lines(syntax::line(node)..=end)
}

fn method(node: Node<'_>, bytes: &[u8]) -> Option<Construct> {
    let function = node.child_by_field_name("function")?;
    let name =
        function.child_by_field_name("field").filter(|_| function.kind() == "field_expression")?;
    let arguments = syntax::children(node.child_by_field_name("arguments")?).len();
    let (kind, says) = match (syntax::text(name, bytes), arguments) {
        ("unwrap", 0) => ("unwrap", ".unwrap()"),
        ("expect", 1) => ("expect-call", ".expect(…)"),
        _ => return None,
    };
    let mut construct = Construct::new(kind, name.byte_range(), syntax::line(name), Tools::RUST);
    construct.reach = Reach::Lines(statement(node));
    construct.needs_finding = true;
    construct.says = says.to_owned();
    Some(construct)
}

fn macro_call(node: Node<'_>, bytes: &[u8]) -> Option<Construct> {
    let kind = match syntax::field(node, "macro", bytes) {
        "todo" => "todo",
        "unimplemented" => "unimplemented",
        _ => return None,
    };
    let mut construct = Construct::new(kind, node.byte_range(), syntax::line(node), Tools::RUST);
    let body = syntax::around(node).find(|around| around.kind() == "function_item");
    construct.reach = Reach::Lines(body.map_or_else(|| statement(node), syntax::lines));
    construct.needs_finding = true;
    construct.says = format!("{kind}!");
    Some(construct)
}
