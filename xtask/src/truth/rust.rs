//! A workspace of six crates with macros and generics.

use super::fault::Fault;
use super::language::{Language, fault};

pub(crate) static RUST: Language = Language {
    name: "rust",
    folder: "xtask/templates/rust",
    has_faults: false,
    things: 10,
    checkers: &["cargo-check"],
    links: &[],
    faults: FAULTS,
    controls: CONTROLS,
    near: NEAR,
};

const MODEL: &str = "model/src/thing.rs";
const STORE: &str = "store/src/thing_store.rs";
const RULES: &str = "rules/src/thing_rules.rs";
const REPORT: &str = "report/src/thing_report.rs";

static FAULTS: &[Fault] = &[
    fault("rename a member", MODEL, "pub figure: Money", "pub figure_sum: Money"),
    fault("rename a member", MODEL, "pub quantity: i64", "pub count: i64"),
    fault("rename a member", "base/src/money.rs", "pub cents: i64", "pub minor: i64"),
    fault("rename a method", MODEL, "pub fn is_open", "pub fn is_unlocked"),
    fault("rename a method", "base/src/money.rs", "pub fn times", "pub fn multiplied"),
    fault("rename a method", "store/src/lib.rs", "pub fn find", "pub fn select"),
    fault(
        "change a type",
        MODEL,
        "    pub label: String,\n    pub parent",
        "    pub label: u32,\n    pub parent",
    ),
    fault("change a type", MODEL, "pub lines: Vec<ThingLine>", "pub lines: Option<ThingLine>"),
    fault("change a return type", RULES, "share: i64) -> Money", "share: i64) -> i64"),
    fault("make it private", MODEL, "pub fn figure_of_thing", "fn figure_of_thing"),
    fault("delete an export", "model/src/lib.rs", "pub mod thing;\n", ""),
    fault("rename a function", MODEL, "pub fn figure_of_thing", "pub fn sum_of_thing"),
    fault("rename a function", RULES, "pub fn fee_of_thing", "pub fn share_of_thing"),
    fault("rename a type", MODEL, "pub enum ThingState", "pub enum ThingPhase"),
    fault("break syntax", MODEL, "pub enum ThingState {", "pub enum ThingState "),
    fault(
        "break syntax",
        REPORT,
        "pub fn thing_total(things: &[Thing])",
        "pub fn thing_total(things: &[Thing]",
    ),
    fault("break syntax", RULES, "usize = 80;", "usize = = 80;"),
    fault(
        "break a macro",
        "base/src/macros.rs",
        "problem::Problem::rule($detail)",
        "problem::Problem::broken($detail)",
    ),
    fault(
        "break a macro",
        "base/src/macros.rs",
        "pub struct $name(pub u64);",
        "pub struct $name(pub Number);",
    ),
    fault("remove a dependency", "rules/Cargo.toml", "shop-model = { path = \"../model\" }\n", ""),
    fault(
        "add a parameter",
        RULES,
        "thing: &Thing, share: i64",
        "thing: &Thing, share: i64, floor: Money",
    ),
    fault(
        "add a parameter",
        MODEL,
        "pub fn moved_to(self, ",
        "pub fn moved_to(self, reason: &str, ",
    ),
    fault("remove a parameter", STORE, "store: &ThingStore, limit: usize", "store: &ThingStore"),
    fault("remove an import", STORE, "use crate::Store;\n", ""),
    fault("remove an import", REPORT, "use shop_base::money::Money;\n", ""),
    fault(
        "misspell a module",
        REPORT,
        "use shop_rules::thing_rules",
        "use shop_rules::thing_rulez",
    ),
    fault("misspell a module", STORE, "use shop_base::problem", "use shop_bace::problem"),
    fault("delete a file", "report/src/table.rs", "", ""),
    fault(
        "misspell a name",
        REPORT,
        "fee_of_thing(thing, share).cents",
        "fee_of_things(thing, share).cents",
    ),
    fault("wrong value", STORE, "found.truncate(limit)", "found.truncate(\"10\")"),
    fault("drop a variant", MODEL, "    Closed,\n", ""),
    fault(
        "drop an implementation",
        MODEL,
        "impl Keyed for Thing {\n    type Key = ThingKey;\n\n    fn key(&self) -> ThingKey {\n        self.key\n    }\n}\n",
        "",
    ),
    fault(
        "change a bound",
        "store/src/lib.rs",
        "pub struct Store<T: Keyed> {",
        "pub struct Store<T: Keyed + Copy> {",
    ),
];

static CONTROLS: &[Fault] = &[
    fault("control", "tools/src/words.rs", "text.to_uppercase()", "text.to_upercase()"),
    fault("control", "tools/src/jobs.rs", "pub attempts: usize", "pub tries: usize"),
    fault("control", "tools/src/jobs.rs", "use crate::words::", "use crate::wordz::"),
    fault("control", "tools/src/words.rs", "count == 1", "count == \"1\""),
];

static NEAR: &[Fault] = &[
    // The same thing lacks another member.
    fault("near", REPORT, "|thing| thing.label.clone()", "|thing| thing.labell.clone()"),
    // Another thing lacks the same member.
    fault("near", RULES, "line.quantity > 0", "line.figure > 0"),
    fault("near", STORE, "thing.parent.label == label", "thing.parent.labels == label"),
    fault("near", RULES, "figure_of_thing(&thing.lines)", "figures_of_thing(&thing.lines)"),
    fault("near", STORE, "|thing| thing.is_open()", "|thing| thing.is_opened()"),
    fault("near", RULES, "demand!(thing.lines.iter()", "demand!(thing.line.iter()"),
    fault("near", REPORT, "fee_of_thing(thing, share)", "fee_of_thing(share, thing)"),
    fault("near", REPORT, "let key = ThingKey(number)", "let key = ThingKey(\"1\")"),
];
