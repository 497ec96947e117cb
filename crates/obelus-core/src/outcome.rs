//! The one place that judges a run.

use obelus_record::{Fault, FaultKind, Outcome, Termination};

use crate::checker::{ExitClass, ExitTable};

/// What is known about one run when it is judged.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// How the process ended.
    pub termination: &'a Termination,
    /// The meaning of its exit codes.
    pub exits: &'a ExitTable,
    /// Records of severity error, as the checker's severity map has it.
    pub errors: u64,
    /// Records of any other severity.
    pub others: u64,
    /// The fault for which its stream was rejected.
    pub fault: Option<&'a Fault>,
    /// What the tool itself said about its own failure.
    pub tool_failed: Option<&'a str>,
    /// Lines, in a format that is silent when clean, that it does not know.
    pub unknown_lines: u64,
    /// The line on standard error that tells most, for the reader who asks why.
    pub words: Option<&'a str>,
}

/// What a run came to, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What it came to.
    pub outcome: Outcome,
    /// Why, in words.
    pub reason: String,
    /// The records that were read are not all that there are.
    pub partial: bool,
    /// The exit status and the records say different things.
    pub disagreement: bool,
}

/// Judges one run: exit status × records × stream.
///
/// Exit status and records are independent facts. Where either is missing, or they can't both be
/// true, nothing is known about the code, and that is said instead of guessed at.
pub fn judge(facts: &Facts<'_>) -> Judgement {
    if let Some(judgement) = ended_badly(facts) {
        return judgement;
    }
    let exit = match *facts.termination {
        Termination::Exited { code } => Some((code, facts.exits.class(code))),
        _ => None,
    };
    if let Some(said) = facts.tool_failed {
        return harness_error(facts, said.to_owned(), true);
    }
    if let Some(fault) = facts.fault {
        let reason = match exit {
            // A checker that says that it failed and prints nothing is no riddle.
            Some((code, Failure)) if fault.kind == FaultKind::Empty => failed(code),
            Some((code, Failure)) => {
                format!("{}, and its output was rejected: {fault}", failed(code))
            }
            _ => format!("its output was rejected: {fault}"),
        };
        return harness_error(facts, reason, true);
    }
    let Some((code, class)) = exit else { return by_records(facts) };
    let found = found(facts);
    use ExitClass::{Clean, CleanOrFindings, Failure, Findings, FindingsOrFailure};
    match (class, facts.errors, facts.others) {
        (Clean | CleanOrFindings, 0, 0) if facts.unknown_lines > 0 => {
            let text = format!(
                "it exited with status {code} and no finding, but printed {} that a clean run never prints",
                count(facts.unknown_lines, "line")
            );
            harness_error(facts, text, false)
        }
        (Clean | CleanOrFindings, 0, 0) => pass(format!("exit status {code}, no findings")),
        (Clean | CleanOrFindings, 0, _) => pass(format!("exit status {code}, {found}")),
        (Clean, ..) => Judgement {
            disagreement: true,
            ..fail(format!("{found}, although exit status {code} says that it is clean"))
        },
        (Findings, 0, 0) => {
            let text = format!("exit status {code} announces findings, but it gave none");
            harness_error(facts, text, false)
        }
        (Findings, 0, _) => {
            fail(format!("exit status {code}: the checker itself objects to {found}"))
        }
        (Findings | CleanOrFindings, ..) => fail(format!("exit status {code}, {found}")),
        (FindingsOrFailure, 1.., _) => fail(format!("exit status {code}, {found}")),
        (FindingsOrFailure, 0, _) => harness_error(
            facts,
            format!("exit status {code} without an error among its findings means that it failed"),
            false,
        ),
        (Failure, ..) => harness_error(facts, failed(code), false),
    }
}

fn failed(code: i32) -> String {
    format!("exit status {code} means that it failed")
}

