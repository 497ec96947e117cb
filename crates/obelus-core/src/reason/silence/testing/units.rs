//! The tests and functions of a file, with what is compared of them.

use std::ops::RangeInclusive;

use tree_sitter::{Node, Tree};

use crate::reason::silence::syntax::{self, Language};

/// A test or a function.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// Its name with those of what it stands in.
    pub name: String,
    /// Where in that its own begins.
    own: usize,
    pub is_test: bool,
    pub lines: RangeInclusive<u32>,
    /// The bytes of what names it.
    pub head: std::ops::Range<usize>,
    pub assertions: usize,
    /// Whether it does nothing.
    pub is_empty: bool,
}

impl Unit {
    /// The name without those of what it stands in.
    pub fn own_name(&self) -> &str {
        self.name.get(self.own..).unwrap_or(&self.name)
    }
}

/// All units of a file.
pub(super) fn units(language: Language, path: &str, tree: &Tree, bytes: &[u8]) -> Vec<Unit> {
    let unit = |node| {
        let (name, is_test) = named(language, path, node, bytes)?;
        let body = body(node)?;
        let assertion = |inner: &Node<'_>| is_assertion(language, *inner, bytes);
        let scope = scope(language, node, bytes);
        Some(Unit {
            name: format!("{scope}{name}"),
            own: scope.len(),
            is_test,
            lines: syntax::lines(node),
            head: node.start_byte()..body.start_byte().max(node.start_byte() + 1),
            assertions: syntax::below(body).filter(assertion).count(),
            is_empty: matches!(body.kind(), "block" | "statement_block" | "compound_statement")
                && syntax::children(body).iter().all(|child| is_nothing(*child, bytes)),
        })
    };
    syntax::nodes(tree).filter_map(unit).collect()
}

/// What a unit is called, and whether it is a test.
fn named(language: Language, path: &str, node: Node<'_>, bytes: &[u8]) -> Option<(String, bool)> {
    let name = |node: Node<'_>| syntax::field(node, "name", bytes).to_owned();
    match (language, node.kind()) {
        (Language::TypeScript | Language::Jsx, "call_expression") => {
            let called = test_call(node, bytes)?;
            (!called.1).then_some((called.0, true))
        }
        (Language::TypeScript | Language::Jsx, "variable_declarator") => {
            let value = node.child_by_field_name("value")?;
            let function = matches!(value.kind(), "arrow_function" | "function_expression");
            function.then(|| (name(node), false))
        }
        (
            Language::TypeScript | Language::Jsx,
            "function_declaration" | "method_definition" | "generator_function_declaration",
        ) => Some((name(node), false)),
        (Language::Python, "function_definition") => {
            let name = name(node);
            let is_test = name.starts_with("test");
            Some((name, is_test))
        }
        (Language::Rust, "function_item") => Some((name(node), has_test_attribute(node, bytes))),
        (Language::Go, "function_declaration" | "method_declaration") => {
            let name = name(node);
            let is_test = path.ends_with("_test.go")
                && ["Test", "Fuzz", "Example"].iter().any(|word| name.starts_with(word));
            Some((format!("{}{name}", syntax::field(node, "receiver", bytes)), is_test))
        }
        (Language::Java, "method_declaration") => {
            let modifiers =
                syntax::children(node).into_iter().find(|child| child.kind() == "modifiers");
            let annotations = modifiers.map(syntax::children).unwrap_or_default();
            let is_test = annotations.into_iter().any(|annotation| {
                let name = syntax::field(annotation, "name", bytes);
                matches!(name, "Test" | "ParameterizedTest" | "RepeatedTest" | "TestFactory")
            });
            Some((name(node), is_test))
        }
        (Language::C, "function_definition") => {
            let name = syntax::field(node, "declarator", bytes).to_owned();
            let is_test = name.starts_with("TEST");
            Some((name, is_test))
        }
        _ => None,
    }
}

/// The title of a call that defines a test, or of one that groups tests (then with `true`).
fn test_call(node: Node<'_>, bytes: &[u8]) -> Option<(String, bool)> {
    let mut callee = node.child_by_field_name("function")?;
    while matches!(callee.kind(), "member_expression" | "call_expression") {
        callee = callee.child_by_field_name("object").or(callee.child_by_field_name("function"))?;
    }
    let groups = match syntax::text(callee, bytes) {
        "it" | "test" | "xit" | "fit" | "xtest" => false,
        "describe" | "context" | "suite" | "xdescribe" | "fdescribe" => true,
        _ => return None,
    };
    let title = syntax::children(node.child_by_field_name("arguments")?).into_iter().next()?;
    let is_title = matches!(title.kind(), "string" | "template_string");
    is_title.then(|| (syntax::text(title, bytes).to_owned(), groups))
}

