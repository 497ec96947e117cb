//! Plain text for a model, in the densest form that keeps everything: the verdict, then each path
//! once, its source lines with their numbers, and under a line what was found there. Causes come
//! before what follows from them, and that is told as places under its cause.
//!
//! No text of strangers can pass for anything else: a source line starts with its number, a
//! finding with `^` and stays one line, what a cause explains starts with `+`, and a path that
//! could be read otherwise starts with `./`.

mod claim;
mod detail;
mod group;
mod opening;
mod page;

use std::io::{self, Write};

use obelus_record::Report;

use super::excerpt::Texts;
use super::order::{Item, Order, Section, order};
use super::text::plural;
use super::{Output, Style, withheld};
use crate::Sources;
use crate::tokens::{Estimate, Tokens};
use detail::{Detail, Left};
use page::{Writer, pages};

/// Plain text for a model.
pub struct Agent;

impl Output for Agent {
    fn name(&self) -> &'static str {
        "agent"
    }

    fn summary(&self) -> &'static str {
        "plain text for a model: paths once, numbered source lines, findings under their lines"
    }

    fn keeps_to_budget(&self) -> bool {
        true
    }

    fn write(
        &self,
        report: &Report,
        sources: &dyn Sources,
        style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut text = Text {
            report,
            order: order(report),
            texts: Texts::new(sources),
            style,
            tokens: &Estimate,
        };
        let written = match style.budget {
            None => text.whole(),
            Some(budget) => text.within(budget),
        };
        out.write_all(written.as_bytes())
    }
}

/// How much of the first lines is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notes {
    All,
    /// The first line alone: what checkers failed, and what was found.
    First,
}

struct Text<'a> {
    report: &'a Report,
    order: Order<'a>,
    texts: Texts<'a>,
    style: &'a Style,
    tokens: &'a dyn Tokens,
}

