//! What silences, as records.

use std::borrow::Cow;

use obelus_record::{Diagnostic, Severity};

use super::construct::{Codes, Reach, Tools};
use super::cover::Vanished;
use super::find::{Found, Scope};
use super::{CODE, TOOL};
use crate::checker::SeverityMap;
use crate::format::Sink as _;
use crate::normalise::{Normaliser, Roots};
use crate::{Finding, Place, Positions, Sources, Span, Unit};

/// How many silenced findings a record names as places.
const SHOWN: usize = 20;
/// A root by which every path is taken as it is.
const ROOT: &str = "/repository";

/// Makes the records.
pub(super) struct Teller<'a> {
    roots: Roots,
    severities: SeverityMap,
    sources: &'a dyn Sources,
}

impl<'a> Teller<'a> {
    /// Places are looked up in `sources`, the files after the change.
    pub fn new(sources: &'a dyn Sources) -> Self {
        let roots = Roots::new([ROOT.to_owned()], "");
        Teller { roots, severities: SeverityMap::default(), sources }
    }

    /// The record of `found`, which `silenced` these findings.
    pub fn record(&mut self, found: &Found, silenced: &[&Vanished<'_>]) -> Diagnostic {
        let positions = Positions { column_base: 0, ..Positions::one_based(Unit::Bytes) };
        let mut finding = Finding::new(Severity::Warning, message(found, silenced));
        finding.code = Some(Cow::Owned(format!("{CODE}{}", found.construct.kind)));
        finding.path = Some(Cow::Owned(format!("{ROOT}/{}", found.path)));
        if found.placed {
            let span = &found.construct.span;
            finding.span = Span::Offsets { start: span.start as u64, end: span.end as u64 };
        }
        finding.related = silenced.iter().take(SHOWN).map(|one| place(one)).collect();
        let mut normaliser =
            Normaliser::new(TOOL, &self.severities, positions, &self.roots, self.sources);
        normaliser.finding(finding);
        let mut records = normaliser.finish().diagnostics;
        records.swap_remove(0)
    }
}

/// Where a silenced finding is now, or where it was.
fn place<'p>(vanished: &Vanished<'_>) -> Place<'p> {
    let record = vanished.record;
    let line = if vanished.path.is_some() { vanished.landing.line() } else { record.line };
    let path = vanished.path.or(record.path.as_deref());
    Place {
        path: path.map(|path| Cow::Owned(format!("{ROOT}/{path}"))),
        span: line.map_or(Span::None, |line| Span::at(line, None)),
        message: Cow::Owned(format!("silenced: {}", said(record))),
    }
}

/// `TS2322: Type 'string' is not assignable to type 'number'.`, the first line of it.
fn said(record: &Diagnostic) -> String {
    let first = record.message.lines().next().unwrap_or_default();
    match &record.code {
        Some(code) => format!("{} {code}: {first}", record.tool),
        None => format!("{}: {first}", record.tool),
    }
}

fn message(found: &Found, silenced: &[&Vanished<'_>]) -> String {
    let construct = &found.construct;
    let what = match &construct.codes {
        Codes::These(_) if matches!(found.scope, Scope::After) => {
            format!("{} ({})", construct.says, construct.codes.text())
        }
        _ => construct.says.clone(),
    };
    match silenced {
        [] => format!("{what} silences {}{}", whom(construct.tools), reach(found)),
        [one] => format!("{what} silences a finding that stood before: {}", said(one.record)),
        [one, ..] => format!(
            "{what} silences {} findings that stood before, first {}",
            silenced.len(),
            said(one.record)
        ),
    }
}

fn whom(tools: Tools) -> &'static str {
    match tools {
        Tools::TYPESCRIPT | Tools::PYTHON_TYPES => "the type checker",
        Tools::RUST => "rustc and clippy",
        Tools::TESTS => "the test runner",
        Tools::C_COMPILERS => "the compiler",
        Tools::NOQA => "ruff and flake8",
        Tools::NOLINT_GO => "golangci-lint",
        Tools::NONE => "the checks that this repository runs itself",
        Tools(tools) => tools.first().copied().unwrap_or("checkers"),
    }
}

fn reach(found: &Found) -> String {
    match (&found.scope, &found.construct.reach) {
        (Scope::After, Reach::File) => " in this file".to_owned(),
        (Scope::After, Reach::Lines(lines)) if lines.start() == lines.end() => {
            format!(" on line {}", lines.start())
        }
        (Scope::After, Reach::Lines(lines)) => {
            format!(" on lines {} to {}", lines.start(), lines.end())
        }
        _ => String::new(),
    }
}
