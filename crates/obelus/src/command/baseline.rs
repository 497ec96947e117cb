//! `obelus baseline`: what there is before an edit, stored to compare with, or adopted for good.

use obelus_core::present::{line, plural};
use obelus_core::reason::adopted::{Adoption, FILE};
use obelus_exec::baseline::{adopt, store_baseline};
use obelus_exec::plan::Request;
use obelus_exec::repository::Repository;
use obelus_record::{ExitStatus, Outcome, Report};

use super::check::{request, status, with_checkers};
use super::current_folder;
use crate::args::{Adopt, Baseline, BaselineAction};
use crate::error::CommandError;
use crate::output;

/// Stores or adopts what the checkers find.
pub fn run(args: &Baseline) -> Result<ExitStatus, CommandError> {
    if let Some(BaselineAction::Adopt(args)) = &args.action {
        return run_adopt(args);
    }
    let current = current_folder()?;
    let repository = Repository::open(args.root.root.as_deref(), &current)?;
    let request = request(&args.words, &repository, &current)?;
    let report =
        with_checkers(&repository, &request, &args.pace, |running| Ok(store_baseline(running)?))?;
    let status = status(&report);
    if status == ExitStatus::Interrupted {
        return Ok(status);
    }
    let found = plural(report.records.len() as u64, "finding", "findings");
    output::print_text(&format!(
        "stored, with {found}; after the edit: obelus check --since baseline\n{}",
        failed(&report)
    ))?;
    Ok(unless_failed(&report))
}

fn run_adopt(args: &Adopt) -> Result<ExitStatus, CommandError> {
    let current = current_folder()?;
    let repository = Repository::open(args.root.root.as_deref(), &current)?;
    let mut adoption = None;
    // Always the whole repository: what nobody looked at can't be known to be gone.
    let report = with_checkers(&repository, &Request::default(), &args.pace, |running| {
        let (report, adopted) = adopt(running, args.allow_growth)?;
        adoption = adopted;
        Ok(report)
    })?;
    let Some(adoption) = adoption else { return Ok(status(&report)) };
    output::print_text(&(told(&adoption, &report) + &failed(&report)))?;
    Ok(match unless_failed(&report) {
        ExitStatus::Pass if !adoption.refused.is_empty() => ExitStatus::Fail,
        status => status,
    })
}

/// What was done with the file, and what was not.
fn told(adoption: &Adoption, report: &Report) -> String {
    let total = plural(adoption.total as u64, "finding", "findings");
    let mut told =
        format!("{FILE}: {total}, {} added, {} taken out\n", adoption.added, adoption.removed);
    for &index in &adoption.refused {
        let Some(record) = report.records.get(index as usize) else { continue };
        let place = record.path.as_deref().unwrap_or("no file");
        let number = record.line.map_or(String::new(), |line| format!(":{line}"));
        let message = record.message.lines().next().unwrap_or_default();
        told += &line(&format!("not adopted: {place}{number}: {}: {message}", record.tool));
        told.push('\n');
    }
    if !adoption.refused.is_empty() {
        told += "these are new: fix them, or adopt them with --allow-growth\n";
    }
    told
}

/// The runs of which nothing is known.
fn failed(report: &Report) -> String {
    let failed = report.runs.iter().filter(|run| run.outcome == Outcome::HarnessError);
    failed
        .map(|run| line(&format!("harness error: {}: {}", run.checker, run.reason)) + "\n")
        .collect()
}

/// Findings are what a baseline is made of; a checker that failed itself is not.
fn unless_failed(report: &Report) -> ExitStatus {
    let failed = report.runs.iter().any(|run| run.outcome == Outcome::HarnessError);
    if failed { ExitStatus::HarnessError } else { ExitStatus::Pass }
}
