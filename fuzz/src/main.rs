//! Bytes that no checker prints, through one format and normalising: nothing panics, memory stays
//! bounded (libFuzzer's limit), every place counts from 1, every rejected stream is named.
//!
//! The format is that of the variable `OBELUS_FORMAT`; `cargo xtask fuzz` runs this.

#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use obelus_core::Sources;
use obelus_core::checker::{ExitTable, SeverityMap};
use obelus_core::format::{self, Format};
use obelus_core::normalise::Roots;
use obelus_core::read::{Rules, Streams, read_run};
use obelus_record::{Outcome, Stream, Termination};

static FORMAT: LazyLock<&'static dyn Format> = LazyLock::new(|| {
    let name = std::env::var("OBELUS_FORMAT").expect("OBELUS_FORMAT names a format");
    format::find(&name).unwrap_or_else(|| panic!("there is no format {name:?}"))
});

/// What parts the streams of one input.
const SEAM: &[u8] = b"\n%%%%\n";

/// Every file is there and holds the same lines, so that columns of every unit are converted.
struct OneText;

impl Sources for OneText {
    fn read(&self, _path: &str) -> Option<Arc<[u8]>> {
        Some(Arc::from("\u{FEFF}let a = 1;\n\tcaf\u{E9} \u{1F642}\u{2028}x\r\n\r\u{6F22}\n".as_bytes()))
    }

    fn exists(&self, path: &str) -> bool {
        path.len() % 2 == 0
    }

    fn ending_in(&self, tail: &str) -> Option<String> {
        (tail.len() % 3 == 0).then(|| format!("src/{tail}"))
    }
}

fuzz_target!(|data: &[u8]| {
    let format = *FORMAT;
    let seam = data.windows(SEAM.len()).position(|part| part == SEAM);
    let (main, side) = seam.map_or((data, &b""[..]), |at| (&data[..at], &data[at + SEAM.len()..]));
    for termination in [Termination::Exited { code: 1 }, Termination::Signaled { signal: 9 }] {
        read(format, main, side, &termination);
    }
});

fn read(format: &dyn Format, mut main: &[u8], mut side: &[u8], termination: &Termination) {
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
        assert_eq!(reading.judgement.outcome, Outcome::HarnessError);
        assert!(fault.line > 0, "{fault:?}");
    }
    for record in &reading.diagnostics {
        let place = (record.line, record.column, record.end_line, record.end_column);
        check(place);
        for related in &record.related {
            check((related.line, related.column, related.end_line, related.end_column));
        }
        let edits = record.suggestion.iter().flat_map(|suggestion| {
            let others = suggestion.alternatives.iter().flat_map(|other| &other.edits);
            suggestion.edits.iter().chain(others)
        });
        for edit in edits {
            check((Some(edit.line), Some(edit.column), Some(edit.end_line), Some(edit.end_column)));
        }
    }
}

/// A place counts from 1, and a column stands in a line.
fn check((line, column, end_line, end_column): (Option<u32>, Option<u32>, Option<u32>, Option<u32>)) {
    assert!(![line, column, end_line, end_column].contains(&Some(0)), "{line:?} {column:?} {end_line:?} {end_column:?}");
    assert!(column.is_none() || line.is_some());
    assert!(end_column.is_none() || end_line.is_some());
}
