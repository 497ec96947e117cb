//! What is sent to the agent.
//!
//! The findings are told by [`Agent`], as in any other answer for a model; here stands what only a
//! loop knows: the round, what changed since the one before, and what the agent should do.

use std::fmt::Write as _;

use obelus_record::{Outcome, Report};

use super::judged::Judged;
use super::machine::Ask;
use crate::Sources;
use crate::present::{self, Agent, Look, Output as _, Style, plural};
use crate::reason::attribute::FailOn;
use crate::reason::{self, Request, Touched};
use crate::tokens::{Estimate, Tokens as _};

/// Changed files that are named; of more, the number is told.
const NAMED_FILES: usize = 8;

/// Tokens that findings get at least, whatever stands before them: below that nothing can be told.
const LEAST: usize = 60;

/// What the text is made of.
pub struct Feedback<'a> {
    /// The round that is about to begin, and how many there may be.
    pub round: (u32, u32),
    /// What the agent is asked for.
    pub ask: Ask,
    /// What the check of the round before came to.
    pub judged: &'a Judged,
    /// The same of the round before that, if there was one.
    pub before: Option<&'a Judged>,
    /// The files that the last round changed, relative to the root.
    pub changed: &'a [String],
    /// How many suggestions of tools were applied to what the agent left.
    pub fixes_applied: u64,
    /// Why the gate failed, if it did.
    pub gate: Option<&'a str>,
    /// Tokens that the text may have.
    pub budget: usize,
    /// Which findings count.
    pub fail_on: FailOn,
}

/// What is sent first: the task, and the findings of `report` where all of them count.
pub fn first_prompt(
    task: &str,
    report: &Report,
    sources: &dyn Sources,
    fail_on: FailOn,
    budget: usize,
) -> String {
    let task = task.trim_end();
    if fail_on == FailOn::New || report.outcome == Outcome::Pass {
        return format!("{task}\n");
    }
    let head = format!("{task}\n\nWhat the checks say before any edit:\n");
    let left = budget.saturating_sub(Estimate.count(&head)).max(LEAST);
    head + &findings(report, sources, fail_on, left)
}

/// The text that goes back to the agent after a round whose check came to `report`.
pub fn feedback(feedback: &Feedback<'_>, report: &Report, sources: &dyn Sources) -> String {
    let mut head = opening(feedback);
    if let Some(gate) = feedback.gate {
        let _ = writeln!(
            head,
            "Every checker is clean, but {}. Its log is not sent: run it to see what it says.",
            present::line(gate)
        );
    }
    let left = feedback.budget.saturating_sub(Estimate.count(&head)).max(LEAST);
    head + &findings(report, sources, feedback.fail_on, left)
}

/// The lines that stand before the findings.
fn opening(feedback: &Feedback<'_>) -> String {
    let (round, rounds) = feedback.round;
    // That the edit is applied, the first line of the findings says.
    let mut head = format!("Round {round} of {rounds}.\n");
    if feedback.fixes_applied > 0 {
        let fixes =
            plural(feedback.fixes_applied, "suggestion of a tool was", "suggestions of tools were");
        let _ =
            writeln!(head, "{fixes} applied on top of it: read the files again before you edit.");
    }
    if let Some(before) = feedback.before {
        let gone = before.keys.beyond(&feedback.judged.keys);
        let came = feedback.judged.keys.beyond(&before.keys);
        let stayed = feedback.judged.new as usize - came.min(feedback.judged.new as usize);
        let _ = writeln!(head, "Since the last round: {gone} gone, {came} came, {stayed} stayed.");
    }
    let changed = named(feedback.changed);
    match feedback.ask {
        Ask::Unchanged => {
            let _ = writeln!(
                head,
                "Your last edit ({changed}) left exactly the same findings. Try something else than \
                 that edit: the loop ends if they stay once more."
            );
        }
        Ask::Worse => {
            let _ = writeln!(
                head,
                "Your last edit ({changed}) left more errors than an earlier round had. Undo what \
                 caused them: the loop ends if there are more of them once more."
            );
        }
        Ask::Silenced => {
            let _ = writeln!(
                head,
                "The checks pass only because your edit ({changed}) silences checkers, in the places \
                 below. That is no correction: take it out and correct the code, or the loop ends as \
                 silenced."
            );
        }
        Ask::Task | Ask::Feedback => {}
    }
    head.push_str("Correct the code itself; hide nothing from the checkers.\n");
    head
}

/// The files that were changed, in a few words.
fn named(files: &[String]) -> String {
    if files.is_empty() {
        return "no file was changed".to_owned();
    }
    let shown: Vec<String> =
        files.iter().take(NAMED_FILES).map(|file| present::name(file)).collect();
    match files.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The findings that count, within `budget` tokens.
fn findings(report: &Report, sources: &dyn Sources, fail_on: FailOn, budget: usize) -> String {
    let mut report = report.clone();
    let request = match fail_on {
        // No file is taken for touched: an error in it that stood before is not the agent's.
        FailOn::New => Request { touched: Some(Touched::default()), ..Request::default() },
        FailOn::Any => Request {
            level: Some(obelus_record::Severity::Error),
            everything: true,
            ..Request::default()
        },
    };
    reason::derive(&mut report, &request, sources);
    let style = Style { budget: Some(budget), ..Style::from(Look::Plain) };
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = Agent.write(&report, sources, &style, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}
