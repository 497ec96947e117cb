//! One run of a reviewer: the prompt in, the evidence kept, the artifact written.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use obelus_core::agent::{Agent, Fill, ReviewTable};
use obelus_core::normalise::Roots;
use obelus_core::review::{Ending, Hunks, Protocol, Reading, check_places, prompt, protocol, read};
use obelus_record::{Review, ReviewRun, ReviewedChange, StopReason, Termination};

use super::acp::Client;
use super::change::Change;
use super::environment::AgentEnvironment;
use super::listener::Follow;
use super::program::Located;
use super::store::{Reviews, SavedReview, digest, hexadecimal};
use super::{ReviewError, conversation};
use crate::process::stop::Stop;
use crate::process::talk::{Ended, Talk};
use crate::process::{self, Capture, Limits};
use crate::repository::Repository;
use crate::sources::FolderSources;

/// What is to be reviewed, by whom.
pub struct Order<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// The reviewer.
    pub reviewer: Located,
    /// The change.
    pub change: Change,
    /// In place of the table's limit.
    pub time_limit: Option<Duration>,
    /// In place of the table's limit.
    pub turn_limit: Option<u32>,
}

/// Runs the reviewer and keeps the evidence, whatever comes of it.
pub fn review(order: Order<'_>, stop: &Stop) -> Result<Review, ReviewError> {
    let Located { agent, program } = &order.reviewer;
    let table = agent.review.as_ref().ok_or_else(|| {
        ReviewError::NoReviewer(format!("the table of {} has no [review]", agent.name))
    })?;
    let protocol = protocol::find(&agent.protocol).ok_or_else(|| {
        ReviewError::NoReviewer(format!("there is no protocol {:?}", agent.protocol))
    })?;
    let nonce = nonce()?;
    let marker = format!("FINDINGS {nonce}:");
    let saved = Reviews::of(&order.repository.root).begin()?;
    let asked =
        prompt::prompt(&marker, &order.change.of, &String::from_utf8_lossy(&order.change.diff));
    saved.write("prompt", asked.as_bytes())?;
    saved.write("change.diff", &order.change.diff)?;

    let prepared = Prepared::new(&order, agent, table, &program.path, &nonce);
    let began = SystemTime::now();
    let stamp = jiff::Timestamp::now();
    let capture = prepared.run(&order, protocol, &marker, asked, &saved, stop)?;
    let stopped = capture.ended.map(|ended| match ended {
        Ended::AfterLastWord => StopReason::AfterEndEvent,
        Ended::Enough => StopReason::OutOfTurns,
    });
    let conversation = prepared.keep_conversation(agent, protocol, &marker, &saved, began)?;
    let kept = ["prompt", "change.diff", "stdout", "stderr"].map(|name| saved.kept(name, None));
    let mut kept = kept.into_iter().collect::<Result<Vec<_>, _>>()?;
    kept.push(saved.kept("conversation", conversation.as_deref())?);
    let hunks = Hunks::read(&order.change.diff);
    let made = ReviewRun {
        id: saved.id.clone(),
        reviewer: agent.name.clone(),
        program: program.clone(),
        argv: prepared.argv,
        cwd: order.repository.root.display().to_string(),
        environment: prepared.environment.names,
        removed: prepared.environment.removed,
        termination: capture.termination,
        stopped,
        began: stamp.to_string(),
        duration_ms: u64::try_from(capture.duration.as_millis()).unwrap_or(u64::MAX),
        obelus: env!("CARGO_PKG_VERSION").to_owned(),
        kept: kept.into_iter().flatten().collect(),
        change: ReviewedChange {
            of: order.change.of.clone(),
            files: hunks.files(),
            sha256: digest(&order.change.diff),
        },
    };
    let review = reread(order.repository, &saved, protocol, &marker, made)?;
    saved.finish(&review)?;
    Ok(review)
}

/// Reads a saved review again, from its bytes; no model is asked.
pub fn replay(repository: &Repository, saved: &SavedReview) -> Result<Review, ReviewError> {
    let old = saved.artifact()?;
    let protocol = protocol::find(&old.protocol).ok_or_else(|| {
        ReviewError::NoReviewer(format!("there is no protocol {:?}", old.protocol))
    })?;
    match old.run {
        Some(run) => reread(repository, saved, protocol, &old.marker, *run),
        None => Ok(old),
    }
}

/// The review that the saved bytes give.
fn reread(
    repository: &Repository,
    saved: &SavedReview,
    protocol: &dyn Protocol,
    marker: &str,
    run: ReviewRun,
) -> Result<Review, ReviewError> {
    let ending = Ending {
        termination: run.termination.clone(),
        after_end_event: run.stopped == Some(StopReason::AfterEndEvent),
        out_of_turns: run.stopped == Some(StopReason::OutOfTurns),
    };
    let reading = Reading { protocol, marker, ending: &ending };
    let mut conversation = saved.open("conversation")?;
    let conversation = conversation.as_mut().map(|reader| reader as &mut dyn std::io::BufRead);
    let mut review = match saved.open("stdout")? {
        Some(stdout) => read(&reading, stdout, conversation),
        None => read(&reading, std::io::empty(), conversation),
    };
    let diff = std::fs::read(saved.path("change.diff")).unwrap_or_default();
    let roots = Roots::new(repository.root_names(), ".");
    let sources = FolderSources::new(&repository.root);
    check_places(&mut review, &roots, &sources, Some(&Hunks::read(&diff)));
    review.run = Some(Box::new(run));
    Ok(review)
}

