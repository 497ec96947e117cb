//! `obelus check`: run the checkers, tell what they found, give the verdict.

use std::path::Path;

use obelus_core::reason::attribute;
use obelus_exec::baseline::{PolicyOf, Running, Since, check_since};
use obelus_exec::check::{Options, check};
use obelus_exec::plan::Request;
use obelus_exec::process::stop::{Stop, install_handler};
use obelus_exec::repository::{Repository, relative};
use obelus_exec::shard::Durations;
use obelus_exec::sources::FolderSources;
use obelus_record::{ExitStatus, Report, Termination};

use super::current_folder;
use super::r#loop::tell_interrupted;
use super::show::Show;
use crate::args::{Check, FailOn, Pace, Policy};
use crate::error::CommandError;
use crate::progress::Progress;
use crate::telemetry::Watched;

/// Checks the repository and prints the report.
pub fn run(args: &Check) -> Result<ExitStatus, CommandError> {
    let show = Show::new(&args.outputs, &args.select)?;
    let current = current_folder()?;
    let repository = Repository::open(args.root.root.as_deref(), &current)?;
    let request = request(&args.words, &repository, &current)?;
    let options = Options {
        shard: args.sharding.shard,
        durations: args.sharding.durations.as_deref().map(durations).transpose()?,
        ..options(&args.pace)
    };
    let mut report = with_options(&repository, &request, &options, |running| match &args.since {
        Some(name) => Ok(check_since(running, &since(name, args))?),
        None if args.fix => super::fix::fixed(running),
        None => {
            let Running { repository, request, options, stop, events } = running;
            Ok(check(repository, request, options, stop, events)?)
        }
    })?;
    show.print(&mut report, &FolderSources::new(&repository.root))?;
    Ok(status(&report))
}

fn since(name: &str, args: &Check) -> Since {
    Since {
        name: name.to_owned(),
        fail_on: match args.fail_on {
            FailOn::New => attribute::FailOn::New,
            FailOn::Any => attribute::FailOn::Any,
        },
        policy: match args.policy {
            Policy::Work => PolicyOf::Work,
            Policy::Base => PolicyOf::Base,
        },
        deny_silencing: args.deny_silencing,
    }
}

/// Does what runs checkers, while signals stop it and people see how far it is.
pub fn with_checkers(
    repository: &Repository,
    request: &Request,
    pace: &Pace,
    work: impl FnOnce(Running<'_>) -> Result<Report, CommandError>,
) -> Result<Report, CommandError> {
    with_options(repository, request, &options(pace), work)
}

fn options(pace: &Pace) -> Options {
    Options {
        jobs: pace.jobs.map(usize::from),
        time_limit: pace.time_limit.map(std::time::Duration::from_secs),
        ..Options::default()
    }
}

/// How long runs took, by the report in a file.
fn durations(path: &Path) -> Result<Durations, CommandError> {
    const WHAT: &str = "the report for --durations";
    let path = path.to_owned();
    match std::fs::read(&path) {
        Err(error) => Err(CommandError::Read { what: WHAT, path, error }),
        Ok(text) => Durations::read(&text).map_err(|error| {
            let name = path.display();
            CommandError::Usage(format!("{WHAT} {name} is no report of `--output json`: {error}"))
        }),
    }
}

fn with_options(
    repository: &Repository,
    request: &Request,
    options: &Options,
    work: impl FnOnce(Running<'_>) -> Result<Report, CommandError>,
) -> Result<Report, CommandError> {
    let stop = Stop::default();
    install_handler(&stop)
        .map_err(|error| CommandError::Usage(format!("cannot listen for signals: {error}")))?;
    let progress = Progress::new();
    tell_interrupted(&repository.root, &progress);
    let watched = Watched::begin(&progress);
    let running = Running { repository, request, options, stop: &stop, events: &watched };
    let report = work(running);
    watched.end(report.as_ref().ok());
    progress.finish();
    report
}

/// The exit status of a check.
pub fn status(report: &Report) -> ExitStatus {
    let interrupted = report.runs.iter().any(|run| run.termination == Termination::Interrupted);
    if interrupted { ExitStatus::Interrupted } else { report.outcome.into() }
}

/// What the words on the command line ask for: a word that is the name of a checker is one (`./tsc`
/// is a path in any case), every other word is a path.
pub fn request(
    words: &[String],
    repository: &Repository,
    current: &Path,
) -> Result<Request, CommandError> {
    let checkers = repository.checkers()?;
    let mut request = Request::default();
    for word in words {
        if checkers.iter().any(|checker| checker.name == *word) {
            request.checkers.push(word.clone());
            continue;
        }
        let path = current.join(word);
        let Ok(real) = path.canonicalize() else {
            let names = checkers.iter().map(|checker| checker.name.as_str());
            return Err(CommandError::Usage(unknown_word(word, names)));
        };
        match relative(&repository.root, &real) {
            Some(path) => request.scope.push(path),
            None => {
                let root = repository.root.display();
                return Err(CommandError::Usage(format!(
                    "{word} lies outside the repository {root}"
                )));
            }
        }
    }
    if request.scope.is_empty() {
        request.scope.push(repository.standing_in.clone());
    }
    // The root itself is no limit.
    if request.scope.iter().any(String::is_empty) {
        request.scope.clear();
    }
    Ok(request)
}

fn unknown_word<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> String {
    let near = names.map(|name| (strsim::damerau_levenshtein(word, name), name)).min();
    match near {
        Some((distance, near)) if distance <= near.len() / 2 => {
            format!(
                "{word:?} is neither a checker nor a path that is there; did you mean {near:?}?"
            )
        }
        _ => format!(
            "{word:?} is neither a checker (`obelus list` names them) nor a path that is there"
        ),
    }
}
