//! An agent program, started with a prompt and followed to its end.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use obelus_core::agent::{Agent, Fill};
use obelus_core::review::Protocol;
use obelus_record::Termination;

use super::acp::Client;
use super::conversation;
use super::environment::AgentEnvironment;
use super::listener::Follow;
use crate::process::stop::Stop;
use crate::process::talk::Talk;
use crate::process::{self, Capture, Limits};

/// A run of an agent that is about to begin.
pub(crate) struct Launch {
    /// The command line.
    pub(crate) argv: Vec<String>,
    /// The environment.
    pub(crate) environment: AgentEnvironment,
    /// The limits of its process.
    pub(crate) limits: Limits,
    /// Turns after which Obelus itself ends it.
    most_turns: u64,
    end_grace: Duration,
}

impl Launch {
    /// A run of `agent` by one of its command lines, with the variables that belong to that.
    pub(crate) fn new(
        agent: &Agent,
        argv: &[String],
        set: &BTreeMap<String, String>,
        fill: &Fill<'_>,
    ) -> Self {
        let values = agent.environment.set.iter().chain(set);
        let keeps_limit = argv.iter().chain(values.clone().map(|(_, value)| value));
        let keeps_limit = keeps_limit.into_iter().any(|text| text.contains("{turns}"));
        let turns = u64::from(fill.turns);
        let set = values.map(|(name, value)| (name.clone(), fill.text(value))).collect();
        Launch {
            argv: argv.iter().map(|argument| fill.text(argument)).collect(),
            environment: AgentEnvironment::new(&agent.environment.remove, set),
            limits: Limits { time: Duration::from_secs(agent.time_limit), ..Limits::default() },
            // One that keeps the limit itself counts in its own way, and says so when it is reached.
            most_turns: if keeps_limit { turns * 2 + 10 } else { turns },
            end_grace: Duration::from_secs(agent.end_grace),
        }
    }

    /// Runs it in `cwd` and hands it `prompt`; what it prints goes to the two files. What can't be
    /// run is a [`Termination`].
    pub(crate) fn run(
        &self,
        protocol: &dyn Protocol,
        marker: &str,
        prompt: String,
        (stdout, stderr): (File, File),
        cwd: &Path,
        stop: &Stop,
    ) -> Capture {
        let follow = Follow::new(protocol, marker, self.most_turns);
        let end_grace = self.end_grace;
        let talk = match protocol.name() {
            "acp" => Talk {
                input: Client::opening(),
                input_ends: false,
                listener: Box::new(Client::new(follow, cwd.to_owned(), prompt)),
                end_grace,
            },
            _ => Talk {
                input: prompt.into_bytes(),
                input_ends: true,
                listener: Box::new(follow),
                end_grace,
            },
        };
        let command = process::Command {
            argv: self.argv.iter().map(Into::into).collect(),
            cwd: cwd.to_owned(),
            env: self.environment.set.clone(),
            unset_env: self.environment.removed.clone(),
            limits: self.limits.clone(),
        };
        process::converse(&command, stdout, stderr, stop, talk).unwrap_or_else(|error| {
            let program = self.argv.first().map_or("the agent", String::as_str);
            let reason = format!("{program} could not be run: {error}");
            Capture {
                termination: Termination::NotStarted { reason },
                stdout_bytes: 0,
                stderr_bytes: 0,
                duration: Duration::ZERO,
                ended: None,
            }
        })
    }

    /// Where the agent saved the conversation of its run, which began at `began`, if it did.
    pub(crate) fn conversation(
        &self,
        agent: &Agent,
        session: Option<&str>,
        run: &str,
        began: SystemTime,
    ) -> Option<PathBuf> {
        // A name from the stream is data: it may not lead to another folder, nor to any file.
        let session = session.filter(|name| {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            !name.is_empty() && name.chars().all(plain) && !name.starts_with('.')
        });
        let fill = Fill { session: session.unwrap_or_default(), run, ..Fill::default() };
        let known = |pattern: &&String| session.is_some() || !pattern.contains("{session}");
        let patterns = agent.conversation.iter().filter(known);
        let patterns: Vec<String> = patterns.map(|pattern| fill.text(pattern)).collect();
        // Clocks of file systems are coarse.
        let began = began.checked_sub(Duration::from_secs(2)).unwrap_or(began);
        conversation::find(&patterns, &self.environment, began)
    }
}
