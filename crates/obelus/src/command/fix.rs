//! `obelus fix`: apply what the tools call safe, verify, take back what made things worse.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use obelus_core::reason::tidy;
use obelus_core::reports;
use obelus_exec::baseline::Running;
use obelus_exec::fixing::{FixOptions, Fixed, Given, Only, Seen, fix, fix_given};
use obelus_exec::process::stop::{Stop, install_handler};
use obelus_exec::repository::{Repository, relative};
use obelus_record::{ExitStatus, FixEnd, Report};

use super::check::{request, with_checkers};
use super::{current_folder, fixed as told};
use crate::args::{Fix, FixOutput};
use crate::error::CommandError;
use crate::output;

/// Fixes and tells what was done.
pub fn run(args: &Fix) -> Result<ExitStatus, CommandError> {
    match &args.records {
        Some(records) => run_given(args, records),
        None => run_checked(args),
    }
}

/// What `obelus check --fix` does before it tells what is left.
pub fn fixed(running: Running<'_>) -> Result<Report, CommandError> {
    let fixed = fix(running, &FixOptions::default())?;
    told::on_stderr(&told::summary(&fixed.report));
    fixed.check.ok_or_else(|| CommandError::Usage("nothing was checked".to_owned()))
}

fn run_checked(args: &Fix) -> Result<ExitStatus, CommandError> {
    let current = current_folder()?;
    let repository = Repository::open(args.root.root.as_deref(), &current)?;
    let request = request(&args.words, &repository, &current)?;
    let options = options(args, &repository.root, &current);
    let mut done = None;
    with_checkers(&repository, &request, &args.pace, |running| {
        let fixed = fix(running, &options)?;
        let check = fixed.check.clone();
        done = Some(fixed);
        check.ok_or_else(|| CommandError::Usage("nothing was checked".to_owned()))
    })?;
    let Some(fixed) = done else { return Ok(ExitStatus::HarnessError) };
    print(args, &fixed)?;
    Ok(match (fixed.report.ended, fixed.report.outcome) {
        (FixEnd::Interrupted, _) => ExitStatus::Interrupted,
        (_, Some(outcome)) if !args.dry_run => outcome.into(),
        _ => ExitStatus::Pass,
    })
}

fn run_given(args: &Fix, records: &Path) -> Result<ExitStatus, CommandError> {
    let current = current_folder()?;
    let root: PathBuf = match &args.source {
        Some(folder) if !folder.is_dir() => {
            let folder = folder.display();
            return Err(CommandError::Usage(format!("--source {folder}: there is no such folder")));
        }
        Some(folder) => folder.clone(),
        None => Repository::open(args.root.root.as_deref(), &current)?.root,
    };
    let report = read_records(records)?;
    let seen = args.seen.as_deref().map(read_seen).transpose()?.unwrap_or_default();
    let stop = Stop::default();
    install_handler(&stop)
        .map_err(|error| CommandError::Usage(format!("cannot listen for signals: {error}")))?;
    let options = options(args, &root, &current);
    let given = Given {
        records: &report,
        root: &root,
        seen: &seen,
        verify: args.verify.as_deref(),
        options: &options,
    };
    let mut fixed = fix_given(&given, &stop)?;
    if args.output == FixOutput::Human {
        // People read the findings, programs have them already.
        fixed.report.records = report.records;
    }
    print(args, &fixed)?;
    Ok(ExitStatus::Pass)
}

/// What is asked for. A word of `--only` is a path where it looks like one or there is one.
fn options(args: &Fix, root: &Path, current: &Path) -> FixOptions {
    let mut only = Only::default();
    for word in &args.only {
        let there = current.join(word).canonicalize().ok();
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        match there.and_then(|path| relative(&root, &path)) {
            Some(path) => only.paths.push(path),
            None if root.join(word).exists() => only.paths.push(tidy(word)),
            None => only.codes.push(word.clone()),
        }
    }
    FixOptions { with_unsafe: args.with_unsafe, only, dry_run: args.dry_run }
}

fn print(args: &Fix, fixed: &Fixed) -> Result<(), CommandError> {
    let mut report = fixed.report.clone();
    match args.output {
        FixOutput::Json => {
            if args.dry_run {
                report.diff = Some(String::from_utf8_lossy(&fixed.diff).into_owned());
            }
            let json = serde_json::to_string(&report)
                .map_err(|error| CommandError::Write(error.into()))?;
            output::print_text(&(json + "\n"))
        }
        FixOutput::Human if args.dry_run => {
            told::on_stderr(&told::summary(&report));
            output::print_bytes(&fixed.diff)
        }
        FixOutput::Human => output::print_text(&told::summary(&report)),
    }
}

fn read_records(path: &Path) -> Result<Report, CommandError> {
    let what = "the records";
    let bytes = match path == Path::new("-") {
        true => {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        }
        false => std::fs::read(path),
    };
    let bytes = bytes.map_err(|error| CommandError::Read { what, path: path.to_owned(), error })?;
    reports::read(&bytes).map_err(|error| CommandError::NotAReport {
        what,
        path: path.to_owned(),
        error,
    })
}

fn read_seen(path: &Path) -> Result<Seen, CommandError> {
    let what = "the list of files that were seen";
    let bytes = std::fs::read(path).map_err(|error| CommandError::Read {
        what,
        path: path.to_owned(),
        error,
    })?;
    Seen::read(&bytes)
        .map_err(|error| CommandError::Usage(format!("--seen {}: {error}", path.display())))
}
