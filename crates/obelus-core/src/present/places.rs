//! Places in the units of other programs, and paths as they name them.

use std::fmt::Write as _;
use std::sync::Arc;

use obelus_record::{Diagnostic, Edit, Related, Report};

use super::excerpt::{Texts, is_outside};
use super::line_ends;
use crate::normalise::outward;
use crate::{LineEnds, Sources, Unit};

/// A place with columns in the unit of a reader; as much of it as the record has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// Line of the start, from 1.
    pub line: Option<u32>,
    /// Column of the start, from 1.
    pub column: Option<u32>,
    /// Line of the end, from 1.
    pub end_line: Option<u32>,
    /// Column behind the end, from 1.
    pub end_column: Option<u32>,
}

impl Range {
    /// The place of a record, in code points.
    pub fn of(record: &Diagnostic) -> Range {
        let Diagnostic { line, column, end_line, end_column, .. } = *record;
        Range { line, column, end_line, end_column }
    }

    /// A place that belongs to a record, in code points.
    pub fn of_related(related: &Related) -> Range {
        let Related { line, column, end_line, end_column, .. } = *related;
        Range { line, column, end_line, end_column }
    }

    /// What an edit replaces, in code points.
    pub fn of_edit(edit: &Edit) -> Range {
        Range {
            line: Some(edit.line),
            column: Some(edit.column),
            end_line: Some(edit.end_line),
            end_column: Some(edit.end_column),
        }
    }
}

/// Turns places of records into those of a reader that counts columns in another unit.
pub struct Places<'a> {
    report: &'a Report,
    texts: Texts<'a>,
    unit: Unit,
}

impl<'a> Places<'a> {
    /// Places of the records of `report` for a reader that counts in `unit`.
    pub fn new(report: &'a Report, sources: &'a dyn Sources, unit: Unit) -> Self {
        Places { report, texts: Texts::new(sources), unit }
    }

    /// The place of record `index` of the report.
    pub fn of(&mut self, index: usize) -> Range {
        let record = &self.report.records[index];
        self.range(record.path.as_ref(), Range::of(record), line_ends(self.report, index))
    }

    /// A place of record `index` in a file that may be another than the record's own.
    pub fn near(&mut self, index: usize, path: Option<&Arc<str>>, range: Range) -> Range {
        self.range(path, range, line_ends(self.report, index))
    }

    fn range(&mut self, path: Option<&Arc<str>>, range: Range, ends: LineEnds) -> Range {
        if self.unit == Unit::CodePoints {
            return range;
        }
        // Readers that count so know nothing of cells, and look at the line of the file.
        let Some(text) = path.and_then(|path| self.texts.of(path, None, ends)) else {
            return range;
        };
        let column = |line: Option<u32>, column: Option<u32>| {
            Some(outward::column(text.line(line?).unwrap_or_default(), column?, self.unit))
        };
        Range {
            column: column(range.line, range.column),
            end_column: column(range.end_line, range.end_column),
            ..range
        }
    }
}

/// A path as a URI: relative for one of the repository, `file://` for one outside.
pub fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    if is_outside(path) {
        uri.push_str(if path.starts_with('/') { "file://" } else { "file:///" });
    } else if path.split('/').next().is_some_and(|first| first.contains(':')) {
        // What stands before a colon would be a scheme (RFC 3986 §4.2).
        uri.push_str("./");
    }
    for &byte in path.as_bytes() {
        match byte {
            b'\\' if is_outside(path) => uri.push('/'),
            // What RFC 3986 lets stand in a path.
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'/'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'@'
            | b'!'
            | b'$'
            | b'&'
            | b'\''
            | b'('
            | b')'
            | b'*'
            | b'+'
            | b','
            | b';'
            | b'='
            | b':' => uri.push(char::from(byte)),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        for (path, want) in [
            ("src/a.ts", "src/a.ts"),
            ("my shop (v2)/ü#?.ts", "my%20shop%20(v2)/%C3%BC%23%3F.ts"),
            ("ab:c/d.rs", "./ab:c/d.rs"),
            ("a/b:c.rs", "a/b:c.rs"),
            ("/usr/include/stdio.h", "file:///usr/include/stdio.h"),
            (r"C:\x\y.h", "file:///C:/x/y.h"),
            ("100%.py", "100%25.py"),
        ] {
            assert_eq!(uri(path), want);
        }
    }
}
