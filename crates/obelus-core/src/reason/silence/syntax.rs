//! Syntax trees: which grammar reads a file, and how one is walked.

use std::ops::{Range, RangeInclusive};

use tree_sitter::{Node, Parser, Tree};

/// Longer files are generated, and parsed for nothing.
const LONGEST: usize = 2 << 20;

/// A language by its family of constructs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// TypeScript without JSX, in which `<any>x` is a cast.
    TypeScript,
    /// TypeScript and JavaScript with JSX: the grammar of the one reads the other.
    Jsx,
    Python,
    Rust,
    Go,
    Java,
    /// C and C++: what silences is the same, and a header does not say which it is.
    C,
    Shell,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 8] = [
        Language::TypeScript,
        Language::Jsx,
        Language::Python,
        Language::Rust,
        Language::Go,
        Language::Java,
        Language::C,
        Language::Shell,
    ];

    /// The language of the file at `path`, by its name, or by its first line where that has no
    /// extension.
    pub fn of(path: &str, bytes: &[u8]) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let Some((_, extension)) = name.rsplit_once('.') else {
            let first = bytes.split(|&byte| byte == b'\n').next()?;
            let first = std::str::from_utf8(first).ok()?;
            let shell = first.starts_with("#!") && first.trim_end().ends_with("sh");
            return shell.then_some(Language::Shell);
        };
        Some(match extension {
            "ts" | "mts" | "cts" => Language::TypeScript,
            "tsx" | "js" | "jsx" | "mjs" | "cjs" => Language::Jsx,
            "py" | "pyi" => Language::Python,
            "rs" => Language::Rust,
            "go" => Language::Go,
            "java" => Language::Java,
            "c" | "h" | "cc" | "cpp" | "cxx" | "c++" | "hh" | "hpp" | "hxx" | "ino" => Language::C,
            "sh" | "bash" | "bats" => Language::Shell,
            _ => return None,
        })
    }

    /// The syntax tree of `bytes`. It always is one, with nodes for what could not be understood;
    /// nothing for a file that is too long.
    pub fn parse(self, bytes: &[u8]) -> Option<Tree> {
        if bytes.len() > LONGEST {
            return None;
        }
        let grammar = match self {
            Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
            Language::Jsx => tree_sitter_typescript::LANGUAGE_TSX,
            Language::Python => tree_sitter_python::LANGUAGE,
            Language::Rust => tree_sitter_rust::LANGUAGE,
            Language::Go => tree_sitter_go::LANGUAGE,
            Language::Java => tree_sitter_java::LANGUAGE,
            Language::C => tree_sitter_cpp::LANGUAGE,
            Language::Shell => tree_sitter_bash::LANGUAGE,
        };
        let mut parser = Parser::new();
        parser.set_language(&grammar.into()).ok()?;
        parser.parse(bytes, None)
    }
}

/// Every node of the tree, parents before children. Without recursion: code may nest deeply.
pub(in crate::reason) fn nodes(tree: &Tree) -> impl Iterator<Item = Node<'_>> {
    below(tree.root_node())
}

/// `node` and every node below it.
pub(in crate::reason) fn below(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut cursor = node.walk();
    let mut next = Some(node);
    std::iter::from_fn(move || {
        let here = next?;
        next = None;
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            next = Some(cursor.node());
        } else {
            while cursor.goto_parent() {
                if cursor.goto_next_sibling() {
                    next = Some(cursor.node());
                    break;
                }
            }
        }
        Some(here)
    })
}

/// The node and those around it, innermost first.
pub(in crate::reason) fn around(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(Some(node), |node| node.parent())
}

/// The text of a node; empty where it is no UTF-8.
pub(in crate::reason) fn text<'b>(node: Node<'_>, bytes: &'b [u8]) -> &'b str {
    bytes.get(node.byte_range()).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default()
}

/// The text of the child of `node` in the role `field`.
pub(in crate::reason) fn field<'b>(node: Node<'_>, field: &str, bytes: &'b [u8]) -> &'b str {
    node.child_by_field_name(field).map_or("", |child| text(child, bytes))
}

/// The line, from 1, on which a node starts.
pub(in crate::reason) fn line(node: Node<'_>) -> u32 {
    number(node.start_position().row)
}

/// The line, from 1, on which a node's last character stands.
pub(in crate::reason) fn last_line(node: Node<'_>) -> u32 {
    let end = node.end_position();
    let row =
        if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row };
    number(row)
}

/// The lines of a node.
pub(in crate::reason) fn lines(node: Node<'_>) -> RangeInclusive<u32> {
    line(node)..=last_line(node)
}

fn number(row: usize) -> u32 {
    u32::try_from(row + 1).unwrap_or(u32::MAX)
}

/// The children that mean something, comments left out.
pub(in crate::reason) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    // By a cursor: to ask for the nth child is to count up to it.
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !is_comment(*child)).collect()
}

pub(in crate::reason) fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "line_comment" | "block_comment")
}

/// A comment with what decides whether it is a directive.
#[derive(Clone, Debug)]
pub(super) struct Comment<'t> {
    pub node: Node<'t>,
    pub text: &'t str,
    pub span: Range<usize>,
    /// Its first and last line.
    pub first: u32,
    pub last: u32,
    /// Whether nothing but white space stands before it on its first line.
    pub own_line: bool,
    /// The first line behind it that holds code.
    pub next_code: u32,
}
