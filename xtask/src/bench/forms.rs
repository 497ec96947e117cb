//! The forms that findings are given to models in, each as dense as its idea allows, to hold ours against: JSON without
//! any source, what compilers print, and source lines by file with the findings under them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::findings::Findings;

/// Writes the records as text.
type Form = Box<dyn Fn(&Findings, &[Value]) -> String>;

/// Every form with its name.
pub(super) fn all() -> Vec<(&'static str, Form)> {
    let grouped = |grouped: Grouped| -> Form {
        Box::new(move |findings, records| grouped.write(findings, records))
    };
    let base = Grouped::default();
    vec![
        ("pretty JSON, no source", Box::new(|_, records| pretty(records))),
        ("JSON lines, no source", Box::new(|_, records| lines(records.iter().map(full)))),
        (
            "JSON lines without empty fields, no source",
            Box::new(|_, records| lines(records.iter().map(short))),
        ),
        ("as rustc prints: carets, 5 lines", Box::new(carets)),
        ("path:line:col code message, 5 numbered lines", Box::new(each)),
        ("by file, 5 lines merged, finding under its line", grouped(base)),
        ("    the same, 3 lines", grouped(Grouped { context: 1, ..base })),
        ("    the same, 1 line", grouped(Grouped { context: 0, ..base })),
        ("    the same, indentation taken off", grouped(Grouped { dedent: true, ..base })),
        ("    the same, 12|", grouped(Grouped { bar: "|", ..base })),
        ("    the same, 12:", grouped(Grouped { bar: ":", ..base })),
        (
            "    the same, 12|, no indentation, end, severity",
            grouped(Grouped { bar: "|", dedent: true, more: true, ..base }),
        ),
    ]
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or_default()
}

fn number(value: &Value, field: &str) -> usize {
    value[field].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or_default()
}

fn related(record: &Value) -> &[Value] {
    record["related"].as_array().map_or(&[], Vec::as_slice)
}

/// The record with every field that there is, as one that has them all in its schema.
fn full(record: &Value) -> Value {
    let mut full = json!({"suggestion": null, "package": null, "target": null});
    if let (Some(all), Some(known)) = (full.as_object_mut(), record.as_object()) {
        all.extend(known.clone());
    }
    full
}

/// Without what says nothing: the end of a name, and an empty list.
fn short(record: &Value) -> Value {
    let mut short = record.clone();
    let cut = |value: &mut Value| {
        let Some(fields) = value.as_object_mut() else { return };
        fields.retain(|name, value| !name.starts_with("end_") && *value != json!([]));
    };
    for related in short["related"].as_array_mut().into_iter().flatten() {
        cut(related);
    }
    cut(&mut short);
    short
}

fn pretty(records: &[Value]) -> String {
    let records: Vec<Value> = records.iter().map(full).collect();
    format!("{:#}\n", Value::from(records))
}

fn lines(records: impl Iterator<Item = Value>) -> String {
    records.map(|record| format!("{record}\n")).collect()
}

/// `error[TS2304]: …`, an arrow to the place, and five lines with a gutter and carets.
fn carets(findings: &Findings, records: &[Value]) -> String {
    let mut page = String::new();
    for record in records {
        let (path, line, column) =
            (text(record, "path"), number(record, "line"), number(record, "column"));
        let _ = writeln!(
            page,
            "{}[{}]: {}",
            text(record, "severity"),
            text(record, "code"),
            text(record, "message")
        );
        let last = line + 2;
        let gutter = last.to_string().len();
        let _ = writeln!(page, "{:gutter$}--> {path}:{line}:{column}", "");
        for at in line.saturating_sub(2).max(1)..=last {
            let Some(source) = findings.line(path, at) else { continue };
            let _ = writeln!(page, "{}", format!("{at:>gutter$} | {source}").trim_end());
            if at == line {
                let carets = "^".repeat(number(record, "end_column") - column);
                let _ = writeln!(page, "{:gutter$} | {:2$}{carets}", "", "", column - 1);
            }
        }
        for related in related(record) {
            let _ = writeln!(
                page,
                "{:gutter$} = note: {}: {}",
                "",
                place(related, None),
                text(related, "message")
            );
        }
    }
    page
}

