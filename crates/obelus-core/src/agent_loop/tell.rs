//! A loop told to people: its rounds a line each, its end, and what to do next.

use std::fmt::Write as _;

use obelus_record::{LoopDecision, LoopReport, LoopRound, Outcome, PolicyEffect};

use crate::present::{command, line, name, place, plural};

/// One round as one line.
pub fn round_line(round: &LoopRound) -> String {
    let found = match round.outcome {
        None => "nothing was checked".to_owned(),
        Some(Outcome::HarnessError) => "the check failed itself".to_owned(),
        Some(_) => {
            let mut parts = vec![format!("{} new", round.new), format!("{} fixed", round.fixed)];
            if round.silenced > 0 {
                parts.push(format!("{} silenced", round.silenced));
            }
            if round.standing > 0 {
                parts.push(format!("{} older", round.standing));
            }
            parts.join(", ")
        }
    };
    let sent = plural(round.tokens_sent, "token", "tokens");
    format!(
        "round {}: {found}; {sent} sent; {}: {}",
        round.round,
        round.decision.as_str().replace('_', " "),
        line(&round.reason)
    )
}

/// The whole for people.
pub fn human(report: &LoopReport) -> String {
    let mut text = String::new();
    for change in policy(report) {
        let _ = writeln!(text, "policy: {change}");
    }
    for round in &report.rounds {
        let _ = writeln!(text, "{}", round_line(round));
        if let Some(lines) = gate(round) {
            text += &lines;
        }
    }
    let word = report.decision.as_str().replace('_', " ");
    let _ = writeln!(text, "{word}: {}", line(&report.reason));
    text += &placed(report);
    text
}

/// The whole as Markdown, as for a comment.
pub fn markdown(report: &LoopReport) -> String {
    let word = report.decision.as_str().replace('_', " ");
    let mut text = format!("## Loop: {word}\n\n{}\n\n", line(&report.reason));
    for change in policy(report) {
        let _ = writeln!(text, "- **policy**: {change}");
    }
    if !report.policy.is_empty() {
        text.push('\n');
    }
    text += "| round | new | fixed | silenced | older | tokens sent | decision |\n";
    text += "| ---: | ---: | ---: | ---: | ---: | ---: | --- |\n";
    for round in &report.rounds {
        let decision = round.decision.as_str().replace('_', " ");
        let reason = line(&round.reason).replace('|', "\\|");
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {decision}: {reason} |",
            round.round, round.new, round.fixed, round.silenced, round.standing, round.tokens_sent
        );
    }
    text.push('\n');
    text += &placed(report);
    text
}

/// What the agent changed of the rules that judge it.
fn policy(report: &LoopReport) -> impl Iterator<Item = String> {
    report.policy.iter().map(|change| {
        let effect = match change.effect {
            PolicyEffect::Loosened => "the agent loosened what judges it",
            PolicyEffect::Changed => "the agent changed what judges it",
        };
        format!("{effect}: {}: {}", name(&change.file), line(&change.statement))
    })
}

/// A gate that failed, with the last lines of its log.
fn gate(round: &LoopRound) -> Option<String> {
    let gate = round.gate.as_ref().filter(|gate| !gate.passed)?;
    let exit = gate.exit.map_or_else(|| "?".to_owned(), |exit| exit.to_string());
    let mut text = format!(
        "  every checker is clean, and the gate `{}` fails with exit status {exit}; its last lines:\n",
        command(&gate.argv)
    );
    for last in &gate.last_lines {
        let _ = writeln!(text, "  | {}", line(last));
    }
    if !gate.findings.is_empty() {
        text += "  and what its log says of places:\n";
    }
    for found in &gate.findings {
        let at = found.path.as_deref().map(|path| place(path, None, found.line, found.column));
        let at = at.map(|at| at + ": ").unwrap_or_default();
        let message = line(&found.message);
        let _ = writeln!(text, "  {at}{} by {}: {message}", found.severity, name(&found.tool));
    }
    Some(text)
}

/// Which files are in place, and how the others can be had.
fn placed(report: &LoopReport) -> String {
    let Some(id) = report.id.as_deref().map(line) else { return String::new() };
    let mut text = match report.in_place {
        Some(0) if report.rounds.is_empty() => "the files are as they were\n".to_owned(),
        Some(0) => "in place: the files from before the loop, as no round was checked\n".to_owned(),
        Some(round) => {
            let best = if report.decision == LoopDecision::Clean { "" } else { ", the best one" };
            format!("in place: the files of round {round}{best}\n")
        }
        None => String::new(),
    };
    if !report.rounds.is_empty() {
        let _ = writeln!(
            text,
            "others: obelus runs restore {id} --round N (0: before the loop); the story: obelus runs explain {id}"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report() -> LoopReport {
        let round = |round: u32, decision: &str, new: u32| {
            json!({"round": round, "decision": decision, "reason": "1 new | x", "outcome": "fail",
                "new": new, "fixed": 1, "silenced": 0, "standing": 2, "tokens_sent": 100,
                "agent": {"ended": "done"}})
        };
        let mut last = round(2, "rounds_used_up", 0);
        last["outcome"] = json!("pass");
        last["gate"] = json!({"argv": ["make", "build"], "exit": 2, "passed": false,
            "last_lines": ["no rule\u{1b}[31m"]});
        serde_json::from_value(json!({
            "version": 1, "id": "20260101T000000000-loop", "decision": "rounds_used_up",
            "reason": "after 2 rounds every checker is clean, and the gate fails",
            "best_round": 2, "in_place": 2, "agent": "claude",
            "rounds": [round(1, "continue", 1), last],
            "policy": [{"file": "obelus.toml", "effect": "loosened", "statement": "tsc is off"}],
        }))
        .unwrap()
    }

    #[test]
    fn people_read_the_rules_first_and_the_next_step_last() {
        insta::assert_snapshot!(human(&report()));
    }

    #[test]
    fn a_table_in_markdown() {
        insta::assert_snapshot!(markdown(&report()));
    }
}
