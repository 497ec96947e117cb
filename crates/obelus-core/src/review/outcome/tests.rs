use obelus_record::{ConversationEvidence, ReviewOutcome as O, Stream, StreamFaultKind};

use super::*;
use crate::review::stream::StreamFault;

struct Case {
    broken: Option<Broken>,
    end: Option<End>,
    exhausted: bool,
    block: Block,
    events: u64,
    ending: Ending,
    has_end_event: bool,
}

/// A run with nothing wrong, and no findings.
fn clean() -> Case {
    Case {
        broken: None,
        end: Some(End::Clean),
        exhausted: false,
        block: Block::Complete(Vec::new()),
        events: 3,
        ending: Termination::Exited { code: 0 }.into(),
        has_end_event: true,
    }
}

fn outcome(change: impl FnOnce(&mut Case)) -> O {
    let mut case = clean();
    change(&mut case);
    let mut said = Transcript::new("F:");
    said.end = case.end;
    said.turns_exhausted = case.exhausted;
    let facts = Facts {
        broken: case.broken.as_ref(),
        said: &said,
        block: &case.block,
        events: case.events,
        ending: &case.ending,
        has_end_event: case.has_end_event,
        turn_limit_exit: Some(53),
    };
    judge(&facts).0
}

#[test]
fn the_first_that_applies_wins() {
    let rejected = || {
        Some(Broken::Rejected(StreamFault {
            line: 1,
            kind: StreamFaultKind::InvalidJson,
            snippet: String::new(),
        }))
    };
    assert_eq!(outcome(|_| {}), O::NoFindings);
    assert_eq!(outcome(|case| case.block = Block::Absent), O::MissingFindings);
    assert_eq!(outcome(|case| case.block = Block::Malformed(String::new())), O::MalformedFindings);
    assert_eq!(outcome(|case| case.end = None), O::AgentError);
    assert_eq!(outcome(|case| case.events = 0), O::AgentError);
    assert_eq!(outcome(|case| case.end = Some(End::Failed("x".to_owned()))), O::AgentError);
    assert_eq!(outcome(|case| case.broken = Some(Broken::LineTooLong { line: 9 })), O::AgentError);
    assert_eq!(
        outcome(|case| {
            case.block = Block::Malformed(String::new());
            case.ending = Termination::Exited { code: 1 }.into();
        }),
        O::AgentError
    );
    assert_eq!(
        outcome(|case| {
            case.exhausted = true;
            case.ending = Termination::Exited { code: 1 }.into();
            case.end = Some(End::Failed("x".to_owned()));
        }),
        O::TurnsExhausted
    );
    assert_eq!(
        outcome(|case| {
            case.exhausted = true;
            case.broken = rejected();
            case.ending = Termination::Signaled { signal: 9 }.into();
        }),
        O::InvalidStream
    );
}

#[test]
fn an_exit_status_tells_of_turns_only_where_there_was_no_end_event() {
    let with = |end| {
        outcome(|case| {
            case.end = end;
            case.ending = Termination::Exited { code: 53 }.into();
        })
    };
    assert_eq!(with(None), O::TurnsExhausted);
    assert_eq!(with(Some(End::Clean)), O::AgentError);
}

#[test]
fn every_bad_end_of_the_process_is_an_agent_error() {
    for termination in [
        Termination::Exited { code: 1 },
        Termination::Exited { code: -1 },
        Termination::Signaled { signal: 9 },
        Termination::TimedOut { limit_seconds: 1 },
        Termination::OutputLimit { stream: Stream::Stdout, limit_bytes: 1 },
        Termination::Undrained { code: 0 },
        Termination::NotStarted { reason: String::new() },
        Termination::Interrupted,
    ] {
        assert_eq!(outcome(|case| case.ending = termination.clone().into()), O::AgentError);
        // Whatever happens to it after its end event.
        let after = |case: &mut Case| {
            case.ending = Ending { after_end_event: true, ..termination.clone().into() };
        };
        assert_eq!(outcome(after), O::NoFindings, "{termination:?}");
    }
    assert_eq!(outcome(|case| case.ending = Termination::Unknown.into()), O::NoFindings);
    assert_eq!(outcome(|case| case.ending.out_of_turns = true), O::TurnsExhausted);
    assert_eq!(
        outcome(|case| {
            case.has_end_event = false;
            case.end = None;
        }),
        O::NoFindings
    );
}

#[test]
fn the_lost_block_is_named() {
    let evidence = |stdout, block, findings| ReviewEvidence {
        stdout,
        conversation: Some(ConversationEvidence { block, findings }),
        agree: Some(false),
    };
    assert_eq!(
        difference(&evidence(BlockState::Rejected, BlockState::Complete, 2)).unwrap(),
        "the saved conversation holds a complete block with 2 findings that never crossed stdout"
    );
    assert_eq!(
        difference(&evidence(BlockState::Complete, BlockState::Complete, 1)).unwrap(),
        "the saved conversation holds another block, with 1 finding, than crossed stdout"
    );
    let mut agreeing = evidence(BlockState::Absent, BlockState::Absent, 0);
    agreeing.agree = Some(true);
    assert_eq!(difference(&agreeing), None);
}
