//! How the findings spread over codes and files: bars that are also a table.

use std::cmp::Reverse;
use std::io::{self, Write};

use obelus_record::{Diagnostic, Report, Severity};
use rustc_hash::FxHashMap;

use super::escape::{attribute, escape, path};
use crate::present::listed;
use crate::present::text::{self, plural};

/// Bars of one chart; what is behind them is counted.
const BARS: usize = 12;

/// What one chart counts.
struct Chart {
    title: &'static str,
    column: &'static str,
    /// The attribute of findings that a bar filters by.
    key: &'static str,
    name: fn(&Diagnostic) -> Option<&str>,
    shown: fn(&str) -> String,
}

static CHARTS: [Chart; 2] = [
    Chart {
        title: "Findings by code",
        column: "Code",
        key: "code",
        name: |record| Some(record.code.as_deref().unwrap_or(&record.tool)),
        shown: |name| escape(&text::name(name)),
    },
    Chart {
        title: "Findings by file",
        column: "File",
        key: "path",
        name: |record| record.path.as_deref(),
        shown: |name| path(&text::name(name)),
    },
];

/// Writes the charts; nothing where there is no finding.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let listed = listed(report);
    if listed.is_empty() {
        return Ok(());
    }
    out.write_all(
        b"<section id=\"overview\" aria-labelledby=\"overview-title\">\n\
          <h2 id=\"overview-title\">Overview</h2>\n<div class=\"charts\">\n",
    )?;
    for chart in &CHARTS {
        let records = listed.iter().map(|&index| &report.records[index]);
        chart.write(records, out)?;
    }
    out.write_all(b"</div>\n</section>\n")
}

/// How many findings of each severity there are under one name.
type Tally = [u64; 4];

impl Chart {
    fn write<'r>(
        &self,
        records: impl Iterator<Item = &'r Diagnostic>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut tallies: FxHashMap<&str, Tally> = FxHashMap::default();
        for record in records {
            if let Some(name) = (self.name)(record) {
                tallies.entry(name).or_default()[record.severity as usize] += 1;
            }
        }
        let mut bars: Vec<(&str, Tally)> = tallies.into_iter().collect();
        bars.sort_by_key(|&(name, tally)| (Reverse(total(tally)), name));
        let Some(&(_, most)) = bars.first() else { return Ok(()) };
        write!(
            out,
            "<table class=\"chart\">\n<caption>{}</caption>\n<thead><tr><th scope=\"col\">{}</th>\
             <th scope=\"col\" class=\"number\">Findings</th></tr></thead>\n<tbody>\n",
            self.title, self.column
        )?;
        for &(name, tally) in bars.iter().take(BARS) {
            writeln!(
                out,
                "<tr><th scope=\"row\"><a href=\"#findings\"{}>{}</a>{}</th>\
                 <td class=\"number\">{}</td></tr>",
                attribute(&format!("data-filter-{}", self.key), Some(name)),
                (self.shown)(name),
                bar(tally, total(most)),
                total(tally)
            )?;
        }
        out.write_all(b"</tbody>\n")?;
        if let Some(rest) = bars.get(BARS..).filter(|rest| !rest.is_empty()) {
            let findings: u64 = rest.iter().map(|&(_, tally)| total(tally)).sum();
            writeln!(
                out,
                "<tfoot><tr><th scope=\"row\">{} more</th><td class=\"number\">{findings}</td></tr></tfoot>",
                rest.len(),
            )?;
        }
        out.write_all(b"</table>\n")
    }
}

fn total(tally: Tally) -> u64 {
    tally.iter().sum()
}

/// A bar of which `most` would fill the width, a part for each severity.
fn bar(tally: Tally, most: u64) -> String {
    let severities = [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint];
    let parts: Vec<String> = severities
        .iter()
        .filter(|&&severity| tally[severity as usize] > 0)
        .map(|&severity| {
            plural(tally[severity as usize], severity.as_str(), &format!("{severity}s"))
        })
        .collect();
    let mut bar = format!(
        "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">",
        parts.join(", ")
    );
    let mut at = 0;
    for severity in severities {
        let width = tally[severity as usize] * 1000 / most.max(1);
        if width > 0 {
            bar += &format!(
                "<rect class=\"{severity}\" x=\"{at}\" y=\"0\" width=\"{width}\" height=\"10\"/>"
            );
            at += width;
        }
    }
    bar + "</svg>"
}
