//! What an expression stands for: the declaration that it names last, and the types that follow
//! from it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tree_sitter::{Node, Tree};

use super::{Declaration, Declarations, Declared, Kind, TypeName, outline, types_of};
use crate::reason::silence::syntax;
use crate::{LineEnds, SourceText};

/// Expressions within expressions that are followed.
const DEEPEST: usize = 24;
/// Steps taken for one question: variables may stand for each other.
const MOST_STEPS: u32 = 400;
/// Types that are carried along.
const MOST_TYPES: usize = 12;

/// What is known of an expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// The declaration that it names: of `order.total` the member, of a call the function.
    pub declared: Option<Declared>,
    /// Names of types that it may be of, the likeliest first.
    pub types: Vec<TypeName>,
}

/// One file with its syntax tree.
pub struct Reading<'d> {
    declarations: &'d Declarations<'d>,
    path: Arc<str>,
    lines: SourceText,
    tree: Tree,
    steps: Cell<u32>,
    /// By block, what it declares.
    locals: RefCell<FxHashMap<usize, Rc<Locals>>>,
}

/// Names of variables, each with the bytes of the statements that declare it, in order.
type Locals = FxHashMap<String, Vec<(usize, usize)>>;

impl<'d> Reading<'d> {
    /// Reads the file at `path`; nothing where it can't be read, or its language not parsed.
    pub fn new(declarations: &'d Declarations<'d>, path: &Arc<str>) -> Option<Self> {
        let lines = SourceText::new(declarations.sources.read(path)?, LineEnds::Usual);
        let tree = declarations.parse(path, lines.bytes())?;
        let (path, steps) = (Arc::clone(path), Cell::new(0));
        Some(Reading { declarations, path, lines, tree, steps, locals: RefCell::default() })
    }

    /// The lines of the file.
    pub fn lines(&self) -> &SourceText {
        &self.lines
    }

