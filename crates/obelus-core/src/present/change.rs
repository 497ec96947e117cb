//! What a change caused, in the words that the outputs for people and for models share.

use obelus_record::{Attribution, Certainty, Counts, Outcome, Report};

use super::rules;
use super::text::{self, plural};
use crate::normalise::is_absolute;

/// The records to show: all that are not adopted, or, where they were held against a baseline, those
/// of them that are new and those of which nobody knows. Where the verdict is fail and nothing of
/// this explains it, as all findings were to count, all are shown.
pub fn shown(report: &Report) -> Vec<usize> {
    let all = || (0..report.records.len()).collect();
    let mut shown = match &report.attribution {
        None => all(),
        Some(attribution) => new_or_unknown(report, attribution),
    };
    if let Some(adopted) = &report.adopted {
        let standing = |index: usize| {
            u32::try_from(index).is_ok_and(|index| adopted.standing.binary_search(&index).is_ok())
        };
        shown.retain(|&index| !standing(index));
    }
    match shown.is_empty() && report.outcome == Outcome::Fail {
        true => all(),
        false => shown,
    }
}

fn new_or_unknown(report: &Report, attribution: &Attribution) -> Vec<usize> {
    let outside = |index: &usize| {
        let path = report.records.get(*index).and_then(|record| record.path.as_deref());
        path.is_some_and(is_absolute)
    };
    let unattributed = attribution
        .unattributed
        .after
        .iter()
        .map(|&index| index as usize)
        .filter(|at| !outside(at));
    let new = attribution.new.iter().map(|&index| index as usize);
    let mut shown: Vec<usize> =
        new.chain(unattributed).filter(|&index| index < report.records.len()).collect();
    shown.sort_unstable();
    shown
}

/// How many of the records that are shown there are of each kind.
pub fn counts(report: &Report) -> Counts {
    if report.attribution.is_none() && report.adopted.is_none() {
        return report.counts.clone();
    }
    let records: Vec<_> =
        shown(report).into_iter().map(|index| report.records[index].clone()).collect();
    Counts::of(&records)
}

/// A line for each kind of record that is not shown, for each run that could not be compared, and
/// for what limits the comparison.
pub fn lines(report: &Report) -> Vec<String> {
    let mut lines = rules::adopted(report);
    let Some(attribution) = report.attribution.as_deref() else { return lines };
    let mut say = |word: &str, count: usize, more: &str| {
        if count > 0 {
            lines.push(format!("{word}: {count}{more}"));
        }
    };
    say("unchanged", attribution.unchanged.len(), &of_pairs(attribution));
    say("fixed", attribution.fixed.len(), "");
    say("silenced", attribution.silenced.len(), SILENCED);
    say(
        "hidden",
        attribution.hidden.len(),
        " (not printed any more because the checker stopped early; not fixed)",
    );
    say(
        "revealed",
        attribution.revealed.len(),
        " (there before, where the checker had stopped early; not new)",
    );
    let copies = attribution.duplicates.after.len();
    say("copies", copies, " (printed more than once, counted once)");
    let unattributed = &attribution.unattributed;
    let (before, after) = (unattributed.before.len(), unattributed.after.len());
    say("unattributed", after, " (nobody knows whether they are new)");
    say("unattributed before", before, " (nobody knows whether they are fixed)");
    lines.extend(not_attributable(attribution));
    let notes = attribution.baseline.notes.iter();
    lines.extend(notes.map(|note| format!("note: {}", text::line(note))));
    lines
}

/// What silenced findings are, behind their number.
const SILENCED: &str = " (not printed any more because of what the change added; not fixed)";

/// How many findings the change silenced, if any.
pub fn silenced(report: &Report) -> Option<String> {
    let count = report.attribution.as_ref()?.silenced.len();
    (count > 0).then(|| format!("silenced: {count}{SILENCED}"))
}

