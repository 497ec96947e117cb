//! One child program: started, watched, and captured to the byte.
//!
//! This module owns how a program runs and how that ends. What its exit status or its bytes mean
//! it doesn't know.
//!
//! - The child has no input but what a [`Talk`] hands it, a process group (Unix) or a job (Windows) of its own, and an
//!   environment in which tools print neither colour nor translated messages ([`environment`]).
//! - Its two streams go to two files as they come; nothing of them is held in memory.
//! - Every end has its own [`Termination`]. When Obelus ends a run, the whole group gets the
//!   signal, then the grace, then the kill that cannot be caught.
//! - Nothing here waits without a limit: a descendant that left the group and keeps a pipe open
//!   costs [`Limits::drain`], and is named by [`Termination::Undrained`].

pub mod environment;
mod refusal;
mod spool;
pub mod stop;
mod supervisor;
pub mod talk;

#[cfg(unix)]
#[path = "unix.rs"]
mod os;
#[cfg(windows)]
#[path = "windows.rs"]
mod os;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use obelus_record::{Stream, Termination};

use spool::Spool;
use stop::{Level, Stop};
use supervisor::{Event, Supervisor, Watched};
use talk::{Ear, Ended, Talk};

/// What to run, where, and for how long.
#[derive(Clone, Debug)]
pub struct Command {
    /// The program, an absolute path, and its arguments.
    pub argv: Vec<OsString>,
    /// The working directory.
    pub cwd: PathBuf,
    /// Variables set for this program, after everything in [`environment`].
    pub env: BTreeMap<String, String>,
    /// Variables taken away from this program, last of all.
    pub unset_env: Vec<String>,
    /// How much it may use.
    pub limits: Limits,
}

/// How much a program may use before it is ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long it may run.
    pub time: Duration,
    /// How much it may print on each of its two streams; that much is kept.
    pub output_bytes: u64,
    /// How long its group has between the signal that asks it to end and the one that kills it.
    pub grace: Duration,
    /// How long its streams may be silent after its exit without having ended. Then somebody of
    /// its group still holds them, and the group is killed. A daemon that holds neither stream is
    /// left alone.
    pub settle: Duration,
    /// How long its streams may stay open, after its exit or its kill, before the run is given up.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            time: Duration::from_secs(600),
            output_bytes: 1 << 30,
            grace: Duration::from_secs(5),
            settle: Duration::from_millis(100),
            drain: Duration::from_secs(2),
        }
    }
}

/// How a run ended, and how much was kept of its streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// How it ended.
    pub termination: Termination,
    /// How many bytes of standard output are in its file.
    pub stdout_bytes: u64,
    /// How many bytes of standard error are in its file.
    pub stderr_bytes: u64,
    /// From just before the start to the end.
    pub duration: Duration,
    /// Why Obelus ended it by wish of its listener.
    pub ended: Option<Ended>,
}

/// Runs one program to its end, whatever that is, and writes what it prints to the two files.
///
/// After the return nothing is written to the files any more, and of the program's group nobody
/// is left that could print. A program that can't be started is a [`Termination`]; an error is a
/// failure of Obelus itself (a file that can't be written, no more threads), after which the
/// program has been killed.
pub fn run(command: &Command, stdout: File, stderr: File, stop: &Stop) -> io::Result<Capture> {
    run_with(command, stdout, stderr, stop, None)
}

/// Runs one program as [`run`] does, and talks with it meanwhile.
pub fn converse(
    command: &Command,
    stdout: File,
    stderr: File,
    stop: &Stop,
    talk: Talk,
) -> io::Result<Capture> {
    run_with(command, stdout, stderr, stop, Some(talk))
}

