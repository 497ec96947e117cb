use super::*;
use crate::present::samples::MapSources;

const LANGUAGES: [Language; 3] = [Language::TypeScript, Language::Python, Language::Rust];

fn declarations(sources: &MapSources) -> Declarations<'_> {
    Declarations::new(sources, &LANGUAGES).unwrap()
}

fn place(declared: Option<Declared>) -> Option<(String, u32)> {
    declared.map(|declared| (declared.path.to_string(), declared.declaration.line))
}

fn at(path: &str, line: u32) -> Option<(String, u32)> {
    Some((path.to_owned(), line))
}

/// `holder.name line: types` of each declaration.
fn outlined(path: &'static str, text: &'static str) -> Vec<String> {
    let sources = MapSources::new(&[(path, text.as_bytes())]);
    let declarations = declarations(&sources);
    let told = |declared: &Declaration| {
        let holder =
            declared.holder.as_ref().map(|holder| format!("{holder}.")).unwrap_or_default();
        format!("{holder}{} {}: {}", declared.name, declared.line, declared.types.join(" "))
    };
    declarations.outline(&path.into()).iter().map(told).collect()
}

#[test]
fn what_files_declare() {
    let typescript = "export interface Order extends Kept<Id> {\n  readonly total?: Money;\n  pay(by: Card): Result<Bill>;\n}\nexport class Store {\n  constructor(private readonly orders: Order[]) {}\n}\nenum State { Open, Closed = 2 }\nconst limit = (order: Order): Money => {\n  const inner = 1;\n  return order.total;\n};\ntype Orders = readonly Order[];\n";
    assert_eq!(
        outlined("a.ts", typescript),
        [
            "Order 1: Kept Id",
            "Order.total 2: Money",
            "Order.pay 3: Result Bill",
            "Store 5: ",
            "Store.orders 6: Order",
            "Store.constructor 6: ",
            "State 8: ",
            "State.Open 8: ",
            "State.Closed 8: ",
            "limit 9: Money",
            "Orders 13: Order",
        ]
    );
    let python = "LIMIT = Money(1)\nclass Order(Kept[Id]):\n    total: Money = ZERO\n    def __init__(self) -> None:\n        self.jobs: list[Job] = []\n        inner = 1\n    def pay(self, by: Card) -> Bill:\n        return by.pay()\n";
    assert_eq!(
        outlined("a.py", python),
        [
            "LIMIT 1: Money",
            "Order 2: Kept Id",
            "Order.total 3: Money",
            "Order.__init__ 4: None",
            "Order.jobs 5: list Job",
            "Order.pay 7: Bill",
        ]
    );
    let rust = "pub struct Order {\n    pub total: Money,\n}\nimpl Order {\n    pub fn new() -> Self {\n        let inner = 1;\n    }\n}\nimpl Keyed for Order {\n    fn key(&self) -> Key {}\n}\npub type Orders = Store<Order>;\npub mod paid;\nmacro_rules! key { () => {} }\n";
    assert_eq!(
        outlined("src/a.rs", rust),
        [
            "Order 1: ",
            "Order.total 2: Money",
            "Order 4: ",
            "Order.new 5: Order",
            "Order 9: Keyed",
            "Order.key 10: Key",
            "Orders 12: Store Order",
            "paid 13: ",
            "key 14: ",
        ]
    );
}

#[test]
fn of_two_declarations_the_imported_one_is_meant() {
    let sources = MapSources::new(&[
        ("a.ts", b"export interface Line {}\nexport interface Alone {}\n"),
        ("b.ts", b"export interface Line {}\n"),
        ("c.ts", b"import type { Line } from './b';\n"),
        ("d.ts", b"import { x } from './e';\n"),
        ("a.py", b"class Line: ...\n"),
    ]);
    let declarations = declarations(&sources);
    let named = |name, from| place(declarations.type_named(name, from));
    assert_eq!(named("Line", "c.ts"), at("b.ts", 1));
    assert_eq!(named("Line", "a.ts"), at("a.ts", 1));
    assert_eq!(named("Line", "d.ts"), None);
    assert_eq!(named("Line", "b.py"), at("a.py", 1));
    // A message may name what the file itself does not; its own words can't.
    assert_eq!(named("Alone", "d.ts"), at("a.ts", 2));
    assert_eq!(declarations.known("Alone", "d.ts", |_| true), None);
}

