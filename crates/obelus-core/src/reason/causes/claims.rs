//! Which record belongs to which cause so far.

use obelus_record::{Cause, CauseLocation, CauseRule};

use super::Grouped;

/// The causes found so far. A record is claimed once.
pub struct Claims {
    /// For each record the cause that it belongs to.
    owner: Vec<Option<usize>>,
    causes: Vec<(CauseRule, Cause)>,
}

impl Claims {
    /// No cause is known of `records` records.
    pub fn new(records: usize) -> Self {
        Claims { owner: vec![None; records], causes: Vec::new() }
    }

    /// Whether the record belongs to no cause yet.
    pub fn is_free(&self, record: u32) -> bool {
        self.owner[record as usize].is_none()
    }

    /// Says that `consequences` follow from what `shown_by` shows, or from what lies at `location`.
    ///
    /// Where the first of `shown_by` belongs to a cause already, be it as a consequence, that is the
    /// cause of these consequences too. Records that are claimed already are left where they are;
    /// without a free consequence nothing is claimed at all.
    pub fn add(
        &mut self,
        rule: CauseRule,
        shown_by: &[u32],
        location: Option<CauseLocation>,
        consequences: impl IntoIterator<Item = u32>,
    ) {
        let consequences: Vec<u32> = consequences
            .into_iter()
            .filter(|record| self.is_free(*record) && !shown_by.contains(record))
            .collect();
        if consequences.is_empty() {
            return;
        }
        let known = shown_by.first().and_then(|&first| self.owner[first as usize]);
        let cause = known.unwrap_or_else(|| {
            self.causes.push((rule, Cause { location, ..Cause::default() }));
            self.causes.len() - 1
        });
        for &record in shown_by {
            if !self.is_free(record) {
                continue;
            }
            self.owner[record as usize] = Some(cause);
            self.causes[cause].1.records.push(record);
        }
        for record in consequences {
            // One that is named twice is claimed by now.
            if self.is_free(record) {
                self.owner[record as usize] = Some(cause);
                self.causes[cause].1.consequences.push(record);
            }
        }
    }

    /// Says that one record shows a cause that lies elsewhere, and that nothing else follows from.
    pub fn add_alone(&mut self, rule: CauseRule, record: u32, location: CauseLocation) {
        if self.is_free(record) {
            self.owner[record as usize] = Some(self.causes.len());
            let (location, records) = (Some(location), vec![record]);
            self.causes.push((rule, Cause { records, location, consequences: Vec::new() }));
        }
    }

    /// The causes, those that explain most first; a group of equal messages is no explanation and
    /// comes last.
    pub fn finish(mut self) -> Grouped {
        for (_, cause) in &mut self.causes {
            cause.consequences.sort_unstable();
        }
        self.causes.sort_by_key(|(rule, cause)| {
            let explains = std::cmp::Reverse(cause.consequences.len());
            let first = cause.records.first().or(cause.consequences.first()).copied();
            (*rule == CauseRule::SameMessage, explains, first)
        });
        let (rules, causes) = self.causes.into_iter().unzip();
        let free = (0_u32..).zip(&self.owner).filter(|(_, owner)| owner.is_none());
        Grouped { causes, rules, independent: free.map(|(record, _)| record).collect() }
    }
}
