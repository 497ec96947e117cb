//! What the tests of formats share.

use obelus_record::{Diagnostic, Related};

use super::{Format, Input};
use crate::NoSources;
use crate::checker::SeverityMap;
use crate::normalise::{Lookup, Normaliser, Records, Roots};

/// Reads `stdout` and `stderr`, whole, with the format's own stream as the primary one and
/// `/repo` as the root. No source can be read, so columns change their base only.
pub(super) fn read(format: &dyn Format, stdout: &str, stderr: &str) -> Records {
    let severities = SeverityMap::default();
    let roots = Roots::new(["/repo".to_owned()], "");
    let mut sink = Normaliser::new("tool", &severities, format.positions(), &roots, &NoSources);
    let mut input = Input {
        stdout: &mut stdout.as_bytes(),
        stderr: &mut stderr.as_bytes(),
        report: &mut std::io::empty(),
        primary: format.stream(),
        cut: false,
        places: &Lookup::new(&roots, &NoSources),
    };
    let fault = format.read(&mut input, &mut sink).err();
    Records { fault, ..sink.finish() }
}

/// A record in one line: `severity code path:line:column-end_line:end_column message`.
pub(super) fn shown(record: &Diagnostic) -> String {
    let number = |n: Option<u32>| n.map_or("-".to_owned(), |n| n.to_string());
    format!(
        "{} {} {}:{}:{}-{}:{} {}",
        record.severity,
        record.code.as_deref().unwrap_or("-"),
        record.path.as_deref().unwrap_or("-"),
        number(record.line),
        number(record.column),
        number(record.end_line),
        number(record.end_column),
        record.message
    )
}

/// The records of a run, each in one line.
pub(super) fn all_shown(records: &Records) -> Vec<String> {
    records.diagnostics.iter().map(shown).collect()
}

/// The messages of related places.
pub(super) fn messages(related: &[Related]) -> Vec<&str> {
    related.iter().map(|place| &*place.message).collect()
}

/// The numbers and texts of unrecognised lines.
pub(super) fn unrecognised(records: &Records) -> Vec<(u64, &str)> {
    records.unrecognised.lines.iter().map(|line| (line.line, line.text.as_str())).collect()
}
