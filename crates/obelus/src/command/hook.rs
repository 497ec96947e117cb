//! `obelus hook`: the same check for an agent that somebody runs by themselves, told by the rules
//! of its hooks.

mod claude_code;
mod codex;
mod cursor;
mod gemini;
mod host;
mod opencode;
mod settings;

use std::io::{BufRead as _, IsTerminal as _, Read as _};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};

use obelus_core::fix::unified_diff;
use obelus_core::present::{Agent, Look, Output as _, Style};
use obelus_core::reason::attribute::FailOn;
use obelus_core::reason::{self, Touched};
use obelus_exec::baseline::{PolicyOf, Running, Since, check_since};
use obelus_exec::check::{Events, Options, check};
use obelus_exec::git::Git;
use obelus_exec::invocation::Invocation;
use obelus_exec::plan::Request;
use obelus_exec::process::stop::{Stop, install_handler};
use obelus_exec::repository::Repository;
use obelus_exec::sources::FolderSources;
use obelus_record::{ExitStatus, Outcome, Report, Run};
use serde_json::Value;

use self::host::{Host, Moment, Said};
use super::check::status;
use super::current_folder;
use crate::args::{Hook, HookAction, HookHost, HookInstall, HookRun};
use crate::error::CommandError;
use crate::output;

/// Answers a hook, or installs one.
pub fn run(args: &Hook) -> Result<ExitStatus, CommandError> {
    match &args.action {
        HookAction::ClaudeCode(run) => answer(host(HookHost::ClaudeCode), run),
        HookAction::Codex(run) => answer(host(HookHost::Codex), run),
        HookAction::Gemini(run) => answer(host(HookHost::Gemini), run),
        HookAction::Opencode(run) => answer(host(HookHost::Opencode), run),
        HookAction::Cursor(run) => answer(host(HookHost::Cursor), run),
        HookAction::Install(args) => install(args),
    }
}

fn host(host: HookHost) -> &'static dyn Host {
    match host {
        HookHost::ClaudeCode => &claude_code::ClaudeCode,
        HookHost::Codex => &codex::Codex,
        HookHost::Gemini => &gemini::Gemini,
        HookHost::Opencode => &opencode::Opencode,
        HookHost::Cursor => &cursor::Cursor,
    }
}

/// Answers one event. Whatever goes wrong on the way is told to the host by its own rules: an error
/// of Obelus with an exit status of its own would be taken for leave to go on.
fn answer(host: &dyn Host, args: &HookRun) -> Result<ExitStatus, CommandError> {
    let mut text = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut text);
    let event: Result<Value, String> = read
        .map_err(|error| format!("the event on standard input can't be read: {error}"))
        .and_then(|_| {
            serde_json::from_str(&text)
                .map_err(|error| format!("the event on standard input is no JSON: {error}"))
        });
    let (moment, said) = match event {
        Ok(event) => match host.moment(&event) {
            Moment::Other => (Moment::Other, Said::Pass),
            moment => (moment, checked(args, &event)),
        },
        // Of what is not understood, the strictest is taken for granted.
        Err(error) => (Moment::Stopping { again: false }, Said::Broken(error)),
    };
    let answer = host.answer(moment, &said);
    if !answer.stderr.is_empty() {
        output::say_plainly(&answer.stderr);
    }
    output::print_text(&answer.stdout)?;
    // By 2 hosts are told to block; it is no wrong usage here.
    Ok(if answer.blocks { ExitStatus::Usage } else { ExitStatus::Pass })
}

/// What the check says; a panic on the way is an error like any other.
fn checked(args: &HookRun, event: &Value) -> Said {
    let said = std::panic::catch_unwind(AssertUnwindSafe(|| check_now(args, event)));
    match said {
        Ok(Ok(said)) => said,
        Ok(Err(error)) => Said::Broken(error.to_string()),
        Err(_) => Said::Broken("Obelus itself failed".to_owned()),
    }
}