/// A run that is about to begin.
struct Prepared {
    argv: Vec<String>,
    environment: AgentEnvironment,
    limits: Limits,
    /// Turns after which Obelus itself ends the run.
    most_turns: u64,
    end_grace: Duration,
    /// The name of the run.
    run: String,
}

impl Prepared {
    fn new(
        order: &Order<'_>,
        agent: &Agent,
        table: &ReviewTable,
        binary: &str,
        nonce: &str,
    ) -> Self {
        let turns = order.turn_limit.unwrap_or(agent.turn_limit);
        let run = format!("obelus-{nonce}");
        let root = order.repository.root.to_string_lossy();
        let fill = Fill { binary, turns, session: "", run: &run, root: &root };
        let set: BTreeMap<String, String> = agent
            .environment
            .set
            .iter()
            .chain(&table.set)
            .map(|(name, value)| (name.clone(), fill.text(value)))
            .collect();
        let keeps_limit = table.argv.iter().chain(agent.environment.set.values());
        let keeps_limit =
            keeps_limit.chain(table.set.values()).any(|text| text.contains("{turns}"));
        // One that keeps the limit itself counts in its own way, and says so when it is reached.
        let most_turns = if keeps_limit { u64::from(turns) * 2 + 10 } else { u64::from(turns) };
        let argv: Vec<String> = table.argv.iter().map(|argument| fill.text(argument)).collect();
        Prepared {
            argv,
            environment: AgentEnvironment::new(&agent.environment.remove, set),
            limits: Limits {
                time: order.time_limit.unwrap_or(Duration::from_secs(agent.time_limit)),
                ..Limits::default()
            },
            most_turns,
            end_grace: Duration::from_secs(agent.end_grace),
            run,
        }
    }

    fn run(
        &self,
        order: &Order<'_>,
        protocol: &dyn Protocol,
        marker: &str,
        asked: String,
        saved: &SavedReview,
        stop: &Stop,
    ) -> Result<Capture, ReviewError> {
        let follow = Follow::new(protocol, marker, self.most_turns);
        let root = order.repository.root.clone();
        let talk = match protocol.name() {
            "acp" => Talk {
                input: Client::opening(),
                listener: Box::new(Client::new(follow, root, asked)),
                end_grace: self.end_grace,
                input_ends: false,
            },
            _ => Talk {
                input: asked.into_bytes(),
                listener: Box::new(follow),
                end_grace: self.end_grace,
                input_ends: true,
            },
        };
        let command = process::Command {
            argv: self.argv.iter().map(Into::into).collect(),
            cwd: order.repository.root.clone(),
            env: self.environment.set.clone(),
            unset_env: self.environment.removed.clone(),
            limits: self.limits.clone(),
        };
        let (stdout, stderr) = (saved.create("stdout")?, saved.create("stderr")?);
        Ok(process::converse(&command, stdout, stderr, stop, talk).unwrap_or_else(|error| {
            Capture {
                termination: Termination::NotStarted {
                    reason: format!("{} could not be run: {error}", order.reviewer.program.path),
                },
                stdout_bytes: 0,
                stderr_bytes: 0,
                duration: Duration::ZERO,
                ended: None,
            }
        }))
    }

    /// Copies the conversation that the agent saved, and says where it lay.
    fn keep_conversation(
        &self,
        agent: &Agent,
        protocol: &dyn Protocol,
        marker: &str,
        saved: &SavedReview,
        began: SystemTime,
    ) -> Result<Option<PathBuf>, ReviewError> {
        let ending = Ending::from(Termination::Unknown);
        let reading = Reading { protocol, marker, ending: &ending };
        let session = match saved.open("stdout")? {
            Some(stdout) => read(&reading, stdout, None).stream.session,
            None => None,
        };
        // A name from the stream is data: it may not lead to another folder, nor to any file.
        let session = session.filter(|name| {
            name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
                && !name.starts_with('.')
        });
        let fill = Fill {
            binary: "",
            turns: 0,
            session: session.as_deref().unwrap_or_default(),
            run: &self.run,
            root: "",
        };
        let patterns: Vec<String> = agent
            .conversation
            .iter()
            .filter(|pattern| session.is_some() || !pattern.contains("{session}"))
            .map(|pattern| fill.text(pattern))
            .collect();
        // Clocks of file systems are coarse.
        let began = began.checked_sub(Duration::from_secs(2)).unwrap_or(began);
        let Some(path) = conversation::find(&patterns, &self.environment, began) else {
            return Ok(None);
        };
        let copied = std::fs::copy(&path, saved.path("conversation"));
        Ok(copied.is_ok().then_some(path))
    }
}

/// What nobody who wrote the change could know: 16 hexadecimal digits.
fn nonce() -> Result<String, ReviewError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| ReviewError::Random(error.to_string()))?;
    Ok(hexadecimal(&bytes))
}
