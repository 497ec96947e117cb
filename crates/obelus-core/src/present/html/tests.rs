use obelus_record::{Adopted, Outcome, PolicyChange, PolicyEffect, Report};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::*;
use crate::NoSources;
use crate::present::Look;
use crate::present::samples::{self, written};

fn hash(text: &str) -> String {
    data_encoding::BASE64.encode(&Sha256::digest(text))
}

#[test]
fn the_policy_names_the_style_and_the_script() {
    assert_eq!((STYLE_HASH, SCRIPT_HASH), (&*hash(STYLE), &*hash(SCRIPT)));
    // Nothing in them may end the element in which they stand.
    assert!(!STYLE.contains("</") && !SCRIPT.contains("</"));
}

/// The colours of `page.css` that are named in the block that starts with `start`.
fn colours(start: &str) -> std::collections::HashMap<&'static str, [f64; 3]> {
    let block = &STYLE[STYLE.find(start).expect("the block is there")..];
    let block = &block[..block.find('}').expect("it ends")];
    let colours = block.lines().filter_map(|line| {
        let (name, value) = line.trim().strip_prefix("--")?.split_once(": #")?;
        let channel = |at: usize| u8::from_str_radix(&value[at..at + 2], 16).expect("a channel");
        Some((name, [0, 2, 4].map(|at| f64::from(channel(at)) / 255.0)))
    });
    colours.collect()
}

