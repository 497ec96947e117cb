//! Comments that tell a checker to be silent, each by the grammar of the tool that obeys it: what
//! only talks about such a comment, the tool does not obey either.

mod biome;
mod c;
mod eslint;
mod go;
mod python;
mod shell;
mod typescript;

use tree_sitter::Tree;

use super::construct::Construct;
use super::syntax::{self, Comment, Language};

/// The comments of a file, in order.
pub(super) struct Page<'t> {
    pub comments: Vec<Comment<'t>>,
    /// By line, from 0: whether it holds code.
    code: Vec<bool>,
}

impl<'t> Page<'t> {
    pub fn new(tree: &'t Tree, bytes: &'t [u8]) -> Self {
        let rows = tree.root_node().end_position().row + 2;
        let mut page = Page { comments: Vec::new(), code: vec![false; rows] };
        let mut found = Vec::new();
        // What a comment consists of is no code.
        let mut comment_end = 0;
        for node in syntax::nodes(tree) {
            if syntax::is_comment(node) {
                found.push(node);
                comment_end = node.end_byte();
            } else if node.child_count() == 0
                && node.start_byte() >= comment_end
                && node.end_byte() > node.start_byte()
            {
                for line in syntax::lines(node) {
                    if let Some(code) = page.code.get_mut(line as usize - 1) {
                        *code = true;
                    }
                }
            }
        }
        for node in found {
            let (first, last) = (syntax::line(node), syntax::last_line(node));
            let span = node.byte_range();
            let row =
                bytes[..span.start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            page.comments.push(Comment {
                node,
                text: syntax::text(node, bytes).trim_end(),
                own_line: bytes[row..span.start].trim_ascii().is_empty(),
                next_code: page.next_code(last),
                span,
                first,
                last,
            });
        }
        page
    }

    /// The first line behind `line` that holds code; the line itself where there is none.
    fn next_code(&self, line: u32) -> u32 {
        let behind = self.code.iter().skip(line as usize).position(|&code| code);
        behind.map_or(line, |rows| line + 1 + u32::try_from(rows).unwrap_or_default())
    }

    /// The first line that holds code.
    pub fn first_code(&self) -> u32 {
        self.next_code(0)
    }

    pub fn has_code(&self, line: u32) -> bool {
        line.checked_sub(1).and_then(|row| self.code.get(row as usize)).is_some_and(|&code| code)
    }

    /// The last line.
    pub fn end(&self) -> u32 {
        u32::try_from(self.code.len()).unwrap_or(u32::MAX)
    }

    /// The first line behind the comment `from` of a later comment that `ends` what it began; the
    /// end of the file where there is none.
    pub fn until(&self, from: usize, ends: impl Fn(&Comment<'_>) -> bool) -> u32 {
        let later = self.comments[from + 1..].iter().find(|comment| ends(comment));
        later.map_or(self.end(), |comment| comment.first)
    }

    /// The lines of the whole construct that starts on line `line`.
    pub fn construct_from(&self, tree: &Tree, line: u32) -> std::ops::RangeInclusive<u32> {
        let starts = syntax::nodes(tree).find(|node| {
            syntax::line(*node) == line && !syntax::is_comment(*node) && *node != tree.root_node()
        });
        starts.map_or(line..=line, syntax::lines)
    }
}

/// Words of which every directive holds one.
pub(super) fn words(language: Language) -> Vec<&'static str> {
    let words: &[&[&str]] = match language {
        Language::TypeScript | Language::Jsx => &[typescript::WORDS, eslint::WORDS, biome::WORDS],
        Language::Python => &[python::WORDS],
        Language::Go => &[go::WORDS],
        Language::C => &[c::WORDS],
        Language::Shell => &[shell::WORDS],
        Language::Rust | Language::Java => &[],
    };
    words.concat()
}

/// All directives in a file.
pub(super) fn find(language: Language, tree: &Tree, bytes: &[u8]) -> Vec<Construct> {
    let page = Page::new(tree, bytes);
    let mut found = Vec::new();
    for at in 0..page.comments.len() {
        match language {
            Language::TypeScript | Language::Jsx => {
                found.extend(typescript::find(&page, at));
                found.extend(eslint::find(&page, at));
                found.extend(biome::find(&page, at));
            }
            Language::Python => found.extend(python::find(&page, at)),
            Language::Go => found.extend(go::find(&page, at, tree)),
            Language::C => found.extend(c::find(&page, at)),
            Language::Shell => found.extend(shell::find(&page, at, tree)),
            Language::Rust | Language::Java => {}
        }
    }
    found
}

/// What a `//` or `/* */` comment says, without its marks and the space around.
fn inside(text: &str) -> &str {
    match text.strip_prefix("/*") {
        Some(block) => block.strip_suffix("*/").unwrap_or(block).trim(),
        None => text.strip_prefix("//").unwrap_or(text).trim(),
    }
}

/// The names of a list, without those that are empty.
fn list(text: &str, separators: &[char]) -> Vec<String> {
    text.split(separators)
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}
