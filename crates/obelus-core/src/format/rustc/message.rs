//! The JSON that rustc prints, as far as records need it.
//!
//! <https://doc.rust-lang.org/rustc/json.html>. What is not named here (the `rendered` text, the
//! `explanation` of a code, the `text` of each span) is skipped without being decoded: it makes up
//! most of a stream.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A string that is borrowed where it holds no escapes; serde borrows a `Cow` only where it is a
/// field's whole type, so this stands inside of `Option`.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// One diagnostic, or one of its children (whose own children are always empty).
#[derive(Debug, Deserialize)]
pub struct Diagnostic<'a> {
    #[serde(borrow)]
    pub message: Cow<'a, str>,
    #[serde(borrow, default)]
    pub code: Option<Code<'a>>,
    pub level: Level,
    #[serde(borrow)]
    pub spans: Vec<RustcSpan<'a>>,
    #[serde(borrow, default)]
    pub children: Vec<Diagnostic<'a>>,
}

/// An error code (`E0308`) or the name of a lint (`unused_mut`, `clippy::needless_return`).
#[derive(Debug, Deserialize)]
pub struct Code<'a> {
    #[serde(borrow)]
    pub code: Cow<'a, str>,
}

/// The words for a level; rustc knows no others (`rustc_errors::Level::to_str`, 1.95).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Level {
    /// A fault of the compiler itself.
    #[serde(rename = "error: internal compiler error")]
    Bug,
    #[serde(rename = "error")]
    Error,
    #[serde(rename = "warning")]
    Warning,
    #[serde(rename = "note")]
    Note,
    #[serde(rename = "help")]
    Help,
    /// A line for people about the diagnostics before it.
    #[serde(rename = "failure-note")]
    FailureNote,
}

/// A place. Lines and columns count from 1, a column counts code points, the end is exclusive.
#[derive(Debug, Deserialize)]
pub struct RustcSpan<'a> {
    #[serde(borrow)]
    pub file_name: Cow<'a, str>,
    /// Offsets in the file, which tell places apart and which of them lie inside of others.
    pub byte_start: u64,
    pub byte_end: u64,
    pub line_start: u32,
    pub line_end: u32,
    pub column_start: u32,
    pub column_end: u32,
    pub is_primary: bool,
    #[serde(borrow, default)]
    pub label: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub suggested_replacement: Option<Text<'a>>,
    #[serde(default)]
    pub suggestion_applicability: Option<RustcApplicability>,
    /// The macro that made the code at this place, as an [`Expansion`]. It is read when it is
    /// needed: few spans have one, and a chain through many macros nests deeper than serde_json
    /// reads in one go (rustc's own limit is 128 expansions, each two levels of nesting).
    #[serde(borrow, default)]
    pub expansion: Option<&'a RawValue>,
}

impl RustcSpan<'_> {
    /// The label, where there is one with words.
    pub fn label(&self) -> Option<&str> {
        self.label.as_ref().map(|label| label.0.as_ref()).filter(|label| !label.is_empty())
    }
}

/// One call of a macro.
#[derive(Debug, Deserialize)]
pub struct Expansion<'a> {
    /// The place of the call, which may itself be in the body of a macro.
    #[serde(borrow)]
    pub span: RustcSpan<'a>,
    /// `name!`, `#[name]`, `#[derive(Name)]` or `desugaring of …` (`rustc_span::ExpnKind::descr`).
    #[serde(borrow)]
    pub macro_decl_name: Cow<'a, str>,
}

/// How far rustc vouches for an edit (`rustc_lint_defs::Applicability`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum RustcApplicability {
    MachineApplicable,
    MaybeIncorrect,
    HasPlaceholders,
    #[serde(other)]
    Unspecified,
}
