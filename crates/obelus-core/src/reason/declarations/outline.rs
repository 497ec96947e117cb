//! What a file declares outside of function bodies, told from its syntax tree.

use tree_sitter::{Node, Tree};

use crate::reason::silence::syntax;

/// Types that one declaration may mention; what is beyond tells nobody which one is meant.
const MOST_TYPES: usize = 8;

/// One declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// The line of the name, from 1.
    pub line: u32,
    /// What it is.
    pub kind: Kind,
    /// The type that it is a member of.
    pub holder: Option<String>,
    /// The names that its own type mentions, in order: of a value its annotation, of a function its
    /// result, of a type what it extends or stands for.
    pub types: Vec<String>,
    /// Whether other files may use it, as far as its own words say.
    pub exported: bool,
}

/// What is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A class, interface, alias, enumeration, trait.
    Type,
    /// A function, method, macro.
    Function,
    /// A variable, constant, field, variant.
    Value,
    /// A module that lies in a file of its own, or here.
    Module,
    /// Members of a type that stand apart from it: `impl`.
    Members,
    /// The same, with a trait that the type gains by it.
    Extends,
}

/// What a node means to an outline.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Type,
    Function,
    Value,
    /// `impl`: members of a type that is declared elsewhere.
    Members,
    /// A body of code: what it declares is nobody else's.
    Body,
    /// It may hold declarations.
    Around,
}

fn role(kind: &str) -> Role {
    match kind {
        "interface_declaration"
        | "class_declaration"
        | "abstract_class_declaration"
        | "type_alias_declaration"
        | "enum_declaration"
        | "class_definition"
        | "struct_item"
        | "enum_item"
        | "union_item"
        | "trait_item"
        | "type_item"
        | "associated_type"
        | "record_declaration"
        | "type_spec" => Role::Type,
        "function_declaration"
        | "generator_function_declaration"
        | "function_signature"
        | "method_definition"
        | "method_signature"
        | "abstract_method_signature"
        | "function_definition"
        | "function_item"
        | "function_signature_item"
        | "macro_definition"
        | "method_declaration" => Role::Function,
        "variable_declarator"
        | "property_signature"
        | "public_field_definition"
        | "enum_assignment"
        | "assignment"
        | "field_declaration"
        | "enum_variant"
        | "const_item"
        | "static_item"
        | "mod_item"
        | "const_spec"
        | "enum_constant" => Role::Value,
        "impl_item" => Role::Members,
        "arrow_function" | "function_expression" | "lambda" | "closure_expression" => Role::Body,
        _ => Role::Around,
    }
}

/// The declarations of a file, by place.
pub fn outline(tree: &Tree, bytes: &[u8]) -> Vec<Declaration> {
    let mut found = Vec::new();
    let mut open = vec![(tree.root_node(), None::<String>)];
    while let Some((node, holder)) = open.pop() {
        let role = role(node.kind());
        let name = name_of(node, bytes);
        let mut within = |holder: Option<String>| {
            open.extend(syntax::children(node).into_iter().map(|child| (child, holder.clone())));
        };
        match role {
            Role::Around if node.kind() == "enum_body" => {
                found.extend(bare_members(node, holder.as_deref(), bytes));
                within(holder);
            }
            Role::Around => within(holder),
            Role::Body => {}
            Role::Members => {
                let block = members(node, bytes);
                let own = block.as_ref().map(|block| block.name.clone());
                found.extend(block);
                within(own);
            }
            Role::Type | Role::Function | Role::Value => {
                let Some(name) = name else {
                    within(holder);
                    continue;
                };
                if node.kind() == "mod_item" && node.child_by_field_name("body").is_some() {
                    within(None);
                }
                let own = syntax::text(name, bytes).to_owned();
                match (role, &holder) {
                    (Role::Type, _) => within(Some(own.clone())),
                    (Role::Function, Some(holder)) => attributes(node, holder, bytes, &mut found),
                    _ => {}
                }
                let kind = match role {
                    Role::Type => Kind::Type,
                    Role::Function => Kind::Function,
                    _ => value_kind(node),
                };
                let types = types(node, role, holder.as_deref(), bytes);
                let line = syntax::line(name);
                let exported = exported(node);
                found.push(Declaration { name: own, line, kind, holder, types, exported });
            }
        }
    }
    // `export { a, b }` stands apart from what it exports.
    let specifiers = syntax::nodes(tree).filter(|node| node.kind() == "export_specifier");
    for name in specifiers.map(|node| syntax::field(node, "name", bytes)) {
        for declared in found.iter_mut().filter(|declared| declared.name == name) {
            declared.exported = true;
        }
    }
    found.sort_by_key(|declared| declared.line);
    found
}

