//! Runs become one report: equal records of several targets and projects become one.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hashbrown::HashTable;
use obelus_record::{
    Counts, Diagnostic, NotRun, Origin, Outcome, REPORT_VERSION, Report, Run, Severity,
};
use rustc_hash::FxHasher;

use crate::outcome::verdict;

/// All records of all runs, each with the runs it came from.
#[derive(Default)]
pub struct RecordSet {
    runs: Vec<Run>,
    records: Vec<Diagnostic>,
    origins: Vec<Origin>,
    /// The indices of the records, found by their hashes: next to nothing a record, because a table
    /// of a million that the processor's caches can't hold takes more time than all the hashing.
    known: HashTable<u32>,
}

impl RecordSet {
    /// Adds a run with its records. Those outside `scope` (folders or files relative to the root;
    /// none means everything) are counted and left out; a run whose objections all lie outside
    /// does not object to what was asked about.
    pub fn add(&mut self, mut run: Run, diagnostics: Vec<Diagnostic>, scope: &[String]) {
        let index = u32::try_from(self.runs.len()).unwrap_or(u32::MAX);
        let (mut kept, mut kept_errors, mut errors_outside) = (0_u64, 0_u64, 0_u64);
        let from = self.records.len();
        let mut end = from;
        let run_alone: Arc<[u32]> = Arc::from([index]);
        self.append(diagnostics, &run_alone);
        for at in from..self.records.len() {
            let diagnostic = &self.records[at];
            let error = u64::from(diagnostic.severity == Severity::Error);
            if in_scope(diagnostic, scope) {
                kept += 1;
                kept_errors += error;
                if self.is_new(at, end, &run_alone) {
                    // Closes the gap that those left out have made.
                    self.records.swap(end, at);
                    end += 1;
                }
            } else {
                run.out_of_scope += 1;
                errors_outside += error;
            }
        }
        self.records.truncate(end);
        self.origins.truncate(end);
        let objects_elsewhere =
            run.out_of_scope > 0 && kept_errors == 0 && (errors_outside > 0 || kept == 0);
        if run.outcome == Outcome::Fail && objects_elsewhere {
            run.outcome = Outcome::Pass;
            run.reason += "; what it objects to lies outside what was asked about";
        }
        self.runs.push(run);
    }

    /// Puts `diagnostics` behind the records so far, each as if it were new.
    fn append(&mut self, diagnostics: Vec<Diagnostic>, run: &Arc<[u32]>) {
        let records = &self.records;
        self.known.reserve(diagnostics.len(), |&index| hash(&records[index as usize]));
        match self.records.is_empty() {
            // Those of the first run stay where they are: there may be a million of them.
            true => self.records = diagnostics,
            false => self.records.extend(diagnostics),
        }
        // All at once: counting one reference more would each time wait for the table's memory.
        self.origins.resize(self.records.len(), Origin { runs: Arc::clone(run), count: 1 });
    }

    /// Whether the record at index `at` is unlike the first `end`. One that is known counts for the
    /// run, of which `run` is the list of runs with it alone, as well.
    fn is_new(&mut self, at: usize, end: usize, run: &Arc<[u32]>) -> bool {
        let (records, diagnostic) = (&self.records, &self.records[at]);
        let hashed = hash(diagnostic);
        let known = self.known.find(hashed, |&index| same(&records[index as usize], diagnostic));
        if let Some(&index) = known {
            let origin = &mut self.origins[index as usize];
            origin.count += 1;
            if !origin.runs.ends_with(run) {
                origin.runs = origin.runs.iter().chain(&**run).copied().collect();
            }
            return false;
        }
        let index = u32::try_from(end).unwrap_or(u32::MAX);
        self.known.insert_unique(hashed, index, |&index| hash(&records[index as usize]));
        true
    }

    /// Adds runs whose records are still to be [`adopt`](Self::adopt)ed.
    pub fn add_runs(&mut self, runs: impl IntoIterator<Item = Run>) {
        self.runs.extend(runs);
    }

    /// Adds a record of which is known already, from another set, which runs reported it how often;
    /// the runs are counted as they are here. Records are to come by the first of their runs.
    pub fn adopt(&mut self, diagnostic: Diagnostic, origin: Origin) {
        let hashed = hash(&diagnostic);
        let records = &self.records;
        let known = self.known.find(hashed, |&index| same(&records[index as usize], &diagnostic));
        if let Some(&index) = known {
            let here = &mut self.origins[index as usize];
            here.count += origin.count;
            let mut runs: Vec<u32> = here.runs.iter().chain(&*origin.runs).copied().collect();
            runs.sort_unstable();
            runs.dedup();
            here.runs = runs.into();
            return;
        }
        let index = u32::try_from(records.len()).unwrap_or(u32::MAX);
        self.known.insert_unique(hashed, index, |&index| hash(&records[index as usize]));
        self.records.push(diagnostic);
        self.origins.push(origin);
    }

    /// The report over everything that was added.
    pub fn report(self, not_run: Vec<NotRun>, scope: Vec<String>) -> Report {
        report_of(self.runs, self.records, self.origins, not_run, scope)
    }

    /// The runs that were added so far.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }
}

/// The report over records whose origins are known; verdict and counts are made here.
pub fn report_of(
    runs: Vec<Run>,
    records: Vec<Diagnostic>,
    origins: Vec<Origin>,
    not_run: Vec<NotRun>,
    scope: Vec<String>,
) -> Report {
    let outcome = verdict(runs.iter().map(|run| run.outcome));
    Report {
        version: REPORT_VERSION,
        outcome,
        reason: reason(outcome, &runs),
        id: None,
        scope,
        counts: Counts::of(&records),
        attribution: None,
        causes: None,
        cause_rules: Vec::new(),
        independent: None,
        declared: Vec::new(),
        route: None,
        policy: Vec::new(),
        adopted: None,
        shard: None,
        runs,
        not_run,
        records,
        origins,
        duration_ms: 0,
    }
}

