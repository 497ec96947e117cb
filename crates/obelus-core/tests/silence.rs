//! What silences, against changes whose every added line is labelled.
//!
//! A case of `tests/cases/silence/` is a change, line by line. The first character says what a line
//! is: a space one that stayed, `-` one that was taken away, `+` one that was added and silences
//! nothing, `!kind|` one that was added and holds what silences (several kinds with commas between
//! them). `~silenced tool code|` and `~fixed tool code|` are lines that were taken away and had a
//! finding, `=silenced tool code|` and `=fixed tool code|` lines that stayed and had one, each with
//! what must be said of it. `# path` starts a file, `#- path` one that is deleted. `* kind` behind it is
//! expected without a line, `*@ kind|` on a line that stayed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use obelus_core::reason::attribute::{FilePairs, Tree};
use obelus_core::reason::{Change, Changed, compare};
use obelus_core::{Sources, reports};
use serde_json::{Value, json};

const CASES: [(&str, &str); 12] = [
    ("typescript", include_str!("../../../tests/cases/silence/typescript.txt")),
    ("javascript", include_str!("../../../tests/cases/silence/javascript.txt")),
    ("python", include_str!("../../../tests/cases/silence/python.txt")),
    ("rust", include_str!("../../../tests/cases/silence/rust.txt")),
    ("go", include_str!("../../../tests/cases/silence/go.txt")),
    ("java", include_str!("../../../tests/cases/silence/java.txt")),
    ("c", include_str!("../../../tests/cases/silence/c.txt")),
    ("shell", include_str!("../../../tests/cases/silence/shell.txt")),
    ("tests", include_str!("../../../tests/cases/silence/tests.txt")),
    ("configuration", include_str!("../../../tests/cases/silence/configuration.txt")),
    ("moved", include_str!("../../../tests/cases/silence/moved.txt")),
    ("commands", include_str!("../../../tests/cases/silence/commands.txt")),
];

struct Files(BTreeMap<String, Arc<[u8]>>);

impl Sources for Files {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.0.get(path).cloned()
    }

    fn exists(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    fn ending_in(&self, _tail: &str) -> Option<String> {
        None
    }
}

impl Tree for Files {
    fn files(&self) -> Vec<(String, u64)> {
        self.0.iter().map(|(path, bytes)| (path.clone(), bytes.len() as u64)).collect()
    }
}

/// `path:line kind`, or `path kind` for what has no line.
type Labels = BTreeSet<String>;

struct Case {
    before: Files,
    after: Files,
    /// Findings before, each with what must be said of it.
    findings: Vec<(Value, bool)>,
    expected: Labels,
    added: usize,
    look_alikes: usize,
}

/// The lines of each file on one side.
type Lines = BTreeMap<String, Vec<String>>;

fn case(text: &str) -> Case {
    let (mut before, mut after) = (Lines::new(), Lines::new());
    let none = || Files(BTreeMap::new());
    let mut case = Case {
        before: none(),
        after: none(),
        findings: Vec::new(),
        expected: Labels::new(),
        added: 0,
        look_alikes: 0,
    };
    let (mut path, mut deleted) = (String::new(), false);
    for row in text.lines() {
        if let Some(name) = row.strip_prefix("# ") {
            (path, deleted) = (name.to_owned(), false);
        } else if let Some(name) = row.strip_prefix("#- ") {
            (path, deleted) = (name.to_owned(), true);
        } else if let Some(kind) = row.strip_prefix("* ") {
            case.expected.insert(format!("{path} silenced/{kind}"));
        } else {
            let new = (!deleted).then_some(&mut after);
            case.read(row, &path, before.entry(path.clone()).or_default(), new);
        }
    }
    let files = |lines: Lines| {
        let bytes = |lines: Vec<String>| Arc::from((lines.join("\n") + "\n").into_bytes());
        let there = lines.into_iter().filter(|(_, lines)| !lines.is_empty());
        Files(there.map(|(path, lines)| (path, bytes(lines))).collect())
    };
    (case.before, case.after) = (files(before), files(after));
    case
}