fn run_with(
    command: &Command,
    stdout: File,
    stderr: File,
    stop: &Stop,
    talk: Option<Talk>,
) -> io::Result<Capture> {
    let begun = Instant::now();
    let ended = |termination, stdout_bytes, stderr_bytes| Capture {
        termination,
        stdout_bytes,
        stderr_bytes,
        duration: begun.elapsed(),
        ended: None,
    };
    if stop.level() != Level::Run {
        return Ok(ended(Termination::Interrupted, 0, 0));
    }
    if let Some(reason) = refusal::before_start(command) {
        return Ok(ended(Termination::NotStarted { reason }, 0, 0));
    }
    let Pipes { child, readers, cancel, stdin } = match start(command, talk.is_some())? {
        Ok(started) => started,
        Err(error) => {
            let reason = refusal::after_start(command, &error);
            return Ok(ended(Termination::NotStarted { reason }, 0, 0));
        }
    };
    let limit = command.limits.output_bytes;
    let spools = [
        Arc::new(Spool::new(Stream::Stdout, stdout, limit)),
        Arc::new(Spool::new(Stream::Stderr, stderr, limit)),
    ];
    let end_grace = talk.as_ref().map_or(Duration::ZERO, |talk| talk.end_grace);
    let mut ear = match (talk, stdin) {
        (Some(talk), Some(stdin)) => Some(Ear::new(talk, stdin)?),
        _ => None,
    };
    let (sender, events) = crossbeam_channel::unbounded();
    for (spool, pipe) in spools.iter().zip(readers) {
        // Standard output, which comes first, is what is listened to.
        start_reader(Arc::clone(spool), pipe, sender.clone(), ear.take())?;
    }
    start_exit_watch(&child, sender)?;

    let supervisor = Supervisor::new(child, &spools, &command.limits, end_grace, begun);
    let watched = supervisor.watch(&events, stop);
    let [stdout_bytes, stderr_bytes] = [spools[0].seal(), spools[1].seal()];
    // The readers end here even where a pipe is still held; nobody waits for them.
    drop(cancel);
    let Watched { termination, ended: wish } = watched?;
    Ok(Capture { ended: wish, ..ended(termination, stdout_bytes, stderr_bytes) })
}

/// A started child, the ends of its pipes from which to read, and what ends the reading.
struct Pipes {
    child: os::Group,
    readers: [(PipeReader, PipeReader); 2],
    cancel: PipeWriter,
    /// Where its input is written, if it gets any.
    stdin: Option<PipeWriter>,
}

/// Starts the program: the outer error is a failure of Obelus, the inner one of the program.
fn start(command: &Command, has_input: bool) -> io::Result<io::Result<Pipes>> {
    /// Where a pipe cannot be made close-on-exec in one step (macOS), a program that is started in
    /// between would inherit it, and hold it open as long as it runs.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);

    let (stdout_reader, stdout_writer) = io::pipe()?;
    let (stderr_reader, stderr_writer) = io::pipe()?;
    let (cancelled, cancel) = io::pipe()?;
    let readers = [(stdout_reader, cancelled.try_clone()?), (stderr_reader, cancelled)];

    let (stdin_reader, stdin) = match has_input {
        true => {
            let (reader, writer) = io::pipe()?;
            (Stdio::from(reader), Some(writer))
        }
        false => (Stdio::null(), None),
    };

    // It holds the writing ends, which must be gone before the first read: it ends with this
    // function.
    let mut child = std::process::Command::new(&command.argv[0]);
    child
        .args(&command.argv[1..])
        .current_dir(&command.cwd)
        .stdin(stdin_reader)
        .stdout(stdout_writer)
        .stderr(stderr_writer);
    environment::apply(&mut child, command);
    Ok(os::Group::spawn(child).map(|child| Pipes { child, readers, cancel, stdin }))
}

fn start_reader(
    spool: Arc<Spool>,
    (pipe, cancelled): (PipeReader, PipeReader),
    events: Sender<Event>,
    mut ear: Option<Ear>,
) -> io::Result<()> {
    let name = format!("capture-{}", spool.stream());
    thread::Builder::new().name(name).spawn(move || {
        let event = spool.fill(pipe, &cancelled, |block| {
            if let Some(wish) = ear.as_mut().and_then(|ear| ear.hear(block)) {
                let _ = events.send(Event::Wish(wish));
            }
        });
        drop(ear);
        // Nobody listens any more when the run was given up.
        let _ = events.send(event);
    })?;
    Ok(())
}

fn start_exit_watch(child: &os::Group, events: Sender<Event>) -> io::Result<()> {
    let wait = child.exit_watch();
    thread::Builder::new().name("capture-exit".to_owned()).spawn(move || {
        wait();
        let _ = events.send(Event::Exited);
    })?;
    Ok(())
}
