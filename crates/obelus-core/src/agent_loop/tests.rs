use obelus_record::{AgentEnding, AgentTurn, Diagnostic, LoopDecision, Outcome};
use serde_json::json;

use super::*;

fn record(tool: &str, message: &str, line: u32) -> Diagnostic {
    let record = json!({"tool": tool, "severity": "error", "code": "c", "path": "a.ts", "line": line,
        "message": message});
    serde_json::from_value(record).unwrap()
}

/// A check that found these errors, each a message.
fn found(messages: &[&str]) -> Judged {
    let records: Vec<Diagnostic> =
        messages.iter().map(|message| record("tsc", message, 1)).collect();
    judged(if messages.is_empty() { Outcome::Pass } else { Outcome::Fail }, &records)
}

fn judged(outcome: Outcome, records: &[Diagnostic]) -> Judged {
    Judged {
        outcome,
        reason: outcome.to_string(),
        new: records.len() as u64,
        keys: KeySet::of(records),
        fixed: 0,
        silenced: 0,
        standing: 0,
    }
}

fn turn(ended: AgentEnding) -> AgentTurn {
    AgentTurn { ended, reason: format!("{ended:?}") }
}

/// A loop whose agent has not been asked yet.
fn begun(limits: Limits, has_gate: bool) -> Machine {
    let mut machine = Machine::new(limits, has_gate, "base");
    machine.step(Event::BaselineChecked(found(&["old"])));
    assert_eq!(*machine.state(), State::Agent { round: 1, ask: Ask::Task });
    machine
}

/// One round in which the agent leaves `tree`, of which the check comes to `judged`.
fn round<'m>(machine: &'m mut Machine, tree: &str, judged: Judged) -> &'m State {
    let tree = tree.to_owned();
    machine.step(Event::AgentEnded { turn: turn(AgentEnding::Done), tree: tree.clone() });
    machine.step(Event::Fixed { tree });
    machine.step(Event::Checked { judged, spent: Spent::default() })
}

fn decision(state: &State) -> Option<LoopDecision> {
    match state {
        State::Ended(ending) => Some(ending.decision),
        _ => None,
    }
}

/// What a loop with these rounds (tree, errors) ends with, in which round, and which was the best.
fn ends(limits: Limits, rounds: &[(&str, &[&str])]) -> (Option<LoopDecision>, u32, Option<u32>) {
    let mut machine = begun(limits, false);
    for (number, (tree, messages)) in (1..).zip(rounds) {
        if let Some(decision) = decision(round(&mut machine, tree, found(messages))) {
            return (Some(decision), number, machine.best_round());
        }
    }
    (None, rounds.len() as u32, machine.best_round())
}

#[test]
fn it_ends_clean() {
    let got = ends(Limits::default(), &[("1", &["a", "b"]), ("2", &["b"]), ("3", &[])]);
    assert_eq!(got, (Some(LoopDecision::Clean), 3, Some(3)));
}

#[test]
fn it_ends_with_its_rounds() {
    let limits = Limits { rounds: 2, ..Limits::default() };
    let got = ends(limits, &[("1", &["a", "b"]), ("2", &["b"])]);
    assert_eq!(got, (Some(LoopDecision::RoundsUsedUp), 2, Some(2)));
}

#[test]
fn the_same_findings_are_tried_once_more() {
    let mut machine = begun(Limits::default(), false);
    round(&mut machine, "1", found(&["a"]));
    let asked = round(&mut machine, "2", found(&["a"])).clone();
    assert_eq!(asked, State::Agent { round: 3, ask: Ask::Unchanged });
    let ended = round(&mut machine, "3", found(&["a"]));
    assert_eq!(decision(ended), Some(LoopDecision::NoProgress));
    assert_eq!(machine.best_round(), Some(1));
}

#[test]
fn an_agent_that_does_nothing_makes_no_progress() {
    let got = ends(Limits::default(), &[("1", &["a"]), ("1", &["a"]), ("1", &["a"])]);
    assert_eq!(got, (Some(LoopDecision::NoProgress), 3, Some(1)));
}

