//! What the expression stands for at which a record points.

use tree_sitter::Node;

use super::named::About;
use super::subject::Question;
use crate::reason::declarations::{Declared, Reading, TypeName};
use crate::reason::silence::syntax;

/// Parts of an expression that are asked for their declarations.
const MOST_PARTS: usize = 10;
/// Nodes of an expression that are looked at.
const MOST_NODES: usize = 200;

/// What a record points at.
#[derive(Default)]
pub(super) struct Pointed {
    /// The declarations that the expression and its parts stand for, the whole first.
    pub(super) parts: Vec<Declared>,
    /// What expects something of it: at most one.
    pub(super) expects: Vec<Declared>,
    /// Whether that is a field.
    pub(super) is_field: bool,
}

/// What the record points at.
pub(super) fn pointed(question: &Question<'_>, about: About) -> Pointed {
    let Some(node) = node(question).map(whole) else { return Default::default() };
    let reading = question.reading;
    let mut found = parts(node, reading);
    let compared = node.parent().filter(|parent| about == About::Other && compares(*parent));
    if let Some(compared) = compared.filter(|_| found.is_empty()) {
        // Some tools point at one side of what they compare.
        found = parts(compared, reading);
    }
    let expects = expects(node);
    let is_field = expects.is_some_and(is_field);
    let expects: Vec<Declared> =
        expects.and_then(|of| reading.value(of).declared).into_iter().collect();
    Pointed { parts: found, is_field: is_field && !expects.is_empty(), expects }
}

/// The types of what something is asked of at the record: of `order` in `order.total`.
pub(super) fn types(question: &Question<'_>) -> Vec<TypeName> {
    let node = node(question).map(whole);
    let of = node.and_then(|node| {
        node.child_by_field_name("object").or_else(|| node.child_by_field_name("value"))
    });
    of.map(|of| question.reading.value(of).types).unwrap_or_default()
}

/// What expects something of `node`: the call that it is an argument of, the field that it is given.
fn expects(node: Node<'_>) -> Option<Node<'_>> {
    let is_function = |node: &Node<'_>| {
        matches!(node.kind(), "arrow_function" | "function_expression" | "closure_expression")
            || node.kind() == "lambda"
    };
    // An argument may have a name of its own, or be spread; what a function that is handed over
    // holds is no argument.
    let mut around =
        syntax::around(node).take(3).take_while(|around| *around == node || !is_function(around));
    around.find_map(|around| match around.parent()? {
        list if matches!(list.kind(), "arguments" | "argument_list") => list.parent(),
        field if is_field(field) => Some(field),
        _ => None,
    })
}

fn is_field(node: Node<'_>) -> bool {
    matches!(node.kind(), "field_initializer" | "shorthand_field_initializer")
}

/// Whether the record lies at what a macro is given: what is found there, the macro has made.
pub(super) fn is_in_macro(question: &Question<'_>) -> bool {
    let node = node(question);
    node.is_some_and(|node| syntax::around(node).any(|around| around.kind() == "macro_invocation"))
}

/// The node at which the record points.
pub(super) fn node<'r>(question: &Question<'r>) -> Option<Node<'r>> {
    let (record, lines) = (question.record, question.reading.lines());
    let offset = |line: u32, column: u32| {
        let (start, bytes) = lines.line_with_end(line.checked_sub(1)? as usize)?;
        let line = std::str::from_utf8(bytes).ok()?;
        let nth = line.char_indices().nth(column.checked_sub(1)? as usize);
        Some(start + nth.map_or(line.len(), |(at, _)| at))
    };
    let start = offset(record.line?, record.column?)?;
    let end = record.end_line.zip(record.end_column);
    let end = end.and_then(|(line, column)| offset(line, column)).unwrap_or(start);
    let mut node = question.reading.node(start, end)?;
    // A tool that knows no end points at the first character of what it means.
    while end <= start + 1 && node.end_byte() > start + 1 {
        let wider = node.parent().filter(|parent| {
            parent.start_byte() == start && (is_expression(*parent) || compares(*parent))
        });
        match wider {
            Some(wider) => node = wider,
            None => break,
        }
    }
    // A range of several statements is about none of them.
    node.parent().is_some().then_some(node)
}

fn parts(node: Node<'_>, reading: &Reading<'_>) -> Vec<Declared> {
    // What holds statements is about none of their expressions.
    let mut nodes = syntax::below(node).take(MOST_NODES);
    if nodes.any(|part| matches!(part.kind(), "block" | "statement_block" | "class_body")) {
        return Vec::new();
    }
    let is_path = |part: &Node<'_>| {
        let scoped = part.parent().filter(|parent| parent.kind() == "scoped_identifier");
        scoped.is_some_and(|scoped| scoped.child_by_field_name("path") == Some(*part))
    };
    let names = syntax::below(node).take(MOST_NODES);
    let names = names.filter(|part| is_expression(*part) && !is_path(part));
    names.take(MOST_PARTS).filter_map(|part| reading.value(whole(part)).declared).collect()
}

/// The expression of which a name is the last part: of `total` in `order.total` all of it.
fn whole(node: Node<'_>) -> Node<'_> {
    let is_last = |parent: &Node<'_>| {
        let fields = ["property", "attribute", "field", "name"];
        is_expression(*parent)
            && fields.iter().any(|field| parent.child_by_field_name(field) == Some(node))
    };
    let is_key = |parent: &Node<'_>| {
        matches!(parent.kind(), "pair" | "keyword_argument" | "field_initializer")
            && parent.named_child(0) == Some(node)
    };
    node.parent().filter(|parent| is_last(parent) || is_key(parent)).unwrap_or(node)
}

fn compares(node: Node<'_>) -> bool {
    matches!(node.kind(), "binary_expression" | "binary_operator" | "comparison_operator")
}

fn is_expression(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "member_expression"
            | "attribute"
            | "field_expression"
            | "field_initializer"
            | "shorthand_field_initializer"
            | "scoped_identifier"
            | "call_expression"
            | "call"
            | "new_expression"
            | "struct_expression"
            | "identifier"
            | "shorthand_property_identifier"
            | "property_identifier"
            | "field_identifier"
            | "type_identifier"
    )
}
