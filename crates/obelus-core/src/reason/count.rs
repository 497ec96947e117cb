//! Totals, and what most of the records have in common.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use obelus_record::{Counts, Report, Severity, Shape};
use rustc_hash::{FxHashMap, FxHashSet};

/// Fewer records than this need no summary: they can be read.
const FEWEST: u64 = 5;

/// All totals over the records of `report`, which has those that every report has.
pub fn counts(report: &Report) -> Counts {
    let mut counts = report.counts.clone();
    let codes = report.records.iter().map(|record| &**record.code.as_ref().unwrap_or(&record.tool));
    counts.by_code = by_name(tally(codes));
    counts.by_file = by_name(tally(report.records.iter().filter_map(|r| r.path.as_deref())));
    if let Some(attribution) = &report.attribution {
        counts.new = Some(attribution.new.len() as u64);
        counts.unchanged = Some(attribution.unchanged.len() as u64);
    }
    counts.shape = shape(report);
    counts
}

/// How often each name stands in `names`.
fn tally<'a>(names: impl Iterator<Item = &'a str>) -> FxHashMap<&'a str, u64> {
    let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    counts
}

fn by_name(counts: FxHashMap<&str, u64>) -> BTreeMap<String, u64> {
    counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}

/// The code that at least half of the most severe records have, if these are many.
fn shape(report: &Report) -> Option<Shape> {
    let severity: Severity = report.records.iter().map(|record| record.severity).min()?;
    let most_severe = || report.records.iter().filter(|record| record.severity == severity);
    let of = most_severe().count() as u64;
    let by_code = tally(most_severe().filter_map(|record| record.code.as_deref()));
    // Of equal counts the first in alphabetical order, so that the answer is always the same.
    let (code, count) = by_code.into_iter().max_by_key(|&(code, count)| (count, Reverse(code)))?;
    let files: FxHashSet<&str> = most_severe()
        .filter(|record| record.code.as_deref() == Some(code))
        .filter_map(|record| record.path.as_deref())
        .collect();
    (of >= FEWEST && count * 2 >= of).then(|| Shape {
        count,
        of,
        severity,
        code: code.to_owned(),
        files: files.len() as u64,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::present::samples;

    fn report(codes: &[(&str, usize)]) -> Report {
        let mut records = Vec::new();
        for (code, count) in codes {
            for n in 0..*count {
                let path = format!("{}.ts", n % 3);
                records.push((
                    0,
                    json!({"tool": "tsc", "severity": "error", "code": code, "path": path, "message": ""}),
                ));
            }
        }
        records.push((
            0,
            json!({"tool": "eslint", "severity": "warning", "code": "w", "message": ""}),
        ));
        samples::report(vec![json!({"checker": "tsc"})], records, json!([]))
    }

    #[test]
    fn the_shape_is_told_where_it_says_something() {
        let shape = |codes| counts(&report(codes)).shape.map(|s| (s.count, s.of, s.code, s.files));
        assert_eq!(shape(&[("A", 31), ("B", 16)]), Some((31, 47, "A".to_owned(), 3)));
        assert_eq!(shape(&[("A", 4), ("B", 5), ("C", 4)]), None);
        assert_eq!(shape(&[("B", 3), ("A", 3)]), Some((3, 6, "A".to_owned(), 3)));
        assert_eq!(shape(&[("A", 4)]), None);
    }

    #[test]
    fn totals_by_code_and_file() {
        let counts = counts(&report(&[("A", 4)]));
        assert_eq!((counts.by_code["A"], counts.by_code["w"]), (4, 1));
        assert_eq!((counts.by_file["0.ts"], counts.files), (2, 3));
    }
}
