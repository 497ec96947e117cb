//! What a review came to: the one place that decides it.

use obelus_record::{BlockState, ReviewEvidence, ReviewOutcome, Termination};

use super::block::Block;
use super::stream::Broken;
use super::transcript::{End, Transcript};

/// What is known of a run when it is judged.
pub struct Facts<'a> {
    /// Why its stream was not read to the end, if so.
    pub broken: Option<&'a Broken>,
    /// What was said.
    pub said: &'a Transcript,
    /// The governing block on standard output.
    pub block: &'a Block,
    /// How many events there were.
    pub events: u64,
    /// How the process ended.
    pub ending: &'a Ending,
    /// The protocol has an end event.
    pub has_end_event: bool,
    /// The exit status by which the agent tells that its turns are used up.
    pub turn_limit_exit: Option<i32>,
}

/// How the process of a reviewer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// How it ended.
    pub termination: Termination,
    /// Obelus ended it, some time after its end event: how it ended then means nothing.
    pub after_end_event: bool,
    /// Obelus ended it because it took more turns than its table grants.
    pub out_of_turns: bool,
}

impl From<Termination> for Ending {
    fn from(termination: Termination) -> Self {
        Ending { termination, after_end_event: false, out_of_turns: false }
    }
}

/// The outcome and why, the first that applies.
pub fn judge(facts: &Facts<'_>) -> (ReviewOutcome, String) {
    if let Some(Broken::Rejected(fault)) = facts.broken {
        let why =
            format!("reviewer stdout, line {}: {}: {:?}", fault.line, fault.kind, fault.snippet);
        return (ReviewOutcome::InvalidStream, why);
    }
    if let Some(why) = turns_exhausted(facts) {
        return (ReviewOutcome::TurnsExhausted, why);
    }
    if let Some(why) = agent_error(facts) {
        return (ReviewOutcome::AgentError, why);
    }
    match facts.block {
        Block::Malformed(why) => (
            ReviewOutcome::MalformedFindings,
            format!("the reviewer's block of findings is malformed: {why}"),
        ),
        Block::Absent => (
            ReviewOutcome::MissingFindings,
            "the run ended well, but no message of the reviewer holds a block of findings"
                .to_owned(),
        ),
        Block::Complete(findings) if findings.is_empty() => {
            (ReviewOutcome::NoFindings, "the reviewer found nothing".to_owned())
        }
        Block::Complete(findings) => (
            ReviewOutcome::Findings,
            format!("the reviewer has {}", counted(findings.len() as u64)),
        ),
    }
}

fn turns_exhausted(facts: &Facts<'_>) -> Option<String> {
    let by_exit = facts.said.end.is_none()
        && facts.turn_limit_exit.is_some_and(|limit| exit_code(facts.ending) == Some(limit));
    if facts.said.turns_exhausted || by_exit {
        return Some("the reviewer says that its turns are used up".to_owned());
    }
    facts.ending.out_of_turns.then(|| {
        format!("the reviewer was stopped in turn {}: its table grants no more", facts.said.turns)
    })
}

fn exit_code(ending: &Ending) -> Option<i32> {
    match ending.termination {
        Termination::Exited { code } | Termination::Undrained { code } => Some(code),
        _ => None,
    }
}

fn agent_error(facts: &Facts<'_>) -> Option<String> {
    match facts.broken {
        Some(Broken::LineTooLong { line }) => {
            return Some(format!("reviewer stdout, line {line}: longer than 64 MiB"));
        }
        Some(Broken::Unreadable { line, error }) => {
            return Some(format!("reviewer stdout, line {line}: can't be read: {error}"));
        }
        Some(Broken::Rejected(_)) | None => {}
    }
    if let Some(End::Failed(words)) = &facts.said.end {
        return Some(format!("the reviewer ended with an error: {words}"));
    }
    // A bad ending explains a missing end event, so it is told first.
    if !facts.ending.after_end_event
        && let Some(why) = bad_ending(&facts.ending.termination)
    {
        return Some(why);
    }
    if facts.events == 0 {
        return Some("the reviewer printed no event at all".to_owned());
    }
    if facts.has_end_event && facts.said.end.is_none() {
        return Some(
            "the reviewer's stream stops without an end event, so more may have been lost"
                .to_owned(),
        );
    }
    None
}

fn bad_ending(termination: &Termination) -> Option<String> {
    Some(match termination {
        Termination::Exited { code: 0 } | Termination::Unknown => return None,
        Termination::Exited { code } => format!("the reviewer exited with status {code}"),
        Termination::Signaled { signal } => format!("signal {signal} ended the reviewer"),
        Termination::TimedOut { limit_seconds } => {
            format!("the reviewer was stopped after its time limit of {limit_seconds} seconds")
        }
        Termination::OutputLimit { stream, limit_bytes } => {
            format!(
                "the reviewer was stopped: it printed more than {limit_bytes} bytes on {stream}"
            )
        }
        Termination::Undrained { .. } => {
            "the reviewer exited, but something that it started kept its output open".to_owned()
        }
        Termination::NotStarted { reason } => format!("the reviewer was not started: {reason}"),
        Termination::Interrupted => "the reviewer was interrupted".to_owned(),
    })
}

/// What the comparison with the saved conversation adds to the reason, where they differ.
pub fn difference(evidence: &ReviewEvidence) -> Option<String> {
    let saved = evidence.conversation.as_ref().filter(|_| evidence.agree == Some(false))?;
    Some(match (saved.block, evidence.stdout) {
        (BlockState::Complete, BlockState::Complete) => format!(
            "the saved conversation holds another block, with {}, than crossed stdout",
            counted(saved.findings)
        ),
        (BlockState::Complete, _) => format!(
            "the saved conversation holds a complete block with {} that never crossed stdout",
            counted(saved.findings)
        ),
        (BlockState::Malformed, _) => "the saved conversation holds a malformed block".to_owned(),
        (_, BlockState::Rejected) => "the saved conversation holds no block either".to_owned(),
        _ => "the saved conversation does not hold the block that crossed stdout".to_owned(),
    })
}

/// `no findings`, `1 finding`, `2 findings`.
pub fn counted(findings: u64) -> String {
    match findings {
        0 => "no findings".to_owned(),
        1 => "1 finding".to_owned(),
        n => format!("{n} findings"),
    }
}

#[cfg(test)]
mod tests;
