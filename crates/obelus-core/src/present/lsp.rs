//! `textDocument/publishDiagnostics` of the Language Server Protocol 3.17, a JSON-RPC message a line:
//! one for each file with findings, as a server would send them.
//!
//! <https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#publishDiagnosticsParams>:
//! lines and characters count from 0, characters are UTF-16 units, ends are exclusive. What is true of
//! the whole goes before it as `window/showMessage` (errors) and `window/logMessage`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use obelus_record::{Report, Severity};
use serde_json::{Value, json};

use super::places::{Places, Range, uri};
use super::remarks::remarks;
use super::{Output, Style, listed};
use crate::normalise::is_absolute;
use crate::{Sources, Unit};

/// Diagnostics as a language server publishes them.
pub struct Lsp;

impl Output for Lsp {
    fn name(&self) -> &'static str {
        "lsp"
    }

    fn summary(&self) -> &'static str {
        "publishDiagnostics messages of a language server, one a line; characters in UTF-16 units"
    }

    fn write(
        &self,
        report: &Report,
        sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for remark in remarks(report) {
            let (method, kind) = match remark.severity {
                Severity::Error => ("window/showMessage", 1),
                Severity::Warning => ("window/showMessage", 2),
                Severity::Info | Severity::Hint => ("window/logMessage", 3),
            };
            let params = json!({"type": kind, "message": remark.text, "code": remark.code});
            send(method, &params, out)?;
        }
        let root = sources.root();
        let mut files: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for index in listed(report) {
            let path = report.records[index].path.as_deref().unwrap_or_default();
            files.entry(path).or_default().push(index);
        }
        let mut places = Places::new(report, sources, Unit::Utf16);
        for (path, records) in files {
            let diagnostics: Vec<Value> = records
                .into_iter()
                .map(|index| diagnostic(report, index, root.as_deref(), &mut places))
                .collect();
            let params = json!({"uri": address(root.as_deref(), path), "diagnostics": diagnostics});
            send("textDocument/publishDiagnostics", &params, out)?;
        }
        Ok(())
    }
}

fn send(method: &str, params: &Value, out: &mut dyn Write) -> io::Result<()> {
    let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
    serde_json::to_writer(&mut *out, &message)?;
    out.write_all(b"\n")
}

fn diagnostic(report: &Report, index: usize, root: Option<&str>, places: &mut Places<'_>) -> Value {
    let record = &report.records[index];
    let mut value = json!({
        "range": range(places.of(index)),
        "severity": match record.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Info => 3,
            Severity::Hint => 4,
        },
        "source": record.tool,
        "message": record.message,
    });
    if let Some(code) = &record.code {
        value["code"] = json!(code);
        if let Some(help) = &record.help {
            value["codeDescription"] = json!({"href": help});
        }
    }
    let related: Vec<Value> = record
        .related
        .iter()
        .filter_map(|related| {
            let path = related.path.as_ref()?;
            let place = places.near(index, Some(path), Range::of_related(related));
            Some(json!({
                "location": {"uri": address(root, path), "range": range(place)},
                "message": related.message,
            }))
        })
        .collect();
    if !related.is_empty() {
        value["relatedInformation"] = related.into();
    }
    value
}

/// A range is required: a line without columns is meant as a whole, a place without an end is empty.
fn range(range: Range) -> Value {
    let line = range.line.unwrap_or(1);
    let start = (line, range.column.unwrap_or(1));
    let end = match (range.column, range.end_line, range.end_column) {
        (_, Some(line), Some(column)) => (line, column),
        (_, Some(line), None) => (line + 1, 1),
        (None, None, _) if range.line.is_some() => (line + 1, 1),
        _ => start,
    };
    let position = |(line, column): (u32, u32)| json!({"line": line.saturating_sub(1), "character": column.saturating_sub(1)});
    json!({"start": position(start), "end": position(end)})
}

/// The address of a file. What has no file is said of the root; where nobody knows that, an address
/// is relative to it.
fn address(root: Option<&str>, path: &str) -> String {
    match root {
        Some(root) if path.is_empty() => uri(root),
        Some(root) if !is_absolute(path) => {
            format!("{}/{}", uri(root).trim_end_matches('/'), uri(path).trim_start_matches("./"))
        }
        _ => uri(path),
    }
}
