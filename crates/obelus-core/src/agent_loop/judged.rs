//! What the check of one round came to, as far as the loop decides by it.

use obelus_record::{Outcome, Report};

use super::keys::KeySet;
use crate::reason::attribute::{self, FailOn};
use crate::reason::silence::is_silencing;

/// What the check of one round came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The verdict.
    pub outcome: Outcome,
    /// Why, in words.
    pub reason: String,
    /// Findings that fail it.
    pub new: u64,
    /// What they are known by.
    pub keys: KeySet,
    /// Findings of the baseline that are gone.
    pub fixed: u64,
    /// How much is hidden rather than fixed: findings of the baseline that something silences now,
    /// or, where these are more, places that silence a checker and did not before.
    pub silenced: u64,
    /// All other findings, which stood before.
    pub standing: u64,
}

/// The records of `report` that fail its verdict, as indices; none where it passes.
pub fn objections(report: &Report, fail_on: FailOn) -> Vec<u32> {
    match report.outcome {
        Outcome::Fail => attribute::objections(report, fail_on),
        Outcome::Pass | Outcome::HarnessError => Vec::new(),
    }
}

fn silenced(report: &Report) -> u64 {
    let findings =
        report.attribution.as_deref().map_or(0, |attribution| attribution.silenced.len());
    let places = report.records.iter().filter(|record| is_silencing(record)).count();
    findings.max(places) as u64
}

impl Judged {
    /// How far it is from clean: what fails the verdict, and what is only hidden.
    pub fn faults(&self) -> u64 {
        self.new + self.silenced
    }

    /// What `report` came to, of whose findings `fail_on` says which fail it.
    pub fn of(report: &Report, fail_on: FailOn) -> Self {
        let objections = objections(report, fail_on);
        let records = objections.iter().filter_map(|&index| report.records.get(index as usize));
        let keys = KeySet::of(records);
        let attribution = report.attribution.as_deref();
        Judged {
            outcome: report.outcome,
            reason: report.reason.clone(),
            new: objections.len() as u64,
            keys,
            fixed: attribution.map_or(0, |attribution| attribution.fixed.len() as u64),
            silenced: silenced(report),
            standing: report
                .records
                .iter()
                .zip(0_u32..)
                .filter(|(record, index)| !is_silencing(record) && !objections.contains(index))
                .count() as u64,
        }
    }
}
