//! The agent, as the loop sees it: it is asked, it works on the files, and it ends somehow.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use obelus_record::{AgentEnding, AgentTurn, Termination};
use serde::{Deserialize, Serialize};

use super::LoopError;
use crate::process::stop::Stop;
use crate::process::talk::{Heard, Listener, Talk};
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
    /// Obelus ended it, some time after its last word.
    #[serde(default)]
    pub after_last_word: bool,
    /// Obelus ended it, because it took more turns than its table grants.
    #[serde(default)]
    pub out_of_turns: bool,
    /// The time that it had was what was left of the loop's.
    #[serde(default)]
    pub loop_time: bool,
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

    /// That the loop's time was over, if it was.
    pub fn out_of_time(&self) -> Option<AgentTurn> {
        let Termination::TimedOut { limit_seconds } = self.termination else { return None };
        self.loop_time.then(|| AgentTurn {
            ended: AgentEnding::OutOfTime,
            reason: format!(
                "the agent was stopped after {limit_seconds} s: the time of the loop is over"
            ),
        })
    }
}

/// The files for the two streams of an agent.
pub fn streams(folder: &Path) -> Result<(File, File), LoopError> {
    let create = |name: &str| {
        let path: PathBuf = folder.join(name);
        File::create(&path).map_err(LoopError::io("create", &path))
    };
    Ok((create("stdout")?, create("stderr")?))
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
        let command = process::Command {
            argv: vec![shell, flag.into(), self.command.clone().into()],
            cwd: asking.root.to_owned(),
            env: [("OBELUS_LOOP_ROUND".to_owned(), asking.round.to_string())].into(),
            unset_env: Vec::new(),
            limits: Limits { time: asking.time, ..Limits::default() },
        };
        let talk = Talk {
            input: std::fs::read(asking.prompt).map_err(LoopError::io("read", asking.prompt))?,
            input_ends: true,
            listener: Box::new(Deaf),
            end_grace: Duration::ZERO,
        };
        let (stdout, stderr) = streams(asking.folder)?;
        let termination = match process::converse(&command, stdout, stderr, asking.stop, talk) {
            Ok(capture) => capture.termination,
            Err(error) => Termination::NotStarted { reason: error.to_string() },
        };
        let ended = Ended {
            termination: termination.clone(),
            after_last_word: false,
            out_of_turns: false,
            loop_time: true,
        };
        ended.write(asking.folder)?;
        Ok(termination)
    }

    fn ended(&self, folder: &Path) -> Result<AgentTurn, LoopError> {
        let ended = Ended::read(folder)?;
        let turn = ended.out_of_time();
        Ok(turn.unwrap_or_else(|| turn_of(&self.command, &ended.termination, folder)))
    }
}

/// Without a protocol there is nothing to listen for.
struct Deaf;

impl Listener for Deaf {
    fn hear(&mut self, _bytes: &[u8]) -> Heard {
        Heard::default()
    }
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
        Termination::TimedOut { limit_seconds } => {
            failed(format!("the agent was stopped after {limit_seconds} s"))
        }
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
