//! A package of some sixty modules, under mypy and pyright.

use super::fault::Fault;
use super::language::{Language, fault};

pub(crate) static PYTHON: Language = Language {
    name: "python",
    folder: "xtask/templates/python",
    has_faults: false,
    things: 12,
    checkers: &["mypy", "pyright"],
    links: &[("python", ".venv"), ("js/node_modules", "node_modules")],
    faults: FAULTS,
    controls: CONTROLS,
    near: NEAR,
};

const MODEL: &str = "shop/models/thing.py";
const STORE: &str = "shop/stores/thing_store.py";
const RULES: &str = "shop/rules/thing_rules.py";
const REPORT: &str = "shop/reports/thing_report.py";

static FAULTS: &[Fault] = &[
    fault("rename a member", MODEL, "    figure: Money = ZERO", "    figure_sum: Money = ZERO"),
    fault("rename a member", MODEL, "    price: Money\n", "    unit_price: Money\n"),
    fault("rename a member", "shop/base/money.py", "    cents: int\n", "    minor: int\n"),
    fault("rename a method", STORE, "def open(self", "def list_open(self"),
    fault("rename a method", "shop/base/money.py", "def times(self", "def multiplied(self"),
    fault("change a type", MODEL, "    label: str\n    parent", "    label: int\n    parent"),
    fault("change a type", MODEL, "    quantity: int = 1", "    quantity: str = \"1\""),
    fault("change a return type", RULES, "share: int) -> Money:", "share: int) -> int:"),
    fault("make it optional", MODEL, "    created: datetime\n", "    created: datetime | None\n"),
    fault("rename a function", MODEL, "def figure_of_thing", "def sum_of_thing"),
    fault("rename a function", "shop/base/money.py", "def show(", "def display("),
    fault("rename a type", MODEL, "class ThingLine:", "class ThingRow:"),
    fault("break syntax", MODEL, "class ThingLine:", "class ThingLine"),
    fault(
        "break syntax",
        STORE,
        "def open(self, limit: int) -> list[Thing]:",
        "def open(self, limit: int -> list[Thing]:",
    ),
    fault("break syntax", RULES, "LONGEST_LABEL = 80", "LONGEST_LABEL = = 80"),
    fault("break indentation", RULES, "    return ok(thing)", "  return ok(thing)"),
    fault("remove a dependency", "ledger_kit/__init__.py", "", ""),
    fault(
        "add a parameter",
        RULES,
        "thing: Thing, share: int",
        "thing: Thing, share: int, floor: int",
    ),
    fault(
        "add a parameter",
        MODEL,
        "thing: Thing, state: ThingState)",
        "thing: Thing, state: ThingState, reason: str)",
    ),
    fault(
        "remove a parameter",
        RULES,
        "fee_of_thing(thing: Thing, share: int)",
        "fee_of_thing(thing: Thing)",
    ),
    fault("remove an import", STORE, "from shop.stores.store import Store\n", ""),
    fault("remove an import", REPORT, "from shop.base.clock import days_between\n", ""),
    fault(
        "misspell a module",
        REPORT,
        "from shop.rules.thing_rules",
        "from shop.rules.thing_rulez",
    ),
    fault("delete a file", "shop/rules/thing_rules.py", "", ""),
    fault("delete a file", "shop/reports/table.py", "", ""),
    fault("misspell a name", REPORT, "days_between(thing", "days_betwen(thing"),
    fault(
        "wrong value",
        STORE,
        "self.find(lambda thing: thing.is_open(), limit)",
        "self.find(lambda thing: thing.is_open(), \"10\")",
    ),
    fault("drop a member", MODEL, "    created: datetime\n", ""),
    fault("drop an enumerator", MODEL, "    CLOSED = \"closed\"\n", ""),
];

static CONTROLS: &[Fault] = &[
    fault("control", "shop/tools/words.py", "text[:1].upper()", "text[:1].uper()"),
    fault("control", "shop/tools/jobs.py", "    attempts: int = 0", "    tries: int = 0"),
    fault("control", "shop/tools/jobs.py", "from shop.tools.words", "from shop.tools.wordz"),
    fault("control", "shop/tools/jobs.py", "return len(self.jobs)", "return self.jobs"),
];

static NEAR: &[Fault] = &[
    // The same thing lacks another member.
    fault("near", REPORT, "lambda thing: thing.label)", "lambda thing: thing.labell)"),
    // Another thing lacks the same member.
    fault("near", MODEL, "line.price.times(line.quantity)", "line.figure.times(line.quantity)"),
    fault("near", REPORT, "store.open(100), COLUMNS", "store.opened(100), COLUMNS"),
    fault("near", RULES, "figure_of_thing(thing.lines)", "figures_of_thing(thing.lines)"),
    fault("near", STORE, "thing.parent.key == parent_key", "thing.parent.keys == parent_key"),
    fault("near", RULES, "fail(\"rule\", \"label too long\")", "fail(\"rule\", 80)"),
    fault("near", REPORT, "import check_thing, fee_of_thing", "import check_things, fee_of_thing"),
    fault("near", REPORT, "fee_of_thing(thing, share)", "fee_of_thing(share, thing)"),
];
