//! Runs a program under the circumstances in which others have spoiled their standard output.

mod circumstance;

use std::io::{self, BufReader, Seek};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use obelus_core::contract::{Read, contract, judge, read};
use obelus_core::review::Protocol;
use obelus_record::{Circumstance, Contract, Termination};

use crate::locate::{Environment, executable, on_path_named};
use crate::process::stop::{Level, Stop};
use crate::process::talk::{Heard, Listener, Talk};
use crate::process::{self, Command, Limits};

use circumstance::Changes;

pub use circumstance::ALL;

/// How long the slow reader waits before each block, and how many times at most: longer than any
/// pipe stays empty, and no longer than a test should take.
const PAUSE: Duration = Duration::from_millis(20);
const PAUSES: u32 = 100;

/// What is tested.
pub struct Trial<'a> {
    /// The command line; the program is looked for on `$PATH`.
    pub argv: Vec<String>,
    /// The working folder.
    pub cwd: PathBuf,
    /// What its events mean.
    pub protocol: &'a dyn Protocol,
    /// What it gets on standard input.
    pub input: Vec<u8>,
    /// When each run is stopped.
    pub time_limit: Duration,
}

/// Runs the program once for each circumstance; `tell` hears of each before it begins. An error is
/// a failure of Obelus itself.
pub fn test(trial: &Trial<'_>, stop: &Stop, tell: impl Fn(Circumstance)) -> io::Result<Contract> {
    let mut runs = Vec::new();
    let mut spoke = false;
    for circumstance in ALL {
        if stop.level() != Level::Run {
            break;
        }
        tell(circumstance);
        let (termination, found) = run(trial, circumstance, stop)?;
        let was_started = !matches!(termination, Termination::NotStarted { .. });
        let run = judge(circumstance, termination, found, spoke);
        spoke |= run.events > 0;
        runs.push(run);
        if !was_started {
            break;
        }
    }
    Ok(contract(trial.argv.clone(), trial.protocol, runs))
}

fn run(
    trial: &Trial<'_>,
    circumstance: Circumstance,
    stop: &Stop,
) -> io::Result<(Termination, Read)> {
    let Changes { set, unset } = circumstance::changes(circumstance);
    let command = Command {
        argv: argv(trial, circumstance).into_iter().map(Into::into).collect(),
        cwd: trial.cwd.clone(),
        env: set,
        unset_env: unset,
        limits: Limits {
            time: trial.time_limit,
            // Whoever reads slowly finds something in the pipe after the exit.
            settle: Duration::from_secs(2),
            drain: Duration::from_secs(10),
            ..Limits::default()
        },
    };
    let mut stdout = tempfile::tempfile()?;
    let stderr = tempfile::tempfile()?;
    let pauses = if circumstance == Circumstance::SlowReader { PAUSES } else { 0 };
    let talk = Talk {
        input: trial.input.clone(),
        listener: Box::new(Reader { pauses }),
        input_ends: true,
        end_grace: Duration::ZERO,
    };
    let capture = process::converse(&command, stdout.try_clone()?, stderr, stop, talk)?;
    stdout.rewind()?;
    let found = read(trial.protocol, BufReader::with_capacity(64 << 10, stdout));
    Ok((capture.termination, found))
}

/// The command line, in a shell where that alone can do what the circumstance asks for.
fn argv(trial: &Trial<'_>, circumstance: Circumstance) -> Vec<String> {
    let mut argv = trial.argv.clone();
    if let Some(program) = argv.first_mut()
        && let Some(found) = program_of(program, &trial.cwd)
    {
        *program = found.to_string_lossy().into_owned();
    }
    if circumstance == Circumstance::ClosedStdin {
        let shell = ["/bin/sh", "-c", "exec \"$0\" \"$@\" <&-"].map(str::to_owned);
        argv.splice(0..0, shell);
    }
    argv
}

/// Where a program is that a command line names as a shell would.
fn program_of(name: &str, cwd: &Path) -> Option<PathBuf> {
    if name.contains(std::path::is_separator) {
        let path = cwd.join(name);
        return executable(path.parent()?, &path.file_name()?.to_string_lossy());
    }
    on_path_named(name, &Environment::current())
}

/// Reads standard output, at first slowly.
struct Reader {
    pauses: u32,
}

impl Listener for Reader {
    fn hear(&mut self, _bytes: &[u8]) -> Heard {
        if let Some(left) = self.pauses.checked_sub(1) {
            self.pauses = left;
            thread::sleep(PAUSE);
        }
        Heard::default()
    }
}