/// The reason of the verdict: that of the one run that decides it, or how many do.
fn reason(outcome: Outcome, runs: &[Run]) -> String {
    let deciding: Vec<&Run> = runs.iter().filter(|run| run.outcome == outcome).collect();
    match deciding.as_slice() {
        [] => "no checker was run, so nothing is known about the code".to_owned(),
        [run] if outcome != Outcome::Pass || runs.len() == 1 => {
            format!("{}: {}", run.checker, run.reason)
        }
        many if outcome == Outcome::Pass => format!("all {} runs passed", many.len()),
        many => {
            let mut names: Vec<&str> = many.iter().map(|run| run.checker.as_str()).collect();
            names.dedup();
            let what = if outcome == Outcome::Fail { "object" } else { "failed themselves" };
            format!("{} runs {what}: {}", many.len(), names.join(", "))
        }
    }
}

/// Whether a record lies in one of the folders or files of `scope`. A record without a path is
/// about everything.
fn in_scope(diagnostic: &Diagnostic, scope: &[String]) -> bool {
    let Some(path) = diagnostic.path.as_deref() else { return true };
    scope.is_empty()
        || scope.iter().any(|folder| {
            path.strip_prefix(folder.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
}

/// A hash of what tells most records apart; [`same`] compares the rest.
fn hash(d: &Diagnostic) -> u64 {
    let mut hasher = FxHasher::default();
    d.path.hash(&mut hasher);
    let [line, column] = [d.line, d.column].map(|number| u64::from(number.unwrap_or_default()));
    hasher.write_u64(line << 32 | column);
    hasher.write(d.message.as_bytes());
    hasher.finish()
}

type Key<'a> = (&'a str, Option<&'a str>, Option<&'a str>, [Option<u32>; 5], Severity, &'a str);

fn key(d: &Diagnostic) -> Key<'_> {
    let place = [d.line, d.column, d.end_line, d.end_column, d.cell];
    (&d.tool, d.code.as_deref(), d.path.as_deref(), place, d.severity, &d.message)
}

/// Whether two records are one finding, reported twice. Without a path they must be equal in
/// everything: a linker's errors differ in what they relate to alone.
fn same(a: &Diagnostic, b: &Diagnostic) -> bool {
    key(a) == key(b) && (a.path.is_some() || a == b)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(outcome: &str) -> Run {
        serde_json::from_value(json!({
            "checker": "tsc", "tool": "tsc", "format": "tsc-text", "exit": 1,
            "termination": {"how": "exited", "code": 1}, "outcome": outcome, "reason": "exit status 1",
        }))
        .unwrap()
    }

    fn record(path: Option<&str>, severity: &str, related: &str) -> Diagnostic {
        serde_json::from_value(json!({
            "tool": "tsc", "severity": severity, "path": path, "line": 1, "message": "m",
            "related": [{"message": related}],
        }))
        .unwrap()
    }

    #[test]
    fn equal_records_of_several_runs_are_one_that_keeps_count() {
        let mut set = RecordSet::default();
        set.add(
            run("fail"),
            vec![record(Some("a.ts"), "error", "x"), record(Some("a.ts"), "error", "y")],
            &[],
        );
        set.add(
            run("fail"),
            vec![record(Some("b.ts"), "error", ""), record(Some("a.ts"), "error", "")],
            &[],
        );
        let report = set.report(Vec::new(), Vec::new());
        assert_eq!(
            report.records,
            [record(Some("a.ts"), "error", "x"), record(Some("b.ts"), "error", "")]
        );
        assert_eq!(
            report.origins,
            [Origin { runs: [0, 1].into(), count: 3 }, Origin { runs: [1].into(), count: 1 }]
        );
        assert_eq!((report.counts.error, report.counts.files), (2, 2));
        assert_eq!(report.reason, "2 runs object: tsc");
    }

    #[test]
    fn records_without_a_path_are_one_only_where_they_are_equal_in_everything() {
        let mut set = RecordSet::default();
        let (x, y) = (record(None, "error", "x"), record(None, "error", "y"));
        set.add(run("fail"), vec![x.clone(), y.clone(), x.clone()], &[]);
        assert_eq!(set.report(Vec::new(), Vec::new()).records, [x, y]);
    }

    #[test]
    fn what_lies_outside_the_scope_is_counted_and_decides_nothing() {
        let scope = ["packages/api".to_owned()];
        let outcome = |records: Vec<Diagnostic>| {
            let mut set = RecordSet::default();
            set.add(run("fail"), records, &scope);
            let report = set.report(Vec::new(), scope.to_vec());
            (report.outcome, report.records.len(), report.runs[0].out_of_scope)
        };
        let inside = |severity| record(Some("packages/api/x.ts"), severity, "");
        let outside = |severity| record(Some("packages/api2/x.ts"), severity, "");
        assert_eq!(outcome(vec![outside("error")]), (Outcome::Pass, 0, 1));
        assert_eq!(outcome(vec![outside("error"), inside("warning")]), (Outcome::Pass, 1, 1));
        assert_eq!(outcome(vec![outside("warning"), inside("warning")]), (Outcome::Fail, 1, 1));
        assert_eq!(outcome(vec![outside("error"), inside("error")]), (Outcome::Fail, 1, 1));
        assert_eq!(outcome(vec![record(None, "error", "")]), (Outcome::Fail, 1, 0));
    }
}