/// The members of an enumeration that are a name alone.
fn bare_members<'t>(
    body: Node<'t>,
    holder: Option<&'t str>,
    bytes: &'t [u8],
) -> impl Iterator<Item = Declaration> + 't {
    let names = syntax::children(body).into_iter();
    names.filter(|child| child.kind() == "property_identifier").map(move |name| Declaration {
        name: syntax::text(name, bytes).to_owned(),
        line: syntax::line(name),
        kind: Kind::Value,
        holder: holder.map(str::to_owned),
        types: Vec::new(),
        exported: true,
    })
}

/// A block of members that stands apart from its type, under the name of that.
fn members(node: Node<'_>, bytes: &[u8]) -> Option<Declaration> {
    let name = words(syntax::field(node, "type", bytes)).next()?.to_owned();
    let types = mentioned(syntax::field(node, "trait", bytes), None);
    let kind = if types.is_empty() { Kind::Members } else { Kind::Extends };
    let line = syntax::line(node);
    Some(Declaration { name, line, kind, holder: None, types, exported: true })
}

/// Whether the words at the declaration itself let other files use it. Where a language has no such
/// words, all files may.
fn exported(node: Node<'_>) -> bool {
    let marks = |kind: &str| syntax::children(node).iter().any(|child| child.kind() == kind);
    match node.kind() {
        "interface_declaration"
        | "class_declaration"
        | "abstract_class_declaration"
        | "type_alias_declaration"
        | "enum_declaration"
        | "function_declaration"
        | "function_signature"
        | "generator_function_declaration"
        | "variable_declarator" => {
            syntax::around(node).skip(1).take(3).any(|around| around.kind() == "export_statement")
        }
        kind if kind.ends_with("_item") => marks("visibility_modifier"),
        _ => true,
    }
}

/// The node that names what `node` declares, where that is one name.
pub(super) fn name_of<'t>(node: Node<'t>, bytes: &[u8]) -> Option<Node<'t>> {
    let fields = ["name", "left", "declarator", "pattern"];
    let mut name = fields.iter().find_map(|field| node.child_by_field_name(field))?;
    // Java has a declarator around the name of a field.
    if let Some(inner) = name.child_by_field_name("name").filter(|_| name.kind() != "attribute") {
        name = inner;
    }
    let text = syntax::text(name, bytes);
    let is_name = words(text).next() == Some(text.trim_start_matches('#'));
    (is_name && !text.is_empty()).then_some(name)
}

/// A constant that holds a function is one; a module is no value.
fn value_kind(node: Node<'_>) -> Kind {
    if node.kind() == "mod_item" {
        return Kind::Module;
    }
    let holds = node.child_by_field_name("value");
    match holds.map_or("", |value| value.kind()) {
        "arrow_function" | "function_expression" | "lambda" => Kind::Function,
        _ => Kind::Value,
    }
}