/// The verdict of a run that did not end by itself, or did not begin.
fn ended_badly(facts: &Facts<'_>) -> Option<Judgement> {
    let reason = match facts.termination {
        Termination::Exited { .. } | Termination::Unknown => return None,
        Termination::Signaled { signal } => signal_words(*signal),
        Termination::TimedOut { limit_seconds } => {
            format!("it was stopped after its time limit of {}", count(*limit_seconds, "second"))
        }
        Termination::OutputLimit { stream, limit_bytes } => {
            format!(
                "it was stopped because it printed more than {} MB on {stream}",
                limit_bytes >> 20
            )
        }
        Termination::Undrained { code } => format!(
            "it exited with status {code}, but a process that it started still held its output open, so the output may be incomplete"
        ),
        Termination::NotStarted { reason } => reason.clone(),
        Termination::Interrupted => "it was interrupted".to_owned(),
    };
    Some(harness_error(facts, reason, true))
}

/// The verdict where nobody knows how the process ended: the records alone.
fn by_records(facts: &Facts<'_>) -> Judgement {
    match (facts.errors, facts.others) {
        (0, 0) if facts.unknown_lines > 0 => harness_error(
            facts,
            format!(
                "no finding, but {} that a clean run never prints",
                count(facts.unknown_lines, "line")
            ),
            false,
        ),
        (0, _) => pass(format!("{}; the exit status is not known", found(facts))),
        _ => fail(format!("{}; the exit status is not known", found(facts))),
    }
}

fn pass(reason: String) -> Judgement {
    Judgement { outcome: Outcome::Pass, reason, partial: false, disagreement: false }
}

fn fail(reason: String) -> Judgement {
    Judgement { outcome: Outcome::Fail, reason, partial: false, disagreement: false }
}

fn harness_error(facts: &Facts<'_>, mut reason: String, cut: bool) -> Judgement {
    let any = facts.errors + facts.others > 0;
    if any {
        reason += &format!(" ({} read before that)", found(facts));
    } else if let Some(words) = facts.words.filter(|_| tells_why(facts.termination))
        && !reason.contains(&format!("{words:?}"))
    {
        reason += &format!("; it said: {words:?}");
    }
    Judgement { outcome: Outcome::HarnessError, reason, partial: cut || any, disagreement: false }
}

/// Whether what the checker itself said can explain how it ended: not where Obelus ended it.
fn tells_why(termination: &Termination) -> bool {
    !matches!(termination, Termination::OutputLimit { .. } | Termination::Interrupted)
}

/// What the signals that end checkers in practice mean.
fn signal_words(signal: i32) -> String {
    let meaning = match signal {
        2 => "SIGINT: somebody interrupted it",
        4 => "SIGILL: it crashed",
        6 => "SIGABRT: it gave up by itself, as programs do that run out of memory",
        7 => "SIGBUS: it crashed",
        8 => "SIGFPE: it crashed",
        9 => "SIGKILL: the kernel sends it when memory runs out",
        11 => "SIGSEGV: it crashed",
        15 => "SIGTERM: somebody stopped it",
        24 => "SIGXCPU: it ran over a limit of processor time",
        _ => return format!("signal {signal} ended it"),
    };
    format!("signal {signal} ended it ({meaning})")
}

fn found(facts: &Facts<'_>) -> String {
    match (facts.errors, facts.others) {
        (0, 0) => "no findings".to_owned(),
        (errors, 0) => count(errors, "error"),
        (0, others) => count(others, "finding below error"),
        (errors, others) => {
            format!("{} and {}", count(errors, "error"), count(others, "finding below error"))
        }
    }
}

/// `1 error`, `2 errors`, `2 findings below error`.
fn count(n: u64, what: &str) -> String {
    match (n, what.split_once(' ')) {
        (1, _) => format!("1 {what}"),
        (_, Some((head, tail))) => format!("{n} {head}s {tail}"),
        (_, None) => format!("{n} {what}s"),
    }
}

/// The verdict over several runs: harness error if any is, else fail if any is, else pass. Where
/// nothing was run nothing is known, and that is no pass.
pub fn verdict(outcomes: impl IntoIterator<Item = Outcome>) -> Outcome {
    outcomes.into_iter().max().unwrap_or(Outcome::HarnessError)
}

#[cfg(test)]
mod tests;
