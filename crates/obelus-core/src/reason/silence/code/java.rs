//! `@SuppressWarnings`.

use tree_sitter::Node;

use crate::reason::silence::construct::{Codes, Construct, Reach, Tools};
use crate::reason::silence::syntax;

/// One of these stands in each, in whatever case.
pub(super) const WORDS: &[&str] = &["suppresswarnings"];

pub(super) fn find(node: Node<'_>, bytes: &[u8]) -> Option<Construct> {
    if node.kind() != "annotation" {
        return None;
    }
    let name = syntax::field(node, "name", bytes);
    if name.rsplit('.').next() != Some("SuppressWarnings") {
        return None;
    }
    let arguments = node.child_by_field_name("arguments")?;
    let strings = syntax::below(arguments).filter(|inner| inner.kind() == "string_literal");
    let names: Vec<&str> =
        strings.map(|string| syntax::text(string, bytes).trim_matches('"')).collect();
    let owner =
        node.parent().filter(|above| above.kind() == "modifiers").and_then(|above| above.parent());
    let mut construct =
        Construct::new("suppress-warnings", node.byte_range(), syntax::line(node), Tools::JAVAC);
    construct.reach = Reach::Lines(syntax::lines(owner.unwrap_or(node)));
    // javac has keys of its own for what it prints.
    construct.codes = Codes::All;
    construct.says = format!("@SuppressWarnings {}", names.join(", "));
    Some(construct)
}
