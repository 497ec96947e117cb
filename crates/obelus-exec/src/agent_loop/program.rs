//! An agent program with a protocol, by its table: asked by its `[work]` command line, and by
//! `resume` once it has a session. What it says decides nothing but how it ended; its work is in
//! the files.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use obelus_core::agent::{Fill, WorkTable};
use obelus_core::review::{DEFAULT_MARKER, Ending, Protocol, Reading, protocol, read};
use obelus_record::{AgentEnding, AgentTurn, Review, ReviewOutcome, Termination};

use super::LoopError;
use super::agent::{Agent, Asking, Ended, streams};
use crate::process::talk;
use crate::reviewer::launch::Launch;
use crate::reviewer::{Located, ReviewError};

/// An agent program with a protocol.
pub struct ProgramAgent {
    located: Located,
    work: WorkTable,
    protocol: &'static dyn Protocol,
    /// The name that Obelus gives to all runs of this loop.
    run: String,
    /// The agent's own name of its session.
    session: Option<String>,
    turn_limit: Option<u32>,
}

impl ProgramAgent {
    /// The program of an agent, which must have a `[work]` table. `turn_limit` stands in place of its
    /// table's.
    pub fn new(located: Located, turn_limit: Option<u32>) -> Result<Self, LoopError> {
        let agent = &located.agent;
        let Some(work) = agent.work.clone() else {
            let reason =
                format!("the table of {} has no [work], so it can't be asked to work", agent.name);
            return Err(ReviewError::NoReviewer(reason).into());
        };
        let Some(protocol) = protocol::find(&agent.protocol) else {
            let reason = format!("there is no protocol {:?}", agent.protocol);
            return Err(ReviewError::NoReviewer(reason).into());
        };
        let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S%3f");
        let run = format!("obelus-{stamp}-{}", std::process::id());
        Ok(ProgramAgent { located, work, protocol, run, session: None, turn_limit })
    }

    /// What it printed, read strictly.
    fn reading(&self, folder: &Path, ended: &Ended) -> Result<Review, LoopError> {
        let ending = Ending {
            termination: ended.termination.clone(),
            after_end_event: ended.after_last_word,
            out_of_turns: ended.out_of_turns,
        };
        let reading = Reading { protocol: self.protocol, marker: DEFAULT_MARKER, ending: &ending };
        let path = folder.join("stdout");
        let stdout = File::open(&path).map_err(LoopError::io("read", &path))?;
        Ok(read(&reading, BufReader::new(stdout), None))
    }
}

impl Agent for ProgramAgent {
    fn name(&self) -> String {
        self.located.agent.name.clone()
    }

    fn remembers(&self) -> bool {
        let resume = &self.work.resume;
        let by_session = resume.iter().any(|word| word.contains("{session}"));
        !resume.is_empty() && (self.session.is_some() || !by_session)
    }

    fn ask(&mut self, asking: &Asking<'_>) -> Result<Termination, LoopError> {
        let agent = &self.located.agent;
        let goes_on = asking.round > 1 && self.remembers();
        let argv = if goes_on { &self.work.resume } else { &self.work.argv };
        let root = asking.root.to_string_lossy();
        let fill = Fill {
            binary: &self.located.program.path,
            turns: self.turn_limit.unwrap_or(agent.turn_limit),
            session: self.session.as_deref().unwrap_or_default(),
            run: &self.run,
            root: &root,
        };
        let mut launch = Launch::new(agent, argv, &self.work.set, &fill);
        let own = Duration::from_secs(agent.time_limit);
        launch.limits.time = own.min(asking.time);
        let prompt =
            std::fs::read_to_string(asking.prompt).map_err(LoopError::io("read", asking.prompt))?;
        let streams = streams(asking.folder)?;
        let capture =
            launch.run(self.protocol, DEFAULT_MARKER, prompt, streams, asking.root, asking.stop);
        let ended = Ended {
            termination: capture.termination.clone(),
            after_last_word: capture.ended == Some(talk::Ended::AfterLastWord),
            out_of_turns: capture.ended == Some(talk::Ended::Enough),
            loop_time: asking.time < own,
        };
        ended.write(asking.folder)?;
        let session = self.reading(asking.folder, &ended)?.stream.session;
        self.session = session.or(self.session.take());
        Ok(capture.termination)
    }

    fn ended(&self, folder: &Path) -> Result<AgentTurn, LoopError> {
        let ended = Ended::read(folder)?;
        if let Some(turn) = ended.out_of_time() {
            return Ok(turn);
        }
        let name = &self.located.agent.name;
        let review = self.reading(folder, &ended)?;
        let turn = |ended, reason| Ok(AgentTurn { ended, reason });
        match review.outcome {
            ReviewOutcome::InvalidStream => {
                let line = review.line.map_or(String::new(), |line| format!(", line {line}"));
                let kind = review.kind.map_or(String::new(), |kind| format!(": {kind}"));
                let snippet = review.snippet.map_or(String::new(), |text| format!(": {text:?}"));
                turn(AgentEnding::InvalidStream, format!("{name} stdout{line}{kind}{snippet}"))
            }
            ReviewOutcome::TurnsExhausted => turn(
                AgentEnding::TurnsExhausted,
                format!("{name} used up the turns that it has for one round"),
            ),
            ReviewOutcome::AgentError => {
                let why = match review.stream.error {
                    Some(words) => format!("it ended with an error: {words}"),
                    None => review.reason,
                };
                turn(AgentEnding::AgentError, format!("{name} failed: {why}"))
            }
            // Whether it says something about findings has no meaning here.
            ReviewOutcome::MalformedFindings
            | ReviewOutcome::MissingFindings
            | ReviewOutcome::NoFindings
            | ReviewOutcome::Findings => turn(
                AgentEnding::Done,
                format!("{name} ended well after {} turns", review.stream.turns),
            ),
        }
    }
}
