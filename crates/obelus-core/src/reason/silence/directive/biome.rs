//! `biome-ignore CATEGORY: REASON`, `biome-ignore-all`, `biome-ignore-start`.

use super::{Page, inside};
use crate::reason::silence::construct::{Codes, Construct, Reach, Tools};

/// One of these stands in each, in whatever case.
pub(super) const WORDS: &[&str] = &["biome-ignore"];

const CATEGORIES: [&str; 5] = ["lint", "assist", "syntax", "format", "suppressions"];

pub(super) fn find(page: &Page<'_>, at: usize) -> Option<Construct> {
    let comment = &page.comments[at];
    let says = inside(comment.text).trim_start_matches('*').trim_start();
    let word = says.split_whitespace().next()?;
    let kind = ["biome-ignore", "biome-ignore-all", "biome-ignore-start"]
        .into_iter()
        .find(|kind| *kind == word)?;
    // Without a reason biome does not obey.
    let (categories, _reason) = says[word.len()..].split_once(':')?;
    let codes: Vec<&str> = categories.split_whitespace().collect();
    let known = |code: &&str| CATEGORIES.contains(&code.split(['/', '(']).next().unwrap_or(code));
    if codes.is_empty() || !codes.iter().all(known) {
        return None;
    }
    let mut construct = Construct::new(kind, comment.span.clone(), comment.first, Tools::BIOME);
    construct.reach = match kind {
        "biome-ignore-all" => Reach::File,
        "biome-ignore-start" => {
            let ends =
                |later: &super::Comment<'_>| inside(later.text).starts_with("biome-ignore-end");
            Reach::Lines(comment.last..=page.until(at, ends))
        }
        _ => Reach::Lines(comment.next_code..=comment.next_code),
    };
    construct.says = word.to_owned();
    construct.codes = Codes::listed(codes);
    Some(construct)
}