impl Text<'_> {
    fn whole(&mut self) -> String {
        let all = self.order.items.len();
        self.render(Detail::full(self.style.context), all, Notes::All, None).unwrap_or_default()
    }

    /// What fits into `budget` tokens: detail is given up in the order of [`Detail::steps`], then
    /// findings from the end of the order, then all but the first line and the last.
    fn within(&mut self, budget: usize) -> String {
        let all = self.order.items.len();
        let steps = Detail::steps(self.style.context);
        for &detail in &steps {
            if let Some(text) = self.render(detail, all, Notes::All, Some(budget)) {
                return text;
            }
        }
        let detail = steps[steps.len() - 1];
        for notes in [Notes::All, Notes::First] {
            let Some(mut best) = self.render(detail, 0, notes, Some(budget)) else { continue };
            let (mut fits, mut too_many) = (0, all);
            while too_many - fits > 1 {
                let middle = fits + (too_many - fits) / 2;
                match self.render(detail, middle, notes, Some(budget)) {
                    Some(text) => (fits, best) = (middle, text),
                    None => too_many = middle,
                }
            }
            // Notes may be long; a finding is worth more than these.
            if fits > 0 || notes == Notes::First || all == 0 {
                return best;
            }
        }
        self.shortest(budget)
    }

    /// The first `count` items in this detail; nothing where that is more than `budget` tokens.
    fn render(
        &mut self,
        detail: Detail,
        count: usize,
        notes: Notes,
        budget: Option<usize>,
    ) -> Option<String> {
        let mut text = opening::first_line(self.report);
        if notes == Notes::All {
            text += &opening::notes(self.report);
        }
        let mut spent = self.count(&text, budget);
        let too_much = |spent: usize| budget.is_some_and(|budget| spent > budget);
        if too_much(spent) {
            return None;
        }
        let items = &self.order.items[..count];
        let mut writer =
            Writer { report: self.report, texts: &mut self.texts, detail, left: Left::default() };
        let mut section = Section::All;
        for page in pages(items, self.report) {
            let mut written = String::new();
            let here = page[0].section;
            if here != section {
                section = here;
                written += heading(section);
            }
            written += &writer.write(page);
            spent += if budget.is_some() { self.tokens.count(&written) } else { 0 };
            if too_much(spent) {
                return None;
            }
            text += &written;
        }
        let left = writer.left;
        text += &self.closing(detail, count, notes, left, budget);
        let fits = budget.is_none_or(|budget| self.tokens.count(&text) <= budget);
        fits.then_some(text)
    }

    fn count(&self, text: &str, budget: Option<usize>) -> usize {
        if budget.is_some() { self.tokens.count(text) } else { 0 }
    }

    /// The last line: what exactly is left out, and how to get it.
    fn closing(
        &self,
        detail: Detail,
        count: usize,
        notes: Notes,
        left: Left,
        budget: Option<usize>,
    ) -> String {
        let withheld = withheld::in_words(self.report, &self.order.told);
        let cut = self.cut(detail, count, notes, left);
        let more = self.more();
        // Which no budget is to blame for, and no other text has either.
        let columns = match left.columns {
            0 => String::new(),
            count => {
                format!("left out: columns of {count} places. With them: {}\n", self.records())
            }
        };
        match (withheld, cut, budget) {
            (None, None, None) => columns,
            (None, None, Some(_)) if left.columns > 0 => columns,
            (None, None, Some(_)) => "nothing left out\n".to_owned(),
            (Some(withheld), None, _) => format!("{columns}not shown: {withheld}. All: {more}\n"),
            (None, Some(cut), _) => {
                format!("{columns}left out for the budget: {cut}. All: {more}\n")
            }
            (Some(withheld), Some(cut), _) => {
                format!(
                    "{columns}not shown: {withheld}; left out for the budget: {cut}. All: {more}\n"
                )
            }
        }
    }

    /// What the budget takes away; nothing where it takes nothing.
    fn cut(&self, detail: Detail, count: usize, notes: Notes, left: Left) -> Option<String> {
        let mut parts = Vec::new();
        let dropped = self.records_of(&self.order.items[count..]);
        if !dropped.is_empty() {
            let files = group::files(&dropped, self.report);
            let findings = plural(dropped.len() as u64, "finding", "findings");
            parts.push(match files {
                0 => findings,
                files => format!("{findings} in {}", plural(files, "file", "files")),
            });
        }
        for (number, one, many) in [
            (left.places, "place of a consequence", "places of consequences"),
            (left.related, "related place", "related places"),
            (left.folded, "middle of a message", "middles of messages"),
        ] {
            if number > 0 {
                parts.push(plural(number as u64, one, many));
            }
        }
        if notes == Notes::First && !opening::notes(self.report).is_empty() {
            parts.push("notes about the checkers".to_owned());
        }
        if detail.context < self.style.context && count > 0 {
            parts.push(match detail.context {
                0 => "lines around findings".to_owned(),
                lines => format!("context beyond {lines} lines"),
            });
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The records that `items` tell, be it as places.
    fn records_of(&self, items: &[Item<'_>]) -> Vec<usize> {
        let mut records = Vec::new();
        for item in items {
            match item.cause {
                None => records.push(item.record),
                Some(leads) => {
                    let members = leads.cause.records.iter().chain(&leads.cause.consequences);
                    records.extend(members.map(|&index| index as usize));
                }
            }
        }
        records
    }

    /// The command that gives every record with all its fields.
    fn records(&self) -> String {
        let show =
            |id: &String| format!("obelus runs show {} --output jsonl", super::text::line(id));
        self.report
            .id
            .as_ref()
            .map_or_else(|| "the same command with --output jsonl".to_owned(), show)
    }

    fn more(&self) -> String {
        let known =
            self.report.id.as_ref().map(|id| {
                format!("obelus runs show {} --all --output agent", super::text::line(id))
            });
        let given = self.style.more.clone().or(known);
        given.unwrap_or_else(|| "the same command with --all and without --budget".to_owned())
    }

    /// For a budget that holds not even the first line with the last: as much of what is left out
    /// as fits, and in the end nothing.
    fn shortest(&self, budget: usize) -> String {
        let counts = &self.report.counts;
        let word = super::verdict::word(self.report);
        let findings = plural(counts.total(), "finding", "findings");
        let tries = [
            format!("{word}; {findings} left out for the budget. All: {}\n", self.more()),
            format!("{word}; {findings} left out\n"),
            format!("{findings} left out\n"),
        ];
        tries.into_iter().find(|text| self.tokens.count(text) <= budget).unwrap_or_default()
    }
}

fn heading(section: Section) -> &'static str {
    match section {
        Section::All => "",
        Section::New => "new since the edit:\n",
        Section::Unknown => "not compared with the time before the edit:\n",
        Section::Old => "older, not caused by the edit:\n",
    }
}

#[cfg(test)]
mod budget_tests;
#[cfg(test)]
mod tests;