/// Relative luminance (<https://www.w3.org/TR/WCAG22/#dfn-relative-luminance>).
fn luminance(colour: [f64; 3]) -> f64 {
    let [r, g, b] =
        colour.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[test]
fn every_text_stands_out_from_what_is_behind_it() {
    let code = ["comment", "text", "number", "keyword", "type", "function"];
    let code: Vec<String> = code.iter().map(|name| format!("code-{name}")).collect();
    for start in [":root {", "@media (prefers-color-scheme: dark)"] {
        let colours = colours(start);
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for text in ["text", "quiet", "link"] {
            pairs.extend([(text, "page"), (text, "raised")]);
        }
        for behind in ["mark", "also", "focus-line", "del", "ins", "alarm", "page"] {
            pairs.push(("text", behind));
        }
        for behind in ["raised", "mark", "also", "focus-line"] {
            pairs.extend(code.iter().map(|text| (&**text, behind)));
        }
        for behind in ["error", "warning", "info", "hint", "pass", "quiet"] {
            pairs.extend([("on-colour", behind), (behind, "raised")]);
        }
        pairs.extend([("info", "focus-line"), ("quiet", "focus-line")]);
        for (text, behind) in pairs {
            let (a, b) = (luminance(colours[text]), luminance(colours[behind]));
            let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
            assert!(contrast >= 4.5, "{start} {text} on {behind}: {contrast:.2}");
        }
    }
}

/// The page without its style and script, which are no findings.
fn page(report: &Report, sources: &dyn Sources) -> String {
    let page = written(&Html, report, sources, Look::Plain);
    let page = page.replace(STYLE, "").replace(SCRIPT, "");
    page.replace(STYLE_HASH, "STYLE").replace(SCRIPT_HASH, "SCRIPT")
}

#[test]
fn two_findings() {
    let (report, sources) = samples::two();
    insta::assert_snapshot!(page(&report, &sources));
}

#[test]
fn everything() {
    insta::assert_snapshot!(page(&samples::everything(), &samples::sources()));
}

#[test]
fn a_change() {
    let (mut report, sources) = samples::two();
    let old = |line: u32| json!({"tool": "tsc", "severity": "error", "code": "TS1", "path": "old.ts", "line": line, "message": "it was <b>so</b>"});
    report.attribution = serde_json::from_value(json!({
        "attributable": true, "say": [], "new": [0], "fixed": [1], "unchanged": [[0, 1]],
        "silenced": [{"before": 2, "by": 0}], "hidden": [3], "revealed": [],
        "duplicates": {"before": [], "after": []}, "unattributed": {"before": [], "after": []},
        "baseline": {"name": "main", "records": [
            {"index": 1, "record": old(1)}, {"index": 2, "record": old(2)}, {"index": 3, "record": old(3)}]},
    }))
    .expect("an attribution");
    report.policy = vec![PolicyChange {
        file: "obelus.toml".to_owned(),
        checkers: Vec::new(),
        effect: PolicyEffect::Loosened,
        statement: "tsc is switched <off>".to_owned(),
    }];
    insta::assert_snapshot!(page(&report, &sources));
}

#[test]
fn what_is_adopted_is_no_finding() {
    let (mut report, sources) = samples::two();
    let file = "obelus-baseline.txt".to_owned();
    report.adopted = Some(Box::new(Adopted { file, standing: vec![0, 1], stale: Vec::new() }));
    report.outcome = Outcome::Pass;
    let page = page(&report, &sources);
    assert!(page.contains("<h3>Adopted <span class=\"count\">2</span></h3>"), "{page}");
    assert_eq!(page.matches("<article").count(), 0);
}

#[test]
fn a_page_is_never_endless() {
    let record = |line: u32| {
        let record = json!({"tool": "tsc", "severity": "error", "code": "TS1", "path": "a.ts",
            "line": line, "message": "m".repeat(9_000)});
        (0, record)
    };
    let runs = vec![json!({"checker": "tsc"})];
    let report = samples::report(runs, (1..=10_250).map(record).collect(), json!([]));
    let page = page(&report, &NoSources);
    assert_eq!(page.matches("<article").count(), 10_000);
    assert!(page.contains("300 findings stand with their source lines"));
    assert!(page.contains("<strong>250 more findings</strong> would make this page too large"));
    assert!(page.len() < 10_000_000, "{}", page.len());
}

#[test]
fn a_code_leads_to_its_page_and_to_no_script() {
    let record = |help: &str| {
        (0, json!({"tool": "t", "severity": "error", "code": "R1", "message": "m", "help": help}))
    };
    let runs = vec![json!({"checker": "t"})];
    let records = vec![record("https://example.org/?a=\"&b"), record("javascript:alert(1)")];
    let page = page(&samples::report(runs, records, json!([])), &NoSources);
    let link = "<a href=\"https://example.org/?a=&quot;&amp;b\" rel=\"noreferrer\"><code class=\"rule\">R1</code></a>";
    assert!(page.contains(link), "{page}");
    assert!(!page.contains("javascript:"), "{page}");
}

#[test]
fn text_of_strangers_is_no_markup() {
    let evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\" onload='x' <!--";
    let record = json!({"tool": evil, "severity": "error", "code": evil, "path": format!("{evil}.ts"),
        "line": 1, "column": 1, "end_line": 1, "end_column": 9, "message": format!("{evil}\n{evil}"),
        "related": [{"path": format!("{evil}.ts"), "line": 1, "column": 3, "message": evil},
            {"path": evil, "line": 1, "message": evil}],
        "suggestion": {"applicability": "safe", "message": evil, "edits": [
            {"path": evil, "line": 1, "column": 1, "end_line": 1, "end_column": 2, "text": evil}]}});
    let run = json!({"checker": evil, "version": evil, "argv": [evil], "cwd": evil, "project": evil,
        "reason": evil, "notes": [evil], "outcome": "harness_error",
        "fault": {"stream": "stdout", "line": 1, "kind": "invalid_json", "snippet": evil, "detail": evil},
        "unrecognised": {"count": 1, "lines": [{"stream": "stdout", "line": 1, "text": evil}]}});
    let not_run = json!([{"checker": evil, "reason": evil}]);
    let mut report = samples::report(vec![run], vec![(0, record)], not_run);
    report.scope = vec![evil.to_owned()];
    struct Evil(&'static str);
    impl Sources for Evil {
        fn read(&self, _path: &str) -> Option<std::sync::Arc<[u8]>> {
            Some(std::sync::Arc::from(self.0.as_bytes()))
        }
        fn exists(&self, _path: &str) -> bool {
            true
        }
        fn ending_in(&self, _tail: &str) -> Option<String> {
            None
        }
    }
    let page = page(&report, &Evil(evil));
    for tag in ["<img", "<!--", "onload='", "\" onload", "alert(1)</script>"] {
        assert!(!page.contains(tag), "{tag}");
    }
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("</script>").count(), 1);
}
