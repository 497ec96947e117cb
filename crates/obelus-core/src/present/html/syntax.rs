//! Which parts of a source line are comments, texts, numbers, keywords, types and names of functions,
//! told by the syntax tree of its file.
//!
//! Grammars name their nodes alike enough for one table: a word without a name of its own is a keyword.

use std::ops::Range;

use tree_sitter::{Node, Tree, TreeCursor};

use crate::reason::silence::syntax::Language;

/// What a part of a line is, as a class of the page's style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Comment,
    Text,
    Number,
    Keyword,
    Type,
    Function,
}

impl Kind {
    /// The class.
    pub fn class(self) -> &'static str {
        match self {
            Kind::Comment => "c",
            Kind::Text => "s",
            Kind::Number => "n",
            Kind::Keyword => "k",
            Kind::Type => "t",
            Kind::Function => "f",
        }
    }
}

/// The syntax of one file; nothing is known where no grammar reads it.
pub struct Syntax(Option<Tree>);

impl Syntax {
    /// Reads `bytes`, the text of the file at `path` without a byte order mark.
    pub fn of(path: &str, bytes: &[u8]) -> Self {
        Syntax(Language::of(path, bytes).and_then(|language| language.parse(bytes)))
    }

    /// The parts that are coloured among the bytes `range` of the file, in order and apart.
    pub fn parts(&self, range: Range<usize>, bytes: &[u8]) -> Vec<(Range<usize>, Kind)> {
        let mut parts = Vec::new();
        let Some(tree) = &self.0 else { return parts };
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let overlaps = node.start_byte() < range.end && node.end_byte() > range.start;
            let whole = overlaps.then(|| whole(node)).flatten();
            if let Some(kind) = whole.or_else(|| leaf(node, overlaps, bytes)) {
                let start = node.start_byte().max(range.start);
                parts.push((start..node.end_byte().min(range.end), kind));
            }
            let descends = overlaps && whole.is_none() && cursor.goto_first_child();
            if !descends && !next(&mut cursor, range.end) {
                return parts;
            }
        }
    }
}

/// Goes to the next node that is not below this one; false where there is none before `end`.
fn next(cursor: &mut TreeCursor<'_>, end: usize) -> bool {
    if cursor.node().start_byte() >= end {
        return false;
    }
    loop {
        if cursor.goto_next_sibling() {
            return true;
        }
        if !cursor.goto_parent() {
            return false;
        }
    }
}

/// What a node is with all that is below it.
fn whole(node: Node<'_>) -> Option<Kind> {
    let kind = node.kind();
    if !node.is_named() {
        return None;
    }
    if kind.contains("comment") {
        return Some(Kind::Comment);
    }
    let text = kind.contains("string") || kind.contains("char") || kind.contains("heredoc_body");
    let text = text || matches!(kind, "rune_literal" | "regex" | "system_lib_string");
    (text && !holds_code(node)).then_some(Kind::Text)
}

/// Whether code stands within a text, as in a template.
fn holds_code(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| {
        let kind = child.kind();
        ["substitution", "interpolation", "expansion"].iter().any(|word| kind.contains(word))
    })
}

fn leaf(node: Node<'_>, overlaps: bool, bytes: &[u8]) -> Option<Kind> {
    if !overlaps || node.child_count() > 0 {
        return None;
    }
    let kind = node.kind();
    if !node.is_named() {
        let parent = node.parent().map_or("", |parent| parent.kind());
        let in_text = parent.contains("string");
        if matches!(parent, "integral_type" | "floating_point_type" | "sized_type_specifier") {
            return Some(Kind::Type);
        }
        let word = bytes.get(node.byte_range())?;
        let is_word = word.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'#');
        return match (in_text, is_word) {
            (true, _) if !matches!(kind, "${" | "{" | "}") => Some(Kind::Text),
            (false, true) => Some(Kind::Keyword),
            _ => None,
        };
    }
    match kind {
        "true" | "false" | "none" | "null" | "null_literal" | "nil" | "undefined" | "this"
        | "self" | "super" | "crate" | "mutable_specifier" => Some(Kind::Keyword),
        "type_identifier" | "primitive_type" | "predefined_type" | "void_type" | "boolean_type" => {
            Some(Kind::Type)
        }
        _ if kind.contains("integer") || kind.contains("float") || kind.contains("number") => {
            Some(Kind::Number)
        }
        "int_literal" => Some(Kind::Number),
        _ if kind.contains("identifier") || kind == "word" => {
            is_function(node).then_some(Kind::Function)
        }
        _ => None,
    }
}