impl Case {
    /// One line of the file at `path`, of which `old` are the lines before.
    fn read(&mut self, row: &str, path: &str, old: &mut Vec<String>, after: Option<&mut Lines>) {
        let (row, stayed) = match row.strip_prefix("*@ ").and_then(|row| row.split_once('|')) {
            Some((kind, code)) => (format!(" {code}"), Some(kind)),
            None => (row.to_owned(), None),
        };
        let (mark, rest) = row.split_at_checked(1).unwrap_or((" ", ""));
        let (label, code) = match mark {
            "!" | "~" | "=" => rest.split_once('|').unwrap_or_else(|| panic!("no label: {row}")),
            " " | "+" | "-" => ("", rest),
            other => panic!("what is {other}: {row}"),
        };
        if matches!(mark, " " | "-" | "~" | "=") {
            old.push(code.to_owned());
        }
        if matches!(mark, "~" | "=") {
            let mut words = label.split(' ');
            let silenced = words.next() == Some("silenced");
            let (tool, code) = (words.next().expect("a tool"), words.next());
            let record = json!({"tool": tool, "severity": "error", "code": code, "path": path,
                "line": old.len(), "column": 1, "message": "what it says"});
            self.findings.push((record, silenced));
        }
        let Some(after) = after.filter(|_| !matches!(mark, "-" | "~")) else { return };
        let new = after.entry(path.to_owned()).or_default();
        new.push(code.to_owned());
        self.added += usize::from(matches!(mark, "+" | "!"));
        self.look_alikes += usize::from(mark == "+");
        let kinds = stayed.into_iter().chain(label.split(',').filter(|_| mark == "!"));
        let line = new.len();
        self.expected.extend(kinds.map(|kind| format!("{path}:{line} silenced/{kind}")));
    }
}

/// What is found, and for each finding before whether it is silenced.
fn told(case: &Case) -> (Labels, Vec<bool>) {
    let records: Vec<&Value> = case.findings.iter().map(|(record, _)| record).collect();
    let run = json!([{"tool": "all", "version": "1", "exit": 1, "outcome": "fail"}]);
    let report = |records: &[&Value]| {
        let origins = vec![json!({"runs": [0], "count": 1}); records.len()];
        let text = json!({"runs": run, "records": records, "origins": origins}).to_string();
        reports::read(text.as_bytes()).expect("a report")
    };
    let (before, mut after) = (report(&records), report(&[]));
    let pairs = FilePairs::between(&case.before, &case.after);
    let files: (&dyn Sources, &dyn Sources) = (&case.before, &case.after);
    let changed = Changed::between(&pairs, files);
    let change = Change { pairs: &pairs, files: &changed, sources: files };
    let attribution = compare(&mut after, &before, change);
    let label = |record: &obelus_record::Diagnostic| {
        let (path, code) = (
            record.path.as_deref().unwrap_or_default(),
            record.code.as_deref().unwrap_or_default(),
        );
        match record.line {
            Some(line) => format!("{path}:{line} {code}"),
            None => format!("{path} {code}"),
        }
    };
    let silenced = |index: u32| attribution.silenced.iter().any(|one| one.before == index);
    let count = u32::try_from(case.findings.len()).expect("few");
    (after.records.iter().map(label).collect(), (0..count).map(silenced).collect())
}

#[test]
fn what_silences_is_found_and_look_alikes_are_not() {
    let (mut right, mut missed, mut wrong) = (0, Vec::new(), Vec::new());
    let (mut added, mut look_alikes) = (0, 0);
    for (name, text) in CASES {
        let case = case(text);
        let (found, _) = told(&case);
        right += found.intersection(&case.expected).count();
        missed.extend(case.expected.difference(&found).map(|label| format!("{name}: {label}")));
        wrong.extend(found.difference(&case.expected).map(|label| format!("{name}: {label}")));
        added += case.added;
        look_alikes += case.look_alikes;
    }
    let all = f64::from(u32::try_from(right).expect("few"));
    let share = |others: usize| all / (all + f64::from(u32::try_from(others).expect("few")));
    let (precision, recall) = (share(wrong.len()), share(missed.len()));
    assert!(
        precision >= 0.98 && recall >= 0.98,
        "precision {precision}, recall {recall}: missed {missed:#?}\nwrong {wrong:#?}"
    );
    assert!(added >= 200 && look_alikes * 5 >= added * 2, "{look_alikes} of {added}");
}

#[test]
fn what_vanished_is_silenced_or_fixed() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, text) in CASES {
        let case = case(text);
        let (_, silenced) = told(&case);
        for ((record, expected), silenced) in case.findings.iter().zip(silenced) {
            count += 1;
            if *expected != silenced {
                wrong.push(format!(
                    "{name}: {record}: {}",
                    if silenced { "silenced" } else { "fixed" }
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "of {count}: {wrong:#?}");
}
