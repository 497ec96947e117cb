//! The repositories of `examples/`, which have faults of their own: none of these may be taken for a
//! consequence of the one that is put in.

use super::language::{Language, fault};

const CART: &str = "src/cart.js";

pub(crate) static ESLINT_SHOP: Language = Language {
    name: "eslint-shop",
    folder: "examples/eslint-shop",
    has_faults: true,
    things: 1,
    checkers: &["eslint"],
    links: &[("js/node_modules", "node_modules")],
    faults: &[
        fault("break syntax", CART, "export function sum(lines) {", "export function sum(lines {"),
        fault("break syntax", "src/price.js", "new Map([", "new Map["),
        fault("remove an import", CART, "import { priceOf } from \"./price.js\";\n", ""),
        fault("rename a variable", CART, "let total = 0", "let totals = 0"),
        fault(
            "rename a variable",
            CART,
            "export function show(lines)",
            "export function show(cart)",
        ),
        fault("drop a variable", "src/price.js", "  const price = PRICES.get(article);\n", ""),
    ],
    controls: &[],
    near: &[
        fault("near", CART, "console.info(line.article)", "console.info(articles)"),
        fault("near", "src/price.js", "throw new RangeError(", "throw new RangError("),
    ],
};

const PARCEL: &str = "src/parcel.ts";

pub(crate) static TS_APP: Language = Language {
    name: "ts-app",
    folder: "examples/ts-app",
    has_faults: true,
    things: 1,
    checkers: &["tsc"],
    links: &[("ts5/node_modules", "node_modules")],
    faults: &[
        fault("rename a member", PARCEL, "  grams: number", "  weight: number"),
        fault("rename a member", PARCEL, "  quote(parcel", "  offer(parcel"),
        fault("change a type", PARCEL, "  grams: number", "  grams: string"),
        fault("delete an export", PARCEL, "export interface Parcel", "interface Parcel"),
        fault("delete an export", "src/carriers.ts", "export const courier", "const courier"),
        fault("break syntax", PARCEL, "export interface Carrier {", "export interface Carrier "),
        fault("delete a file", PARCEL, "", ""),
    ],
    controls: &[],
    near: &[
        fault("near", "src/main.ts", "street: \"", "streets: \""),
        fault("near", "src/main.ts", "${parcel.id}", "${parcel.ids}"),
    ],
};

const RATES: &str = "packages/billing/src/rates.ts";
const PRORATION: &str = "packages/billing/src/proration.ts";

pub(crate) static MONOREPO: Language = Language {
    name: "monorepo",
    folder: "examples/monorepo",
    has_faults: true,
    things: 1,
    checkers: &["tsc"],
    links: &[("ts5/node_modules", "node_modules")],
    faults: &[
        fault("rename a member", RATES, "  plan: PlanId;", "  planId: PlanId;"),
        fault(
            "delete an export",
            PRORATION,
            "export function splitByMonth",
            "function splitByMonth",
        ),
        fault("break syntax", RATES, "export interface Rate {", "export interface Rate "),
        fault("break syntax", PRORATION, "isSameMonth(a: Date,", "isSameMonth(a: Date"),
        fault("rename a type", RATES, "export type PlanId", "export type PlanName"),
    ],
    controls: &[],
    near: &[
        fault(
            "near",
            "packages/api/src/routes/invoice.ts",
            "${request.plan} from",
            "${request.rate} from",
        ),
        fault("near", PRORATION, "(amount * days(part))", "(amount * days(part.start))"),
    ],
};

const INVOICE: &str = "billing/invoice.py";

pub(crate) static PYTHON_BILLING: Language = Language {
    name: "python-billing",
    folder: "examples/python-billing",
    has_faults: true,
    things: 1,
    checkers: &["mypy", "pyright"],
    links: &[("python", ".venv"), ("js/node_modules", "node_modules")],
    faults: &[
        fault("rename a function", "billing/rates.py", "def find_rate", "def get_rate"),
        fault("rename a member", INVOICE, "    cents: int", "    amount: int"),
        fault("break syntax", INVOICE, "class Line:", "class Line"),
        fault("break syntax", "billing/rates.py", "RATES = {", "RATES = = {"),
        fault("delete a file", "billing/rates.py", "", ""),
        fault("remove an import", INVOICE, "from billing.rates import find_rate\n", ""),
    ],
    controls: &[],
    near: &[
        fault("near", "billing/rates.py", "RATES.get(plan)", "RATES.got(plan)"),
        fault("near", INVOICE, "sum(item.cents for", "sum(item.cent for"),
    ],
};

const LEDGER: &str = "ledger/src/lib.rs";

pub(crate) static RUST_WORKSPACE: Language = Language {
    name: "rust-workspace",
    folder: "examples/rust-workspace",
    has_faults: true,
    things: 1,
    checkers: &["cargo-check"],
    links: &[],
    faults: &[
        fault("rename a member", LEDGER, "pub cents: i64", "pub amount: i64"),
        fault("change a type", LEDGER, "pub customer: String", "pub customer: u64"),
        fault("break syntax", "tax/src/lib.rs", "pub enum Country {", "pub enum Country "),
        fault("remove an import", LEDGER, "use std::collections::HashMap;\n", ""),
        fault("drop a variant", "tax/src/lib.rs", "    France,\n", ""),
    ],
    controls: &[],
    near: &[
        fault("near", LEDGER, "entry(entry.customer)", "entry(entry.customers)"),
        fault("near", "tax/src/lib.rs", "0..amounts.len()", "0..amount.len()"),
    ],
};
