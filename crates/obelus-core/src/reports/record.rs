//! Records as another program may write them.
//!
//! The same few tools, codes and paths stand in very many records, and what was said before a change is
//! mostly said after it: each text is kept in memory once.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use obelus_record::{Diagnostic, DiagnosticParts, Related, Severity, Suggestion};
use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

/// A record, as [`Diagnostic`] has it, that borrows from the text.
#[derive(Deserialize)]
pub(super) struct GivenRecord<'a> {
    #[serde(borrow)]
    pub tool: Cow<'a, str>,
    pub severity: Severity,
    #[serde(borrow, default)]
    pub code: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub path: Option<Text<'a>>,
    #[serde(default)]
    pub line: Option<u32>,
    #[serde(default)]
    pub column: Option<u32>,
    #[serde(default)]
    pub end_line: Option<u32>,
    #[serde(default)]
    pub end_column: Option<u32>,
    #[serde(borrow)]
    pub message: Cow<'a, str>,
    #[serde(default)]
    pub related: Vec<Related>,
    #[serde(default)]
    pub suggestion: Option<Box<Suggestion>>,
    #[serde(default)]
    pub cell: Option<u32>,
    #[serde(borrow, default)]
    pub help: Option<Text<'a>>,
}

impl GivenRecord<'_> {
    /// One in which everything is still to be filled in.
    pub fn empty() -> Self {
        GivenRecord {
            tool: Cow::Borrowed(""),
            severity: Severity::Error,
            code: None,
            path: None,
            line: None,
            column: None,
            end_line: None,
            end_column: None,
            message: Cow::Borrowed(""),
            related: Vec::new(),
            suggestion: None,
            cell: None,
            help: None,
        }
    }
}

/// serde borrows a plain `Cow` field, but not one inside an `Option`.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// The texts that records were found to share.
#[derive(Default)]
pub(super) struct Names {
    known: FxHashSet<Arc<str>>,
    /// The tool of the last record: mostly that of the next as well.
    tool: Option<Arc<str>>,
}

impl Names {
    /// The one copy of `name`.
    fn share(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.known.get(name) {
            return Arc::clone(known);
        }
        let name: Arc<str> = Arc::from(name);
        self.known.insert(Arc::clone(&name));
        name
    }

    fn share_tool(&mut self, name: &str) -> Arc<str> {
        match &self.tool {
            Some(tool) if **tool == *name => Arc::clone(tool),
            _ => {
                let tool = self.share(name);
                Arc::clone(self.tool.insert(tool))
            }
        }
    }

    /// The record that `given` is.
    pub fn record(&mut self, given: GivenRecord<'_>) -> Diagnostic {
        let mut share = |text: Option<Text<'_>>| text.map(|text| self.share(&text.0));
        let (code, path, help) = (share(given.code), share(given.path), share(given.help));
        Diagnostic::normalised(DiagnosticParts {
            tool: self.share_tool(&given.tool),
            severity: given.severity,
            code,
            path,
            line: given.line,
            column: given.column,
            end_line: given.end_line,
            end_column: given.end_column,
            message: self.share(&given.message),
            related: given.related,
            suggestion: given.suggestion,
            cell: given.cell,
            help,
        })
    }
}

/// Reads a list of records.
pub(super) fn list<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Diagnostic>, D::Error> {
    struct List;

    impl<'de> Visitor<'de> for List {
        type Value = Vec<Diagnostic>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a sequence")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let (mut names, mut records) = (Names::default(), Vec::new());
            while let Some(given) = list.next_element()? {
                records.push(names.record(given));
            }
            Ok(records)
        }
    }

    from.deserialize_seq(List)
}
