//! What holds of every text within a budget.

use serde_json::{Value, json};

use super::*;
use crate::NoSources;
use crate::present::{Look, samples};
use crate::reason::{self, Request, Touched};

fn within(report: &Report, sources: &dyn Sources, budget: Option<usize>) -> String {
    let mut bytes = Vec::new();
    let style = Style { budget, ..Style::from(Look::Plain) };
    Agent.write(report, sources, &style, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Records of one cause, of several messages and of none in particular.
fn many(count: usize) -> Report {
    let record = |n: usize| {
        let related = match n % 3 {
            0 => {
                json!([{"path": "src/order.ts", "line": 3, "column": 3, "message": "declared here"}])
            }
            _ => json!([]),
        };
        let message = match n % 3 {
            0 => "Property 'total' does not exist.".to_owned(),
            1 => "Missing semicolon.".to_owned(),
            _ => format!(
                "Type 'A{n}' is not assignable to type 'B{n}', because {}.",
                "of this ".repeat(n % 40)
            ),
        };
        json!({"tool": "tsc", "severity": if n % 7 == 6 { "warning" } else { "error" }, "code": format!("TS{}", n % 3),
            "path": format!("src/file{}.ts", n % 9), "line": n + 1, "column": 1, "message": message, "related": related})
    };
    let records: Vec<(u32, Value)> = (0..count).map(|n| (0, record(n))).collect();
    let mut report = samples::report(vec![json!({"checker": "tsc"})], records, json!([]));
    reason::derive(&mut report, &Request::default(), &NoSources);
    report
}

#[test]
fn no_budget_is_ever_exceeded() {
    for report in [many(0), many(2), many(120), samples::everything()] {
        for budget in (0..120).chain((120..4_000).step_by(171)) {
            let shown = within(&report, &samples::sources(), Some(budget));
            let tokens = Estimate.count(&shown);
            assert!(tokens <= budget, "{tokens} > {budget}\n{shown}");
            let last = shown.lines().next_back().unwrap_or_default();
            assert!(shown.is_empty() || last.contains("left out"), "{budget}\n{shown}");
        }
    }
}

#[test]
fn a_cause_stands_for_what_follows_from_it() {
    let shown = within(&many(36), &NoSources, None);
    insta::assert_snapshot!(shown);
}

#[test]
fn detail_is_given_up_before_findings() {
    let report = many(36);
    let all = within(&report, &NoSources, None);
    let tokens = Estimate.count(&all);
    let less = within(&report, &NoSources, Some(tokens * 9 / 10));
    let claims = |text: &str| text.lines().filter(|line| line.starts_with('^')).count();
    assert_eq!(claims(&less), claims(&all));
    insta::assert_snapshot!(less.lines().next_back().unwrap());
    let least = within(&report, &NoSources, Some(tokens / 4));
    assert!(claims(&least) < claims(&all));
    insta::assert_snapshot!(least);
}

#[test]
fn nothing_sent_is_not_clean() {
    let mut report = many(9);
    let request = Request { touched: Some(Touched::of(["src/other.ts"])), ..Request::default() };
    reason::derive(&mut report, &request, &NoSources);
    insta::assert_snapshot!(within(&report, &NoSources, None));
}
