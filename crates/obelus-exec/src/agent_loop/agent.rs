//! The agent, as the loop sees it: it is asked, it works on the files, and it ends somehow.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use obelus_record::{AgentEnding, AgentTurn, Termination};
use serde::{Deserialize, Serialize};

use super::LoopError;
use crate::process::stop::Stop;
use crate::process::{self, Limits};

/// What an agent is asked with.
pub struct Asking<'a> {
    /// The file that holds the text that is sent.
    pub prompt: &'a Path,
    /// The folder that keeps what it prints, and how it ended.
    pub folder: &'a Path,
    /// The root of the repository, in which it works.
    pub root: &'a Path,
    /// How long it may take.
    pub time: Duration,
    /// Which round it is, from 1.
    pub round: u32,
    /// What stops it.
    pub stop: &'a Stop,
}

/// A program that works on the files when it is asked.
pub trait Agent {
    /// What people call it.
    fn name(&self) -> String;

    /// Whether it still knows in the second round what it was asked in the first.
    fn remembers(&self) -> bool;

    /// Asks it. What it prints is kept in the folder, so that [`Agent::ended`] can tell again how
    /// it ended.
    fn ask(&mut self, asking: &Asking<'_>) -> Result<Termination, LoopError>;

    /// How it ended, by what is kept in `folder`.
    fn ended(&self, folder: &Path) -> Result<AgentTurn, LoopError>;
}

/// The file that says how an agent's process ended.
const ENDED: &str = "agent.json";

/// How an agent's process ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// How.
    pub termination: Termination,
}

impl Ended {
    /// What was written down in `folder`.
    pub fn read(folder: &Path) -> Result<Self, LoopError> {
        Ok(crate::store::read_json(&folder.join(ENDED))?)
    }

    /// Writes it down in `folder`.
    pub fn write(&self, folder: &Path) -> Result<(), LoopError> {
        super::ledger::write_json(&folder.join(ENDED), self)
    }
}

/// Any command line: it gets the text on its standard input, its work is in the files, and its exit
/// status says whether it did it.
pub struct ShellAgent {
    command: String,
}

impl ShellAgent {
    /// The agent that is this command line of a shell.
    pub fn new(command: &str) -> Self {
        ShellAgent { command: command.to_owned() }
    }
}

impl Agent for ShellAgent {
    fn name(&self) -> String {
        self.command.clone()
    }

    fn remembers(&self) -> bool {
        false
    }

    fn ask(&mut self, asking: &Asking<'_>) -> Result<Termination, LoopError> {
        let (shell, flag) = if cfg!(windows) { ("cmd.exe", "/C") } else { ("/bin/sh", "-c") };
        let shell = match cfg!(windows) {
            true => std::env::var_os("ComSpec").unwrap_or_else(|| shell.into()),
            false => OsString::from(shell),
        };
        let argv = vec![shell, flag.into(), self.command.clone().into()];
        run(argv, asking)
    }

    fn ended(&self, folder: &Path) -> Result<AgentTurn, LoopError> {
        Ok(turn_of(&self.command, &Ended::read(folder)?.termination, folder))
    }
}

/// Runs `argv` with the text on its standard input; keeps what it prints and how it ended.
pub fn run(argv: Vec<OsString>, asking: &Asking<'_>) -> Result<Termination, LoopError> {
    let stdin = File::open(asking.prompt).map_err(LoopError::io("read", asking.prompt))?;
    let create = |name: &str| {
        let path: PathBuf = asking.folder.join(name);
        File::create(&path).map_err(LoopError::io("create", &path))
    };
    let command = process::Command {
        argv,
        cwd: asking.root.to_owned(),
        env: [("OBELUS_LOOP_ROUND".to_owned(), asking.round.to_string())].into(),
        unset_env: Vec::new(),
        limits: Limits { time: asking.time, ..Limits::default() },
    };
    let (stdout, stderr) = (create("stdout")?, create("stderr")?);
    let termination =
        match process::run_with_input(&command, Some(stdin), stdout, stderr, asking.stop) {
            Ok(capture) => capture.termination,
            Err(error) => Termination::NotStarted { reason: error.to_string() },
        };
    Ended { termination: termination.clone() }.write(asking.folder)?;
    Ok(termination)
}

/// What the end of a process says of an agent without a protocol.
fn turn_of(name: &str, termination: &Termination, folder: &Path) -> AgentTurn {
    let failed = |reason: String| AgentTurn { ended: AgentEnding::AgentError, reason };
    match termination {
        Termination::Exited { code: 0 } | Termination::Undrained { code: 0 } => {
            AgentTurn { ended: AgentEnding::Done, reason: "exit status 0".to_owned() }
        }
        Termination::Exited { code } | Termination::Undrained { code } => {
            let said = last_line(&folder.join("stderr"))
                .map_or_else(String::new, |line| format!("; it said last: {line}"));
            failed(format!("the agent ({name}) failed with exit status {code}{said}"))
        }
        Termination::TimedOut { limit_seconds } => AgentTurn {
            ended: AgentEnding::OutOfTime,
            reason: format!(
                "the agent was stopped after {limit_seconds} s: the time of the loop is over"
            ),
        },
        Termination::Signaled { signal } => {
            failed(format!("signal {signal} ended the agent ({name})"))
        }
        Termination::NotStarted { reason } => {
            failed(format!("the agent could not be started: {reason}"))
        }
        Termination::OutputLimit { stream, limit_bytes } => {
            failed(format!("the agent printed more than {limit_bytes} bytes on {stream}"))
        }
        Termination::Interrupted => failed("the agent was interrupted".to_owned()),
        Termination::Unknown => failed("nobody knows how the agent ended".to_owned()),
    }
}

/// The last line of a file that says something, shortened.
fn last_line(path: &Path) -> Option<String> {
    let lines = super::ledger::last_lines(path, 1);
    lines.into_iter().next().map(|line| line.chars().take(200).collect())
}
