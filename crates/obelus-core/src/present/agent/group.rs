//! The line under a cause that says what it explains, with the places in compact form:
//! `+ explains 4 more in 2 files: src: audit.ts 5:9 10:4x2; lib: x.ts 3:1`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use obelus_record::{CauseRule, Report, Severity};

use super::detail::{Detail, Left};
use crate::present::order::{Item, Leads, declared_at};
use crate::present::text::{self, plural};

/// Characters of one list of places; what is beyond is counted.
const LONGEST_LIST: usize = 4_000;

/// Places of one list that are told with their columns; of more, the lines alone.
const MOST_COLUMNS: usize = 20;

/// Writes the line for `item`, if it leads a cause.
pub fn write(
    page: &mut String,
    report: &Report,
    item: &Item<'_>,
    detail: &Detail,
    left: &mut Left,
) {
    let Some(Leads { cause, rule, by_place }) = item.cause else { return };
    let (own, mut others): (Vec<usize>, Vec<usize>) = (
        cause
            .records
            .iter()
            .map(|&index| index as usize)
            .filter(|&index| index != item.record)
            .collect(),
        cause.consequences.iter().map(|&index| index as usize).collect(),
    );
    if !by_place {
        // The example is told already.
        others.retain(|&index| index != item.record);
    }
    let mut said = Vec::new();
    if !own.is_empty() {
        said.push(list("shown", own, report, detail, left));
    }
    if !others.is_empty() {
        let (word, places) = match (rule, by_place) {
            // What is found at the place itself is said by the line above.
            (_, true) => ("at", others),
            (CauseRule::SameMessage, false) => ("the same", others),
            (_, false) => ("explains", others),
        };
        said.push(list(word, places, report, detail, left));
    }
    // Where the finding itself stands under its line, its cause may lie elsewhere.
    if let (false, Some(location)) = (by_place, &cause.location) {
        let place = text::place(&location.path, None, Some(location.line), None);
        said.push(match rule {
            CauseRule::EditedDeclaration => format!("names what was edited at {place}"),
            _ => format!("see {place}"),
        });
    }
    if !said.is_empty() {
        let _ = writeln!(page, "+ {}", said.join("; "));
    }
}

/// Writes where what the item's record is about is declared, if that is known.
pub fn declared(
    page: &mut String,
    report: &Report,
    item: &Item<'_>,
    detail: &Detail,
    left: &mut Left,
) {
    let by_place = item.cause.is_some_and(|leads| leads.by_place);
    let declared = declared_at(report, item.record).filter(|_| !by_place);
    let Some(declared) = declared else { return };
    if !detail.related {
        left.related += 1;
        return;
    }
    let place = match item.path == Some(&declared.path) {
        true => format!("line {}", declared.line),
        false => text::place(&declared.path, None, Some(declared.line), None),
    };
    let _ = writeln!(page, "+ {} is declared at {place}", text::name(&declared.name));
}

/// `explains 58 more in 14 files: …`.
fn list(
    word: &str,
    records: Vec<usize>,
    report: &Report,
    detail: &Detail,
    left: &mut Left,
) -> String {
    let (count, files) = (records.len() as u64, files(&records, report));
    let within = match files {
        0 => String::new(),
        files => format!(" in {}", plural(files, "file", "files")),
    };
    let mut said = match word {
        "at" => "at".to_owned(),
        "shown" => format!("shown by {count} more{within}"),
        word => format!("{word} {count} more{within}"),
    };
    if !detail.places || files == 0 {
        left.places += records.len();
        return if word == "at" {
            format!("at {}", plural(count, "place", "places"))
        } else {
            said
        };
    }
    said += if word == "at" { " " } else { ": " };
    let columns = records.len() <= MOST_COLUMNS;
    if !columns {
        left.columns += records.len();
    }
    said + &places(&records, report, columns)
}

/// `60 errors in 12 files`: what follows from the cause.
pub fn count(leads: Leads<'_>, report: &Report) -> String {
    let records: Vec<usize> =
        leads.cause.consequences.iter().map(|&index| index as usize).collect();
    let is_error = |&index: &usize| report.records[index].severity == Severity::Error;
    let (one, many) = match records.iter().all(is_error) {
        true => ("error", "errors"),
        false => ("finding", "findings"),
    };
    let files = plural(files(&records, report), "file", "files");
    format!("{} in {files}", plural(records.len() as u64, one, many))
}

/// In how many files the records lie.
pub fn files(records: &[usize], report: &Report) -> u64 {
    let mut files: Vec<&str> =
        records.iter().filter_map(|&index| report.records[index].path.as_deref()).collect();
    files.sort_unstable();
    files.dedup();
    files.len() as u64
}

/// The lines of each file, files by folder: `src: a.ts 5 10x4, b.ts 7; lib: c.ts 1`; with `columns`
/// each line has its column, as `5:12`.
fn places(records: &[usize], report: &Report, columns: bool) -> String {
    type Lines = BTreeMap<(u32, u32), u32>;
    let mut folders: BTreeMap<&str, BTreeMap<&str, Lines>> = BTreeMap::new();
    for record in records.iter().map(|&index| &report.records[index]) {
        let Some(path) = record.path.as_deref() else { continue };
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let lines = folders.entry(folder).or_default().entry(name).or_default();
        let column = record.column.filter(|_| columns).unwrap_or(0);
        *lines.entry((record.line.unwrap_or(0), column)).or_default() += 1;
    }
    let mut said = String::new();
    let (mut beyond, mut beyond_files) = (0, 0);
    for (folder, names) in folders {
        let mut here = String::new();
        for (name, lines) in names {
            if said.len() + here.len() > LONGEST_LIST {
                beyond += lines.values().map(|&times| u64::from(times)).sum::<u64>();
                beyond_files += 1;
                continue;
            }
            here += if here.is_empty() { "" } else { ", " };
            here += &name_of(name);
            for ((line, column), times) in lines {
                if line == 0 {
                    continue;
                }
                let _ = write!(here, " {line}");
                if column > 0 {
                    let _ = write!(here, ":{column}");
                }
                if times > 1 {
                    let _ = write!(here, "x{times}");
                }
            }
        }
        if here.is_empty() {
            continue;
        }
        said += if said.is_empty() { "" } else { "; " };
        if !folder.is_empty() {
            let _ = write!(said, "{}: ", name_of(folder));
        }
        said += &here;
    }
    if beyond > 0 {
        let _ = write!(said, "; and {beyond} more in {}", plural(beyond_files, "file", "files"));
    }
    said
}

/// A name in a list: in quotes where it could be read as more than one, or as a line number.
fn name_of(name: &str) -> String {
    let doubtful = |c: char| c.is_whitespace() || c.is_control() || ",;:\"".contains(c);
    match name.contains(doubtful) {
        true => format!("\"{}\"", text::name(name).replace('"', "'")),
        false => text::name(name),
    }
}
