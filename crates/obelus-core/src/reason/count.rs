//! Totals, and what most of the records have in common.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use obelus_record::{Counts, Diagnostic, Report, Severity, Shape};
use rustc_hash::FxHashSet;

use super::numbers::{ByFile, NO_PATH, Numbers};

/// Fewer records than this need no summary: they can be read.
const FEWEST: u64 = 5;

/// All totals over the records of `report`, which `by_file` holds; it has those that every report has.
pub(super) fn counts(report: &Report, by_file: &ByFile<'_>) -> Counts {
    let mut counts = report.counts.clone();
    let codes = Codes::of(by_file.records);
    counts.by_code = codes.tally();
    let files = by_file.files();
    counts.by_file = files.map(|(path, own)| (path.to_owned(), own.len() as u64)).collect();
    if let Some(attribution) = &report.attribution {
        counts.new = Some(attribution.new.len() as u64);
        counts.unchanged = Some(attribution.unchanged.len() as u64);
    }
    counts.shape = codes.shape(by_file);
    counts
}

/// The codes of records; in place of one that is missing, the name of the tool.
struct Codes<'a> {
    names: Numbers<'a>,
    /// The code of each record.
    of: Vec<u32>,
}

impl<'a> Codes<'a> {
    fn of(records: &'a [Diagnostic]) -> Self {
        let mut names = Numbers::default();
        let code = |record: &'a Diagnostic| record.code.as_ref().unwrap_or(&record.tool);
        let of = records.iter().map(|record| names.number(code(record))).collect();
        Codes { names, of }
    }

    /// How many records have each.
    fn tally(&self) -> BTreeMap<String, u64> {
        let counts = tally(self.of.iter().copied(), self.names.names().len());
        let names = self.names.names().iter().map(|name| (*name).to_owned());
        names.zip(counts).collect()
    }

    /// The code that at least half of the most severe records have, if these are many.
    fn shape(&self, by_file: &ByFile<'_>) -> Option<Shape> {
        let records = by_file.records;
        let severity: Severity = records.iter().map(|record| record.severity).min()?;
        let most_severe = (0_u32..).zip(records).filter(|(_, one)| one.severity == severity);
        let (mut of, mut coded) = (0, Vec::new());
        for (index, record) in most_severe {
            of += 1;
            coded.extend(record.code.as_ref().map(|_| index));
        }
        let code = |&index: &u32| self.of[index as usize];
        let counts = tally(coded.iter().map(code), self.names.names().len());
        let counts = self.names.names().iter().zip(counts).filter(|(_, count)| *count > 0);
        // Of equal counts the first in alphabetical order, so that the answer is always the same.
        let (name, count) = counts.max_by_key(|&(name, count)| (count, Reverse(name)))?;
        let number = self.names.find(name)?;
        let own = coded.iter().filter(|index| code(index) == number);
        let files: FxHashSet<u32> = own.map(|&index| by_file.path_of(index)).collect();
        let files = files.into_iter().filter(|&path| path != NO_PATH).count() as u64;
        let (code, says_something) = ((*name).to_owned(), of >= FEWEST && count * 2 >= of);
        says_something.then_some(Shape { count, of, severity, code, files })
    }
}

/// How often each number below `count` comes.
fn tally(numbers: impl Iterator<Item = u32>, count: usize) -> Vec<u64> {
    let mut counts = vec![0; count];
    for number in numbers {
        counts[number as usize] += 1;
    }
    counts
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
        let counts = |report: Report| counts(&report, &ByFile::new(&report.records));
        let shape = |codes| counts(report(codes)).shape.map(|s| (s.count, s.of, s.code, s.files));
        assert_eq!(shape(&[("A", 31), ("B", 16)]), Some((31, 47, "A".to_owned(), 3)));
        assert_eq!(shape(&[("A", 4), ("B", 5), ("C", 4)]), None);
        assert_eq!(shape(&[("B", 3), ("A", 3)]), Some((3, 6, "A".to_owned(), 3)));
        assert_eq!(shape(&[("A", 4)]), None);
    }

    #[test]
    fn totals_by_code_and_file() {
        let report = report(&[("A", 4)]);
        let counts = counts(&report, &ByFile::new(&report.records));
        assert_eq!((counts.by_code["A"], counts.by_code["w"]), (4, 1));
        assert_eq!((counts.by_file["0.ts"], counts.files), (2, 3));
    }
}