/// The place with its path, unless that is the one that is known.
fn place(related: &Value, path: Option<&str>) -> String {
    match path {
        Some(path) if path == text(related, "path") => number(related, "line").to_string(),
        _ => format!("{}:{}", text(related, "path"), number(related, "line")),
    }
}

/// Each finding with its path and its own five lines.
fn each(findings: &Findings, records: &[Value]) -> String {
    let mut page = String::new();
    for record in records {
        let (path, line) = (text(record, "path"), number(record, "line"));
        let _ = write!(
            page,
            "{path}:{line}:{} {} {}",
            number(record, "column"),
            text(record, "code"),
            text(record, "message")
        );
        page.push_str(&see(record, path));
        page.push('\n');
        for at in line.saturating_sub(2).max(1)..=line + 2 {
            match findings.line(path, at) {
                Some(source) if !source.trim().is_empty() => {
                    let _ = writeln!(page, "{at} {source}");
                }
                _ => {}
            }
        }
    }
    page
}

fn see(record: &Value, path: &str) -> String {
    let see = |related: &Value| {
        format!(" (see {} {})", place(related, Some(path)), text(related, "message"))
    };
    related(record).iter().map(see).collect()
}

/// Source lines by file, overlapping ones once, without blank lines, and each finding under its line.
#[derive(Clone, Copy)]
struct Grouped {
    /// Lines before and behind a finding.
    context: usize,
    /// What stands behind a number, if not a space.
    bar: &'static str,
    /// Whether the indentation that all lines of an excerpt have is taken off.
    dedent: bool,
    /// Whether the end of each range and every severity is told.
    more: bool,
}

impl Default for Grouped {
    fn default() -> Self {
        Grouped { context: 2, bar: " ", dedent: false, more: false }
    }
}

impl Grouped {
    fn write(self, findings: &Findings, records: &[Value]) -> String {
        let mut page = String::new();
        let mut files: Vec<(&str, BTreeMap<usize, Vec<&Value>>)> = Vec::new();
        for record in records {
            let path = text(record, "path");
            let at = files.iter().position(|(known, _)| *known == path).unwrap_or_else(|| {
                files.push((path, BTreeMap::new()));
                files.len() - 1
            });
            files[at].1.entry(number(record, "line")).or_default().push(record);
        }
        for (path, found) in files {
            let _ = writeln!(page, "{path}");
            let mut hunks: Vec<(usize, usize)> = Vec::new();
            for line in found.keys() {
                let (from, to) = (line.saturating_sub(self.context).max(1), line + self.context);
                match hunks.last_mut() {
                    Some(hunk) if from <= hunk.1 + 1 => hunk.1 = to,
                    _ => hunks.push((from, to)),
                }
            }
            for (index, (from, to)) in hunks.into_iter().enumerate() {
                page.push_str(if index > 0 { "…\n" } else { "" });
                self.hunk(&mut page, findings, path, from..=to, &found);
            }
        }
        page
    }

    fn hunk(
        self,
        page: &mut String,
        findings: &Findings,
        path: &str,
        lines: std::ops::RangeInclusive<usize>,
        found: &BTreeMap<usize, Vec<&Value>>,
    ) {
        let shown: Vec<(usize, &str)> = lines
            .filter_map(|at| findings.line(path, at).map(|source| (at, source)))
            .filter(|(_, source)| !source.trim().is_empty())
            .collect();
        let indentation = |source: &str| source.len() - source.trim_start().len();
        let common = shown.iter().map(|(_, source)| indentation(source)).min().unwrap_or(0);
        let off = if self.dedent { common } else { 0 };
        for (at, source) in shown {
            let _ = writeln!(page, "{at}{}{}", self.bar, source[off..].trim_end());
            for record in found.get(&at).into_iter().flatten() {
                let _ = write!(page, "^{}", number(record, "column"));
                if self.more {
                    let _ = write!(
                        page,
                        "-{} {}",
                        number(record, "end_column"),
                        text(record, "severity")
                    );
                }
                let _ = write!(page, " {} {}", text(record, "code"), text(record, "message"));
                page.push_str(&see(record, path));
                page.push('\n');
            }
        }
    }
}