    /// The smallest node that holds the bytes from `start` to `end` of the file.
    pub fn node(&self, start: usize, end: usize) -> Option<Node<'_>> {
        self.tree.root_node().named_descendant_for_byte_range(start, end.max(start))
    }

    /// The text of a node.
    pub fn text(&self, node: Node<'_>) -> &str {
        syntax::text(node, self.lines.bytes())
    }

    /// What `node` stands for.
    pub fn value(&self, node: Node<'_>) -> Value {
        self.steps.set(0);
        self.follow(node, DEEPEST)
    }

    fn follow(&self, node: Node<'_>, depth: usize) -> Value {
        self.steps.set(self.steps.get() + 1);
        if depth == 0 || self.steps.get() > MOST_STEPS {
            return Value::default();
        }
        let field = |name| node.child_by_field_name(name);
        let next = |node: Node<'_>| self.follow(node, depth - 1);
        match node.kind() {
            "identifier" | "shorthand_property_identifier" | "type_identifier" => {
                self.name(node, depth)
            }
            "this" | "self" => self.own_type(node),
            "member_expression" | "attribute" | "field_expression" => {
                let parts = field("object").or_else(|| field("value"));
                let name = ["property", "attribute", "field"].iter().find_map(|name| field(name));
                match parts.zip(name) {
                    Some((of, name)) => self.member(&next(of), self.text(name)),
                    None => Value::default(),
                }
            }
            "scoped_identifier" => match field("path").zip(field("name")) {
                Some((of, name)) if is_upper(last_word(self.text(of))) => {
                    self.member(&self.type_value(last_word(self.text(of)), node), self.text(name))
                }
                // A path says itself where the name is from.
                Some((_, name)) => self.as_value(self.declarations.named(
                    self.text(name),
                    &self.path,
                    |declared| declared.kind != Kind::Module,
                )),
                None => Value::default(),
            },
            "call_expression" | "call" | "method_invocation" => {
                field("function").map(next).unwrap_or_default()
            }
            "new_expression" => field("constructor").map(next).unwrap_or_default(),
            "struct_expression" => field("name").map(next).unwrap_or_default(),
            // What is taken from a list, and what a type is made of: `Column[Order]`.
            "subscript_expression"
            | "subscript"
            | "index_expression"
            | "generic_function"
            | "instantiation_expression" => {
                let of = syntax::children(node).first().map(|&of| next(of)).unwrap_or_default();
                let mut types = of.types;
                carry(&mut types, &self.types(self.text(node), node));
                Value { declared: of.declared, types }
            }
            "field_initializer" | "shorthand_field_initializer" => self.initialised(node),
            "pair" | "keyword_argument" => field("value").map(next).unwrap_or_default(),
            "parenthesized_expression"
            | "await_expression"
            | "await"
            | "reference_expression"
            | "try_expression"
            | "non_null_expression"
            | "as_expression"
            | "satisfies_expression"
            | "unary_expression"
            | "unary_operator"
            | "not_operator"
            | "spread_element"
            | "return_statement"
            | "return_expression"
            | "expression_statement"
            | "list_splat" => {
                syntax::children(node).first().map(|&inner| next(inner)).unwrap_or_default()
            }
            _ => Value::default(),
        }
    }

    /// The member `name` of what `of` stands for. Where no type of the repository has it, its type
    /// may still be made of theirs: `orders.filter(…)` is of orders.
    fn member(&self, of: &Value, name: &str) -> Value {
        let declared = self.declarations.member(&of.types, name);
        let mut types = declared.as_ref().map(types_of).unwrap_or_default();
        carry(&mut types, &of.types);
        Value { declared, types }
    }

    /// The field that is given a value: `Order { total }`.
    fn initialised(&self, node: Node<'_>) -> Value {
        let name = node.child_by_field_name("field").or_else(|| node.named_child(0));
        let of = syntax::around(node).find(|around| around.kind() == "struct_expression");
        let of = of.and_then(|of| of.child_by_field_name("name"));
        match of.zip(name) {
            Some((of, name)) => {
                let of = self.type_value(last_word(self.text(of)), node);
                self.member(&of, self.text(name))
            }
            None => Value::default(),
        }
    }

    /// What an identifier stands for where it stands.
    fn name(&self, node: Node<'_>, depth: usize) -> Value {
        let name = self.text(node);
        let mut inner = node;
        while let Some(around) = inner.parent() {
            if let Some(value) = self.bound(name, inner, around, depth) {
                return value;
            }
            inner = around;
        }
        self.global(name)
    }

    /// What `around` binds `name` to, for what stands in its child `inner`.
    fn bound(&self, name: &str, inner: Node<'_>, around: Node<'_>, depth: usize) -> Option<Value> {
        let field = |name| around.child_by_field_name(name);
        match around.kind() {
            "function_declaration"
            | "method_definition"
            | "function_definition"
            | "function_item"
            | "arrow_function"
            | "function_expression"
            | "lambda"
            | "closure_expression" => {
                let parameters = field("parameters").or_else(|| field("parameter"))?;
                if inner == parameters {
                    return None;
                }
                self.parameter(name, parameters, around, depth)
            }
            "for_in_statement" | "for_statement" | "for_in_clause" | "for_expression" => {
                let bound = field("left").or_else(|| field("pattern"))?;
                let over = field("right").or_else(|| field("value"))?;
                (inner != over && self.names(bound, name)).then(|| self.of_types(over, depth))
            }
            "list_comprehension"
            | "set_comprehension"
            | "generator_expression"
            | "dictionary_comprehension" => {
                let clauses = syntax::children(around).into_iter();
                let mut clauses = clauses.filter(|child| child.kind() == "for_in_clause");
                clauses.find_map(|clause| {
                    let bound = clause.child_by_field_name("left")?;
                    let over = clause.child_by_field_name("right")?;
                    self.names(bound, name).then(|| self.of_types(over, depth))
                })
            }
            "statement_block" | "block" => {
                let locals = self.locals(around);
                let before = locals.get(name)?.iter().rev();
                let mut before = before.filter(|(_, end)| *end <= inner.start_byte());
                let &(start, end) = before.next()?;
                let statement = around.named_descendant_for_byte_range(start, end)?;
                self.local(statement, depth)
            }
            _ => None,
        }
    }

    /// What a parameter is: its annotation; of a function that is handed over without one, what it
    /// is handed to.
    fn parameter(
        &self,
        name: &str,
        parameters: Node<'_>,
        function: Node<'_>,
        depth: usize,
    ) -> Option<Value> {
        let mut given = syntax::children(parameters);
        if given.is_empty() {
            given.push(parameters);
        }
        let position = given.iter().position(|given| {
            let pattern = ["pattern", "name"].iter().find_map(|of| given.child_by_field_name(of));
            let pattern = pattern.or_else(|| given.named_child(0)).unwrap_or(*given);
            self.names(pattern, name) || self.text(*given) == name
        })?;
        let own = given[position];
        if let Some(annotation) = own.child_by_field_name("type") {
            let types = self.types(self.text(annotation), function);
            return Some(Value { declared: None, types });
        }
        let is_method = position == 0 && matches!(name, "self" | "cls" | "this");
        if is_method {
            return Some(self.own_type(function));
        }
        let arguments = function.parent()?;
        let mut types = Vec::new();
        let call = std::iter::successors(Some(arguments), |node| node.parent())
            .take(6)
            .find(|node| matches!(node.kind(), "call_expression" | "call" | "new_expression"));
        for handed in call.into_iter().flat_map(syntax::children) {
            let holds = handed.start_byte() <= function.start_byte()
                && handed.end_byte() >= function.end_byte();
            if !holds {
                carry(&mut types, &self.follow(handed, depth - 1).types);
            } else {
                let others = syntax::children(handed).into_iter();
                for other in others.filter(|other| *other != function && other.kind() != "pair") {
                    carry(&mut types, &self.follow(other, depth - 1).types);
                }
            }
        }
        Some(Value { declared: None, types })
    }

    /// The variables that the statements of a block declare, each with the bytes of what does.
    fn locals(&self, block: Node<'_>) -> Rc<Locals> {
        if let Some(known) = self.locals.borrow().get(&block.id()) {
            return Rc::clone(known);
        }
        let mut found = Locals::default();
        let declares = |node: &Node<'_>| {
            matches!(node.kind(), "variable_declarator" | "assignment" | "let_declaration")
        };
        for node in syntax::children(block) {
            let inner = match node.kind() {
                "lexical_declaration" | "variable_declaration" | "expression_statement" => {
                    syntax::children(node)
                }
                _ => vec![node],
            };
            for statement in inner.into_iter().filter(declares) {
                if let Some(name) = outline::name_of(statement, self.lines.bytes()) {
                    let bytes = (statement.start_byte(), statement.end_byte());
                    found.entry(self.text(name).to_owned()).or_default().push(bytes);
                }
            }
        }
        let found = Rc::new(found);
        self.locals.borrow_mut().insert(block.id(), Rc::clone(&found));
        found
    }

    /// What a statement makes of the variable that it declares.
    fn local(&self, statement: Node<'_>, depth: usize) -> Option<Value> {
        if let Some(annotation) = statement.child_by_field_name("type") {
            let types = self.types(self.text(annotation), statement);
            return Some(Value { declared: None, types });
        }
        let made = ["value", "right"].iter().find_map(|of| statement.child_by_field_name(of))?;
        Some(self.follow(made, depth - 1))
    }

    /// The types alone of an expression: what is taken from a list is not the list.
    fn of_types(&self, node: Node<'_>, depth: usize) -> Value {
        Value { declared: None, types: self.follow(node, depth - 1).types }
    }

    /// Whether a pattern binds `name`.
    fn names(&self, pattern: Node<'_>, name: &str) -> bool {
        syntax::below(pattern).any(|node| {
            matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern")
                && self.text(node) == name
        })
    }

    /// A name that no function around binds: a declaration of this file, or of the one it imports.
    fn global(&self, name: &str) -> Value {
        let fits = |declared: &Declaration| declared.kind != Kind::Module;
        self.as_value(self.declarations.known(name, &self.path, fits))
    }

    fn as_value(&self, found: Option<Declared>) -> Value {
        let Some(declared) = found else { return Value::default() };
        let name = &declared.declaration.name;
        let types = match declared.declaration.kind {
            Kind::Type => vec![TypeName { path: Arc::clone(&declared.path), name: name.clone() }],
            _ => types_of(&declared),
        };
        Value { declared: Some(declared), types }
    }

    /// The type `name` as a value: what its own members are found by.
    fn type_value(&self, name: &str, at: Node<'_>) -> Value {
        match name {
            "Self" => self.own_type(at),
            _ => self.global(name),
        }
    }

    /// What `this` and `self` are.
    fn own_type(&self, node: Node<'_>) -> Value {
        let holder = syntax::around(node).find_map(|around| match around.kind() {
            "class_declaration"
            | "abstract_class_declaration"
            | "class_definition"
            | "trait_item" => around.child_by_field_name("name"),
            "impl_item" => around.child_by_field_name("type"),
            _ => None,
        });
        let name = holder.and_then(|holder| outline::words(self.text(holder)).next());
        let of = |name: &str| TypeName { path: Arc::clone(&self.path), name: name.to_owned() };
        Value { declared: None, types: name.map(of).into_iter().collect() }
    }

    /// The types that an annotation mentions.
    fn types(&self, annotation: &str, at: Node<'_>) -> Vec<TypeName> {
        let own = self.own_type(at).types.first().map(|of| of.name.clone());
        let names = outline::mentioned(annotation, own.as_deref()).into_iter();
        names.map(|name| TypeName { path: Arc::clone(&self.path), name }).collect()
    }
}

/// Adds types that are less likely.
fn carry(types: &mut Vec<TypeName>, more: &[TypeName]) {
    for of in more {
        if types.len() < MOST_TYPES && !types.contains(of) {
            types.push(of.clone());
        }
    }
}

fn last_word(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path).split('<').next().unwrap_or_default()
}

fn is_upper(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