/// How many of the pairs are more than a finding that stayed where it was.
fn of_pairs(attribution: &Attribution) -> String {
    let (moved, likely) = (moved(attribution), likely(attribution));
    let mut parts = Vec::new();
    if moved > 0 {
        parts.push(format!("{moved} moved"));
    }
    if likely > 0 {
        parts.push(format!("{likely} on edited code"));
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

/// How many of the pairs are one finding whose file or place in the code is another one now.
pub fn moved(attribution: &Attribution) -> usize {
    attribution.evidence.iter().filter(|pair| pair.moved).count()
}

/// How many of the pairs are only likely one finding; all others are certainly.
pub fn likely(attribution: &Attribution) -> usize {
    attribution.evidence.iter().filter(|pair| pair.certainty == Certainty::Likely).count()
}

/// A line for each run that could not be compared.
pub fn not_attributable(attribution: &Attribution) -> impl Iterator<Item = String> {
    attribution.runs.iter().filter(|run| !run.attributable).map(|run| {
        let name = match run.project.as_deref() {
            None | Some("." | "") => text::line(&run.checker),
            Some(project) => format!("{} in {}", text::line(&run.checker), text::name(project)),
        };
        let details: Vec<String> = run.details.iter().map(|detail| text::line(detail)).collect();
        let words: Vec<&str> = run.say.iter().map(|say| say.as_str()).collect();
        match details.is_empty() {
            true => format!("not attributable: {name}: {}", words.join(", ")),
            false => format!("not attributable: {name}: {}", details.join("; ")),
        }
    })
}

/// What stands in place of `2 errors in 1 file` where only what is new is shown.
pub fn found(attribution: &Attribution, found: &str) -> String {
    let unknown = plural(attribution.unattributed.after.len() as u64, "finding", "findings");
    match (attribution.new.is_empty(), attribution.unattributed.after.is_empty()) {
        (true, true) => "nothing new".to_owned(),
        (false, true) => format!("new: {found}"),
        (true, false) => format!("{unknown} not attributable: {found}"),
        (false, false) => format!("new or not attributable: {found}"),
    }
}

#[cfg(test)]
mod tests {
    use obelus_record::Report;
    use serde_json::json;

    use super::*;
    use crate::NoSources;
    use crate::present::samples::{self, written};
    use crate::present::{Agent, Human, Look};

    fn report() -> (Report, samples::MapSources) {
        let (mut report, sources) = samples::two();
        let attribution = json!({
            "attributable": false, "say": ["checker_changed", "not_analysed_after"],
            "new": [0], "fixed": [1, 2], "unchanged": [[0, 2]], "hidden": [3], "revealed": [],
            "duplicates": {"before": [], "after": []},
            "unattributed": {"before": [4], "after": [1]},
            "evidence": [{"pair": 0, "evidence": "moved", "certainty": "likely", "moved": true}],
            "runs": [{"checker": "tsc", "project": "packages/api", "attributable": false,
                "say": ["checker_changed"],
                "details": ["it was version 5.8 before the change and is 5.9 after it"]}],
        });
        report.attribution = serde_json::from_value(attribution).unwrap();
        (report, sources)
    }

    #[test]
    fn people_see_what_is_new_and_what_cannot_be_told() {
        let (report, sources) = report();
        insta::assert_snapshot!(written(&Human, &report, &sources, Look::Plain));
    }

    #[test]
    fn so_do_models() {
        let (report, sources) = report();
        insta::assert_snapshot!(written(&Agent, &report, &sources, Look::Plain));
    }

    #[test]
    fn nothing_new_is_said() {
        let (mut report, _) = samples::two();
        let mut attribution = Attribution {
            attributable: true,
            unchanged: vec![(0, 0), (1, 1)],
            ..Attribution::default()
        };
        report.attribution = Some(Box::new(attribution.clone()));
        report.outcome = Outcome::Pass;
        let shown = written(&Agent, &report, &NoSources, Look::Plain);
        assert_eq!(
            shown.lines().next(),
            Some(
                "edit applied; checks pass: nothing new, 2 older errors not caused by the edit; \
                 objecting to what stood before: tsc (2 runs); passed: eslint"
            )
        );
        attribution.evidence = vec![obelus_record::PairEvidence {
            pair: 1,
            evidence: obelus_record::Evidence::Nearest,
            certainty: Certainty::Likely,
            moved: false,
        }];
        report.attribution = Some(Box::new(attribution));
        let shown = written(&Agent, &report, &NoSources, Look::Plain);
        let likely = "2 older errors not caused by the edit (1 of these only likely);";
        assert!(shown.contains(likely), "{shown}");
    }
}
