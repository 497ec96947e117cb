//! `//nolint` of golangci-lint, and `//lint:ignore` of staticcheck.

use tree_sitter::Tree;

use super::{Page, list};
use crate::reason::silence::construct::{Codes, Construct, Reach, Tools};

/// One of these stands in each, in whatever case.
pub(super) const WORDS: &[&str] = &["nolint", "lint:"];

pub(super) fn find(page: &Page<'_>, at: usize, tree: &Tree) -> Option<Construct> {
    let comment = &page.comments[at];
    let text = comment.text.strip_prefix("//")?;
    let of_line = || match comment.own_line {
        false => Reach::Lines(comment.first..=comment.first),
        true if comment.last < page.first_code() => Reach::File,
        true => Reach::Lines(page.construct_from(tree, comment.last + 1)),
    };
    // A space before it is old style, which older versions obey.
    if let Some(rest) = text.trim_start_matches(['/', ' ']).strip_prefix("nolint") {
        let codes = match rest.chars().next() {
            None | Some(' ') => Codes::All,
            Some(':') => {
                Codes::listed(list(rest[1..].split("//").next()?.split(' ').next()?, &[',']))
            }
            Some(_) => return None,
        };
        // Behind a space, the word starts a sentence as well as a directive.
        let sentence =
            text.starts_with(' ') && rest.starts_with(' ') && !rest.trim_start().starts_with("//");
        let mut construct =
            Construct::new("nolint", comment.span.clone(), comment.first, Tools::NOLINT_GO);
        construct.reach = of_line();
        construct.codes = codes;
        construct.says = "nolint".to_owned();
        return (!sentence).then_some(construct);
    }
    let mut words = text.strip_prefix("lint:")?.split_whitespace();
    let word = words.next()?;
    let codes = words.next()?;
    // It needs a reason.
    words.next()?;
    let reach = match word {
        "ignore" => of_line(),
        "file-ignore" => Reach::File,
        _ => return None,
    };
    let mut construct =
        Construct::new("lint-ignore", comment.span.clone(), comment.first, Tools::STATICCHECK);
    construct.reach = reach;
    construct.codes = Codes::listed(list(codes, &[',']));
    construct.says = format!("lint:{word}");
    Some(construct)
}
