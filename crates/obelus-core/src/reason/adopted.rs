//! Findings that a team has adopted: they were there when it began, and fail no check.
//!
//! The file holds one finding a line, sorted, without any line number, so that edits elsewhere
//! change no line of it and two branches merge. Fields are parted by tabs: path, tool, code, a
//! hash of the source line without its white space, message. Lines that are equal stand for as
//! many findings.

use obelus_record::{Adopted, Diagnostic, Outcome, Report, Severity};
use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::{LineEnds, SourceText, Sources};

/// The name of the file, in the root.
pub const FILE: &str = "obelus-baseline.txt";

const HEAD: &str = "\
# Findings that `obelus check` lets stand: one a line, by path, tool, code, hash of the source line, message.
# `obelus baseline adopt` writes this file, and takes out what is gone.
";

/// A line that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{FILE}, line {line}: {message}")]
pub struct AdoptedError {
    /// The line, from 1.
    line: u32,
    /// What is wrong with it.
    message: String,
}

/// One adopted finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Finding {
    path: String,
    tool: String,
    code: String,
    source: String,
    message: String,
}

/// What stands in a field for nothing.
const NOTHING: &str = "-";

impl Finding {
    fn of(record: &Diagnostic, texts: &mut Texts<'_>) -> Self {
        Finding {
            path: field(record.path.as_deref().unwrap_or(NOTHING)),
            tool: field(&record.tool),
            code: field(record.code.as_deref().unwrap_or(NOTHING)),
            source: texts.hash(record),
            message: field(&message(&record.message)),
        }
    }

    /// Whether both are about the same source line, wherever it is now.
    fn moved_key(&self) -> Option<(&str, &str, &str, &str)> {
        (self.source != NOTHING).then_some((&self.tool, &self.code, &self.source, &self.message))
    }

    fn line(&self) -> String {
        [&self.path, &self.tool, &self.code, &self.source, &self.message]
            .map(String::as_str)
            .join("\t")
    }
}

/// A text as one field of one line.
fn field(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_control()).collect();
    words.join(" ").trim().to_owned()
}

/// The first line of a message, with numbers left out: a tool may count in it what grows.
fn message(text: &str) -> String {
    let mut out = String::new();
    for c in text.lines().next().unwrap_or_default().chars() {
        match c.is_ascii_digit() {
            true if out.ends_with('#') => {}
            true => out.push('#'),
            false => out.push(c),
        }
    }
    out
}

/// Source texts, each cut into lines once.
struct Texts<'s> {
    sources: &'s dyn Sources,
    known: FxHashMap<String, Option<SourceText>>,
}

impl Texts<'_> {
    /// The hash of the line at which a record begins, without its white space.
    fn hash(&mut self, record: &Diagnostic) -> String {
        let (Some(path), Some(line), None) = (&record.path, record.line, record.cell) else {
            return NOTHING.to_owned();
        };
        let sources = self.sources;
        let text = self.known.entry(path.to_string()).or_insert_with(|| {
            sources.read(path).map(|bytes| SourceText::new(bytes, LineEnds::Usual))
        });
        match text.as_ref().and_then(|text| text.line(line)) {
            Some(line) => format!("{:08x}", fnv(line)),
            None => NOTHING.to_owned(),
        }
    }
}

/// FNV-1a of the bytes that are no white space, folded to 32 bits. It stands in files that other
/// versions read, so it may never change.
fn fnv(line: &[u8]) -> u32 {
    let hash = line
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    (hash >> 32) as u32 ^ hash as u32
}

/// The file of adopted findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdoptedFile {
    /// Each finding with its line, from 1.
    findings: Vec<(u32, Finding)>,
}

/// What adopting the findings of a report does to the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adoption {
    /// The new text of the file.
    pub text: String,
    /// Findings that the file names now.
    pub total: usize,
    /// Findings that were taken out, because they are gone.
    pub removed: usize,
    /// Findings that were added.
    pub added: usize,
    /// Findings that are not in the file and were not added, as indices into the records.
    pub refused: Vec<u32>,
}

