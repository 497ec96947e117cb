//! `@ts-ignore`, `@ts-expect-error`, `@ts-nocheck`, as TypeScript's scanner reads them.

use super::Page;
use crate::reason::silence::construct::{Construct, Reach, Tools};

/// One of these stands in each, in whatever case.
pub(super) const WORDS: &[&str] = &["@ts-"];

pub(super) fn find(page: &Page<'_>, at: usize) -> Option<Construct> {
    let comment = &page.comments[at];
    let tools = Tools::TYPESCRIPT;
    if let Some(word) = nocheck(comment.text).filter(|_| comment.first < page.first_code()) {
        let mut construct =
            Construct::new("ts-nocheck", comment.span.clone(), comment.first, tools);
        construct.reach = Reach::File;
        construct.says = format!("@{word}");
        return Some(construct);
    }
    let (kind, says) = next_line(comment.text)?;
    let start = comment.span.start + comment.text.rfind(says).unwrap_or_default();
    let mut construct = Construct::new(kind, start..comment.span.end, comment.last, tools);
    construct.reach = Reach::Lines(comment.next_code..=comment.next_code);
    construct.says = says.to_owned();
    Some(construct)
}

/// The directive for the next line: the first thing in a line comment, or in the last line of a
/// block comment. What follows the word is free.
fn next_line(text: &str) -> Option<(&'static str, &'static str)> {
    let says = match text.strip_prefix("/*") {
        Some(block) => {
            let block = block.strip_suffix("*/").unwrap_or(block);
            let last = block.rsplit('\n').next().unwrap_or(block);
            last.trim_start().trim_start_matches(['/', '*'])
        }
        None => {
            let rest = text.strip_prefix("//")?;
            rest.strip_prefix('/').unwrap_or(rest)
        }
    };
    let directive = says.trim_start().strip_prefix('@')?;
    [("ts-ignore", "@ts-ignore"), ("ts-expect-error", "@ts-expect-error")]
        .into_iter()
        .find(|(word, _)| directive.starts_with(word))
}

/// The pragma for a whole file: it stands before all code, and alone in its word.
fn nocheck(text: &str) -> Option<&'static str> {
    let rest = text.strip_prefix("//")?;
    let rest = rest.strip_prefix('/').unwrap_or(rest).trim_start().strip_prefix("@ts-nocheck")?;
    let ends = rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || c == ':');
    ends.then_some("ts-nocheck")
}
