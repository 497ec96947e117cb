//! `obelus loop`: the agent works, the checks run, the findings go back.

use std::io::Read as _;
use std::path::Path;

use obelus_core::agent_loop::{Limits, human, markdown, round_line};
use obelus_core::present::line;
use obelus_core::reason::attribute;
use obelus_exec::agent_loop::agent::{Agent, ShellAgent};
use obelus_exec::agent_loop::program::ProgramAgent;
use obelus_exec::agent_loop::{Fixes, LoopEvents, LoopRequest, interrupted, run as run_loop};
use obelus_exec::check::{Events, Options};
use obelus_exec::invocation::Invocation;
use obelus_exec::process::stop::{Stop, install_handler};
use obelus_exec::repository::Repository;
use obelus_exec::reviewer::locate;
use obelus_record::{ExitStatus, LoopReport, LoopRound, Run};

use super::current_folder;
use crate::args::{FailOn, Loop, LoopOutput};
use crate::error::CommandError;
use crate::output;
use crate::progress::Progress;
use crate::telemetry::Looped;

/// Runs the loop and tells how it ended.
pub fn run(args: &Loop) -> Result<ExitStatus, CommandError> {
    let repository = Repository::open(args.root.root.as_deref(), &current_folder()?)?;
    let task = task(args)?;
    let stop = Stop::default();
    install_handler(&stop)
        .map_err(|error| CommandError::Usage(format!("cannot listen for signals: {error}")))?;
    let (mut agent, table) = agent(args, &repository, &stop)?;
    let watching = Watching { progress: Progress::new(), telemetry: Looped::begin() };
    tell_interrupted(&repository.root, &watching.progress);
    let options = Options { jobs: args.jobs.map(usize::from), ..Options::default() };
    let request = LoopRequest {
        repository: &repository,
        task: &task,
        table: table.as_deref(),
        limits: Limits {
            rounds: args.rounds,
            tokens: args.budget,
            milliseconds: args.time_limit.map(|seconds| seconds.saturating_mul(1000)),
            ..Limits::default()
        },
        fail_on: match args.fail_on {
            FailOn::New => attribute::FailOn::New,
            FailOn::Any => attribute::FailOn::Any,
        },
        fixes: if args.no_fix { Fixes::Nothing } else { Fixes::Safe },
        options: &options,
        stop: &stop,
        events: &watching,
    };
    let report = run_loop(&request, &mut *agent);
    watching.progress.finish();
    watching.telemetry.end(report.as_ref().ok());
    let report = report?;
    print(&report, args.output)?;
    Ok(report.decision.outcome().into())
}

/// Says how the files of a loop that was killed can be had, if one was.
pub fn tell_interrupted(root: &Path, events: &dyn Events) {
    if let Some(journal) = interrupted(root) {
        let id = line(&journal.id);
        events.note(format!(
            "the loop {id} was killed; the files from before it come back by: obelus runs restore {id} --round 0 \
             (those of later rounds by --round N; `obelus runs explain {id}` tells what happened)"
        ));
    }
}

fn task(args: &Loop) -> Result<String, CommandError> {
    let text = match (&args.task, args.task_file.as_deref()) {
        (Some(task), _) => Ok(task.clone()),
        (None, Some(path)) if path == Path::new("-") => {
            let mut text = String::new();
            std::io::stdin().lock().read_to_string(&mut text).map(|_| text)
        }
        (None, Some(path)) => std::fs::read_to_string(path),
        (None, None) => Ok(String::new()),
    };
    let text = text.map_err(|error| CommandError::Read {
        what: "the task",
        path: args.task_file.clone().unwrap_or_default(),
        error,
    })?;
    match text.trim().is_empty() {
        true => {
            Err(CommandError::Usage("the task is empty: say what the agent is to do".to_owned()))
        }
        false => Ok(text),
    }
}

/// The agent, with the name of its table if it has one.
fn agent(
    args: &Loop,
    repository: &Repository,
    stop: &Stop,
) -> Result<(Box<dyn Agent>, Option<String>), CommandError> {
    if let Some(command) = &args.agent_command {
        return Ok((Box::new(ShellAgent::new(command)), None));
    }
    let located = locate(repository, args.agent.as_deref(), args.agent_bin.as_deref(), stop)?;
    let name = located.agent.name.clone();
    Ok((Box::new(ProgramAgent::new(located, args.turn_limit)?), Some(name)))
}

/// Prints the report of a loop.
pub fn print(report: &LoopReport, output: LoopOutput) -> Result<(), CommandError> {
    match output {
        LoopOutput::Human => output::print_text(&human(report)),
        LoopOutput::Markdown => output::print_text(&markdown(report)),
        LoopOutput::Json => output::print_text(&(json(report)? + "\n")),
        LoopOutput::Jsonl => {
            let mut text = String::new();
            for round in &report.rounds {
                text += &(json(round)? + "\n");
            }
            let whole = LoopReport { rounds: Vec::new(), ..report.clone() };
            text += &(json(&whole)? + "\n");
            output::print_text(&text)
        }
    }
}

fn json(value: &impl serde::Serialize) -> Result<String, CommandError> {
    serde_json::to_string(value).map_err(|error| CommandError::Write(error.into()))
}

/// What people see: checkers as they run, and a line a round.
struct Watching {
    progress: Progress,
    telemetry: Looped,
}

impl Events for Watching {
    fn started(&self, number: usize, invocation: &Invocation) {
        self.progress.started(number, invocation);
    }

    fn ended(&self, number: usize, run: &Run, records: usize) {
        self.progress.ended(number, run, records);
    }

    fn note(&self, text: String) {
        self.progress.note(text);
    }
}

impl LoopEvents for Watching {
    fn began(&self, id: &str) {
        self.note(format!("loop {}: checking the files as they are first", line(id)));
    }

    fn round_ended(&self, round: &LoopRound) {
        self.telemetry.round(round);
        self.note(round_line(round));
    }
}
