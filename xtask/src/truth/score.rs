//! What was right of what was said about a fault.

use serde_json::Value;

use super::experiment::{Control, Knows, Said, Trial};
use super::fault::Place;

/// A finding without its line, which an edit elsewhere may move.
pub(crate) type Key = (String, String, String);

/// What came of one fault under one checker.
#[derive(Debug)]
pub(crate) struct Score {
    pub(crate) checker: &'static str,
    pub(crate) kind: &'static str,
    /// What was known of the time before.
    pub(crate) knows: Knows,
    /// How many findings the fault has; of one that nobody sees nothing can be said.
    pub(crate) findings: usize,
    pub(crate) lead: bool,
    pub(crate) consequences: usize,
    /// Consequences that vanish when the fault is taken back.
    pub(crate) vanish: usize,
    pub(crate) controls: usize,
    /// Findings of a control that were called consequences.
    pub(crate) swallowed: Vec<Key>,
}

impl Score {
    pub(crate) fn new(
        trial: &Trial<'_>,
        said: &Said,
        place: &Place,
        control: Option<&Control>,
    ) -> Self {
        let all = keys(&said.report);
        let is_control = controls(&said.report, &all, trial, control);
        let findings = is_control.iter().filter(|is_control| !**is_control).count();
        let (mut consequences, mut vanish, mut swallowed) = (0, 0, Vec::new());
        for cause in said.report["causes"].as_array().into_iter().flatten() {
            let members = |which: &str| -> Vec<usize> {
                let indices = cause[which].as_array().into_iter().flatten();
                indices.filter_map(|index| usize::try_from(index.as_u64()?).ok()).collect()
            };
            let (shown_by, follow) = (members("records"), members("consequences"));
            let of_control: Vec<usize> =
                follow.iter().copied().filter(|&index| is_control[index]).collect();
            if of_control.len() == follow.len() && shown_by.iter().all(|&index| is_control[index]) {
                // The control has consequences of its own.
                continue;
            }
            consequences += follow.len();
            // What is said to follow from the control does not.
            let led_by_control = shown_by.first().is_some_and(|&index| is_control[index]);
            vanish += if led_by_control { 0 } else { follow.len() - of_control.len() };
            swallowed.extend(of_control.into_iter().map(|index| all[index].clone()));
        }
        // Of two faults, what shows more comes first; of equals either may.
        let others = all.len() - findings;
        let either = others >= findings && others > 0 && said.knows != Knows::Older;
        let lead = super::lead::first(&said.text);
        let right = lead.is_some_and(|lead| {
            let standing =
                || lead.at.as_ref().is_some_and(|at| is_standing(&said.report, trial, at));
            lead.is_at(place)
                || either && control.is_some_and(|control| lead.is_at(&control.place))
                || said.knows == Knows::Nothing && standing()
        });
        Score {
            checker: trial.checker,
            kind: trial.fault.kind,
            knows: said.knows,
            findings,
            lead: right,
            consequences,
            vanish,
            controls: others,
            swallowed,
        }
    }

    pub(crate) fn lead_right(&self) -> bool {
        self.findings == 0 || self.lead
    }

    pub(crate) fn has_wrong(&self) -> bool {
        self.vanish < self.consequences || !self.swallowed.is_empty()
    }
}

/// For each record whether a control is its reason: it is found without the fault too, or, in other
/// words perhaps, it lies on the line on which the control was put.
fn controls(
    report: &Value,
    all: &[Key],
    trial: &Trial<'_>,
    control: Option<&Control>,
) -> Vec<bool> {
    let of_control = control.map_or(&[][..], |control| &control.keys);
    let is_known = |key: &Key| of_control.contains(key) || trial.standing.contains(key);
    let lines = report["records"].as_array().into_iter().flatten().map(|record| &record["line"]);
    let lies = |key: &Key, line: &Value| {
        control.is_some_and(|Control { place, keys, .. }| {
            let (first, last) = place.edited;
            let is_there = line.as_u64().is_some_and(|n| (first.into()..=last.into()).contains(&n));
            key.1 == place.path && is_there && keys.iter().any(|(code, ..)| *code == key.0)
        })
    };
    all.iter().zip(lines).map(|(key, line)| is_known(key) || lies(key, line)).collect()
}