fn has_test_attribute(node: Node<'_>, bytes: &[u8]) -> bool {
    let before = std::iter::successors(node.prev_named_sibling(), |node| node.prev_named_sibling());
    before.take_while(|node| node.kind() == "attribute_item" || syntax::is_comment(*node)).any(
        |item| {
            let name = item.named_child(0).and_then(|attribute| attribute.named_child(0));
            name.is_some_and(|name| syntax::text(name, bytes).rsplit("::").next() == Some("test"))
        },
    )
}

/// What a unit does.
fn body(node: Node<'_>) -> Option<Node<'_>> {
    let holder = match node.kind() {
        "call_expression" => {
            let arguments = syntax::children(node.child_by_field_name("arguments")?);
            let function =
                |node: &Node<'_>| matches!(node.kind(), "arrow_function" | "function_expression");
            arguments.into_iter().find(function)?
        }
        "variable_declarator" => node.child_by_field_name("value")?,
        _ => node,
    };
    holder.child_by_field_name("body")
}

/// The names of what a unit stands in.
fn scope(language: Language, node: Node<'_>, bytes: &[u8]) -> String {
    let mut names: Vec<String> = Vec::new();
    for around in syntax::around(node).skip(1) {
        let name = match (language, around.kind()) {
            (Language::TypeScript | Language::Jsx, "call_expression") => {
                test_call(around, bytes).filter(|call| call.1).map(|call| call.0)
            }
            (Language::Rust, "impl_item") => Some(syntax::field(around, "type", bytes).to_owned()),
            (
                _,
                "class_declaration"
                | "class_definition"
                | "class_specifier"
                | "mod_item"
                | "struct_specifier"
                | "namespace_definition"
                | "trait_item",
            ) => Some(syntax::field(around, "name", bytes).to_owned()),
            _ => None,
        };
        names.extend(name.map(|name| format!("{name} > ")));
    }
    names.reverse();
    names.concat()
}

fn is_assertion(language: Language, node: Node<'_>, bytes: &[u8]) -> bool {
    let function = || node.child_by_field_name("function");
    match (language, node.kind()) {
        (Language::TypeScript | Language::Jsx, "call_expression") => {
            function().is_some_and(|callee| {
                let text = syntax::text(callee, bytes);
                matches!(text, "expect" | "assert" | "expect.soft" | "expectTypeOf" | "assertType")
                    || text.starts_with("assert.") && callee.kind() == "member_expression"
            })
        }
        (Language::Python, "assert_statement") => true,
        (Language::Python, "call") => function().is_some_and(|callee| {
            let name = syntax::text(callee, bytes).rsplit('.').next().unwrap_or_default();
            callee.kind() == "attribute" && (name.starts_with("assert") || name == "raises")
        }),
        (Language::Rust, "macro_invocation") => {
            let name = syntax::field(node, "macro", bytes);
            name.starts_with("assert")
                || name.starts_with("debug_assert")
                || name.starts_with("prop_assert")
        }
        (Language::Go, "call_expression") => function().is_some_and(|callee| {
            let (operand, word) =
                (syntax::field(callee, "operand", bytes), syntax::field(callee, "field", bytes));
            matches!(operand, "assert" | "require")
                || matches!(word, "Error" | "Errorf" | "Fatal" | "Fatalf" | "Fail" | "FailNow")
                    && operand.len() <= 2
        }),
        (Language::Java, "method_invocation") => {
            let name = syntax::field(node, "name", bytes);
            name.starts_with("assert") || matches!(name, "verify" | "fail")
        }
        (Language::C, "call_expression") => function().is_some_and(|callee| {
            let name = syntax::text(callee, bytes);
            ["EXPECT_", "ASSERT_", "CHECK", "REQUIRE"].iter().any(|word| name.starts_with(word))
                || name == "assert"
        }),
        _ => false,
    }
}

/// Whether a statement does nothing.
fn is_nothing(node: Node<'_>, bytes: &[u8]) -> bool {
    match node.kind() {
        "pass_statement" | "empty_statement" => true,
        "expression_statement" => {
            let inner = syntax::children(node);
            inner.iter().all(|inner| matches!(inner.kind(), "string" | "ellipsis"))
        }
        "return_statement" => {
            let text = syntax::text(node, bytes).trim_start_matches("return").trim_end_matches(';');
            matches!(text.trim(), "" | "None" | "null" | "undefined" | "nil" | "nullptr")
        }
        // Go puts its statements into a list.
        "statement_list" => syntax::children(node).iter().all(|child| is_nothing(*child, bytes)),
        _ => false,
    }
}