fn check_now(args: &HookRun, event: &Value) -> Result<Said, CommandError> {
    // Hosts start hooks where the agent stands; some say where that is.
    let told = event["cwd"].as_str().or_else(|| event["workspace_roots"][0].as_str());
    let current = match told.map(PathBuf::from).filter(|folder| folder.is_dir()) {
        Some(folder) => folder,
        None => current_folder()?,
    };
    let repository = Repository::open(args.root.root.as_deref(), &current)?;
    let since = args.since.clone().or_else(|| last_commit(&repository.root));
    let stop = Stop::default();
    install_handler(&stop)
        .map_err(|error| CommandError::Usage(format!("cannot listen for signals: {error}")))?;
    let (request, options) = (Request::default(), Options::default());
    let running = Running {
        repository: &repository,
        request: &request,
        options: &options,
        stop: &stop,
        events: &Quiet,
    };
    let mut report = match &since {
        Some(name) => {
            let (name, fail_on) = (name.clone(), FailOn::New);
            // What is silenced is not fixed, and an agent is to know that.
            let (policy, deny_silencing) = (PolicyOf::Base, true);
            check_since(running, &Since { name, fail_on, policy, deny_silencing })?
        }
        None => check(&repository, &request, &options, &stop, &Quiet)?,
    };
    if status(&report) == ExitStatus::Interrupted {
        return Ok(Said::Broken("the check was interrupted".to_owned()));
    }
    let text = told_of(&mut report, &FolderSources::new(&repository.root), args.budget);
    Ok(match report.outcome {
        Outcome::Pass => Said::Pass,
        Outcome::Fail => Said::Fail(text),
        Outcome::HarnessError => Said::Broken(report.reason.clone()),
    })
}

/// Nobody watches: all that is said is for the host.
struct Quiet;

impl Events for Quiet {
    fn started(&self, _number: usize, _invocation: &Invocation) {}

    fn ended(&self, _number: usize, _run: &Run, _records: usize) {}

    fn note(&self, _text: String) {}
}

/// HEAD, where there is one.
fn last_commit(root: &Path) -> Option<String> {
    let head = "HEAD".to_owned();
    Git::open(root).ok()?.resolve(&head).ok().map(|_| head)
}

fn told_of(report: &mut Report, sources: &FolderSources, budget: u32) -> String {
    // What stood before in a file that was touched is not the agent's doing.
    let touched = report.attribution.is_some().then(Touched::default);
    reason::derive(report, &reason::Request { touched, ..reason::Request::default() }, sources);
    let style = Style { budget: Some(budget as usize), ..Style::from(Look::Plain) };
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = Agent.write(report, sources, &style, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Shows what has to change in the settings of a host, and changes it if that is wanted.
fn install(args: &HookInstall) -> Result<ExitStatus, CommandError> {
    let repository = Repository::open(args.root.root.as_deref(), &current_folder()?)?;
    let host = host(args.agent);
    let name = host.settings();
    let path = repository.root.join(name);
    let before = match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(CommandError::Read { what: "the settings", path, error }),
    };
    let after = host
        .installed(before.as_deref())
        .map_err(|reason| CommandError::Usage(format!("{name}: {reason}")))?;
    let Some(after) = after else {
        output::print_text(&format!("{name}: the hook is there already\n"))?;
        return Ok(ExitStatus::Pass);
    };
    let diff =
        unified_diff(name, before.as_deref().unwrap_or_default().as_bytes(), after.as_bytes());
    output::print_bytes(&diff)?;
    if !args.yes && !confirmed(name) {
        output::say("nothing is written; --yes writes it");
        return Ok(ExitStatus::Fail);
    }
    let write = || {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, &after)
    };
    write().map_err(|error| CommandError::WriteFile { path: path.clone(), error })?;
    output::say(&format!("written: {name}"));
    Ok(ExitStatus::Pass)
}

/// Asks, where somebody is there to answer.
fn confirmed(name: &str) -> bool {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        return false;
    }
    output::say(&format!("write this to {name}? [y/N]"));
    let mut answer = String::new();
    let _ = stdin.lock().read_line(&mut answer);
    matches!(answer.trim(), "y" | "Y" | "yes")
}