/// Whether something is found at the place without any fault: who knows nothing of the change may
/// be told of that first.
fn is_standing(report: &Value, trial: &Trial<'_>, (path, line): &(String, u32)) -> bool {
    let mut records = report["records"].as_array().into_iter().flatten().zip(keys(report));
    records.any(|(record, key)| {
        trial.standing.contains(&key)
            && key.1 == *path
            && record["line"].as_u64() == Some(u64::from(*line))
    })
}

/// What `report` holds, in its order.
pub(crate) fn keys(report: &Value) -> Vec<Key> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let records = report["records"].as_array().into_iter().flatten();
    records
        .map(|record| (text(&record["code"]), text(&record["path"]), text(&record["message"])))
        .collect()
}

/// The share of `part` in `whole`, in percent; all of nothing.
fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 }
}

/// Shares that were reached, over some scores.
pub(crate) struct Totals {
    seen: usize,
    leads: usize,
    findings: usize,
    consequences: usize,
    vanish: usize,
    controls: usize,
    swallowed: usize,
}

/// Percent of leads that must be right, and of consequences.
const GOALS: (f64, f64) = (95.0, 99.0);

impl Totals {
    /// Sums up `scores`.
    pub(crate) fn of<'s>(scores: impl Iterator<Item = &'s Score>) -> Self {
        let none = Totals {
            seen: 0,
            leads: 0,
            findings: 0,
            consequences: 0,
            vanish: 0,
            controls: 0,
            swallowed: 0,
        };
        scores.fold(none, |sum, score| Totals {
            seen: sum.seen + usize::from(score.findings > 0),
            leads: sum.leads + usize::from(score.findings > 0 && score.lead),
            findings: sum.findings + score.findings,
            consequences: sum.consequences + score.consequences,
            vanish: sum.vanish + score.vanish,
            controls: sum.controls + score.controls,
            swallowed: sum.swallowed + score.swallowed.len(),
        })
    }

    /// One row of the table.
    pub(crate) fn row(&self) -> String {
        format!(
            "{:>6}{:>8}{:>7.1} %{:>8}{:>7.1} %{:>8}{:>8}",
            self.seen,
            self.findings,
            percent(self.leads, self.seen),
            self.consequences,
            percent(self.vanish, self.consequences),
            self.controls,
            self.swallowed
        )
    }

    /// Whether the goals are reached, that of leads where it is asked for.
    pub(crate) fn is_good(&self, leads: bool) -> bool {
        (!leads || percent(self.leads, self.seen) >= GOALS.0)
            && percent(self.vanish, self.consequences) >= GOALS.1
            && self.swallowed == 0
    }
}

/// The head of the table.
pub(crate) const HEAD: &str = "faults findings  lead right  follow    right  control swallow";

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn place(path: &str) -> Place {
        Place { path: path.to_owned(), lines: (1, 9), edited: (3, 3), gone: None }
    }

    fn score(causes: Value, control: &Control) -> Score {
        let record =
            |path: &str| json!({"code": "c", "path": path, "line": 3, "message": "m of a"});
        let report = json!({"records": [record("a"), record("b"), record("x")], "causes": causes});
        let said = Said { knows: Knows::Nothing, report, text: "a\n3 y\n^1 c m\n".to_owned() };
        Score::new(&Trial::sample(), &said, &place("a"), Some(control))
    }

    #[test]
    fn a_control_among_consequences_is_swallowed() {
        let control = Control::sample("x", place("x"));
        let right = score(json!([{"records": [0], "consequences": [1]}]), &control);
        assert_eq!((right.findings, right.lead, right.consequences, right.vanish), (2, true, 1, 1));
        assert_eq!((right.controls, right.swallowed.len()), (1, 0));
        let wrong = score(json!([{"records": [0], "consequences": [1, 2]}]), &control);
        assert_eq!((wrong.consequences, wrong.vanish, wrong.swallowed.len()), (2, 1, 1));
        let led = score(json!([{"records": [2], "consequences": [1]}]), &control);
        assert_eq!((led.consequences, led.vanish, led.swallowed.len()), (1, 0, 0));
        assert!(Totals::of([&right].into_iter()).is_good(true));
        assert!(!Totals::of([&right, &led].into_iter()).is_good(false));
    }
}
