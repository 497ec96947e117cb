//! The findings in the order in which they are told, causes with what follows from them, and the
//! fields that the script filters by.

use std::io::{self, Write};

use obelus_record::{Outcome, Report};
use rustc_hash::FxHashSet;

use super::code::Files;
use super::escape::escape;
use super::finding;
use crate::Sources;
use crate::present::order::{Item, Leads, Section, order};
use crate::present::remarks::left_out;
use crate::present::text::{self, plural};
use crate::present::{listed, verdict};

/// Findings that are shown with their source lines.
const WITH_SOURCE: usize = 300;
/// Findings that are written at all: more make a page that browsers are slow on.
const MOST: usize = 10_000;

/// Writes the part about the findings.
pub fn write(report: &Report, sources: &dyn Sources, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(
        b"<section id=\"findings\" aria-labelledby=\"findings-title\">\n\
          <h2 id=\"findings-title\">Findings</h2>\n",
    )?;
    let rest: FxHashSet<usize> = listed(report).into_iter().collect();
    if rest.is_empty() {
        let nothing = match report.outcome {
            _ if verdict::nobody_looked(report) => "Nothing was checked.",
            Outcome::HarnessError => "None that are known: a checker failed itself.",
            _ => "None.",
        };
        writeln!(out, "<p>{nothing}</p>\n</section>")?;
        return Ok(());
    }
    out.write_all(include_bytes!("filter.html"))?;
    let total = rest.len();
    let mut list = List {
        report,
        sources,
        files: Files::new(sources),
        rest,
        with_source: 0,
        written: 0,
        level: 3,
    };
    list.all(out)?;
    if total > list.with_source && list.with_source == WITH_SOURCE {
        writeln!(
            out,
            "<p class=\"left\">{} with their source lines; the others stand on one line each.</p>",
            plural(WITH_SOURCE as u64, "finding stands", "findings stand")
        )?;
    }
    if let Some(left) = left_out(list.rest.len()) {
        writeln!(
            out,
            "<p class=\"left\"><strong>{left}</strong> would make this page too large. \
             <code>--output json</code> has them all.</p>"
        )?;
    }
    out.write_all(b"</section>\n")
}

struct List<'a> {
    report: &'a Report,
    sources: &'a dyn Sources,
    files: Files<'a>,
    /// The records that are still to be written.
    rest: FxHashSet<usize>,
    with_source: usize,
    written: usize,
    /// The level of the headings of findings.
    level: u8,
}

impl List<'_> {
    fn all(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let order = order(self.report, self.sources);
        let mut section = None;
        for item in &order.items {
            if self.written >= MOST {
                return Ok(());
            }
            if !members(item).iter().any(|index| self.rest.contains(index)) {
                continue;
            }
            if section != Some(item.section) {
                section = Some(item.section);
                self.heading(item.section, out)?;
            }
            match item.cause {
                Some(leads) => self.cause(item, leads, out)?,
                None => self.one(item.record, out)?,
            }
        }
        // What the order does not tell at length, but a reader may look for all the same.
        let mut others: Vec<usize> = self.rest.iter().copied().collect();
        others.sort_unstable();
        for index in others.into_iter().take(MOST.saturating_sub(self.written)) {
            self.one(index, out)?;
        }
        Ok(())
    }

    fn heading(&mut self, section: Section, out: &mut dyn Write) -> io::Result<()> {
        let heading = match section {
            Section::All => return Ok(()),
            Section::New => "New",
            Section::Unknown => "Nobody knows whether these are new",
            Section::Old => "There before",
        };
        self.level = 4;
        writeln!(out, "<h3 class=\"section\">{heading}</h3>")
    }

    fn one(&mut self, index: usize, out: &mut dyn Write) -> io::Result<()> {
        let text = match self.with_source < WITH_SOURCE {
            true => {
                self.with_source += 1;
                finding::long(self.report, index, self.level, &mut self.files)
            }
            false => finding::short(self.report, index),
        };
        self.count(index);
        out.write_all(text.as_bytes())
    }

    fn count(&mut self, index: usize) {
        self.rest.remove(&index);
        self.written += 1;
    }

    /// A cause with what follows from it, which opens and closes.
    fn cause(&mut self, item: &Item<'_>, leads: Leads<'_>, out: &mut dyn Write) -> io::Result<()> {
        let others: Vec<usize> =
            members(item).into_iter().filter(|&index| index != item.record).collect();
        let rule = leads.rule.as_str().replace('_', " ");
        out.write_all(b"<div class=\"cause\">\n")?;
        if let (Some(location), true) = (&leads.cause.location, leads.by_place) {
            let place = text::place(&location.path, None, Some(location.line), None);
            writeln!(
                out,
                "<p class=\"by-place\">One cause of {}, at <code class=\"place\">{}</code>, for example:</p>",
                findings(leads.cause.consequences.len()),
                super::escape::path(&place)
            )?;
        }
        self.one(item.record, out)?;
        if !others.is_empty() {
            writeln!(
                out,
                "<details class=\"consequences\"><summary>{} from the same cause ({})</summary>",
                findings(others.len()),
                escape(&rule)
            )?;
            let room = MOST.saturating_sub(self.written);
            for &index in others.iter().take(room) {
                out.write_all(finding::short(self.report, index).as_bytes())?;
                self.count(index);
            }
            out.write_all(b"</details>\n")?;
        }
        out.write_all(b"</div>\n")
    }
}

fn findings(count: usize) -> String {
    plural(count as u64, "finding", "findings")
}

/// The records that an item stands for.
fn members(item: &Item<'_>) -> Vec<usize> {
    let Some(leads) = item.cause else { return vec![item.record] };
    let records = leads.cause.records.iter().chain(&leads.cause.consequences);
    records.map(|&index| index as usize).collect()
}
