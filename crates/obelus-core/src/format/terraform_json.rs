//! `terraform validate -json`: one object.
//!
//! <https://developer.hashicorp.com/terraform/cli/commands/validate#json-output-format>

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::json::Document;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// The format `terraform-json`.
pub struct TerraformJson;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    diagnostics: Vec<Diagnostic<'a>>,
}

#[derive(Deserialize)]
struct Diagnostic<'a> {
    severity: Word,
    #[serde(borrow)]
    summary: Cow<'a, str>,
    #[serde(borrow, default)]
    detail: Cow<'a, str>,
    #[serde(borrow)]
    range: Option<Range<'a>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Error,
    Warning,
}

/// Its columns count grapheme clusters, its bytes are offsets from the start of the file.
#[derive(Deserialize)]
struct Range<'a> {
    #[serde(borrow)]
    filename: Cow<'a, str>,
    start: Point,
    end: Point,
}

#[derive(Clone, Copy, Deserialize)]
struct Point {
    byte: u64,
}

impl Format for TerraformJson {
    fn name(&self) -> &'static str {
        "terraform-json"
    }

    fn summary(&self) -> &'static str {
        "terraform validate -json"
    }

    /// Offsets from 0 in bytes, ends exclusive.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Bytes)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let report: Report<'_> = document.parse()?;
        report.diagnostics.into_iter().for_each(|found| sink.finding(found.finding()));
        Ok(())
    }
}

impl<'a> Diagnostic<'a> {
    fn finding(self) -> Finding<'a> {
        let severity = match self.severity {
            Word::Error => Severity::Error,
            Word::Warning => Severity::Warning,
        };
        let message = match self.detail.is_empty() {
            true => self.summary,
            false => format!("{}\n{}", self.summary, self.detail).into(),
        };
        let finding = Finding::new(severity, message);
        match self.range {
            Some(Range { filename, start, end }) => Finding {
                path: Some(filename),
                span: Span::Offsets { start: start.byte, end: end.byte },
                ..finding
            },
            None => finding,
        }
    }
}
