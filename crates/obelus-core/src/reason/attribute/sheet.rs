//! The records of one side while they are being paired.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use obelus_record::{Certainty, Diagnostic, Evidence};
use rustc_hash::{FxHashMap, FxHasher};

use crate::reason::numbers::PathId;

/// A pair of records that are one finding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub before: u32,
    pub after: u32,
    pub evidence: Evidence,
    pub certainty: Certainty,
    pub moved: bool,
}

/// What is known of a record so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing yet.
    Open,
    /// Its run can't be compared.
    Barred,
    /// It is the same record as another one of its side.
    Copy,
    /// It has its counterpart.
    Paired,
}

/// Records by what they say and where.
pub(super) struct Index<'a> {
    records: &'a [Diagnostic],
    first: FxHashMap<u64, u32>,
    /// For each record, the next one with the same hash; [`END`] behind the last.
    next: Vec<u32>,
}

const END: u32 = u32::MAX;

impl<'a> Index<'a> {
    pub fn new(records: &'a [Diagnostic]) -> Self {
        let first = FxHashMap::with_capacity_and_hasher(records.len(), Default::default());
        Index { records, first, next: vec![END; records.len()] }
    }

    /// Adds record `index`, whose hash is `hash`.
    pub fn add(&mut self, index: u32, hash: u64) {
        if let Some(second) = self.first.insert(hash, index) {
            self.next[index as usize] = second;
        }
    }

    /// The records here that say the same at the same place as `record`, whose hash is `hash`.
    pub fn equal<'s>(
        &'s self,
        record: &'s Diagnostic,
        hash: u64,
    ) -> impl Iterator<Item = u32> + 's {
        let first = self.first.get(&hash).copied();
        let chain = std::iter::successors(first, |&at| {
            Some(self.next[at as usize]).filter(|&next| next != END)
        });
        chain.filter(move |&at| say_the_same(&self.records[at as usize], record))
    }
}

fn place(record: &Diagnostic) -> [Option<u32>; 3] {
    [record.cell, record.line, record.column]
}

/// Whether two records say the same at the same place. How far a finding reaches and how severe it
/// is does not matter.
fn say_the_same(a: &Diagnostic, b: &Diagnostic) -> bool {
    let both = |a: &Option<Arc<str>>, b: &Option<Arc<str>>| match (a, b) {
        (Some(a), Some(b)) => is_one(a, b),
        (None, None) => true,
        _ => false,
    };
    // What differs most often comes first.
    place(a) == place(b)
        && both(&a.path, &b.path)
        && is_one(&a.message, &b.message)
        && both(&a.code, &b.code)
        && is_one(&a.tool, &b.tool)
}

/// Whether two texts are equal: mostly they are one.
fn is_one(a: &Arc<str>, b: &Arc<str>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}

/// The hash of what a record says, and where; `path` is the number of its path.
pub(super) fn hash(record: &Diagnostic, path: PathId) -> u64 {
    let mut hasher = FxHasher::default();
    (path, place(record), &record.message, &record.code, &record.tool).hash(&mut hasher);
    hasher.finish()
}

/// Whether two records of one side that say the same at the same place are one finding, printed
/// twice. Without a path they must be equal in everything: a linker's errors differ in what they
/// relate to alone.
pub(super) fn is_copy(a: &Diagnostic, b: &Diagnostic) -> bool {
    let end = |record: &Diagnostic| (record.end_line, record.end_column);
    end(a) == end(b) && (a.path.is_some() || a == b)
}
