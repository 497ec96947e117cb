//! Saved loops: told, decided again, and their files put back.

use std::fmt::Write as _;

use obelus_core::agent_loop::round_line;
use obelus_core::present::line;
use obelus_exec::agent_loop::agent::{Agent, ShellAgent};
use obelus_exec::agent_loop::program::ProgramAgent;
use obelus_exec::agent_loop::{Ledger, Plan, Restore, replay, restore};
use obelus_exec::repository::Repository;
use obelus_exec::reviewer::{Located, agent_of};
use obelus_record::{ExitStatus, Program};

use crate::args::{LoopOutput, Outputs, RunsRestore, RunsWhich};
use crate::command::r#loop::print;
use crate::error::CommandError;
use crate::output;

/// The loops, a line each, oldest first.
pub fn list(repository: &Repository) -> Result<String, CommandError> {
    let mut out = String::new();
    for id in Ledger::ids(&repository.root)? {
        let ledger = Ledger::find(&repository.root, &id)?;
        let _ = match (ledger.report(), ledger.rounds()) {
            (Ok(Some(report)), _) => writeln!(
                out,
                "{id}  {:13}  {} rounds  {}",
                report.decision.as_str(),
                report.rounds.len(),
                line(&report.reason)
            ),
            (Ok(None), Ok(rounds)) => writeln!(
                out,
                "{id}  interrupted    {} rounds  its files: obelus runs restore {id} --round 0",
                rounds.len()
            ),
            (Err(error), _) | (_, Err(error)) => writeln!(out, "{id}  damaged        {error}"),
        };
    }
    Ok(out)
}

/// The agent by which what was printed is read again.
fn reader(repository: &Repository, plan: &Plan) -> Result<Box<dyn Agent>, CommandError> {
    let Some(name) = &plan.table else { return Ok(Box::new(ShellAgent::new(&plan.agent))) };
    // The program is not run, and may be gone.
    let program = Program { path: String::new(), version: None, sha256: None, overridden: false };
    let located = Located { agent: agent_of(repository, name)?, program };
    Ok(Box::new(ProgramAgent::new(located, None)?))
}

/// Prints the report of a loop as it was.
pub fn show(repository: &Repository, which: &RunsWhich) -> Result<ExitStatus, CommandError> {
    let ledger = Ledger::find(&repository.root, &which.id)?;
    match ledger.report()? {
        Some(report) => {
            print(&report, as_loop(&which.outputs))?;
            Ok(report.decision.outcome().into())
        }
        None => explain(repository, &which.id),
    }
}

/// How a loop is told where the output is named as for a check.
fn as_loop(outputs: &Outputs) -> LoopOutput {
    match outputs.on_stdout() {
        Some("json") => LoopOutput::Json,
        Some("jsonl") => LoopOutput::Jsonl,
        Some("markdown") => LoopOutput::Markdown,
        _ => LoopOutput::Human,
    }
}

/// Decides a loop again. Another decision than then is told, and is a failure.
pub fn decide_again(
    repository: &Repository,
    which: &RunsWhich,
) -> Result<ExitStatus, CommandError> {
    let ledger = Ledger::find(&repository.root, &which.id)?;
    let plan = ledger.plan()?;
    let replayed = replay(repository, &ledger, &*reader(repository, &plan)?)?;
    print(&replayed.report, as_loop(&which.outputs))?;
    if replayed.differences.is_empty() {
        return Ok(replayed.report.decision.outcome().into());
    }
    for difference in &replayed.differences {
        output::say(&format!("decided otherwise: {}", line(difference)));
    }
    Ok(ExitStatus::HarnessError)
}

/// Tells the story of a loop.
pub fn explain(repository: &Repository, id: &str) -> Result<ExitStatus, CommandError> {
    let ledger = Ledger::find(&repository.root, id)?;
    let plan = ledger.plan()?;
    let mut out = format!("loop {} with {}\n", ledger.id, line(&plan.agent));
    let _ = writeln!(out, "task: {}", line(plan.task.trim()));
    for saved in ledger.rounds()? {
        let round = &saved.round;
        let _ = writeln!(out, "\n{}", round_line(round));
        let _ = writeln!(out, "  agent: {}", line(&round.agent.reason));
        let folder = ledger.round(round.round)?;
        let _ = writeln!(out, "  sent: {}", folder.join("prompt.txt").display());
        let _ = writeln!(out, "  printed: {}", folder.join("stdout").display());
        let (before, after) = (ledger.tree(round.round - 1), ledger.tree(round.round));
        if let (Ok(before), Ok(after)) = (before, after) {
            let files: Vec<String> =
                after.differing(&before).iter().map(|path| line(path)).collect();
            let files = if files.is_empty() { "nothing".to_owned() } else { files.join(", ") };
            let _ = writeln!(out, "  changed: {files}");
        }
        for check in &saved.checks {
            let _ = writeln!(out, "  check: obelus runs show {}", check.id);
        }
        if let Some(gate) = &round.gate {
            let word = if gate.passed { "passed" } else { "failed" };
            let log = ledger.gate_logs(round.round)?;
            let _ = writeln!(out, "  gate: {word}; its log: {}", log[0].display());
        }
        let _ = writeln!(out, "  files: obelus runs restore {} --round {}", ledger.id, round.round);
    }
    match ledger.report()? {
        Some(report) => {
            let word = report.decision.as_str().replace('_', " ");
            let _ = writeln!(out, "\nended: {word}: {}", line(&report.reason));
            if let Some(round) = report.in_place {
                let _ = writeln!(out, "in place at its end: the files of round {round}");
            }
        }
        None => out += "\nit was interrupted before its end\n",
    }
    let _ = writeln!(out, "files from before: obelus runs restore {} --round 0", ledger.id);
    output::print_text(&out)?;
    Ok(ExitStatus::Pass)
}

/// Puts the files of a round in place.
pub fn restore_files(
    repository: &Repository,
    which: &RunsRestore,
) -> Result<ExitStatus, CommandError> {
    let ledger = Ledger::find(&repository.root, &which.id)?;
    let wanted = match (which.undo, which.round) {
        (true, _) => Restore::Undo,
        (false, Some(round)) => Restore::Round(round),
        (false, None) => Restore::Best,
    };
    let told = match restore(&repository.root, &ledger, wanted)? {
        Some(0) => "in place: the files from before the loop".to_owned(),
        Some(round) => format!("in place: the files of round {round}"),
        None => "in place: the files from before the last restore".to_owned(),
    };
    output::print_text(&format!("{told}; back: obelus runs restore {} --undo\n", ledger.id))?;
    Ok(ExitStatus::Pass)
}