/// The attributes that a method gives to what it is called on: `self.jobs = []`; and, where a
/// constructor of TypeScript has parameters that are members, these.
fn attributes(node: Node<'_>, holder: &str, bytes: &[u8], found: &mut Vec<Declaration>) {
    let is_constructor = matches!(syntax::field(node, "name", bytes), "__init__" | "constructor");
    if !is_constructor {
        return;
    }
    for inner in syntax::below(node) {
        let name = match inner.kind() {
            "assignment" => {
                let left = inner.child_by_field_name("left").filter(|left| {
                    left.kind() == "attribute" && syntax::field(*left, "object", bytes) == "self"
                });
                left.and_then(|left| left.child_by_field_name("attribute"))
            }
            "required_parameter" | "optional_parameter" => {
                let marks = syntax::children(inner);
                let is_member = marks.iter().any(|mark| mark.kind() == "accessibility_modifier");
                inner.child_by_field_name("pattern").filter(|_| is_member)
            }
            _ => None,
        };
        let Some(name) = name else { continue };
        found.push(Declaration {
            name: syntax::text(name, bytes).to_owned(),
            line: syntax::line(name),
            kind: Kind::Value,
            holder: Some(holder.to_owned()),
            types: types(inner, Role::Value, Some(holder), bytes),
            exported: true,
        });
    }
}

/// The names that the type of what `node` declares mentions.
fn types(node: Node<'_>, role: Role, holder: Option<&str>, bytes: &[u8]) -> Vec<String> {
    let said = |field: &str| {
        let child = node.child_by_field_name(field);
        child.map(|child| mentioned(syntax::text(child, bytes), holder)).filter(|t| !t.is_empty())
    };
    let found = match role {
        Role::Function => said("return_type").or_else(|| said("result")).or_else(|| said("type")),
        Role::Type => heritage(node, bytes),
        _ => said("type").or_else(|| made_by(node.child_by_field_name("value")?, holder, bytes)),
    };
    let found = found.or_else(|| made_by(node.child_by_field_name("right")?, holder, bytes));
    found.unwrap_or_default()
}

/// What a type extends, or stands for.
fn heritage(node: Node<'_>, bytes: &[u8]) -> Option<Vec<String>> {
    let is_heritage = |kind: &str| {
        matches!(kind, "class_heritage" | "extends_type_clause" | "superclass" | "super_interfaces")
    };
    let mut said = String::new();
    for child in syntax::children(node).into_iter().filter(|child| is_heritage(child.kind())) {
        said += syntax::text(child, bytes);
        said.push(' ');
    }
    for field in ["superclasses", "bounds"] {
        said += syntax::field(node, field, bytes);
    }
    let alias = match node.kind() {
        "type_alias_declaration" => syntax::field(node, "value", bytes),
        "type_item" => syntax::field(node, "type", bytes),
        _ => "",
    };
    if !alias.contains('{') {
        said += alias;
    }
    Some(mentioned(&said, None))
}

/// The type that an expression makes, where it says so: `new Queue()`, `Money(0)`, a function that
/// says what it returns.
fn made_by(value: Node<'_>, holder: Option<&str>, bytes: &[u8]) -> Option<Vec<String>> {
    let fields = match value.kind() {
        "new_expression" => ["constructor", ""],
        "call" | "call_expression" => ["function", ""],
        "struct_expression" => ["name", ""],
        "arrow_function" | "function_expression" => ["return_type", ""],
        _ => return None,
    };
    Some(mentioned(syntax::field(value, fields[0], bytes), holder))
}

/// The names in the text of a type, without the words that belong to the language. `Self` is the
/// holder.
pub(super) fn mentioned(text: &str, holder: Option<&str>) -> Vec<String> {
    const OF_THE_LANGUAGE: [&str; 16] = [
        "readonly",
        "extends",
        "implements",
        "dyn",
        "impl",
        "mut",
        "ref",
        "const",
        "keyof",
        "typeof",
        "infer",
        "unique",
        "pub",
        "in",
        "is",
        "as",
    ];
    let mut found: Vec<String> = Vec::new();
    for word in words(text).filter(|word| !OF_THE_LANGUAGE.contains(word)) {
        let word = if word == "Self" { holder.unwrap_or(word) } else { word };
        if found.len() < MOST_TYPES && !found.iter().any(|other| other == word) {
            found.push(word.to_owned());
        }
    }
    found
}

/// The names in a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .filter(|word| !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()))
}
