//! Whether a program keeps its standard output clean: strictly read, with whoever likely spoke out of turn.

mod text;
mod writers;

use std::io::BufRead;

use obelus_record::{
    Breach, CONTRACT_VERSION, Circumstance, Contract, ContractRun, Outcome, Stream, Termination,
};

use crate::review::Protocol;
use crate::review::stream::{Broken, Events};
use crate::review::transcript::Transcript;

pub use text::text;
pub use writers::writer;

/// How many lines that are no events are kept of a run.
const KEPT: usize = 5;

/// What standard output holds.
#[derive(Debug, Default)]
pub struct Read {
    events: u64,
    faults: u64,
    breaches: Vec<Breach>,
    /// There is an end event, in protocols that have one.
    ended: bool,
    /// Why it could not be read to its end.
    unread: Option<String>,
}

/// Reads all of standard output, behind a line that is no event as well: here nothing is taken from
/// it but what is wrong with it.
pub fn read(protocol: &dyn Protocol, stdout: impl BufRead) -> Read {
    let mut found = Read::default();
    let mut said = Transcript::new(crate::review::DEFAULT_MARKER);
    let mut reader = protocol.reader();
    let mut events = Events::new(stdout);
    loop {
        match events.next(|event| reader.event(event, &mut said)) {
            Ok(true) => found.events += 1,
            Ok(false) => break,
            Err(Broken::Rejected(fault)) => {
                found.faults += 1;
                if found.breaches.len() < KEPT {
                    let writer = writer(&fault.snippet);
                    found.breaches.push(Breach {
                        stream: Stream::Stdout,
                        line: fault.line,
                        kind: fault.kind,
                        snippet: fault.snippet,
                        writer,
                    });
                }
            }
            Err(Broken::LineTooLong { line }) => {
                found.unread = Some(format!("line {line} of stdout is longer than 64 MiB"));
                break;
            }
            Err(Broken::Unreadable { line, error }) => {
                found.unread = Some(format!("line {line} of stdout can't be read: {error}"));
                break;
            }
        }
    }
    reader.finish(&mut said);
    found.ended = !protocol.has_end_event() || said.end.is_some();
    found
}

/// What one run came to. `spoke` says that the program printed events when nothing was special.
pub fn judge(
    circumstance: Circumstance,
    termination: Termination,
    read: Read,
    spoke: bool,
) -> ContractRun {
    let Read { events, faults, breaches, ended, unread } = read;
    let end = ending(&termination);
    let succeeded = matches!(termination, Termination::Exited { code: 0 });
    let (outcome, reason) = if let Some(breach) = breaches.first() {
        let more = match faults - 1 {
            0 => String::new(),
            1 => "; 1 more line is no event".to_owned(),
            more => format!("; {more} more lines are no events"),
        };
        let Breach { stream, line, kind, snippet, .. } = breach;
        (Outcome::Fail, format!("{stream}, line {line}: {kind}: {snippet:?}{more}"))
    } else if let Some(unread) = unread {
        (Outcome::HarnessError, unread)
    } else if !matches!(termination, Termination::Exited { .. } | Termination::Signaled { .. }) {
        (Outcome::HarnessError, format!("{end}; what it printed until then is clean"))
    } else if events == 0 && succeeded && spoke {
        (Outcome::Fail, "stdout is empty: its events were lost on the way".to_owned())
    } else if events == 0 && !spoke {
        (Outcome::HarnessError, format!("stdout is empty, so nothing is known: {end}"))
    } else if succeeded && events > 0 && !ended {
        (Outcome::Fail, "stdout ends without the end event of the protocol".to_owned())
    } else {
        (Outcome::Pass, format!("{} on stdout and nothing else: {end}", counted(events)))
    };
    ContractRun { circumstance, outcome, reason, termination, events, faults, breaches }
}

/// All runs together.
pub fn contract(argv: Vec<String>, protocol: &dyn Protocol, runs: Vec<ContractRun>) -> Contract {
    let any = |wanted| runs.iter().any(|run| run.outcome == wanted);
    // A promise that was broken once is broken, whatever else is not known.
    let outcome = if any(Outcome::Fail) {
        Outcome::Fail
    } else if any(Outcome::HarnessError) || runs.is_empty() {
        Outcome::HarnessError
    } else {
        Outcome::Pass
    };
    let protocol = protocol.name().to_owned();
    Contract { version: CONTRACT_VERSION, outcome, argv, protocol, runs }
}

fn counted(events: u64) -> String {
    match events {
        0 => "no event".to_owned(),
        1 => "1 event".to_owned(),
        events => format!("{events} events"),
    }
}

/// How the process ended, in words.
fn ending(termination: &Termination) -> String {
    match termination {
        Termination::Exited { code } => format!("exit status {code}"),
        Termination::Signaled { signal } => format!("signal {signal} ended it"),
        Termination::TimedOut { limit_seconds } => {
            format!("it was stopped after its time limit of {limit_seconds} s")
        }
        Termination::OutputLimit { stream, limit_bytes } => {
            format!("it was stopped when it had printed {limit_bytes} bytes on {stream}")
        }
        Termination::Undrained { code } => {
            format!("exit status {code}, but a process that it started keeps its output open")
        }
        Termination::NotStarted { reason } => format!("it could not be started: {reason}"),
        Termination::Interrupted => "it was interrupted".to_owned(),
        Termination::Unknown => "nobody knows how it ended".to_owned(),
    }
}

#[cfg(test)]
mod tests;
