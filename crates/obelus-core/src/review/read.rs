//! One run of a reviewer, from its bytes to the artifact.

use std::io::BufRead;

use obelus_record::{BlockState, REVIEW_VERSION, Review, StreamFacts};

use super::block::Block;
use super::evidence;
use super::outcome::{Ending, Facts, difference, judge};
use super::protocol::Protocol;
use super::stream::{Broken, Events, Lines};
use super::transcript::{End, Transcript};

/// How to read a run.
pub struct Reading<'a> {
    /// What its events mean.
    pub protocol: &'a dyn Protocol,
    /// What begins a block of findings; not empty.
    pub marker: &'a str,
    /// How its process ended.
    pub ending: &'a Ending,
}

/// Reads what a reviewer printed, and what it saved of its conversation where that is there.
/// Never fails: whatever is wrong with the bytes is a part of the answer.
pub fn read(
    reading: &Reading<'_>,
    stdout: impl BufRead,
    conversation: Option<&mut dyn BufRead>,
) -> Review {
    let protocol = reading.protocol;
    let (mut said, events, broken) = read_stream(protocol, reading.marker, stdout);
    let block = match &broken {
        Some(Broken::Rejected(_)) => Block::Absent,
        _ => said.governing_block(),
    };
    let saved = conversation.and_then(|reader| read_conversation(protocol, reading.marker, reader));
    let rejected = match &broken {
        Some(Broken::Rejected(fault)) => Some(fault.clone()),
        _ => None,
    };
    let crossed = rejected.is_none().then_some(&block);
    let evidence = evidence::compare(crossed, saved.as_ref());
    let (outcome, mut reason) = judge(&Facts {
        broken: broken.as_ref(),
        said: &said,
        block: &block,
        events,
        ending: reading.ending,
        has_end_event: protocol.has_end_event(),
        turn_limit_exit: protocol.turn_limit_exit(),
    });
    if let Some(more) = difference(&evidence) {
        reason = format!("{reason}; {more}");
    }
    if evidence.stdout == BlockState::Complete && !outcome.is_review() {
        reason += "; the block that crossed stdout is kept as evidence";
    }
    let findings = match block {
        Block::Complete(findings) => findings,
        Block::Absent | Block::Malformed(_) => Vec::new(),
    };
    Review {
        version: REVIEW_VERSION,
        outcome,
        accepted: outcome.is_review() && evidence.agree != Some(false),
        reason,
        line: rejected.as_ref().map(|fault| fault.line),
        kind: rejected.as_ref().map(|fault| fault.kind),
        snippet: rejected.map(|fault| fault.snippet),
        findings,
        evidence,
        protocol: protocol.name().to_owned(),
        marker: reading.marker.to_owned(),
        stream: StreamFacts {
            events,
            turns: said.turns,
            ended: said.end.is_some(),
            error: match said.end {
                Some(End::Failed(words)) => Some(words),
                Some(End::Clean) | None => None,
            },
            session: said.session,
        },
        run: None,
    }
}

/// What was said in a stream of events, how many there were, and why there were no more.
fn read_stream(
    protocol: &dyn Protocol,
    marker: &str,
    stdout: impl BufRead,
) -> (Transcript, u64, Option<Broken>) {
    let mut said = Transcript::new(marker);
    let mut reader = protocol.reader();
    let mut events = Events::new(stdout);
    let mut count = 0;
    let broken = loop {
        match events.next(|event| reader.event(event, &mut said)) {
            Ok(true) => count += 1,
            Ok(false) => break None,
            Err(broken) => break Some(broken),
        }
    };
    reader.finish(&mut said);
    (said, count, broken)
}

/// The governing block of a saved conversation; nothing where the protocol has none. Lines that
/// are no objects are skipped: it is evidence and no channel.
fn read_conversation(
    protocol: &dyn Protocol,
    marker: &str,
    conversation: &mut dyn BufRead,
) -> Option<Block> {
    let mut reader = protocol.conversation()?;
    let mut said = Transcript::new(marker);
    let mut lines = Lines::new(conversation);
    while let Ok(Some(line)) = lines.next() {
        let object = std::str::from_utf8(line.bytes).ok().map(super::json::Object::parse);
        if let Some(Ok(object)) = object {
            reader.event(&object, &mut said);
        }
    }
    reader.finish(&mut said);
    Some(said.governing_block())
}
