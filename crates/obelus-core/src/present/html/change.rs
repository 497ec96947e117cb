//! Findings that are not among those to act on: what was there before, what is gone and why, and what
//! the repository has adopted. Each list is closed at first.

use std::io::{self, Write};

use obelus_record::{Attribution, Diagnostic, Report};
use rustc_hash::FxHashMap;

use super::escape::{escape, path};
use crate::present::remarks::left_out;
use crate::present::text;

/// Findings of one list that are written.
const MOST: usize = 1_000;
/// Characters of a message that are shown.
const LONGEST: usize = 400;

/// One list: its heading, what it means, and its findings, each with a remark.
struct List<'r> {
    title: &'static str,
    meaning: &'static str,
    findings: Vec<(&'r Diagnostic, String)>,
    /// How many there are, also of those that the report does not hold.
    count: usize,
}

/// Whether there is anything for this part of the page.
pub fn has_part(report: &Report) -> bool {
    !lists(report).is_empty()
}

/// Writes the lists; nothing where nothing was compared or adopted.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let lists = lists(report);
    if lists.is_empty() {
        return Ok(());
    }
    out.write_all(
        b"<section id=\"elsewhere\" aria-labelledby=\"elsewhere-title\">\n\
          <h2 id=\"elsewhere-title\">Not among the findings</h2>\n",
    )?;
    for list in lists {
        write!(
            out,
            "<details class=\"list\"><summary><h3>{} <span class=\"count\">{}</span></h3></summary>\n\
             <p>{}</p>\n<ul>\n",
            list.title, list.count, list.meaning
        )?;
        for (record, remark) in list.findings.iter().take(MOST) {
            writeln!(out, "<li>{}{remark}</li>", line(record))?;
        }
        out.write_all(b"</ul>\n")?;
        let shown = list.findings.len().min(MOST);
        if let Some(left) = left_out(list.count.saturating_sub(shown)) {
            writeln!(out, "<p>{left}, not written here.</p>")?;
        }
        out.write_all(b"</details>\n")?;
    }
    out.write_all(b"</section>\n")
}

fn lists(report: &Report) -> Vec<List<'_>> {
    let mut lists = Vec::new();
    if let Some(attribution) = report.attribution.as_deref() {
        of_change(report, attribution, &mut lists);
    }
    if let Some(adopted) = &report.adopted {
        let records = adopted.standing.iter().filter_map(|&at| report.records.get(at as usize));
        lists.push(List {
            title: "Adopted",
            meaning: "The repository lets these stand; they fail no check.",
            findings: records.map(|record| (record, String::new())).collect(),
            count: adopted.standing.len(),
        });
    }
    lists.retain(|list| list.count > 0);
    lists
}

fn of_change<'r>(report: &'r Report, attribution: &'r Attribution, lists: &mut Vec<List<'r>>) {
    let now = |index: u32| report.records.get(index as usize);
    let before: FxHashMap<u32, &Diagnostic> =
        attribution.baseline.records.iter().map(|one| (one.index, &one.record)).collect();
    let was = |index: u32| before.get(&index).copied();
    let plain = |records: Vec<&'r Diagnostic>| {
        records.into_iter().map(|record| (record, String::new())).collect::<Vec<_>>()
    };
    let silenced = attribution.silenced.iter().filter_map(|one| {
        let by = now(one.by).map_or(String::new(), |by| {
            format!(" <span class=\"by\">silenced by {}</span>", place(by))
        });
        Some((was(one.before)?, by))
    });
    lists.push(List {
        title: "Silenced by this change",
        meaning: "Not printed any more because of what the change added. They are not fixed.",
        findings: silenced.collect(),
        count: attribution.silenced.len(),
    });
    lists.push(List {
        title: "Fixed by this change",
        meaning: "Gone, at their places before the change.",
        findings: plain(attribution.fixed.iter().filter_map(|&index| was(index)).collect()),
        count: attribution.fixed.len(),
    });
    lists.push(List {
        title: "Hidden",
        meaning: "Not printed any more because the checker stopped early. They are not fixed.",
        findings: plain(attribution.hidden.iter().filter_map(|&index| was(index)).collect()),
        count: attribution.hidden.len(),
    });
    lists.push(List {
        title: "Revealed",
        meaning: "There before, where the checker had stopped early. They are not new.",
        findings: plain(attribution.revealed.iter().filter_map(|&index| now(index)).collect()),
        count: attribution.revealed.len(),
    });
    let unchanged = attribution.unchanged.iter().filter_map(|&(_, after)| now(after));
    lists.push(List {
        title: "Unchanged",
        meaning: "There before the change, and still there.",
        findings: plain(unchanged.collect()),
        count: attribution.unchanged.len(),
    });
}

/// A finding on one line.
pub fn line(record: &Diagnostic) -> String {
    let severity = record.severity;
    let message = text::at_most(text::line(&record.message), LONGEST);
    let code =
        record.code.as_deref().map_or(String::new(), |code| format!(" {}", text::name(code)));
    format!(
        "<span class=\"badge {severity}\">{severity}</span> {} <span class=\"message\">{}</span> \
         <span class=\"tool\">{}{}</span>",
        place(record),
        escape(&message),
        escape(&text::name(&record.tool)),
        escape(&code)
    )
}

/// Where a record lies; nothing where it lies nowhere.
pub fn place(record: &Diagnostic) -> String {
    let Some(file) = &record.path else { return String::new() };
    let place = text::place(file, record.cell, record.line, record.column);
    format!("<code class=\"place\">{}</code>", path(&place))
}
