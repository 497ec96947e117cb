//! `NOLINT`, `NOLINTNEXTLINE` and `NOLINTBEGIN` of clang-tidy.

use super::{Page, inside, list};
use crate::reason::silence::construct::{Codes, Construct, Reach, Tools};

/// One of these stands in each, in whatever case.
pub(super) const WORDS: &[&str] = &["nolint", "nolintnextline", "nolintbegin"];

const DIRECTIVES: [(&str, &str); 3] =
    [("NOLINTNEXTLINE", "nolintnextline"), ("NOLINTBEGIN", "nolintbegin"), ("NOLINT", "nolint")];

pub(super) fn find(page: &Page<'_>, at: usize) -> Option<Construct> {
    let comment = &page.comments[at];
    let says = inside(comment.text);
    let (word, kind, rest) = directive(says)?;
    let reach = match word {
        "NOLINTNEXTLINE" => Reach::Lines(comment.last + 1..=comment.last + 1),
        "NOLINTBEGIN" => Reach::Lines(
            comment.first..=page.until(at, |later| inside(later.text).contains("NOLINTEND")),
        ),
        // It is for the code of its own line.
        _ if !page.has_code(comment.first) => return None,
        _ => Reach::Lines(comment.first..=comment.first),
    };
    let listed = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let codes = listed.map_or(Codes::All, |(names, _)| match list(names, &[',']) {
        // Empty parentheses silence nothing, and are left to the tool.
        names if names.is_empty() => Codes::These(Vec::new()),
        names => Codes::These(names),
    });
    if codes == Codes::These(Vec::new()) {
        return None;
    }
    let mut construct =
        Construct::new(kind, comment.span.clone(), comment.first, Tools::CLANG_TIDY);
    construct.reach = reach;
    construct.codes = codes;
    construct.says = word.to_owned();
    Some(construct)
}

/// The directive in a comment: what it starts with, or what stands in it with a list of checks, or
/// as its last word. Elsewhere it is talked about.
fn directive(says: &str) -> Option<(&'static str, &'static str, &str)> {
    for (word, kind) in DIRECTIVES {
        for (at, _) in says.match_indices(word) {
            let rest = &says[at + word.len()..];
            let whole = !rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
                && !says[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let placed = at == 0 || rest.starts_with('(') || rest.is_empty();
            if whole && placed {
                return Some((word, kind, rest));
            }
        }
    }
    None
}
