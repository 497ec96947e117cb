//! A review explained: the pieces of evidence side by side, where findings were lost, what to do.

use std::fmt::Write as _;

use obelus_record::{BlockState, Review, ReviewOutcome, StopReason, Termination};

use super::outcome::counted;

/// Explains `review` to a person.
pub fn explain(review: &Review) -> String {
    let mut text = String::new();
    let run = review.run.as_deref();
    // Writing to a text does not fail.
    let _ = match run {
        Some(run) => writeln!(
            text,
            "review {}: {}{}\n",
            run.id,
            run.reviewer,
            run.program.version.as_deref().map(|v| format!(" {v}")).unwrap_or_default()
        ),
        None => writeln!(text, "review by the protocol {}\n", review.protocol),
    };
    let saved = match &review.evidence.conversation {
        Some(saved) => block(saved.block, saved.findings),
        None => "none that could be read".to_owned(),
    };
    let crossed = match (review.evidence.stdout, review.line, review.kind, &review.snippet) {
        (BlockState::Rejected, Some(line), Some(kind), Some(snippet)) => {
            format!("rejected at line {line}: {kind}: {snippet:?}")
        }
        (state, ..) => {
            format!(
                "{}, {} events",
                block(state, review.findings.len() as u64),
                review.stream.events
            )
        }
    };
    let accepted = match review.accepted {
        true => counted(review.findings.len() as u64),
        false => format!("nothing: {}", review.outcome),
    };
    for (name, what) in
        [("saved conversation", &saved), ("bytes on stdout", &crossed), ("accepted", &accepted)]
    {
        let _ = writeln!(text, "  {name:20}{what}");
    }
    if let Some(run) = run {
        let _ = writeln!(text, "  {:20}{}", "process", ending(&run.termination, run.stopped));
    }
    let _ = write!(text, "\n{}\n{}\n", sentence(&review.reason), advice(review));
    if let Some(run) = run {
        let _ = writeln!(text, "\nThe exact bytes lie in .obelus/reviews/{}.", run.id);
    }
    text
}

fn block(state: BlockState, findings: u64) -> String {
    match state {
        BlockState::Complete => format!("a complete block with {}", counted(findings)),
        BlockState::Malformed => "a malformed block".to_owned(),
        BlockState::Absent => "no block".to_owned(),
        BlockState::Rejected => "rejected".to_owned(),
    }
}

fn ending(termination: &Termination, stopped: Option<StopReason>) -> String {
    match (stopped, termination) {
        (Some(StopReason::AfterEndEvent), _) => {
            "ended by Obelus: it went on running after its end event".to_owned()
        }
        (Some(StopReason::OutOfTurns), _) => "ended by Obelus: it took too many turns".to_owned(),
        (None, Termination::Exited { code }) => format!("exit {code}"),
        (None, Termination::Signaled { signal }) => format!("signal {signal}"),
        (None, Termination::TimedOut { limit_seconds }) => {
            format!("stopped after {limit_seconds} seconds")
        }
        (None, Termination::NotStarted { reason }) => format!("not started: {reason}"),
        (None, Termination::Interrupted) => "interrupted".to_owned(),
        (None, Termination::OutputLimit { .. }) => "stopped: it printed too much".to_owned(),
        (None, Termination::Undrained { code }) => {
            format!("exit {code}, with its output held open")
        }
        (None, Termination::Unknown) => "not known".to_owned(),
    }
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().collect::<String>());
    format!("{}{}.", first.unwrap_or_default(), characters.as_str())
}

/// What to do about it.
fn advice(review: &Review) -> String {
    let saved = review.evidence.conversation.as_ref();
    let lost = saved.is_some_and(|saved| saved.block == BlockState::Complete);
    match review.outcome {
        _ if review.accepted => "Nothing was lost.".to_owned(),
        ReviewOutcome::InvalidStream if lost => "\
The model did its work; its program, or something loaded into it, wrote to stdout what is no event, and \
the findings were lost there. Prompt and turn limit are not at fault. Make what wrote that line write to \
stderr (telemetry, logging, an update notice), or take the variable that switches it on out of the \
reviewer's environment (`environment.remove` in its table)."
            .to_owned(),
        ReviewOutcome::InvalidStream => "\
Something wrote to stdout what is no event. Make it write to stderr, or take the variable that switches \
it on out of the reviewer's environment (`environment.remove` in its table)."
            .to_owned(),
        ReviewOutcome::TurnsExhausted => "\
Raise `turn-limit` in the reviewer's table, or review a smaller change."
            .to_owned(),
        ReviewOutcome::AgentError => "\
Run the reviewer's program by itself to see whether it can work here (login, network, model); what it \
said stands in the file stderr. `time-limit` in its table sets how long it may take."
            .to_owned(),
        ReviewOutcome::MalformedFindings => {
            "The model gave a block that can't be read as a whole; nothing of it is guessed. Run it again."
                .to_owned()
        }
        ReviewOutcome::MissingFindings if lost => "\
The model gave its findings, and its program did not print that message: the loss lies between its \
conversation and its stdout. Look for options of streaming or of output, and report it to its makers."
            .to_owned(),
        ReviewOutcome::MissingFindings => {
            "The model gave no block: it did not follow the task, or answered with an error of its service."
                .to_owned()
        }
        ReviewOutcome::Findings | ReviewOutcome::NoFindings => "\
What the agent saved and what it printed differ, so one of them was cut or forged. Trust neither; run it \
again, and look at the two files."
            .to_owned(),
    }
}
