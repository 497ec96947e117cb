//! The cases of `tests/cases/loop/`: turns as they were, where a loop has to stop, why, and which
//! turn left the best files.

use std::path::Path;

use obelus_core::agent_loop::{Event, Judged, KeySet, Limits, Machine, Spent, State};
use obelus_record::{AgentEnding, AgentTurn, Diagnostic, LoopDecision, Outcome};
use serde_json::{Value, json};

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/loop");
    let mut count = 0;
    for entry in folder.read_dir().expect("the cases").flatten() {
        let case = entry.path();
        let read = |name: &str| std::fs::read_to_string(case.join(name)).expect("a file");
        let value = |name: &str| -> Value { serde_json::from_str(&read(name)).expect("JSON") };
        let got = run_case(&value("loop.json"), &read("turns.jsonl"));
        assert_eq!(got, value("expect.json"), "{}", case.display());
        count += 1;
    }
    assert!(count >= 9, "{count} cases");
}

fn judged(turn: &Value) -> Judged {
    let read = |key: &str| turn[key].clone();
    let records: Vec<Diagnostic> = serde_json::from_value(read("records")).expect("records");
    let outcome: Outcome = serde_json::from_value(read("outcome")).expect("an outcome");
    Judged {
        outcome,
        reason: outcome.to_string(),
        new: records.len() as u64,
        keys: KeySet::of(&records),
        fixed: 0,
        silenced: 0,
        standing: 0,
    }
}

fn run_case(limits: &Value, turns: &str) -> Value {
    let number =
        |key: &str| u32::try_from(limits[key].as_u64().expect("a number")).expect("a small number");
    let limits = Limits {
        rounds: number("max_turns"),
        without_progress: Some(number("max_turns_without_progress")),
        // These cases know one rule of progress: fewer errors than the best so far.
        same_findings: u32::MAX,
        worse: u32::MAX,
        ..Limits::default()
    };
    let mut machine = Machine::new(limits, false, "before");
    let before = json!({"outcome": "pass", "records": []});
    machine.step(Event::BaselineChecked(judged(&before)));
    for line in turns.lines() {
        let turn: Value = serde_json::from_str(line).expect("JSON");
        let tree = turn["tree"].as_str().expect("a tree").to_owned();
        let ended = AgentTurn { ended: AgentEnding::Done, reason: String::new() };
        machine.step(Event::AgentEnded { turn: ended, tree: tree.clone() });
        machine.step(Event::Fixed { tree });
        // A check that failed itself is made once more, and the turn says what it came to then too.
        while let State::Check { .. } = machine.state() {
            machine.step(Event::Checked { judged: judged(&turn), spent: Spent::default() });
        }
        if let State::Ended(ending) = machine.state() {
            let reason = match ending.decision {
                LoopDecision::RoundsUsedUp => "limit",
                other => other.as_str(),
            };
            return json!({"stop_after_turn": turn["turn"], "reason": reason,
                "best_turn": machine.best_round()});
        }
    }
    json!({"reason": "goes on"})
}
