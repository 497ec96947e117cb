//! Repositories of some dozens of files, made from a few: each file of a template that has `thing` in its name is made once for
//! every thing, with that one's words in place of `thing`, `parent` and `figure`; a line that ends in the mark `*` behind a
//! comment sign is repeated in the same way. Nothing is left to chance, so that a fault can be named by file and text.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// What a shop deals with: the thing, and what its amount is called.
const THINGS: [(&str, &str); 14] = [
    ("order", "total"),
    ("invoice", "due"),
    ("payment", "paid"),
    ("refund", "returned"),
    ("shipment", "charge"),
    ("carrier", "rate"),
    ("product", "cost"),
    ("supplier", "credit"),
    ("warehouse", "rent"),
    ("coupon", "discount"),
    ("subscription", "dues"),
    ("ticket", "effort"),
    ("contract", "worth"),
    ("voucher", "balance"),
];

/// One thing, with the words that stand for it in the sources.
#[derive(Clone, Copy)]
pub(crate) struct Thing {
    word: &'static str,
    parent: &'static str,
    figure: &'static str,
}

/// The first `count` things. Each refers to an earlier one, the first to the owner of all.
pub(crate) fn things(count: usize) -> Vec<Thing> {
    let parent = |at: usize| at.checked_sub(1).map_or("owner", |before| THINGS[before / 2].0);
    let thing = |(at, &(word, figure))| Thing { word, parent: parent(at), figure };
    THINGS.iter().enumerate().take(count).map(thing).collect()
}

impl Thing {
    /// `template` with the words of this thing.
    pub(crate) fn fill(&self, template: &str) -> String {
        // The parent's word first: a thing may be called by what is a placeholder.
        let mut text = template.to_owned();
        for (placeholder, word) in
            [("parent", self.parent), ("figure", self.figure), ("thing", self.word)]
        {
            text = text.replace(placeholder, word).replace(&capital(placeholder), &capital(word));
        }
        text
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// Writes the repository that `template` describes to `to`.
pub(crate) fn generate(template: &Path, to: &Path, things: &[Thing]) -> Result<()> {
    let reading = || format!("reading the template {}", template.display());
    fs::create_dir_all(to).with_context(|| format!("creating {}", to.display()))?;
    for entry in fs::read_dir(template).with_context(reading)? {
        let entry = entry.with_context(reading)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().with_context(reading)?.is_dir() {
            // What stands for installed packages can't have its name here: git would ignore it.
            let name = if name == "vendor" { "node_modules" } else { &name };
            generate(&entry.path(), &to.join(name), things)?;
            continue;
        }
        let text = fs::read_to_string(entry.path()).with_context(reading)?;
        let made: Vec<(String, String)> = match name.contains("thing") {
            true => things.iter().map(|thing| (thing.fill(&name), thing.fill(&text))).collect(),
            false => vec![(name, repeated(&text, things))],
        };
        for (name, text) in made {
            let path = to.join(name);
            fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
        }
    }
    Ok(())
}

/// The text with each marked line once for every thing.
fn repeated(text: &str, things: &[Thing]) -> String {
    let mut made = String::new();
    for line in text.lines() {
        match line.strip_suffix(" //*").or_else(|| line.strip_suffix("  #*")) {
            Some(line) => things.iter().for_each(|thing| made += &(thing.fill(line) + "\n")),
            None => made += &(line.to_owned() + "\n"),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_take_the_place_of_placeholders() {
        let filled = things(2)[1].fill("makeThing(parent: Parent, figure: Figure, things)");
        assert_eq!(filled, "makeInvoice(order: Order, due: Due, invoices)");
        assert_eq!(repeated("a\nmod thing; //*\n", &things(2)), "a\nmod order;\nmod invoice;\n");
    }
}
