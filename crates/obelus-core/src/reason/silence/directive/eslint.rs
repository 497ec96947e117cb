//! `eslint-disable…` and `oxlint-disable…` comments, and `/* eslint rule: off */`.

use super::{Page, inside, list};
use crate::reason::silence::construct::{Codes, Construct, Reach, Tools};

/// One of these stands in each, in whatever case.
pub(super) const WORDS: &[&str] = &["eslint", "oxlint"];

pub(super) fn find(page: &Page<'_>, at: usize) -> Option<Construct> {
    let comment = &page.comments[at];
    let says = inside(comment.text);
    let word = says.split_whitespace().next()?;
    let is_block = comment.text.starts_with("/*");
    let (plain, tools, of_oxlint) = match word.strip_prefix("oxlint") {
        Some(rest) => (rest, Tools::OXLINT, true),
        None => (word.strip_prefix("eslint")?, Tools::ESLINT, false),
    };
    // What stands behind two dashes is the reason.
    let rest = says[word.len()..].split(" --").next().unwrap_or_default().trim();
    if plain.is_empty() && is_block && !of_oxlint {
        return switched_off(page, at, rest);
    }
    let (kind, reach) = match plain {
        // A line comment can't do that for eslint; oxlint allows it.
        "-disable" if is_block || of_oxlint => {
            let end = page.until(at, |later| {
                let says = inside(later.text);
                says.starts_with("eslint-enable") || says.starts_with("oxlint-enable")
            });
            let kind = if of_oxlint { "oxlint-disable" } else { "eslint-disable" };
            (kind, Reach::Lines(comment.first..=end))
        }
        "-disable-line" if comment.first == comment.last => {
            let kind = if of_oxlint { "oxlint-disable-line" } else { "eslint-disable-line" };
            (kind, Reach::Lines(comment.first..=comment.first))
        }
        "-disable-next-line" => {
            let kind =
                if of_oxlint { "oxlint-disable-next-line" } else { "eslint-disable-next-line" };
            (kind, Reach::Lines(comment.last + 1..=comment.last + 1))
        }
        _ => return None,
    };
    let mut construct = Construct::new(kind, comment.span.clone(), comment.first, tools);
    construct.reach = reach;
    construct.codes = Codes::listed(list(rest, &[',']));
    construct.says = word.to_owned();
    Some(construct)
}

/// Rules that a configuration comment turns off for its file.
fn switched_off(page: &Page<'_>, at: usize, rest: &str) -> Option<Construct> {
    let off = rest.split(',').filter_map(|entry| {
        let (rule, level) = entry.split_once(':')?;
        let level = level.trim().trim_matches(['"', '\'', '[', ']']);
        matches!(level, "off" | "0").then(|| rule.trim().trim_matches(['"', '\'']).to_owned())
    });
    let off: Vec<String> = off.collect();
    let comment = &page.comments[at];
    let mut construct =
        Construct::new("eslint-rule-off", comment.span.clone(), comment.first, Tools::ESLINT);
    construct.codes = Codes::These(off);
    construct.reach = Reach::File;
    construct.says = "eslint".to_owned();
    (construct.codes != Codes::These(Vec::new())).then_some(construct)
}
