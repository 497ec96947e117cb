//! Runs in which a checker stopped early, so that what it did not print may be there all the same.

use obelus_record::{Diagnostic, Origin, Report, Run, Severity};
use rustc_hash::FxHashSet;

/// Where a checker looked no further on one side.
pub(super) struct Stops<'a> {
    /// By run: how much of it is missing.
    runs: Vec<Stop>,
    /// Files that their tool could not read, so that it said nothing else about them.
    files: FxHashSet<(&'a str, &'a str)>,
}

/// How much of a run is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// Nothing that is known of.
    No,
    /// Everything but what could not be read.
    AtSyntax,
    /// What the compiler would have warned of, had there been no errors.
    BeforeWarnings,
}

/// What can be said of a record that is not printed on a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unseen {
    /// The checker looked there.
    No,
    /// The checker did not look there, wherever it is.
    Anyway,
    /// The checker did not look for it, as long as its code is there.
    IfThere,
}

impl<'a> Stops<'a> {
    pub fn of(report: &'a Report) -> Self {
        let mut facts = vec![Facts::default(); report.runs.len()];
        let mut files = FxHashSet::default();
        for (record, origin) in report.records.iter().zip(&report.origins) {
            let unreadable = is_unreadable(record);
            for &run in &*origin.runs {
                if let Some(facts) = facts.get_mut(run as usize) {
                    facts.errors += u64::from(record.severity == Severity::Error);
                    facts.unreadable += u64::from(unreadable);
                }
            }
            if unreadable
                && reach(&record.tool) == Reach::File
                && let Some(path) = record.path.as_deref()
            {
                files.insert((&*record.tool, path));
            }
        }
        let runs = report.runs.iter().zip(&facts).map(|(run, facts)| stop(run, *facts)).collect();
        Stops { runs, files }
    }

    /// Whether it must be said that something was not looked at, whatever the records.
    pub fn whole_run(&self, run: usize) -> bool {
        self.runs.get(run) == Some(&Stop::AtSyntax)
    }

    /// Whether the run that `record` would have come from, had it been printed on this side, or the
    /// file that it is in here, keeps it from being seen.
    pub fn unseen(&self, record: &Diagnostic, path: Option<&str>, runs: &[usize]) -> Unseen {
        if path.is_some_and(|path| self.files.contains(&(&*record.tool, path))) {
            return Unseen::Anyway;
        }
        let of_run = |run: &usize| self.runs.get(*run).copied().unwrap_or(Stop::No);
        let mut unseen = Unseen::No;
        for stop in runs.iter().map(of_run) {
            match stop {
                Stop::No => {}
                Stop::AtSyntax if is_unreadable(record) => unseen = Unseen::IfThere,
                Stop::AtSyntax => return Unseen::Anyway,
                Stop::BeforeWarnings if record.severity != Severity::Error => {
                    unseen = Unseen::IfThere;
                }
                Stop::BeforeWarnings => {}
            }
        }
        unseen
    }
}

#[derive(Clone, Copy, Default)]
struct Facts {
    errors: u64,
    unreadable: u64,
}

/// How far a syntax error keeps a tool from looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// It goes on.
    Nothing,
    /// The file with the error.
    File,
    /// Everything.
    Run,
}

fn reach(tool: &str) -> Reach {
    match tool {
        "mypy" | "dmypy" | "tsc" | "tsgo" | "rustc" | "cargo" | "clippy" => Reach::Run,
        "ruff" | "flake8" | "pylint" | "eslint" => Reach::File,
        _ => Reach::Nothing,
    }
}

fn stop(run: &Run, facts: Facts) -> Stop {
    match run.tool.as_str() {
        // Exit status 2 is how mypy says that it gave up: a syntax error, or a module found twice.
        "mypy" | "dmypy" if facts.unreadable > 0 || run.exit == Some(2) => Stop::AtSyntax,
        // The compiler prints other errors only where it could read every file.
        "tsc" | "tsgo" if facts.unreadable > 0 && facts.unreadable == facts.errors => {
            Stop::AtSyntax
        }
        "rustc" | "cargo" | "clippy" if facts.unreadable > 0 => Stop::AtSyntax,
        "rustc" | "cargo" | "clippy" if facts.errors > 0 => Stop::BeforeWarnings,
        _ => Stop::No,
    }
}

/// Whether the record says that its tool could not read the file.
pub(super) fn is_unreadable(record: &Diagnostic) -> bool {
    let code = record.code.as_deref();
    match &*record.tool {
        _ if record.severity != Severity::Error => false,
        "mypy" | "dmypy" => code == Some("syntax"),
        "tsc" | "tsgo" => code.is_some_and(is_syntax_of_typescript),
        "rustc" | "cargo" | "clippy" => code.is_none() && is_syntax_of_rust(&record.message),
        "ruff" | "flake8" => match code {
            None => record.message.starts_with("SyntaxError"),
            Some(code) => matches!(code, "invalid-syntax" | "syntax-error" | "E999" | "E902"),
        },
        "pylint" => matches!(code, Some("E0001" | "syntax-error")),
        "eslint" => code.is_none() && record.message.starts_with("Parsing error"),
        _ => false,
    }
}

/// TS1002 to TS1499 are what the scanner and the parser say, but for a few about modules.
fn is_syntax_of_typescript(code: &str) -> bool {
    let number = code.strip_prefix("TS").and_then(|number| number.parse::<u32>().ok());
    number.is_some_and(|number| {
        (1002..1500).contains(&number)
            && !matches!(
                number,
                1192 | 1208
                    | 1259
                    | 1261
                    | 1286
                    | 1287
                    | 1294
                    | 1295
                    | 1323
                    | 1343
                    | 1371
                    | 1378
                    | 1479
                    | 1484
                    | 1485
            )
    })
}

/// How rustc begins to say that it can't parse; such errors have no code.
fn is_syntax_of_rust(message: &str) -> bool {
    const STARTS: [&str; 9] = [
        "expected ",
        "unexpected ",
        "mismatched closing delimiter",
        "unclosed ",
        "this file contains an unclosed delimiter",
        "unterminated ",
        "unknown start of token",
        "unmatched ",
        "missing ",
    ];
    STARTS.iter().any(|start| message.starts_with(start))
}

/// The runs of a record.
pub(super) fn runs_of(origins: &[Origin], index: u32) -> &[u32] {
    origins.get(index as usize).map_or(&[], |origin| &origin.runs)
}
