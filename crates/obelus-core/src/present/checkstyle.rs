//! Checkstyle's XML, which many build servers read.
//!
//! The tool has no published schema; what its readers agree on is `checkstyle`, in it a `file` with a
//! `name`, in that `error` with `line`, `column`, `severity`, `message` and `source`
//! (<https://github.com/checkstyle/checkstyle/blob/checkstyle-10.21.0/src/main/java/com/puppycrawl/tools/checkstyle/XMLLogger.java>).
//! Columns are code points from 1. The tool stands before the code in `source`, as in `tsc:TS2322`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use obelus_record::{Diagnostic, Report, Severity};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event};

use super::remarks::remarks;
use super::{Output, Style, listed, text};
use crate::Sources;

/// Checkstyle's XML.
pub struct Checkstyle;

impl Output for Checkstyle {
    fn name(&self) -> &'static str {
        "checkstyle"
    }

    fn summary(&self) -> &'static str {
        "Checkstyle's XML, for build servers; columns in code points"
    }

    fn write(
        &self,
        report: &Report,
        _sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut writer = Writer::new_with_indent(&mut *out, b' ', 2);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let root = BytesStart::new("checkstyle").with_attributes([("version", "4.3")]);
        writer.write_event(Event::Start(root))?;
        file(&mut writer, "", |writer| {
            for remark in remarks(report) {
                error(writer, None, None, remark.severity, &remark.text, remark.code)?;
            }
            Ok(())
        })?;
        for (path, records) in by_file(report) {
            file(&mut writer, path, |writer| {
                for record in records {
                    let Diagnostic { line, column, severity, .. } = *record;
                    error(writer, line, column, severity, &record.message, &source(record))?;
                }
                Ok(())
            })?;
        }
        writer.write_event(Event::End(BytesEnd::new("checkstyle")))?;
        writer.into_inner().write_all(b"\n")
    }
}

/// What is about no file stands under an empty name.
fn by_file(report: &Report) -> BTreeMap<&str, Vec<&Diagnostic>> {
    let mut files: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
    for index in listed(report) {
        let record = &report.records[index];
        files.entry(record.path.as_deref().unwrap_or_default()).or_default().push(record);
    }
    files
}

fn source(record: &Diagnostic) -> String {
    match &record.code {
        Some(code) => format!("{}:{code}", record.tool),
        None => format!("{}:", record.tool),
    }
}

fn file<W: Write>(
    writer: &mut Writer<W>,
    path: &str,
    errors: impl FnOnce(&mut Writer<W>) -> io::Result<()>,
) -> io::Result<()> {
    let path = text::xml(path);
    let start = BytesStart::new("file").with_attributes([("name", path.as_str())]);
    writer.write_event(Event::Start(start))?;
    errors(writer)?;
    writer.write_event(Event::End(BytesEnd::new("file")))
}

fn error<W: Write>(
    writer: &mut Writer<W>,
    line: Option<u32>,
    column: Option<u32>,
    severity: Severity,
    message: &str,
    source: &str,
) -> io::Result<()> {
    let mut element = BytesStart::new("error");
    let mut number = |name: &str, value: Option<u32>| {
        if let Some(value) = value {
            element.push_attribute((name, value.to_string().as_str()));
        }
    };
    number("line", line);
    number("column", column);
    let severity = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "info",
    };
    element.push_attribute(("severity", severity));
    element.push_attribute(("message", text::xml(message).as_str()));
    element.push_attribute(("source", text::xml(source).as_str()));
    writer.write_event(Event::Empty(element))
}