#[test]
fn files_or_findings_of_an_earlier_round_are_oscillation() {
    let trees: &[(&str, &[&str])] = &[("1", &["a"]), ("2", &["b"]), ("1", &["c"])];
    assert_eq!(ends(Limits::default(), trees), (Some(LoopDecision::Oscillation), 3, Some(1)));
    let findings: &[(&str, &[&str])] = &[("1", &["a"]), ("2", &["b"]), ("3", &["a"])];
    assert_eq!(ends(Limits::default(), findings), (Some(LoopDecision::Oscillation), 3, Some(1)));
    // Of period three.
    let three: &[(&str, &[&str])] = &[("1", &["a"]), ("2", &["b"]), ("3", &["c"]), ("1", &["a"])];
    let limits = Limits { rounds: 9, ..Limits::default() };
    assert_eq!(ends(limits, three), (Some(LoopDecision::Oscillation), 4, Some(1)));
}

#[test]
fn files_of_before_the_first_round_are_oscillation_where_they_fail() {
    let got = ends(Limits::default(), &[("1", &["a", "b"]), ("base", &["a"])]);
    assert_eq!(got, (Some(LoopDecision::Oscillation), 2, Some(2)));
}

#[test]
fn more_errors_twice_in_a_row_are_worse() {
    let mut machine = begun(Limits::default(), false);
    round(&mut machine, "1", found(&["a"]));
    let asked = round(&mut machine, "2", found(&["b", "c"])).clone();
    assert_eq!(asked, State::Agent { round: 3, ask: Ask::Worse });
    assert_eq!(decision(round(&mut machine, "3", found(&["d", "e"]))), Some(LoopDecision::Worse));
    assert_eq!(machine.best_round(), Some(1));
    // Repaired in between, it is not.
    let got = ends(
        Limits { rounds: 9, ..Limits::default() },
        &[("1", &["a"]), ("2", &["b", "c"]), ("3", &["d"]), ("4", &["e", "f"]), ("5", &[])],
    );
    assert_eq!(got, (Some(LoopDecision::Clean), 5, Some(5)));
}

#[test]
fn silenced_is_not_clean() {
    let silenced = || Judged { silenced: 2, ..found(&[]) };
    let mut machine = begun(Limits::default(), false);
    let asked = round(&mut machine, "1", silenced()).clone();
    assert_eq!(asked, State::Agent { round: 2, ask: Ask::Silenced });
    let State::Ended(ending) = round(&mut machine, "2", silenced()) else { panic!("it goes on") };
    assert_eq!(ending.decision, LoopDecision::Silenced);
    assert_eq!(ending.reason, "the checks pass only because 2 findings are silenced, not fixed");

    // Where no round is left, it is told at once.
    let mut machine = begun(Limits { rounds: 1, ..Limits::default() }, false);
    assert_eq!(decision(round(&mut machine, "1", silenced())), Some(LoopDecision::Silenced));

    // An honest error is better than two that are hidden.
    let mut machine = begun(Limits::default(), false);
    round(&mut machine, "1", silenced());
    round(&mut machine, "2", found(&["a"]));
    assert_eq!(machine.best_round(), Some(2));
    assert_eq!(decision(round(&mut machine, "3", found(&[]))), Some(LoopDecision::Clean));
}

#[test]
fn tokens_and_time_are_limits() {
    for (limits, spent) in [
        (Limits { tokens: Some(100), ..Limits::default() }, Spent { tokens: 100, milliseconds: 0 }),
        (
            Limits { milliseconds: Some(1000), ..Limits::default() },
            Spent { tokens: 0, milliseconds: 1000 },
        ),
    ] {
        let mut machine = begun(limits, false);
        let tree = "1".to_owned();
        machine.step(Event::AgentEnded { turn: turn(AgentEnding::Done), tree: tree.clone() });
        machine.step(Event::Fixed { tree });
        let state = machine.step(Event::Checked { judged: found(&["a"]), spent });
        assert_eq!(decision(state), Some(LoopDecision::BudgetUsedUp));
    }
}