/// Whether a name is called or defined as a function here.
fn is_function(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let named_by = |parent: Node<'_>, child: Node<'_>, field: &str| {
        parent.child_by_field_name(field).is_some_and(|named| named.id() == child.id())
    };
    match parent.kind() {
        "call_expression" | "call" => named_by(parent, node, "function"),
        "macro_invocation" => named_by(parent, node, "macro"),
        "method_invocation"
        | "method_declaration"
        | "function_item"
        | "function_declaration"
        | "function_definition"
        | "method_definition" => named_by(parent, node, "name"),
        "function_declarator" => named_by(parent, node, "declarator"),
        "command_name" => true,
        // The last name of `a.b.c()`.
        "member_expression"
        | "attribute"
        | "field_expression"
        | "selector_expression"
        | "scoped_identifier"
        | "qualified_identifier" => {
            let last =
                parent.named_child(u32::try_from(parent.named_child_count()).unwrap_or(1) - 1);
            last.is_some_and(|last| last.id() == node.id())
                && parent.parent().is_some_and(|call| {
                    matches!(call.kind(), "call_expression" | "call")
                        && named_by(call, parent, "function")
                })
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is coloured in `text`, as `class:part`.
    fn parts(path: &str, text: &str) -> Vec<String> {
        let bytes = text.as_bytes();
        let parts = Syntax::of(path, bytes).parts(0..bytes.len(), bytes);
        parts
            .into_iter()
            .map(|(range, kind)| format!("{}:{}", kind.class(), &text[range]))
            .collect()
    }

    #[test]
    fn seven_languages() {
        for (path, text, want) in [
            (
                "a.ts",
                "const n: Rate = f(`a${b.c(1)}`); // no",
                vec!["k:const", "t:Rate", "f:f", "s:`", "s:a", "f:c", "n:1", "s:`", "c:// no"],
            ),
            (
                "a.py",
                "def f(x): return g('a', 1.5)  # no",
                vec!["k:def", "f:f", "k:return", "f:g", "s:'a'", "n:1.5", "c:# no"],
            ),
            (
                "a.rs",
                "fn f() -> u8 { g::h(\"x\"); 1 }",
                vec!["k:fn", "f:f", "t:u8", "f:h", "s:\"x\"", "n:1"],
            ),
            (
                "a.go",
                "func f() int { return 1 }",
                vec!["k:func", "f:f", "t:int", "k:return", "n:1"],
            ),
            (
                "a.java",
                "class A { int f() { return this.g(\"x\"); } }",
                vec!["k:class", "t:int", "f:f", "k:return", "k:this", "f:g", "s:\"x\""],
            ),
            (
                "a.c",
                "int f(void) { return 'a'; }",
                vec!["t:int", "f:f", "t:void", "k:return", "s:'a'"],
            ),
            (
                "a.sh",
                "if true; then echo \"a\"; fi # no",
                vec!["k:if", "f:true", "k:then", "f:echo", "s:\"a\"", "k:fi", "c:# no"],
            ),
            ("a.txt", "if 1", vec![]),
        ] {
            assert_eq!(parts(path, text), want, "{path}");
        }
    }

    #[test]
    fn a_part_is_cut_where_the_range_ends() {
        let text = b"/* one\ntwo\nthree */ let x;";
        let syntax = Syntax::of("a.ts", text);
        assert_eq!(syntax.parts(7..10, text), vec![(7..10, Kind::Comment)]);
        assert_eq!(
            syntax.parts(11..23, text),
            vec![(11..19, Kind::Comment), (20..23, Kind::Keyword)]
        );
    }
}
