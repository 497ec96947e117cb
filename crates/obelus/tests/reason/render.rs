//! What any text has to hold that is rendered within a budget, whatever the records are.

use std::path::Path;

use libtest_mimic::Failed;
use obelus_core::present::{Agent, Human, Look, Output, Style};
use obelus_core::reason::Touched;
use obelus_core::tokens::{Estimate, Tokens};
use obelus_exec::sources::FolderSources;
use obelus_record::{Report, Severity};
use serde_json::Value;

use super::{derived, load};

/// Characters of code, paths and messages that make a token, at the least.
const CHARACTERS_A_TOKEN: u64 = 4;
const LONGEST_LINE: usize = 400;

/// Renders the case within its budget and within less, and looks at what comes out.
pub fn check(case: &Path) -> Result<(), Failed> {
    let expect = load(&case.join("expect.json"))?;
    let edit = load(&case.join("edit.json")).ok();
    let files = edit.as_ref().and_then(|edit| edit["files"].as_array().cloned());
    let touched = files.map(|files| Touched::of(files.iter().filter_map(Value::as_str)));
    let report = derived(case, touched)?;
    let sources = FolderSources::new(case.join("project"));
    let characters = expect["budget_characters"].as_u64().ok_or("no budget")?;
    let budget = (characters / CHARACTERS_A_TOKEN) as usize;

    let shown = written(&Agent, &report, &sources, Some(budget));
    ensure(shown.chars().count() as u64 <= characters, "it is longer than its budget", &shown)?;
    for budget in [budget, 500, 200, 100, 60, 40] {
        let shown = written(&Agent, &report, &sources, Some(budget));
        ensure(Estimate.count(&shown) <= budget, "more tokens than the budget", &shown)?;
        lines_are_fit(&shown)?;
        says_what_is_left_out(&shown)?;
        let again = written(&Agent, &report, &sources, Some(budget));
        ensure(again == shown, "the same input gives other bytes", &again)?;
    }
    counts_everything(&report, &shown)?;
    if edit.is_some() {
        is_no_failed_edit(&report, &shown)?;
    }
    marks_stand_below_what_they_mark(&report, &sources)
}

fn written(
    output: &dyn Output,
    report: &Report,
    sources: &FolderSources,
    budget: Option<usize>,
) -> String {
    let mut bytes = Vec::new();
    let style = Style { budget, ..Style::from(Look::Plain) };
    output.write(report, sources, &style, &mut bytes).expect("it can be written");
    String::from_utf8(bytes).expect("it is UTF-8")
}

fn lines_are_fit(shown: &str) -> Result<(), Failed> {
    let fits = |line: &str| line.chars().count() <= LONGEST_LINE || line.starts_with('+');
    ensure(shown.lines().all(fits), "a line is too long", shown)
}

fn says_what_is_left_out(shown: &str) -> Result<(), Failed> {
    let last = shown.lines().next_back().unwrap_or_default();
    ensure(
        last.contains("left out") || last.starts_with("not shown"),
        "the last line says nothing",
        shown,
    )
}

/// Every finding is shown, or counted among those that are not.
fn counts_everything(report: &Report, shown: &str) -> Result<(), Failed> {
    let number = |text: &str, before: &str| -> usize {
        let at = text.find(before).unwrap_or_default();
        let word = text[..at].trim_end().rsplit([' ', ';', ':']).next();
        word.and_then(|word| word.parse().ok()).unwrap_or(0)
    };
    let claims = shown.lines().filter(|line| line.starts_with('^')).count();
    let same: usize = shown
        .lines()
        .filter_map(|line| line.strip_prefix("+ the same "))
        .map(|rest| number(rest, " more"))
        .sum();
    let last = shown.lines().next_back().unwrap_or_default();
    let withheld = number(last, " error in") + number(last, " errors in");
    let cut = last.split("left out for the budget: ").nth(1).unwrap_or_default();
    let cut = number(cut, " finding in") + number(cut, " findings in");
    let total = claims + same + withheld + cut;
    ensure(total == report.records.len(), &format!("{total} findings are accounted for"), shown)
}

/// A list of errors as the answer to an edit reads as "the edit failed", unless it says otherwise;
/// old errors are counted, and are in no list of what is to be repaired now.
fn is_no_failed_edit(report: &Report, shown: &str) -> Result<(), Failed> {
    let first = shown.lines().next().unwrap_or_default();
    ensure(
        first.starts_with("edit applied; "),
        "it does not say that the edit was applied",
        shown,
    )?;
    let attribution = report.attribution.as_ref().ok_or("nothing was compared")?;
    for (index, record) in (0_u32..).zip(&report.records) {
        let message = shown.contains(&*record.message);
        let new = attribution.new.contains(&index);
        ensure(message == new, &format!("record {index} is shown: {message}"), shown)?;
    }
    ensure(shown.contains("\nnew since the edit:\n"), "new findings are not headed", shown)?;
    let errors = attribution
        .unchanged
        .iter()
        .filter(|&&(_, index)| report.records[index as usize].severity == Severity::Error);
    let old = format!("{} older error", errors.count());
    ensure(
        first.contains(&old) && first.contains("not caused by the edit"),
        "old ones are not counted",
        shown,
    )
}

/// In the excerpts for people, the mark starts at the column of what it marks, on a screen that
/// gives a wide character two cells.
fn marks_stand_below_what_they_mark(
    report: &Report,
    sources: &FolderSources,
) -> Result<(), Failed> {
    let shown = written(&Human, report, sources, None);
    let lines: Vec<&str> = shown.lines().collect();
    for pair in lines.windows(2) {
        let at = pair[0].find("tax(").filter(|_| pair[1].contains('^'));
        if let Some(at) = at {
            let mark = pair[1].find('^').map(|mark| cells(&pair[1][..mark]));
            ensure(
                mark == Some(cells(&pair[0][..at])),
                "a mark stands elsewhere",
                &pair.join("\n"),
            )?;
        }
    }
    Ok(())
}

/// The cells that a text takes on a screen.
fn cells(text: &str) -> usize {
    let wide = |c: char| matches!(c, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{9FFF}' | '\u{1F300}'..='\u{1FAFF}');
    text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}

fn ensure(holds: bool, what: &str, shown: &str) -> Result<(), Failed> {
    match holds {
        true => Ok(()),
        false => Err(format!("{what}:\n{shown}").into()),
    }
}
