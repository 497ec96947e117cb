//! `#pragma GCC diagnostic ignored "-W…"` and its like.

use tree_sitter::Node;

use crate::reason::silence::construct::{Codes, Construct, Reach, Tools};
use crate::reason::silence::syntax;

/// One of these stands in each, in whatever case.
pub(super) const WORDS: &[&str] = &["pragma"];

pub(super) fn find(node: Node<'_>, bytes: &[u8]) -> Option<Construct> {
    if node.kind() != "preproc_call" {
        return None;
    }
    // White space may stand behind the sign.
    let directive = syntax::field(node, "directive", bytes);
    if directive.trim_start_matches('#').trim() != "pragma" {
        return None;
    }
    let argument = syntax::field(node, "argument", bytes);
    let mut words = argument.split_whitespace();
    let compiler = words.next()?;
    let silences = matches!(compiler, "GCC" | "clang")
        && (words.next(), words.next()) == (Some("diagnostic"), Some("ignored"));
    if !silences {
        return None;
    }
    let option = words.next()?.trim_matches('"').to_owned();
    let mut construct =
        Construct::new("pragma-ignored", node.byte_range(), syntax::line(node), Tools::C_COMPILERS);
    construct.reach = Reach::Lines(syntax::line(node)..=end(node, bytes));
    construct.says = format!("#pragma {compiler} diagnostic ignored");
    // clang-tidy prints what clang says under another name.
    let tidy = option.strip_prefix("-W").map(|name| format!("clang-diagnostic-{name}"));
    construct.codes = Codes::listed([option].into_iter().chain(tidy));
    Some(construct)
}

/// The line of the `pop` that ends it; the end of the file where there is none.
fn end(node: Node<'_>, bytes: &[u8]) -> u32 {
    let mut depth = 0_u32;
    let mut next = node.next_named_sibling();
    while let Some(here) = next {
        if here.kind() == "preproc_call" {
            let argument = syntax::field(here, "argument", bytes);
            let word =
                argument.split_whitespace().nth(2).filter(|_| argument.contains("diagnostic"));
            match word {
                Some("push") => depth += 1,
                Some("pop") if depth == 0 => return syntax::line(here),
                Some("pop") => depth -= 1,
                _ => {}
            }
        }
        next = here.next_named_sibling();
    }
    let root = syntax::around(node).last().unwrap_or(node);
    syntax::last_line(root)
}
