//! The report of a contract, for people.

use std::fmt::Write;

use obelus_record::{Contract, ContractRun, Outcome};

/// The report as text. What the program printed is quoted, so that it can't act on a terminal.
pub fn text(contract: &Contract) -> String {
    let mut out = String::new();
    for run in &contract.runs {
        one(&mut out, run);
    }
    let broken = contract.runs.iter().filter(|run| run.outcome == Outcome::Fail).count();
    let all = contract.runs.len();
    let verdict = match contract.outcome {
        Outcome::Pass => format!("kept: stdout held events alone in all of {all} runs"),
        Outcome::Fail => format!("broken in {broken} of {all} runs"),
        Outcome::HarnessError => "not known: see above".to_owned(),
    };
    // Writing to a String never fails.
    let _ = writeln!(out, "{verdict}");
    out
}

fn one(out: &mut String, run: &ContractRun) {
    let word = match run.outcome {
        Outcome::Pass => "kept",
        Outcome::Fail => "broken",
        Outcome::HarnessError => "unknown",
    };
    let _ = writeln!(out, "{word:8}{}: {}", run.circumstance, run.reason);
    let mut told: Vec<&str> = Vec::new();
    for breach in &run.breaches {
        let Some(writer) = &breach.writer else { continue };
        if told.contains(&writer.name.as_str()) {
            continue;
        }
        told.push(&writer.name);
        let line = breach.line;
        let _ =
            writeln!(out, "        line {line} is likely by {}: {}", writer.name, writer.remedy);
    }
}
