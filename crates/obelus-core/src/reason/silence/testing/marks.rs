//! Marks by which a test is skipped, or all others are.

use tree_sitter::{Node, Tree};

use crate::reason::silence::construct::{Construct, Reach, Tools};
use crate::reason::silence::syntax::{self, Language};

/// Words of which every mark holds one.
pub(in crate::reason::silence) fn words(language: Language) -> &'static [&'static str] {
    match language {
        Language::TypeScript | Language::Jsx => &JAVASCRIPT,
        Language::Python => {
            &["skip", "skipif", "skipunless", "skiptest", "xfail", "expectedfailure"]
        }
        Language::Rust => &["ignore"],
        Language::Go => &["skip", "skipf", "skipnow"],
        Language::Java => &["disabled", "ignore"],
        Language::C => &["gtest_skip", "disabled_"],
        Language::Shell => &[],
    }
}

/// All marks in the file at `path`.
pub(in crate::reason::silence) fn marks(
    language: Language,
    path: &str,
    tree: &Tree,
    bytes: &[u8],
) -> Vec<Construct> {
    let of_node: fn(Node<'_>, &[u8]) -> Option<Mark> = match language {
        Language::TypeScript | Language::Jsx if is_test_file(path) => javascript,
        Language::Python => python,
        Language::Rust => rust,
        Language::Go if path.ends_with("_test.go") => go,
        Language::Java => java,
        Language::C => c,
        _ => return Vec::new(),
    };
    let marked = |node| {
        let mark = of_node(node, bytes)?;
        let kind = if mark.only { "test-only" } else { "test-skip" };
        let mut construct =
            Construct::new(kind, node.byte_range(), syntax::line(node), Tools::TESTS);
        let owner = owner(node, mark.owner);
        construct.reach = match owner.filter(|_| !mark.only) {
            Some(owner) => Reach::Lines(syntax::lines(owner)),
            None => Reach::File,
        };
        construct.says = mark.says;
        Some(construct)
    };
    syntax::nodes(tree).filter_map(marked).collect()
}

struct Mark {
    says: String,
    only: bool,
    /// The kinds of node of which the first around the mark is what it marks.
    owner: &'static [&'static str],
}

/// What a mark marks. An attribute of Rust stands before it.
fn owner<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    if node.kind() == "attribute_item" {
        let mut next = node.next_named_sibling();
        while let Some(item) = next {
            if item.kind() == "function_item" {
                return Some(item);
            }
            next = item.next_named_sibling();
        }
        return None;
    }
    syntax::around(node).find(|around| kinds.contains(&around.kind()))
}

/// Whether a file is one of tests, by its path: elsewhere `test.skip` may be anything.
fn is_test_file(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    ["test", "spec", "e2e", ".cy."].iter().any(|part| path.contains(part))
}

/// The words of [`javascript`].
const JAVASCRIPT: [&str; 13] = [
    "only",
    "skip",
    "fixme",
    "fails",
    "failing",
    "skipif",
    "fit",
    "fdescribe",
    "ftest",
    "xit",
    "xdescribe",
    "xtest",
    "xcontext",
];
const ROOTS: [&str; 7] = ["it", "test", "describe", "context", "suite", "bench", "fixture"];

fn javascript(node: Node<'_>, bytes: &[u8]) -> Option<Mark> {
    const OWNER: &[&str] = &["expression_statement"];
    match node.kind() {
        "member_expression" => {
            let word = syntax::field(node, "property", bytes);
            let only = word == "only";
            if !only && !matches!(word, "skip" | "fixme" | "fails" | "failing" | "skipIf") {
                return None;
            }
            let mut root = node.child_by_field_name("object")?;
            while root.kind() == "member_expression" {
                root = root.child_by_field_name("object")?;
            }
            let called = syntax::around(node)
                .skip(1)
                .find(|around| around.kind() != "member_expression")
                .is_some_and(|around| around.kind() == "call_expression");
            let known = root.kind() == "identifier" && ROOTS.contains(&syntax::text(root, bytes));
            let says = syntax::text(node, bytes).to_owned();
            (known && called).then_some(Mark { says, only, owner: OWNER })
        }
        "identifier" => {
            let word = syntax::text(node, bytes);
            let only = matches!(word, "fit" | "fdescribe" | "ftest");
            if !only && !matches!(word, "xit" | "xdescribe" | "xtest" | "xcontext") {
                return None;
            }
            let call = node.parent().filter(|above| above.kind() == "call_expression")?;
            let is_callee = call.child_by_field_name("function") == Some(node);
            let first =
                syntax::children(call.child_by_field_name("arguments")?).into_iter().next()?;
            let named = matches!(first.kind(), "string" | "template_string");
            (is_callee && named).then_some(Mark { says: word.to_owned(), only, owner: OWNER })
        }
        _ => None,
    }
}

