use serde_json::{Value, json};

use crate::present::samples::{self, MapSources};
use crate::reason::{self, Request};

const ORDER: &str = "export interface Order {\n  readonly id: string;\n  readonly total?: number;\n}\nexport class Store {\n  all(): Order[] { return []; }\n}\nexport class Orders extends Store {}\nexport class Bills extends Store {}\nexport function fee(order: Order, share: number): number {\n  return 1;\n}\n";

/// What is told of records of tsc in `a.ts` with this source: `name path:line` of each, or nothing.
fn told_of(source: &'static str, records: &[(&str, &str)]) -> Vec<Option<String>> {
    told("tsc", "error", source, records)
}

fn told(
    tool: &str,
    severity: &str,
    source: &'static str,
    records: &[(&str, &str)],
) -> Vec<Option<String>> {
    let sources = MapSources::new(&[("order.ts", ORDER.as_bytes()), ("a.ts", source.as_bytes())]);
    let record = |&(at, message): &(&str, &str)| {
        let (line, text) =
            (1..).zip(source.lines()).find(|(_, text)| text.contains(at)).expect("it is there");
        let column = text.find(at).unwrap_or(0) + 1;
        let end = column + at.len();
        let record = json!({"tool": tool, "severity": severity, "path": "a.ts", "message": message,
            "line": line, "column": column, "end_line": line, "end_column": end});
        (0, record)
    };
    let records: Vec<(u32, Value)> = records.iter().map(record).collect();
    let count = records.len();
    let mut report = samples::report(vec![json!({"checker": tool})], records, json!([]));
    reason::derive(&mut report, &Request::default(), &sources);
    let of = |index: usize| {
        let declared = report.declared.iter().find(|declared| declared.record as usize == index);
        declared.map(|declared| format!("{} {}:{}", declared.name, declared.path, declared.line))
    };
    (0..count).map(of).collect()
}

fn one(source: &'static str, at: &str, message: &str) -> Option<String> {
    told_of(source, &[(at, message)]).remove(0)
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

const IMPORT: &str = "import { fee, Orders, Bills, type Order } from './order';\n\n\n\nexport function a(order: Order, orders: Orders, bills: Bills) {\n  fee(order);\n  orders.all().map((one) => take(one.total));\n  orders.open();\n  bills.open();\n  const own: number = \"1\";\n  take(order.total);\n  return order.sum;\n}\nfunction take(count: number) {}\n";

#[test]
fn what_a_message_names_or_points_at() {
    for (at, message, place) in [
        ("sum", "Property 'sum' does not exist on type 'Order'.", some("Order order.ts:1")),
        ("fee(order)", "Expected 2 arguments, but got 1.", some("fee order.ts:10")),
        ("open", "Property 'open' does not exist on type 'Orders'.", some("Orders order.ts:8")),
    ] {
        assert_eq!(one(IMPORT, at, message), place, "{message}");
    }
}

#[test]
fn which_side_does_not_fit_is_told_by_several() {
    let message = "Type 'number | undefined' is not assignable to type 'number'.";
    // A parameter without a type has that of what it is taken from.
    let (one, two) = (("one.total", message), ("order.total", message));
    assert_eq!(told_of(IMPORT, &[one]), [None]);
    let both = told_of(IMPORT, &[one, two]);
    assert_eq!(both, [some("total order.ts:3"), some("total order.ts:3")]);
}

#[test]
fn look_alikes_are_left_alone() {
    for (at, message) in [
        // What is wrong stands at the record.
        ("own", "Type 'string' is not assignable to type 'number'."),
        // What has no type has it from something else.
        ("one", "Parameter 'one' implicitly has an 'any' type."),
        ("sum", "Property 'sum' does not exist on type 'Elsewhere'."),
    ] {
        assert_eq!(one(IMPORT, at, message), None, "{message}");
    }
    let missing = &[("sum", "Property 'sum' does not exist on type 'Order'.")];
    assert_eq!(told("eslint", "error", IMPORT, missing), [None]);
    assert_eq!(told("tsc", "warning", IMPORT, missing), [None]);
    let twice = "interface Order {}\nnamespace Inner { interface Order {} }\n\n\n\n\nlet a: Order;\na.sum;\n";
    assert_eq!(
        one(twice, "sum", "Property 'sum' does not exist on type 'Order'."),
        some("Order a.ts:1")
    );
}

#[test]
fn several_records_are_about_what_they_have_in_common() {
    let (orders, bills) = (
        ("orders.open", "Property 'open' does not exist on type 'Orders'."),
        ("bills.open", "Property 'open' does not exist on type 'Bills'."),
    );
    let both = told_of(IMPORT, &[orders, bills]);
    assert_eq!(both, [some("Store order.ts:5"), some("Store order.ts:5")]);
}

#[test]
fn a_name_that_is_not_there_may_be_the_one_that_nobody_mentions() {
    let source = "import { fees } from './order';\nfees();\n";
    let message = "Module '\"./order\"' has no exported member 'fees'.";
    assert_eq!(one(source, "fees", message), some("fee order.ts:10"));
    // Where it is mentioned, it is what it is called for somebody else.
    let source = "import { fees, fee } from './order';\nfees(fee);\n";
    assert_eq!(one(source, "fees", message), None);
}

#[test]
fn no_record_follows_from_it() {
    let sources = MapSources::new(&[("order.ts", ORDER.as_bytes()), ("a.ts", IMPORT.as_bytes())]);
    let record = |line: u32| {
        (
            0,
            json!({"tool": "tsc", "severity": "error", "path": "a.ts", "line": line, "column": 1,
            "message": "Property 'sum' does not exist on type 'Order'."}),
        )
    };
    let records = (1..=9).map(record).collect();
    let mut report = samples::report(vec![json!({"checker": "tsc"})], records, json!([]));
    reason::derive(&mut report, &Request::default(), &sources);
    assert_eq!(report.causes, Some(vec![]));
    assert_eq!(report.independent.as_deref(), Some(&[0, 1, 2, 3, 4, 5, 6, 7, 8][..]));
    assert_eq!(report.declared.len(), 9);
}