impl AdoptedFile {
    /// Reads the file.
    pub fn parse(text: &str) -> Result<Self, AdoptedError> {
        let mut findings = Vec::new();
        for (line, number) in text.lines().zip(1_u32..) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let error = |message: &str| AdoptedError { line: number, message: message.to_owned() };
            if ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| line.starts_with(mark)) {
                return Err(error(
                    "a merge conflict; keep the lines of both sides, then `obelus baseline adopt`",
                ));
            }
            let fields: Vec<&str> = line.split('\t').collect();
            let [path, tool, code, source, message] = fields[..] else {
                return Err(error(
                    "not five fields parted by tabs; `obelus baseline adopt` writes the file",
                ));
            };
            let [path, tool, code, source, message] =
                [path, tool, code, source, message].map(str::to_owned);
            findings.push((number, Finding { path, tool, code, source, message }));
        }
        Ok(AdoptedFile { findings })
    }

    /// How many findings of this file `before` does not have.
    pub fn growth(&self, before: &AdoptedFile) -> usize {
        let mut known: FxHashMap<&Finding, usize> = FxHashMap::default();
        for (_, finding) in &before.findings {
            *known.entry(finding).or_default() += 1;
        }
        let mut is_more = |finding: &Finding| match known.get_mut(finding) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        };
        self.findings.iter().filter(|(_, finding)| is_more(finding)).count()
    }

    /// Which records of `report` the file names, and which of its lines are stale.
    pub fn hold(&self, report: &Report, sources: &dyn Sources) -> Adopted {
        let matched = self.matched(report, sources);
        let mut standing: Vec<u32> = matched.pairs.iter().map(|(_, record)| *record).collect();
        standing.sort_unstable();
        let gone = matched.gone(self, report);
        let stale = gone.into_iter().map(|index| self.findings[index].0).collect();
        Adopted { file: FILE.to_owned(), standing, stale }
    }

    /// Takes out what is gone, and adds what is new if `grow` allows it.
    pub fn adopt(&self, report: &Report, sources: &dyn Sources, grow: bool) -> Adoption {
        let matched = self.matched(report, sources);
        let gone = matched.gone(self, report);
        let new: Vec<&(u32, Finding)> = matched.left.iter().collect();
        // What moved is written as it is now; what nobody looked at stays as it is.
        let mut kept: Vec<Finding> =
            matched.pairs.iter().map(|(_, r)| matched.now[r].clone()).collect();
        let unseen = matched.free.iter().filter(|index| gone.binary_search(index).is_err());
        kept.extend(unseen.map(|&index| self.findings[index].1.clone()));
        let (added, refused) = match grow {
            true => {
                kept.extend(new.iter().map(|(_, finding)| finding.clone()));
                (new.len(), Vec::new())
            }
            false => (0, new.iter().map(|(record, _)| *record).collect()),
        };
        kept.sort_unstable();
        let lines: String = kept.iter().map(|finding| finding.line() + "\n").collect();
        Adoption {
            text: format!("{HEAD}{lines}"),
            total: kept.len(),
            removed: gone.len(),
            added,
            refused,
        }
    }

    fn matched(&self, report: &Report, sources: &dyn Sources) -> Matched {
        let mut texts = Texts { sources, known: FxHashMap::default() };
        let mut left: Vec<(u32, Finding)> = report
            .records
            .iter()
            .zip(0_u32..)
            .filter(|(record, _)| may_be_adopted(record))
            .map(|(record, index)| (index, Finding::of(record, &mut texts)))
            .collect();
        let now = left.iter().cloned().collect();
        let mut free: Vec<usize> = (0..self.findings.len()).collect();
        let mut pairs = Vec::new();
        // First what is where it was, then what is on the same source line elsewhere.
        self.pair(&mut free, &mut left, &mut pairs, |finding| Some(finding.line()));
        self.pair(&mut free, &mut left, &mut pairs, |finding| {
            finding
                .moved_key()
                .map(|(tool, code, source, message)| [tool, code, source, message].join("\t"))
        });
        Matched { pairs, left, free, now }
    }

    /// Pairs what has the same key, one to one.
    fn pair(
        &self,
        free: &mut Vec<usize>,
        left: &mut Vec<(u32, Finding)>,
        pairs: &mut Vec<(usize, u32)>,
        key: impl Fn(&Finding) -> Option<String>,
    ) {
        let mut by_key: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        // From the back, so that the first line is taken first.
        for &index in free.iter().rev() {
            if let Some(key) = key(&self.findings[index].1) {
                by_key.entry(key).or_default().push(index);
            }
        }
        let before = pairs.len();
        left.retain(|(record, finding)| {
            let hit = key(finding).and_then(|key| by_key.get_mut(&key)?.pop());
            pairs.extend(hit.map(|index| (index, *record)));
            hit.is_none()
        });
        let taken: rustc_hash::FxHashSet<usize> =
            pairs[before..].iter().map(|(index, _)| *index).collect();
        free.retain(|index| !taken.contains(index));
    }
}

/// What of a file is what of a report.
struct Matched {
    /// Findings of the file with the records that they name.
    pairs: Vec<(usize, u32)>,
    /// Records that the file does not name.
    left: Vec<(u32, Finding)>,
    /// Findings of the file that name no record.
    free: Vec<usize>,
    /// Every record as a finding.
    now: FxHashMap<u32, Finding>,
}