#[test]
fn members_are_found_in_what_a_type_extends() {
    let sources = MapSources::new(&[
        ("a.ts", b"export class Store {\n  find() {}\n}\nexport class Orders extends Store {}\n"),
        ("src/lib.rs", b"pub struct Order;\npub type Orders = Vec<Order>;\n"),
        ("src/more.rs", b"impl Order {\n    pub fn total(&self) {}\n}\n"),
        ("ring.ts", b"interface A extends B {}\ninterface B extends A {}\n"),
    ]);
    let declarations = declarations(&sources);
    let member = |path: &str, of: &str, name| {
        let of = TypeName { path: path.into(), name: of.to_owned() };
        place(declarations.member(&[of], name))
    };
    assert_eq!(member("a.ts", "Orders", "find"), at("a.ts", 2));
    assert_eq!(member("a.ts", "Orders", "select"), None);
    assert_eq!(member("src/lib.rs", "Orders", "total"), at("src/more.rs", 2));
    assert_eq!(member("ring.ts", "A", "find"), None);
    let order = declarations.type_named("Order", "src/lib.rs").unwrap();
    assert_eq!(place(declarations.members_of(&order)), at("src/more.rs", 1));
}

#[test]
fn one_declaration_that_nothing_mentions() {
    let sources = MapSources::new(&[
        ("a.py", b"def show():\n    pass\ndef display():\n    show()\nclass Row: ...\n"),
        ("b.py", b"def one(): ...\ndef sum_of_orders(): ...\n"),
    ]);
    let declarations = declarations(&sources);
    let unmentioned = |path: &str, name| place(declarations.unmentioned(&[path.into()], name));
    assert_eq!(unmentioned("a.py", "print"), at("a.py", 3));
    assert_eq!(unmentioned("a.py", "Line"), at("a.py", 5));
    // Of several the one that is written nearly alike, if any.
    assert_eq!(unmentioned("b.py", "sums_of_orders"), at("b.py", 2));
    assert_eq!(unmentioned("b.py", "fees"), None);
}

#[test]
fn modules_are_files() {
    let sources = MapSources::new(&[
        ("packages/base/package.json", br#"{"name": "@shop/base"}"#),
        ("packages/base/src/index.ts", b"export * from \"./money\";\n"),
        ("packages/base/src/money.ts", b"export const zero = 0;\n"),
        ("packages/web/src/a.ts", b""),
        ("shop/base/money.py", b""),
        ("shop/a.py", b""),
        ("base/Cargo.toml", b"[package]\nname = \"shop-base\"\n"),
        ("base/src/lib.rs", b"pub mod money;\n"),
        ("base/src/money.rs", b""),
        ("base/src/lost.rs", b""),
        ("web/Cargo.toml", b"[dependencies]\nshop-base = { path = \"../base\" }\n"),
        ("web/src/lib.rs", b""),
        ("bare/Cargo.toml", b"[package]\nname = \"bare\"\n"),
        ("bare/src/lib.rs", b""),
    ]);
    let declarations = declarations(&sources);
    let file = |path: &str| Some(Module::File(path.into()));
    for (name, from, module) in [
        ("@shop/base", "packages/web/src/a.ts", file("packages/base/src/index.ts")),
        ("@shop/base/money", "packages/web/src/a.ts", file("packages/base/src/money.ts")),
        ("./money.js", "packages/base/src/index.ts", file("packages/base/src/money.ts")),
        ("react", "packages/web/src/a.ts", None),
        ("shop.base.money", "shop/a.py", file("shop/base/money.py")),
        (".base.money", "shop/a.py", file("shop/base/money.py")),
        ("yaml", "shop/a.py", None),
        ("shop_base::money::Money", "web/src/lib.rs", file("base/src/money.rs")),
        ("crate::money", "base/src/lib.rs", file("base/src/money.rs")),
        ("crate::lost", "base/src/lib.rs", Some(Module::Undeclared("base/src/lib.rs".into()))),
        ("shop_base", "bare/src/lib.rs", Some(Module::NotListed("bare/Cargo.toml".into()))),
        ("serde", "bare/src/lib.rs", None),
    ] {
        assert_eq!(declarations.module(name, from), module, "{name} in {from}");
    }
    let parts = declarations.parts(&"packages/base/src/index.ts".into());
    assert_eq!(parts.len(), 2);
}

#[test]
fn without_files_nothing_is_known() {
    assert!(Declarations::new(&crate::NoSources, &LANGUAGES).is_none());
}
