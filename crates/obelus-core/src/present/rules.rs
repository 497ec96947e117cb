//! What was done to the rules that judge, and which findings a team has adopted, in the words that
//! the outputs for people and for models share.

use obelus_record::{PolicyEffect, Report};

use super::text;

/// What the change did to the rules, a line each; what loosens them first.
pub fn policy(report: &Report) -> impl Iterator<Item = String> {
    report.policy.iter().map(|change| {
        let effect = match change.effect {
            PolicyEffect::Loosened => "this change loosens what judges it",
            PolicyEffect::Changed => "this change may loosen what judges it",
        };
        format!("{effect}: {}: {}", text::name(&change.file), text::line(&change.statement))
    })
}

/// A line for the findings that are let stand, and one for those that are gone.
pub fn adopted(report: &Report) -> Vec<String> {
    let Some(adopted) = &report.adopted else { return Vec::new() };
    let file = text::name(&adopted.file);
    let mut lines = Vec::new();
    if !adopted.standing.is_empty() {
        lines.push(format!("adopted: {} (named by {file}, and not shown)", adopted.standing.len()));
    }
    if !adopted.stale.is_empty() {
        let stale = adopted.stale.len();
        lines.push(format!(
            "stale: {stale} (named by {file}, and gone: `obelus baseline adopt` takes that out)"
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use obelus_record::{Adopted, Outcome, PolicyChange};
    use serde_json::json;

    use super::*;
    use crate::NoSources;
    use crate::present::{Agent, Human, Look, Output, samples};

    fn report(standing: &[u32]) -> Report {
        let record = |line: u32| {
            let message = format!("m{line}");
            (
                0,
                json!({"tool": "tsc", "severity": "error", "path": "a.ts", "line": line, "message": message}),
            )
        };
        let runs = vec![json!({"checker": "tsc"})];
        let mut report = samples::report(runs, (1..=2).map(record).collect(), json!([]));
        report.adopted = Some(Box::new(Adopted {
            file: "obelus-baseline.txt".to_owned(),
            standing: standing.to_vec(),
            stale: vec![7],
        }));
        report.policy = vec![PolicyChange {
            file: "obelus.toml".to_owned(),
            checkers: vec!["tsc".to_owned()],
            effect: PolicyEffect::Loosened,
            statement: "tsc is switched off".to_owned(),
        }];
        report
    }

    fn written(output: &dyn Output, report: &Report) -> String {
        samples::written(output, report, &NoSources, Look::Plain)
    }

    #[test]
    fn for_a_model() {
        insta::assert_snapshot!(written(&Agent, &report(&[1])), @r"
        fail: 1 error in 1 file; failed: tsc
        policy: this change loosens what judges it: obelus.toml: tsc is switched off
        adopted: 1 (named by obelus-baseline.txt, and not shown)
        stale: 1 (named by obelus-baseline.txt, and gone: `obelus baseline adopt` takes that out)
        a.ts
        1
        ^ tsc m1
        ");
    }

    #[test]
    fn for_people() {
        insta::assert_snapshot!(written(&Human, &report(&[1])), @r"
        this change loosens what judges it: obelus.toml: tsc is switched off

        error: m1
         --> a.ts:1 · tsc

        fail: 1 error in 1 file · failed: tsc · 3.2 s
        adopted: 1 (named by obelus-baseline.txt, and not shown)
        stale: 1 (named by obelus-baseline.txt, and gone: `obelus baseline adopt` takes that out)
        ");
    }

    #[test]
    fn nothing_but_adopted_findings() {
        let mut report = report(&[0, 1]);
        report.policy.clear();
        report.outcome = Outcome::Pass;
        insta::assert_snapshot!(written(&Agent, &report), @r"
        pass: no findings; objecting to what stood before: tsc
        adopted: 2 (named by obelus-baseline.txt, and not shown)
        stale: 1 (named by obelus-baseline.txt, and gone: `obelus baseline adopt` takes that out)
        ");
    }
}
