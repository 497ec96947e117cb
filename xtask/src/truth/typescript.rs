//! A monorepo of a hundred files whose packages refer to each other as projects.

use super::fault::Fault;
use super::language::{Language, fault};

pub(crate) static TYPESCRIPT: Language = Language {
    name: "typescript",
    folder: "xtask/templates/typescript",
    has_faults: false,
    things: 14,
    checkers: &["tsc"],
    links: &[("ts5/node_modules", "node_modules")],
    faults: FAULTS,
    controls: CONTROLS,
    near: NEAR,
};

const MODEL: &str = "packages/model/src/thing.ts";
const STORE: &str = "packages/store/src/thing-store.ts";
const RULES: &str = "packages/rules/src/thing-rules.ts";
const REPORT: &str = "packages/report/src/thing-report.ts";
const HANDLER: &str = "packages/api/src/thing-handler.ts";
const VIEW: &str = "packages/api/src/thing-view.ts";

static FAULTS: &[Fault] = &[
    fault("rename a member", MODEL, "readonly figure: Money", "readonly figureSum: Money"),
    fault("rename a member", MODEL, "readonly price: Money", "readonly unitPrice: Money"),
    fault(
        "rename a member",
        "packages/base/src/money.ts",
        "readonly cents: number",
        "readonly minor: number",
    ),
    fault("rename a method", STORE, "  open(limit", "  listOpen(limit"),
    fault("rename a method", "packages/store/src/store.ts", "  find(query", "  select(query"),
    fault(
        "change a type",
        MODEL,
        "readonly label: string;\n  readonly state",
        "readonly label: number;\n  readonly state",
    ),
    fault("change a type", MODEL, "readonly quantity: number", "readonly quantity: string"),
    fault("change a type", MODEL, "readonly parent: Parent", "readonly parent: ParentId"),
    fault(
        "change a return type",
        RULES,
        "share: number): Money {\n  return isOpenThing(thing) ?",
        "share: number): number {\n  return isOpenThing(thing) ?",
    ),
    fault("make it optional", MODEL, "readonly figure: Money", "readonly figure?: Money"),
    fault("delete an export", MODEL, "export function isOpenThing", "function isOpenThing"),
    fault("delete an export", "packages/model/src/index.ts", "export * from \"./thing\";\n", ""),
    fault(
        "rename a function",
        MODEL,
        "export function thingFigureOf",
        "export function sumOfThing",
    ),
    fault(
        "rename a function",
        "packages/base/src/money.ts",
        "export function format",
        "export function display",
    ),
    fault("rename a type", MODEL, "export interface ThingDraft", "export interface ThingSketch"),
    fault("break syntax", MODEL, "export interface Thing {", "export interface Thing "),
    fault("break syntax", VIEW, "lines };", "lines ;"),
    fault(
        "break syntax",
        STORE,
        "open(limit: number): readonly Thing[] {",
        "open(limit: number: readonly Thing[] {",
    ),
    fault("break syntax", RULES, "const LONGEST_LABEL = 80;", "const LONGEST_LABEL = = 80;"),
    fault(
        "remove a dependency",
        "packages/report/node_modules/ledger-kit/package.json",
        "\"types\": \"index.d.ts\"",
        "\"types\": \"none.d.ts\", \"exports\": {}",
    ),
    fault(
        "add a parameter",
        RULES,
        "thing: Thing, share: number",
        "thing: Thing, share: number, floor: Money",
    ),
    fault(
        "add a parameter",
        MODEL,
        "thing: Thing, state: ThingState)",
        "thing: Thing, state: ThingState, reason: string)",
    ),
    fault(
        "remove a parameter",
        RULES,
        "feeOfThing(thing: Thing, share: number)",
        "feeOfThing(thing: Thing)",
    ),
    fault("remove an import", HANDLER, "import { checkThing } from \"@shop/rules\";\n", ""),
    fault("remove an import", STORE, "import { Store } from \"./store\";\n", ""),
    fault("misspell a module", REPORT, "\"@shop/rules\"", "\"@shop/rulez\""),
    fault("misspell a module", HANDLER, "\"./thing-view\"", "\"./thing-veiw\""),
    fault("delete a file", "packages/api/src/thing-view.ts", "", ""),
    fault("delete a file", "packages/rules/src/check.ts", "", ""),
    fault("misspell a name", REPORT, "feeOfThing(thing, share)", "feeOfThings(thing, share)"),
    fault("wrong value", VIEW, "id: thing.id,", "id: thing.createdAt,"),
    fault("wrong argument", HANDLER, "this.store.open(20)", "this.store.open(\"20\")"),
    fault("drop a member", MODEL, "  readonly createdAt: Timestamp;\n}", "}"),
    fault("narrow a union", MODEL, "\"draft\" | \"active\" | \"closed\"", "\"draft\" | \"active\""),
];

static CONTROLS: &[Fault] = &[
    fault("control", "packages/tools/src/words.ts", "text.slice(0, 1)", "text.slicee(0, 1)"),
    fault(
        "control",
        "packages/tools/src/queue.ts",
        "readonly attempts: number;",
        "readonly tries: number;",
    ),
    fault("control", "packages/tools/src/report.ts", "from \"./words\"", "from \"./wordz\""),
    fault(
        "control",
        "packages/tools/src/queue.ts",
        "return this.jobs.shift();\n  }",
        "return this.jobs.shift();\n  ",
    ),
    fault(
        "control",
        "packages/tools/src/report.ts",
        "const lines: string[] = [];",
        "const lines: number[] = [];",
    ),
];

static NEAR: &[Fault] = &[
    // The same thing lacks another member.
    fault("near", REPORT, "thing.label }", "thing.labell }"),
    // Another thing lacks the same member.
    fault("near", MODEL, "times(line.price, line.quantity)", "times(line.figure, line.quantity)"),
    fault("near", HANDLER, "this.store.open(20)", "this.store.opened(20)"),
    fault("near", RULES, "thingFigureOf(thing.lines).cents", "thingFiguresOf(thing.lines).cents"),
    fault("near", REPORT, "{ feeOfThing }", "{ feesOfThing }"),
    fault("near", MODEL, "state: \"draft\", parent", "state: \"drafted\", parent"),
    fault("near", STORE, "thing.parent.id === parentId", "thing.parent.ids === parentId"),
    fault("near", VIEW, "title: `${thing.label} (${thing.state})`", "title: thing.lines"),
    fault("near", REPORT, "feeOfThing(thing, share))", "feeOfThing(share, thing))"),
];
