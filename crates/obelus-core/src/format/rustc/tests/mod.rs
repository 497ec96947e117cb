//! What the corpus has no case for, run from bytes to records.

use obelus_record::{Diagnostic, Termination};

use crate::checker::{ExitTable, SeverityMap};
use crate::format::find;
use crate::normalise::Roots;
use crate::read::{Reading, Rules, Streams, read_run};
use crate::sources::NoSources;

mod json;
mod text;

/// Reads a run of `format` in `/repo` that printed `printed` where that format reads.
fn read(format: &str, printed: &str, termination: &Termination) -> Reading {
    let format = find(format).unwrap();
    let exits = ExitTable {
        clean: vec![0],
        findings: vec![1, 101],
        clean_or_findings: Vec::new(),
        findings_or_failure: Vec::new(),
        findings_bits: 0,
    };
    let severity = SeverityMap::default();
    let on_stderr = format.stream() == obelus_record::Stream::Stderr;
    let (mut printed, mut nothing, mut report) = (printed.as_bytes(), &b""[..], &b""[..]);
    let (stdout, stderr) = match on_stderr {
        true => (&mut nothing, &mut printed),
        false => (&mut printed, &mut nothing),
    };
    read_run(
        format,
        &Rules::plain("rustc", &exits, &severity),
        Streams { stdout, stderr, report: &mut report, primary: format.stream() },
        termination,
        &Roots::new(["/repo".to_owned()], ""),
        &NoSources,
    )
}

fn exit(code: i32) -> Termination {
    Termination::Exited { code }
}

/// `severity code path:line:column-end_line:end_column message`.
fn shown(d: &Diagnostic) -> String {
    let number = |n: Option<u32>| n.map_or("-".to_owned(), |n| n.to_string());
    format!(
        "{} {} {}:{}:{}-{}:{} {}",
        d.severity.as_str(),
        d.code.as_deref().unwrap_or("-"),
        d.path.as_deref().unwrap_or("-"),
        number(d.line),
        number(d.column),
        number(d.end_line),
        number(d.end_column),
        d.message
    )
}

fn records(reading: &Reading) -> Vec<String> {
    reading.diagnostics.iter().map(shown).collect()
}

/// `path:line:column message` of each related place.
fn related(d: &Diagnostic) -> Vec<String> {
    d.related
        .iter()
        .map(|place| match (&place.path, place.line, place.column) {
            (Some(path), Some(line), Some(column)) => {
                format!("{path}:{line}:{column} {}", place.message)
            }
            _ => place.message.to_string(),
        })
        .collect()
}
