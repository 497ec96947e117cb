//! The check, end to end: discover, plan, invoke, read, judge, assemble, save.

mod replay;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use obelus_core::assemble::RecordSet;
use obelus_core::checker::Checker;
use obelus_core::normalise::Roots;
use obelus_core::read::{Streams, read_run_guarded};
use obelus_core::reason::adopted::AdoptedFile;
use obelus_core::reason::attribute::{FailOn, decide};
use obelus_record::{Diagnostic, Outcome, Report, Run, Stream, Termination};
use thiserror::Error;

use crate::adopted::{self, AdoptedFileError};
use crate::discover::{GlobError, discover};
use crate::git::GitError;
use crate::invocation::{Invocation, REPORT_PLACEHOLDER, Unrunnable};
use crate::locate::{Environment, Program, comparable};
use crate::plan::{Ground, Plan, Request, Step, plan};
use crate::process::stop::Stop;
use crate::process::{self, Limits};
use crate::repository::{Repository, RepositoryError};
use crate::saving::{Checked, Saving};
use crate::schedule::run_all;
use crate::shard::{self, Cutting, Durations, Part};
use crate::sources::FolderSources;
use crate::store::{Recording, SavedInvocation, Slot, StoreError};
use crate::version::version_of;

pub use replay::replay;

