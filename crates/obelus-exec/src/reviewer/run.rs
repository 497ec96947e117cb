//! One run of a reviewer: the prompt in, the evidence kept, the artifact written.

use std::time::{Duration, SystemTime};

use obelus_core::agent::Fill;
use obelus_core::normalise::Roots;
use obelus_core::review::{Ending, Hunks, Protocol, Reading, check_places, prompt, protocol, read};
use obelus_record::{Review, ReviewRun, ReviewedChange, StopReason, Termination};

use super::ReviewError;
use super::change::Change;
use super::launch::Launch;
use super::program::Located;
use super::store::{Reviews, SavedReview, digest, hexadecimal};
use crate::process::stop::Stop;
use crate::process::talk::Ended;
use crate::repository::{CONFIG_FILE, Repository};
use crate::sources::FolderSources;

/// Saved reviews that are kept where the configuration names no number.
const KEEP_REVIEWS: usize = 50;

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

    let run = format!("obelus-{nonce}");
    let root = order.repository.root.to_string_lossy();
    let turns = order.turn_limit.unwrap_or(agent.turn_limit);
    let fill = Fill { binary: &program.path, turns, session: "", run: &run, root: &root };
    let mut launch = Launch::new(agent, &table.argv, &table.set, &fill);
    if let Some(limit) = order.time_limit {
        launch.limits.time = limit;
    }
    let began = SystemTime::now();
    let stamp = jiff::Timestamp::now();
    let files = (saved.create("stdout")?, saved.create("stderr")?);
    let capture = launch.run(protocol, &marker, asked, files, &order.repository.root, stop);
    let stopped = capture.ended.map(|ended| match ended {
        Ended::AfterLastWord => StopReason::AfterEndEvent,
        Ended::Enough => StopReason::OutOfTurns,
    });
    let session = session_of(&saved, protocol, &marker)?;
    let conversation = launch.conversation(agent, session.as_deref(), &run, began);
    let copied =
        conversation.filter(|path| std::fs::copy(path, saved.path("conversation")).is_ok());
    let kept = ["prompt", "change.diff", "stdout", "stderr"].map(|name| saved.kept(name, None));
    let mut kept = kept.into_iter().collect::<Result<Vec<_>, _>>()?;
    kept.push(saved.kept("conversation", copied.as_deref())?);
    let hunks = Hunks::read(&order.change.diff);
    let made = ReviewRun {
        id: saved.id.clone(),
        reviewer: agent.name.clone(),
        program: program.clone(),
        argv: launch.argv,
        cwd: order.repository.root.display().to_string(),
        environment: launch.environment.names,
        removed: launch.environment.removed,
        termination: capture.termination,
        stopped,
        began: stamp.to_string(),
        duration_ms: u64::try_from(capture.duration.as_millis()).unwrap_or(u64::MAX),
        obelus: env!("CARGO_PKG_VERSION").to_owned(),
        kept: kept.into_iter().flatten().collect(),
        notes: notes(&hunks),
        change: ReviewedChange {
            of: order.change.of.clone(),
            files: hunks.files(),
            sha256: digest(&order.change.diff),
        },
    };
    let review = reread(order.repository, &saved, protocol, &marker, made)?;
    saved.finish(&review)?;
    let keep = order.repository.config.keep_runs.unwrap_or(KEEP_REVIEWS);
    Reviews::of(&order.repository.root).prune(keep.max(1))?;
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

/// What somebody who trusts the review should know.
fn notes(hunks: &Hunks) -> Vec<String> {
    let judges_itself = hunks.touch(CONFIG_FILE, None);
    let note = format!("the change touches {CONFIG_FILE}, which says who reviews it and how");
    judges_itself.then_some(note).into_iter().collect()
}

/// The agent's own name of its session, if its events told one.
fn session_of(
    saved: &SavedReview,
    protocol: &dyn Protocol,
    marker: &str,
) -> Result<Option<String>, ReviewError> {
    let ending = Ending::from(Termination::Unknown);
    let reading = Reading { protocol, marker, ending: &ending };
    Ok(saved.open("stdout")?.and_then(|stdout| read(&reading, stdout, None).stream.session))
}

/// What nobody who wrote the change could know: 16 hexadecimal digits.
fn nonce() -> Result<String, ReviewError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| ReviewError::Random(error.to_string()))?;
    Ok(hexadecimal(&bytes))
}
