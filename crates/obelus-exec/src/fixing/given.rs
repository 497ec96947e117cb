//! Records that exist already, applied in one pass.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use obelus_core::fix::{Plan, unified_diff, units};
use obelus_record::{
    FIX_REPORT_VERSION, FixEnd, FixReport, Report, RolledBack, SkipReason, Skipped, Termination,
};

use super::desk::{Desk, add_skipped, changes};
use super::seen::Seen;
use super::{FixError, FixOptions, Fixed, left, recovered};
use crate::apply::{Transaction, Tree, io};
use crate::process::stop::Stop;
use crate::process::{self, Limits};

/// Bytes of what a verifying command printed that are told where it fails.
const TOLD: u64 = 2_000;

/// What is to be applied to which files.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The records.
    pub records: &'a Report,
    /// The folder of the files.
    pub root: &'a Path,
    /// The files that the checker saw.
    pub seen: &'a Seen,
    /// A command, as a shell reads it, that succeeds where all is well.
    pub verify: Option<&'a str>,
    /// Which of them.
    pub options: &'a FixOptions,
}

/// Applies what may be applied, in one pass. Where the verifying command succeeded before and fails
/// afterwards, everything is taken back.
pub fn fix_given(given: &Given<'_>, stop: &Stop) -> Result<Fixed, FixError> {
    let options = given.options;
    let wanted = |record: &_| options.only.wants(record);
    let units = units(given.records, options.with_unsafe, wanted);
    let mut desk = Desk::new(given.root);
    if options.dry_run {
        let tree = Tree::open(given.root).map_err(io("open", given.root))?;
        let plan = desk.plan(&tree, &units, given.seen);
        return Ok(done(given, &plan, FixReport { dry_run: true, ..FixReport::default() }));
    }
    let (mut transaction, restored) = Transaction::begin(given.root)?;
    let mut report = FixReport { notes: recovered(&restored), ..FixReport::default() };
    let succeeded_before = match given.verify {
        Some(command) if desk.plan(transaction.tree(), &units, given.seen).planned.is_empty() => {
            report.notes.push(format!("nothing is to be applied, so {command:?} was not run"));
            false
        }
        Some(command) => {
            let before = verify(command, given.root, stop)?;
            if let Err(why) = &before {
                report.notes.push(format!("not verified: before anything was applied, {why}"));
            }
            before.is_ok()
        }
        None => false,
    };
    let plan = desk.apply(&mut transaction, &units, given.seen)?;
    if let Some(command) = given.verify.filter(|_| succeeded_before && !plan.planned.is_empty()) {
        report.reruns += 1;
        if let Err(why) = verify(command, given.root, stop)? {
            report.notes.extend(left(&transaction.undo()?));
            return Ok(Fixed { report: taken_back(&plan, why, report), ..Fixed::default() });
        }
    }
    transaction.commit()?;
    Ok(done(given, &plan, report))
}

/// The report where everything stands that was planned.
fn done(given: &Given<'_>, plan: &Plan, report: FixReport) -> Fixed {
    let changes = changes(&plan.files, &plan.with_all());
    let diff = changes
        .iter()
        .flat_map(|change| unified_diff(&change.path, &change.from, &change.to))
        .collect();
    let mut applied_records: Vec<u32> = plan.planned.iter().map(|unit| unit.index).collect();
    applied_records.sort_unstable();
    let report = FixReport {
        version: FIX_REPORT_VERSION,
        dry_run: given.options.dry_run,
        applied: applied_records.len() as u64,
        applied_records,
        skipped: plan.skipped.clone(),
        files: changes.iter().map(|change| change.path.to_string()).collect(),
        rounds: 1,
        ended: FixEnd::OnePass,
        ..report
    };
    Fixed { report, check: None, diff }
}

/// The report where nothing stands of it.
fn taken_back(plan: &Plan, why: String, report: FixReport) -> FixReport {
    let mut records: Vec<u32> = plan.planned.iter().map(|unit| unit.index).collect();
    records.sort_unstable();
    let worse = records.iter().map(|&index| Skipped { index, reason: SkipReason::MadeWorse });
    let mut skipped = plan.skipped.clone();
    add_skipped(&mut skipped, worse);
    FixReport {
        version: FIX_REPORT_VERSION,
        skipped,
        rolled_back: vec![RolledBack { records, checker: None, why, caused: Vec::new() }],
        rounds: 1,
        ended: FixEnd::OnePass,
        ..report
    }
}

/// Runs the verifying command in `root`; where it does not succeed, what it did in place of it.
fn verify(command: &str, root: &Path, stop: &Stop) -> Result<Result<(), String>, FixError> {
    let unusable = |why: String| FixError::Verify { command: command.to_owned(), why };
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("/bin/sh", "-c") };
    let run = process::Command {
        argv: [shell, flag, command].map(Into::into).into(),
        cwd: root.to_owned(),
        env: std::collections::BTreeMap::new(),
        unset_env: Vec::new(),
        limits: Limits::default(),
    };
    let file = || tempfile::tempfile().map_err(|error| unusable(error.to_string()));
    let (stdout, stderr) = (file()?, file()?);
    let mut printed = stderr.try_clone().map_err(|error| unusable(error.to_string()))?;
    let capture = process::run(&run, stdout, stderr, stop);
    let capture = capture.map_err(|error| unusable(error.to_string()))?;
    match capture.termination {
        Termination::Exited { code: 0 } | Termination::Undrained { code: 0 } => Ok(Ok(())),
        Termination::NotStarted { reason } => Err(unusable(reason)),
        Termination::Exited { code } | Termination::Undrained { code } => {
            let said = tail(&mut printed);
            let said = said.trim_end();
            let colon = if said.is_empty() { "" } else { ": " };
            Ok(Err(format!("{command:?} exited with {code}{colon}{said}")))
        }
        Termination::TimedOut { limit_seconds } => {
            Ok(Err(format!("{command:?} did not end within {limit_seconds} s")))
        }
        Termination::Interrupted => Ok(Err(format!("{command:?} was interrupted"))),
        _ => Ok(Err(format!("{command:?} did not end by itself"))),
    }
}

/// The end of what was printed.
fn tail(file: &mut File) -> String {
    let mut bytes = Vec::new();
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    let read = file
        .seek(SeekFrom::Start(length.saturating_sub(TOLD)))
        .and_then(|_| file.read_to_end(&mut bytes));
    // What can't be read is not told; the exit status is.
    read.map_or_else(|_| String::new(), |_| String::from_utf8_lossy(&bytes).into_owned())
}