const PYTHON: [&str; 12] = [
    "pytest.mark.skip",
    "pytest.mark.skipif",
    "pytest.mark.xfail",
    "mark.skip",
    "mark.skipif",
    "mark.xfail",
    "unittest.skip",
    "unittest.skipIf",
    "unittest.skipUnless",
    "unittest.expectedFailure",
    "pytest.skip",
    "self.skipTest",
];

fn python(node: Node<'_>, bytes: &[u8]) -> Option<Mark> {
    const OWNER: &[&str] = &["decorated_definition", "function_definition"];
    let text = syntax::text(node, bytes);
    let marks = match node.kind() {
        "attribute" => PYTHON.contains(&text),
        // As `from unittest import skip` gives them.
        "identifier" if matches!(text, "skip" | "skipIf" | "skipUnless" | "expectedFailure") => {
            let above = node.parent()?;
            let called =
                above.kind() == "call" && above.child_by_field_name("function") == Some(node);
            let outer = if called { above.parent()? } else { above };
            outer.kind() == "decorator"
        }
        _ => false,
    };
    marks.then(|| Mark { says: text.to_owned(), only: false, owner: OWNER })
}

fn rust(node: Node<'_>, bytes: &[u8]) -> Option<Mark> {
    if node.kind() != "attribute_item" {
        return None;
    }
    let attribute = node.named_child(0)?;
    let name = syntax::text(attribute.named_child(0)?, bytes);
    let within = || {
        let arguments = attribute.child_by_field_name("arguments")?;
        syntax::children(arguments)
            .into_iter()
            .find(|token| syntax::text(*token, bytes) == "ignore")
    };
    let ignores = name == "ignore" || name == "cfg_attr" && within().is_some();
    ignores.then(|| Mark { says: "#[ignore]".to_owned(), only: false, owner: &[] })
}

fn go(node: Node<'_>, bytes: &[u8]) -> Option<Mark> {
    const OWNER: &[&str] = &["func_literal", "function_declaration"];
    let function =
        node.child_by_field_name("function").filter(|_| node.kind() == "call_expression")?;
    let word = syntax::field(function, "field", bytes);
    let operand = function.child_by_field_name("operand")?;
    let skips = matches!(word, "Skip" | "Skipf" | "SkipNow") && operand.kind() == "identifier";
    skips.then(|| Mark {
        says: syntax::text(function, bytes).to_owned(),
        only: false,
        owner: OWNER,
    })
}

fn java(node: Node<'_>, bytes: &[u8]) -> Option<Mark> {
    const OWNER: &[&str] = &["method_declaration", "class_declaration"];
    if !matches!(node.kind(), "marker_annotation" | "annotation") {
        return None;
    }
    let name = syntax::field(node, "name", bytes);
    let skips = matches!(name.rsplit('.').next(), Some("Disabled" | "Ignore"));
    skips.then(|| Mark { says: format!("@{name}"), only: false, owner: OWNER })
}

fn c(node: Node<'_>, bytes: &[u8]) -> Option<Mark> {
    const OWNER: &[&str] = &["function_definition"];
    let text = syntax::text(node, bytes);
    let skips = match node.kind() {
        "identifier" | "type_identifier" => {
            text == "GTEST_SKIP" || text.len() > 9 && text.starts_with("DISABLED_")
        }
        _ => false,
    };
    skips.then(|| Mark { says: text.to_owned(), only: false, owner: OWNER })
}
