//! `# shellcheck disable=SC2086`.

use tree_sitter::Tree;

use super::{Page, list};
use crate::reason::silence::construct::{Codes, Construct, Reach, Tools};

/// One of these stands in each, in whatever case.
pub(super) const WORDS: &[&str] = &["shellcheck"];

pub(super) fn find(page: &Page<'_>, at: usize, tree: &Tree) -> Option<Construct> {
    let comment = &page.comments[at];
    let says = comment.text.strip_prefix('#')?.trim_start().strip_prefix("shellcheck")?;
    if !says.starts_with([' ', '\t']) || !comment.own_line {
        return None;
    }
    // Several keys may follow each other; what is behind `#` is free.
    let keys = says.split('#').next()?.split_whitespace();
    let codes =
        keys.filter_map(|key| key.strip_prefix("disable=")).flat_map(|codes| list(codes, &[',']));
    let codes: Vec<String> = codes.collect();
    if codes.is_empty() {
        return None;
    }
    let mut construct = Construct::new(
        "shellcheck-disable",
        comment.span.clone(),
        comment.first,
        Tools::SHELLCHECK,
    );
    construct.reach = match comment.last < page.first_code() {
        true => Reach::File,
        false => Reach::Lines(page.construct_from(tree, comment.next_code)),
    };
    construct.says = "shellcheck disable".to_owned();
    construct.codes = Codes::These(codes);
    Some(construct)
}