impl Matched {
    /// Findings of the file that are gone: a run of their tool looked at everything and did not
    /// report them.
    fn gone(&self, file: &AdoptedFile, report: &Report) -> Vec<usize> {
        if !report.scope.is_empty() {
            return Vec::new();
        }
        let looked = |tool: &str| {
            let mut runs = report.runs.iter().filter(|run| run.tool == tool).peekable();
            runs.peek().is_some()
                && runs.all(|run| run.outcome != Outcome::HarnessError && !run.partial)
        };
        self.free.iter().copied().filter(|&index| looked(&file.findings[index].1.tool)).collect()
    }
}

/// Findings outside the repository have paths of one machine; infos and hints fail no check.
fn may_be_adopted(record: &Diagnostic) -> bool {
    let outside = |path: &str| path.starts_with('/') || path.get(1..3) == Some(":/");
    matches!(record.severity, Severity::Error | Severity::Warning)
        && !record.path.as_deref().is_some_and(outside)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;

    struct Files(Vec<(&'static str, &'static str)>);

    impl Sources for Files {
        fn read(&self, path: &str) -> Option<Arc<[u8]>> {
            let file = self.0.iter().find(|(name, _)| *name == path)?;
            Some(file.1.as_bytes().into())
        }
        fn exists(&self, path: &str) -> bool {
            self.read(path).is_some()
        }
        fn ending_in(&self, _tail: &str) -> Option<String> {
            None
        }
    }

    fn report(places: &[(&str, u32, &str)]) -> Report {
        let record = |(path, line, message): &(&str, u32, &str)| {
            json!({"tool": "tsc", "severity": "error", "code": "TS1", "path": path, "line": line,
                "message": message})
        };
        serde_json::from_value(json!({
            "version": 1, "outcome": "fail", "reason": "",
            "records": places.iter().map(record).collect::<Vec<_>>(),
            "origins": places.iter().map(|_| json!({"runs": [0], "count": 1})).collect::<Vec<_>>(),
            "counts": {"error": 0, "warning": 0, "info": 0, "hint": 0, "files": 0, "by_tool": {}},
            "runs": [{"checker": "tsc", "tool": "tsc", "format": "tsc-text", "exit": 1,
                "termination": {"how": "exited", "code": 1}, "outcome": "fail", "reason": ""}],
        }))
        .unwrap()
    }

    #[test]
    fn a_shift_a_move_and_twins() {
        let before = Files(vec![("a.ts", "let x;\nlet x;\n  foo(12)\n")]);
        let first =
            report(&[("a.ts", 1, "twin"), ("a.ts", 2, "twin"), ("a.ts", 3, "12 of 13\nmore")]);
        let adoption = AdoptedFile::default().adopt(&first, &before, true);
        assert_eq!((adoption.total, adoption.added, adoption.removed), (3, 3, 0));
        let file = AdoptedFile::parse(&adoption.text).unwrap();
        assert!(adoption.text.ends_with(
            "a.ts\ttsc\tTS1\t53b8ca0d\ttwin\na.ts\ttsc\tTS1\t53b8ca0d\ttwin\na.ts\ttsc\tTS1\tc443bc0e\t# of #\n"
        ));

        // Lines above, another indent, another file; one twin of two is gone, a third thing came.
        let after = Files(vec![("a.ts", "//\n\nlet x;\nbar\n"), ("b.ts", "foo(12)\n")]);
        let second = report(&[("a.ts", 3, "twin"), ("b.ts", 1, "9 of 13"), ("a.ts", 4, "twin")]);
        let held = file.hold(&second, &after);
        assert_eq!((held.standing, held.stale.len()), (vec![0, 1], 1));
        let adoption = file.adopt(&second, &after, false);
        assert_eq!((adoption.total, adoption.added, adoption.removed), (2, 0, 1));
        assert_eq!(adoption.refused, [2]);
        assert!(adoption.text.contains("\nb.ts\t"), "{}", adoption.text);
        assert_eq!(AdoptedFile::parse(&adoption.text).unwrap().growth(&file), 1);
    }

    #[test]
    fn what_nobody_looked_at_is_not_gone() {
        let file = AdoptedFile::parse("a.py\tmypy\tx\t-\tm\na.ts\ttsc\tTS1\t-\tm\n").unwrap();
        let mut report = report(&[]);
        assert_eq!(file.hold(&report, &crate::NoSources).stale, [2]);
        report.scope = vec!["b".to_owned()];
        assert!(file.hold(&report, &crate::NoSources).stale.is_empty());
        report.scope.clear();
        report.runs[0].outcome = Outcome::HarnessError;
        let adoption = file.adopt(&report, &crate::NoSources, false);
        assert_eq!((adoption.total, adoption.removed), (2, 0));
    }

    #[test]
    fn a_line_that_can_not_be_read_is_told() {
        let error = |text| AdoptedFile::parse(text).unwrap_err().to_string();
        assert!(
            error("# a\n<<<<<<< HEAD\n")
                .starts_with("obelus-baseline.txt, line 2: a merge conflict")
        );
        assert!(error("a\tb\n").starts_with("obelus-baseline.txt, line 1: not five fields"));
    }
}