#[test]
fn an_agent_that_failed_is_told_as_such_and_what_it_left_is_looked_at() {
    for (ended, want) in [
        (AgentEnding::AgentError, LoopDecision::AgentError),
        (AgentEnding::TurnsExhausted, LoopDecision::TurnsExhausted),
        (AgentEnding::InvalidStream, LoopDecision::InvalidStream),
        (AgentEnding::OutOfTime, LoopDecision::BudgetUsedUp),
    ] {
        let mut machine = begun(Limits::default(), true);
        machine.step(Event::AgentEnded { turn: turn(ended), tree: "1".to_owned() });
        assert_eq!(*machine.state(), State::Check { round: 1 });
        // Also where the checks pass: half an edit may well compile.
        let event = Event::Checked { judged: found(&[]), spent: Spent::default() };
        assert_eq!(decision(machine.step(event)), Some(want));
        assert_eq!(machine.best_round(), Some(1));

        let mut machine = begun(Limits::default(), false);
        let event = Event::AgentEnded { turn: turn(ended), tree: "base".to_owned() };
        assert_eq!(decision(machine.step(event)), Some(want));
        assert_eq!(machine.best_round(), None);
    }
}

#[test]
fn a_check_that_failed_itself_is_made_once_more() {
    let broken = || judged(Outcome::HarnessError, &[]);
    let mut machine = begun(Limits::default(), false);
    assert_eq!(*round(&mut machine, "1", broken()), State::Check { round: 1 });
    let again = Event::Checked { judged: found(&["a"]), spent: Spent::default() };
    assert_eq!(*machine.step(again), State::Agent { round: 2, ask: Ask::Feedback });
    assert_eq!(*round(&mut machine, "2", broken()), State::Check { round: 2 });
    let again = Event::Checked { judged: broken(), spent: Spent::default() };
    assert_eq!(decision(machine.step(again)), Some(LoopDecision::HarnessError));
    assert_eq!(machine.best_round(), Some(1), "the second round was never really checked");
}

#[test]
fn a_baseline_that_cannot_be_checked_is_the_end() {
    let broken = || Event::BaselineChecked(judged(Outcome::HarnessError, &[]));
    let mut machine = Machine::new(Limits::default(), false, "base");
    assert_eq!(*machine.step(broken()), State::Baseline);
    assert_eq!(decision(machine.step(broken())), Some(LoopDecision::HarnessError));
}

#[test]
fn the_gate_has_the_last_word() {
    let mut machine = begun(Limits::default(), true);
    assert_eq!(*round(&mut machine, "1", found(&[])), State::Gate { round: 1 });
    let failed = Event::GatePassed(Err("make build exits with 2".to_owned()));
    assert_eq!(*machine.step(failed.clone()), State::Agent { round: 2, ask: Ask::Feedback });
    round(&mut machine, "2", found(&[]));
    assert_eq!(*machine.step(failed), State::Agent { round: 3, ask: Ask::Unchanged });
    round(&mut machine, "3", found(&[]));
    let passed = machine.step(Event::GatePassed(Ok(())));
    assert_eq!(decision(passed), Some(LoopDecision::Clean));
    assert_eq!(machine.best_round(), Some(3), "its gate passed");

    let mut machine = begun(Limits::default(), true);
    round(&mut machine, "1", found(&[]));
    let broken = Event::GateBroken("there is no make".to_owned());
    assert_eq!(decision(machine.step(broken)), Some(LoopDecision::HarnessError));
}

#[test]
fn an_event_out_of_turn_is_an_error_of_obelus() {
    let mut machine = begun(Limits::default(), false);
    let state = machine.step(Event::Fixed { tree: "1".to_owned() });
    assert_eq!(decision(state), Some(LoopDecision::HarnessError));
}

#[test]
fn keys_know_how_many_and_not_where() {
    let one = [record("tsc", "a", 1), record("tsc", "a", 9)];
    let moved = [record("tsc", "a", 4), record("tsc", "a", 12)];
    assert_eq!(KeySet::of(&one), KeySet::of(&moved));
    assert_ne!(KeySet::of(&one), KeySet::of(&one[..1]));
    assert_eq!(KeySet::of(&one).beyond(&KeySet::of(&one[..1])), 1);
    assert_eq!(KeySet::of(&one[..1]).beyond(&KeySet::of(&one)), 0);
}
