//! What holds of every reading, whatever the bytes: it ends without a panic, every place counts
//! from 1, a rejected stream is named and no pass.
//!
//! `mutation.rs` and the fuzz program (`fuzz/`) both hold readings against this.

use std::sync::Arc;

use obelus_core::Sources;
use obelus_core::checker::{ExitTable, SeverityMap};
use obelus_core::format::Format;
use obelus_core::normalise::Roots;
use obelus_core::read::{Rules, Streams, read_run};
use obelus_record::{Diagnostic, Outcome, Stream, Termination};

/// Every file is there and holds the same lines, so that columns of every unit are converted.
struct OneText;

const TEXT: &str = "\u{FEFF}let a = 1;\n\tcaf\u{E9} \u{1F642}\u{2028}x\r\n\r\u{6F22}e\u{301}\nlast";

impl Sources for OneText {
    fn read(&self, _path: &str) -> Option<Arc<[u8]>> {
        Some(Arc::from(TEXT.as_bytes()))
    }

    fn exists(&self, path: &str) -> bool {
        path.len().is_multiple_of(2)
    }

    fn ending_in(&self, tail: &str) -> Option<String> {
        tail.len().is_multiple_of(3).then(|| format!("src/{tail}"))
    }
}

/// Reads `main`, as the stream on which the findings of `format` are, with `side` as the other one,
/// and panics where something does not hold.
pub fn hold(format: &dyn Format, main: &[u8], side: &[u8]) {
    for termination in [Termination::Exited { code: 1 }, Termination::Signaled { signal: 9 }] {
        read(format, main, side, &termination);
    }
}

fn read<'b>(
    format: &dyn Format,
    mut main: &'b [u8],
    mut side: &'b [u8],
    termination: &Termination,
) {
    let mut none: &[u8] = b"";
    let primary = format.stream();
    let (stdout, stderr, report) = match primary {
        Stream::Stdout => (&mut main, &mut side, &mut none),
        Stream::Stderr => (&mut side, &mut main, &mut none),
        Stream::Report => (&mut side, &mut none, &mut main),
    };
    let streams = Streams { stdout, stderr, report, primary };
    let (exits, severity) = (ExitTable::default(), SeverityMap::default());
    let rules = Rules::plain("tool", &exits, &severity);
    let roots = Roots::new(["/repo".to_owned()], "web");
    let reading = read_run(format, &rules, streams, termination, &roots, &OneText);
    if let Some(fault) = &reading.fault {
        assert_eq!(reading.judgement.outcome, Outcome::HarnessError, "{fault:?}");
        assert!(fault.line > 0, "{fault:?}");
    }
    reading.diagnostics.iter().for_each(places);
}

/// The places of a record, of what it relates to, and of its edits.
fn places(record: &Diagnostic) {
    place([record.line, record.column, record.end_line, record.end_column]);
    for related in &record.related {
        place([related.line, related.column, related.end_line, related.end_column]);
    }
    let edits = record.suggestion.iter().flat_map(|suggestion| {
        let others = suggestion.alternatives.iter().flat_map(|other| &other.edits);
        suggestion.edits.iter().chain(others)
    });
    for edit in edits {
        place([edit.line, edit.column, edit.end_line, edit.end_column].map(Some));
    }
}

/// A place counts from 1, a column stands in a line, and an end does not lie before its start.
fn place(parts: [Option<u32>; 4]) {
    let [line, column, end_line, end_column] = parts;
    assert!(!parts.contains(&Some(0)), "counts from 0: {parts:?}");
    assert!(column.is_none() || line.is_some(), "a column without a line: {parts:?}");
    assert!(end_column.is_none() || end_line.is_some(), "an end without a line: {parts:?}");
    if let (Some(line), Some(end_line)) = (line, end_line) {
        assert!(end_line >= line, "ends before it starts: {parts:?}");
        if let (Some(column), Some(end_column)) = (column, end_column) {
            let backwards = end_line == line && end_column < column;
            assert!(!backwards, "ends before it starts: {parts:?}");
        }
    }
}
