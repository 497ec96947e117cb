//! All that is told of a change: what it caused, which lines it edited, what it silenced.

use obelus_record::{Attribution, Report};

use super::attribute::{self, FilePairs, Side};
use super::changed::Changed;
use super::silence::{Sift, silence};
use super::texts::BothTexts;
use crate::Sources;

/// A change of the files of a repository.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    /// Which file became which.
    pub pairs: &'a FilePairs,
    /// The files that differ.
    pub files: &'a [Changed],
    /// The files before, and after.
    pub sources: (&'a dyn Sources, &'a dyn Sources),
}

/// Holds `report`, which is of the files after the change, against `before`, and adds a record to it
/// for each thing that silences a checker.
///
/// Never fails: what can't be compared is a part of the answer.
pub fn compare(report: &mut Report, before: &Report, change: Change<'_>) -> Attribution {
    let Change { pairs, files, sources } = change;
    let sift = Sift::new(files, &report.scope);
    let texts = BothTexts::new(sources.0, sources.1).with_last_look(&sift);
    let old = Side { report: before, sources: sources.0 };
    let new = Side { report, sources: sources.1 };
    let mut attribution = attribute::attribute_texts(&old, &new, pairs, &texts);
    attribution.edits = attribute::edits_in(&new, pairs, &attribution.new, &texts);
    silence(report, before, &mut attribution, &sift, &texts);
    attribution
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use serde_json::{Value, json};

    use super::*;
    use crate::reports;

    /// Files so large that not all are held at a time, and how often each was read.
    struct Large {
        files: Vec<Arc<[u8]>>,
        reads: Mutex<Vec<u32>>,
    }

    const COUNT: usize = 40;
    const LENGTH: usize = 512 << 10;

    impl Large {
        fn new(text: impl Fn(usize) -> String) -> Self {
            let file = |number| {
                let mut file = text(number) + "# ";
                file.extend(std::iter::repeat_n('-', LENGTH));
                Arc::from(file.into_bytes())
            };
            Large { files: (0..COUNT).map(file).collect(), reads: Mutex::new(vec![0; COUNT]) }
        }

        fn read_once(&self) -> bool {
            self.reads.lock().unwrap().iter().all(|&reads| reads == 1)
        }
    }

    fn number(path: &str) -> Option<usize> {
        path.strip_suffix(".py")?.parse().ok()
    }

    impl Sources for Large {
        fn read(&self, path: &str) -> Option<Arc<[u8]>> {
            let number = number(path)?;
            self.reads.lock().unwrap()[number] += 1;
            self.files.get(number).cloned()
        }

        fn exists(&self, path: &str) -> bool {
            number(path).is_some_and(|number| number < COUNT)
        }

        fn ending_in(&self, _: &str) -> Option<String> {
            None
        }
    }

    /// One finding a file, on line `line`, but for the files `without`.
    fn report(line: u32, without: &[usize]) -> Report {
        let record = |number: usize| {
            json!({"tool": "ruff", "severity": "error", "code": "F821", "line": line, "message": "m",
                "path": format!("{number:02}.py")})
        };
        let records: Vec<Value> =
            (0..COUNT).filter(|number| !without.contains(number)).map(record).collect();
        let runs =
            json!([{"tool": "ruff", "project": ".", "version": "1", "exit": 1, "outcome": "fail"}]);
        reports::read(json!({"runs": runs, "records": records}).to_string().as_bytes()).unwrap()
    }

    fn told(after: &mut Report, (old, new): (&Large, &Large)) -> Attribution {
        let changed = (0..COUNT).map(|number| {
            let path: Option<Arc<str>> = Some(Arc::from(format!("{number:02}.py")));
            Changed { before: path.clone(), after: path }
        });
        let changed: Vec<Changed> = changed.collect();
        let change =
            Change { pairs: &FilePairs::of(&changed), files: &changed, sources: (old, new) };
        compare(after, &report(2, &[]), change)
    }

    #[test]
    fn no_file_of_many_large_ones_is_read_twice() {
        let old = Large::new(|number| format!("import os\nprint(name_{number})\n"));
        let new = Large::new(|number| format!("\nimport os\nprint(name_{number})\n"));
        let told = told(&mut report(3, &[]), (&old, &new));
        assert_eq!((told.unchanged.len(), told.new.len(), told.fixed.len()), (COUNT, 0, 0));
        assert!(old.read_once(), "{:?}", old.reads);
        assert!(new.read_once(), "{:?}", new.reads);
    }

    #[test]
    fn what_silences_is_found_in_files_that_are_held_and_in_others() {
        const SILENT: [usize; 2] = [0, COUNT - 1];
        let old = Large::new(|number| format!("import os\nprint(name_{number})\n"));
        let new = Large::new(|number| {
            let noqa = if SILENT.contains(&number) { "  # noqa: F821" } else { "" };
            format!("\nimport os\nprint(name_{number}){noqa}\n")
        });
        let mut after = report(3, &SILENT);
        let told = told(&mut after, (&old, &new));
        assert_eq!((told.unchanged.len(), told.fixed.len()), (COUNT - 2, 0));
        let by = |index: u32| after.records[index as usize].path.clone();
        let silenced: Vec<_> = told.silenced.iter().map(|one| (one.before, by(one.by))).collect();
        assert_eq!(silenced, [(0, Some("00.py".into())), (39, Some("39.py".into()))]);
    }
}