/// Why nothing could be checked.
#[derive(Debug, Error)]
pub enum CheckError {
    /// The repository or its configuration can't be used.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    /// A glob of the configuration can't be used.
    #[error(transparent)]
    Glob(#[from] GlobError),
    /// The folder for what checkers print can't be written, here or elsewhere.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file of adopted findings can't be used.
    #[error(transparent)]
    Adopted(#[from] AdoptedFileError),
    /// No folder could be made outside the repository.
    #[error("cannot create a temporary folder: {0}")]
    Temporary(std::io::Error),
    /// git can't tell of which files this is a check.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// What happens while a check runs, for those who watch.
pub trait Events: Sync {
    /// A run begins.
    fn started(&self, number: usize, invocation: &Invocation);
    /// A run has ended, with this many findings.
    fn ended(&self, number: usize, run: &Run, findings: usize);
    /// Something that the user should know and that changes no answer.
    fn note(&self, text: String);
}

/// What a user may decide for one check.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How many checkers run at once; the configuration's number, else that of the processors.
    pub jobs: Option<usize>,
    /// When each checker is stopped, in place of its definition's limit.
    pub time_limit: Option<Duration>,
    /// Variables that are set for each checker, where its definition doesn't set them.
    pub env: BTreeMap<String, String>,
    /// The part of the check that is made, where others make the rest.
    pub shard: Option<Part>,
    /// By what the parts are made equally long, in place of what the saved runs say.
    pub durations: Option<Durations>,
}

/// Checks the repository and saves the report. Findings that its file of adopted ones names fail
/// no verdict.
pub fn check(
    repository: &Repository,
    request: &Request,
    options: &Options,
    stop: &Stop,
    events: &dyn Events,
) -> Result<Report, CheckError> {
    let adopted = adopted::read(&repository.root)?;
    let mut checked = run_checkers(repository, request, options, stop, events)?;
    let_stand(adopted, repository, &mut checked.report);
    checked.save(repository)
}

/// Judges a report that is held against no baseline: what the repository has adopted fails nothing.
pub fn judge_adopted(repository: &Repository, report: &mut Report) -> Result<(), CheckError> {
    let_stand(adopted::read(&repository.root)?, repository, report);
    Ok(())
}

fn let_stand(adopted: Option<AdoptedFile>, repository: &Repository, report: &mut Report) {
    let Some(file) = adopted else { return };
    let held = file.hold(report, &FolderSources::new(&repository.root));
    report.adopted = Some(Box::new(held));
    decide(report, FailOn::Any);
}

/// Runs the checkers; the report is still to be completed and saved.
pub fn run_checkers(
    repository: &Repository,
    request: &Request,
    options: &Options,
    stop: &Stop,
    events: &dyn Events,
) -> Result<Checked, CheckError> {
    let began = Instant::now();
    let checkers = repository.checkers()?;
    let found = discover(&repository.root, &repository.config.exclude, &checkers)?;
    let saving = Saving::begin(&repository.root, began, events)?;
    let environment = Environment::current();
    let assets = saving.store.assets();
    let ask = |checker: &Checker, program: &Program| {
        version_of(&checker.binary, program, &repository.root, stop)
    };
    let ground = Ground {
        root: &repository.root,
        found: &found,
        environment: &environment,
        assets: &assets,
        version: &ask,
    };
    let Plan { mut steps, not_run } =
        plan(&checkers, request, repository.config.only.as_deref(), ground);
    let cutting = Cutting { repository, assets: &assets, options, stop, events };
    let shard = options.shard.map(|part| cutting.cut(part, &mut steps)).transpose()?;
    for step in &mut steps {
        let Step::Run(invocation) = step else { continue };
        if let Some(limit) = options.time_limit {
            invocation.time_limit = limit;
        }
        for (name, value) in &options.env {
            invocation.env.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    let sources = FolderSources::new(&repository.root);
    let bench = Bench {
        repository,
        recording: &saving.recording,
        sources: &sources,
        portable: shard.is_some(),
        stop,
        events,
    };
    let at_once = options.jobs.or(repository.config.jobs).unwrap_or_else(processors);
    let needs = |step: &Step| match step {
        Step::Run(invocation) => invocation.checker.exclusive.clone(),
        Step::Blocked(_) => None,
    };
    let done = run_all(steps, at_once.max(1), needs, |number, step| match step {
        Step::Run(invocation) => bench.run(number, &invocation),
        Step::Blocked(unrunnable) => Ok((blocked(&unrunnable), Vec::new())),
    });
    let mut set = RecordSet::default();
    for outcome in done {
        let (run, diagnostics) = outcome?;
        set.add(run, diagnostics, &request.scope);
    }
    let mut report = set.report(not_run, request.scope.clone());
    if let Some(shard) = shard {
        shard::mark(&mut report, shard);
    }
    Ok(Checked { report, saving })
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// What every run of one check shares.
struct Bench<'a> {
    repository: &'a Repository,
    recording: &'a Recording,
    sources: &'a FolderSources,
    /// The report is merged with those of other machines: it names no file of this one's own.
    portable: bool,
    stop: &'a Stop,
    events: &'a dyn Events,
}

impl Bench<'_> {
    /// Makes one run and reads it.
    fn run(
        &self,
        number: usize,
        invocation: &Invocation,
    ) -> Result<(Run, Vec<Diagnostic>), StoreError> {
        self.events.started(number, invocation);
        let slot = self.recording.slot(number, &invocation.checker.name)?;
        let argv = self.argv(invocation, &slot);
        let cwd = self.repository.root.join(&invocation.cwd);
        let (captured, version) = std::thread::scope(|scope| {
            // Asked beside the run itself: a program may take as long for this as for its work.
            let version = scope.spawn(|| {
                version_of(&invocation.checker.binary, &invocation.program, &cwd, self.stop)
            });
            let captured = self.capture(invocation, &argv, &slot);
            (captured, version.join().unwrap_or_default())
        });
        let (termination, duration) = captured?;
        let saved = SavedInvocation {
            checker: invocation.checker.name.clone(),
            tool: invocation.checker.tool.clone(),
            format: invocation.format.clone(),
            project: invocation.project.clone(),
            argv,
            cwd: invocation.cwd.clone(),
            stream: invocation.stream,
            version,
            roots: self.repository.root_names().collect(),
            termination,
            duration_ms: milliseconds(duration),
        };
        slot.describe(&saved)?;
        let (mut run, diagnostics) = read_saved(&invocation.checker, &saved, &slot, self.sources)?;
        if self.portable {
            run.argv.clone_from(&invocation.argv);
        }
        self.events.ended(number, &run, diagnostics.len());
        Ok((run, diagnostics))
    }

    fn argv(&self, invocation: &Invocation, slot: &Slot) -> Vec<String> {
        let report = slot.path(Stream::Report).to_string_lossy().into_owned();
        invocation
            .argv
            .iter()
            .map(|argument| argument.replace(REPORT_PLACEHOLDER, &report))
            .collect()
    }

    fn capture(
        &self,
        invocation: &Invocation,
        argv: &[String],
        slot: &Slot,
    ) -> Result<(Termination, Duration), StoreError> {
        let report = slot.path(Stream::Report).to_string_lossy().into_owned();
        let mut environment = invocation.env.clone();
        for value in environment.values_mut() {
            *value = value.replace(REPORT_PLACEHOLDER, &report);
        }
        let command = process::Command {
            argv: argv.iter().map(Into::into).collect(),
            cwd: self.repository.root.join(&invocation.cwd),
            env: environment,
            unset_env: invocation.unset_env.clone(),
            limits: Limits {
                time: invocation.time_limit,
                output_bytes: invocation.output_limit,
                ..Limits::default()
            },
        };
        let (stdout, stderr) = (slot.create(Stream::Stdout)?, slot.create(Stream::Stderr)?);
        Ok(match process::run(&command, stdout, stderr, self.stop) {
            Ok(capture) => (capture.termination, capture.duration),
            Err(error) => {
                let reason = format!(
                    "{} could not be run: {error}",
                    argv.first().map_or("it", String::as_str)
                );
                (Termination::NotStarted { reason }, Duration::ZERO)
            }
        })
    }
}

/// A run that could not begin, as a harness error.
fn blocked(unrunnable: &Unrunnable) -> Run {
    let termination = Termination::NotStarted { reason: unrunnable.reason.clone() };
    Run {
        checker: unrunnable.checker.clone(),
        tool: unrunnable.tool.clone(),
        format: unrunnable.format.clone(),
        project: Some(unrunnable.project.clone()),
        version: None,
        argv: Vec::new(),
        cwd: String::new(),
        exit: None,
        signal: None,
        termination,
        outcome: Outcome::HarnessError,
        reason: unrunnable.reason.clone(),
        fault: None,
        partial: false,
        unrecognised: obelus_record::Unrecognised::default(),
        notes: Vec::new(),
        out_of_scope: 0,
        duration_ms: 0,
    }
}

/// Reads the saved bytes of one run by the rules of `checker`.
fn read_saved(
    checker: &Checker,
    saved: &SavedInvocation,
    slot: &Slot,
    sources: &FolderSources,
) -> Result<(Run, Vec<Diagnostic>), StoreError> {
    let Some(format) = checker.format(&saved.format) else {
        let reason = obelus_core::checker::unknown_format(&saved.format, &checker.patterns);
        let folder = saved.project.clone();
        return Ok((blocked(&Unrunnable::new(checker, &folder, reason)), Vec::new()));
    };
    let mut stdout = slot.open(Stream::Stdout)?;
    let mut stderr = slot.open(Stream::Stderr)?;
    let mut report = slot.open(Stream::Report)?;
    let streams = Streams {
        stdout: &mut *stdout,
        stderr: &mut *stderr,
        report: &mut *report,
        primary: saved.stream,
    };
    let roots = Roots::new(saved.roots.iter().cloned(), &saved.cwd);
    let reading =
        read_run_guarded(format, &checker.rules(), streams, &saved.termination, &roots, sources);
    let notes = reading.notes.into_iter().chain(untried(checker, saved)).collect();
    let (exit, signal) = match saved.termination {
        Termination::Exited { code } | Termination::Undrained { code } => (Some(code), None),
        Termination::Signaled { signal } => (None, Some(signal)),
        _ => (None, None),
    };
    let run = Run {
        checker: saved.checker.clone(),
        tool: saved.tool.clone(),
        format: saved.format.clone(),
        project: Some(saved.project.clone()),
        version: saved.version.clone(),
        argv: saved.argv.clone(),
        cwd: if saved.cwd.is_empty() { ".".to_owned() } else { saved.cwd.clone() },
        exit,
        signal,
        termination: saved.termination.clone(),
        outcome: reading.judgement.outcome,
        reason: reading.judgement.reason,
        fault: reading.fault,
        partial: reading.judgement.partial,
        unrecognised: reading.unrecognised,
        notes,
        out_of_scope: 0,
        duration_ms: saved.duration_ms,
    };
    Ok((run, reading.diagnostics))
}

/// A note where the program's version is none of those with which the table was tried.
fn untried(checker: &Checker, saved: &SavedInvocation) -> Option<String> {
    let shown = saved.version.as_deref()?;
    let version = comparable(shown)?;
    let known = &checker.known_good;
    if known.is_empty() || known.iter().any(|requirement| requirement.matches(&version)) {
        return None;
    }
    let tried: Vec<String> = known.iter().map(ToString::to_string).collect();
    Some(format!("version {shown} was never tried with this table (tried: {})", tried.join("; ")))
}
