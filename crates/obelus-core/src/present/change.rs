//! What a report says of a change, in the words that the outputs for people and for models share:
//! what is new, what stood before, what was adopted, and what was done to the rules.

use obelus_record::{Outcome, PolicyEffect, Report};

use super::text::{self, plural};

/// The records that are shown: what is new and what can't be told, where that is known, and
/// nothing that was adopted. The rest is counted. Where the report fails for nothing of these, all
/// are shown.
pub fn shown(report: &Report) -> Vec<usize> {
    let mut keep = vec![true; report.records.len()];
    if let Some(attribution) = &report.attribution {
        keep.fill(false);
        for &index in attribution.new.iter().chain(&attribution.unattributed.after) {
            if let Some(keep) = keep.get_mut(index as usize) {
                *keep = true;
            }
        }
    }
    for &index in report.adopted.iter().flat_map(|adopted| &adopted.standing) {
        if let Some(keep) = keep.get_mut(index as usize) {
            *keep = false;
        }
    }
    let unexplained = report.outcome == Outcome::Fail && !keep.contains(&true);
    (0..keep.len()).filter(|&index| unexplained || keep[index]).collect()
}

/// `2 new, 4 unchanged, 1 fixed since HEAD`.
pub fn compared(report: &Report) -> Option<String> {
    let attribution = report.attribution.as_ref()?;
    let unattributed = &attribution.unattributed;
    let counts = [
        (attribution.new.len(), "new"),
        (attribution.unchanged.len(), "unchanged"),
        (attribution.fixed.len(), "fixed"),
        (attribution.hidden.len(), "hidden"),
        (attribution.revealed.len(), "revealed"),
        (unattributed.after.len(), "that can't be told to be new or not"),
    ];
    let always = 2;
    let told: Vec<String> = counts
        .iter()
        .enumerate()
        .filter(|(place, (count, _))| *place < always || *count > 0)
        .map(|(_, (count, word))| format!("{count} {word}"))
        .collect();
    let since = attribution.baseline.name.as_deref().map(text::name);
    let since = since.map_or(String::new(), |name| format!(" since {name}"));
    Some(told.join(", ") + &since)
}

/// `3 adopted, 1 line of obelus-baseline.txt is stale`.
pub fn adopted(report: &Report) -> Option<String> {
    let adopted = report.adopted.as_ref()?;
    let mut told = format!("{} adopted", adopted.standing.len());
    if !adopted.stale.is_empty() {
        let file = text::name(&adopted.file);
        let lines = plural(adopted.stale.len() as u64, "finding", "findings");
        told += &format!(", {lines} of {file} gone (`obelus baseline adopt` takes these out)");
    }
    Some(told)
}

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

/// What limits the comparison, a sentence each.
pub fn limits(report: &Report) -> Vec<String> {
    let Some(attribution) = &report.attribution else { return Vec::new() };
    let mut told = Vec::new();
    for comparison in &attribution.runs {
        let project = match comparison.project.as_deref() {
            None | Some("" | ".") => String::new(),
            Some(project) => format!(" in {}", text::name(project)),
        };
        let checker = text::line(&comparison.checker);
        let told_by = |text: &String| format!("{checker}{project}: {}", text::line(text));
        told.extend(comparison.details.iter().map(told_by));
    }
    told.extend(attribution.baseline.notes.iter().map(|note| text::line(note)));
    told
}

#[cfg(test)]
mod tests {
    use obelus_record::{Adopted, Attribution, PolicyChange};
    use serde_json::json;

    use super::*;
    use crate::NoSources;
    use crate::present::{Agent, Human, Look, Output, samples};

    fn report() -> Report {
        let record = |line: u32| {
            (
                0,
                json!({"tool": "tsc", "severity": "error", "path": "a.ts", "line": line, "message": format!("m{line}")}),
            )
        };
        let runs = vec![json!({"checker": "tsc"})];
        let mut report = samples::report(runs, (1..=4).map(record).collect(), json!([]));
        let mut attribution = Attribution {
            attributable: true,
            new: vec![1, 2],
            unchanged: vec![(0, 0), (1, 3)],
            fixed: vec![2],
            ..Attribution::default()
        };
        attribution.baseline.name = Some("HEAD".to_owned());
        attribution.baseline.notes = vec!["the checkout is sparse".to_owned()];
        report.attribution = Some(Box::new(attribution));
        report.adopted = Some(Box::new(Adopted {
            file: "obelus-baseline.txt".to_owned(),
            standing: vec![2],
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
        insta::assert_snapshot!(written(&Agent, &report()), @r"
        fail: 2 new, 2 unchanged, 1 fixed since HEAD; 1 adopted, 1 finding of obelus-baseline.txt gone (`obelus baseline adopt` takes these out); in all 4 errors in 1 file; failed: tsc
        policy: this change loosens what judges it: obelus.toml: tsc is switched off
        note: the checkout is sparse
        a.ts
        2
        ^ tsc m2
        ");
    }

    #[test]
    fn for_people() {
        insta::assert_snapshot!(written(&Human, &report()), @r"
        this change loosens what judges it: obelus.toml: tsc is switched off

        error: m2
         --> a.ts:2 · tsc

        note: the checkout is sparse

        fail: 2 new, 2 unchanged, 1 fixed since HEAD · 1 adopted, 1 finding of obelus-baseline.txt gone (`obelus baseline adopt` takes these out) · in all 4 errors in 1 file · failed: tsc · 3.2 s
        ");
    }

    #[test]
    fn all_are_shown_where_nothing_else_explains_the_verdict() {
        let mut report = report();
        report.attribution.as_mut().unwrap().new.clear();
        assert_eq!(shown(&report), [0, 1, 2, 3]);
        report.outcome = Outcome::Pass;
        assert!(shown(&report).is_empty());
    }
}
