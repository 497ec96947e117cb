//! What rustc says, in JSON or in text, as findings: shared by the formats of rustc and of cargo.

use std::borrow::Cow;

use obelus_record::Severity;

use crate::format::Sink;
use crate::{Finding, Place, Positions, Span, Unit};

mod message;
mod place;
mod suggestion;
pub mod text;
pub mod workspace;

pub use message::{Diagnostic, Level, Text};
pub use place::{Base, is_absolute};

use place::{Spot, place};

/// Columns count Unicode scalar values from 1, the end is exclusive
/// (<https://doc.rust-lang.org/rustc/json.html>).
pub const POSITIONS: Positions = Positions::one_based(Unit::CodePoints);

impl Level {
    /// The severity; none for a line for people about other diagnostics.
    fn severity(self) -> Option<Severity> {
        match self {
            Level::Bug | Level::Error => Some(Severity::Error),
            Level::Warning => Some(Severity::Warning),
            Level::Note => Some(Severity::Info),
            Level::Help => Some(Severity::Hint),
            Level::FailureNote => None,
        }
    }
}

impl<'a> Diagnostic<'a> {
    /// The file that it is about, as it is named.
    pub fn file(&self) -> Option<Cow<'a, str>> {
        let primary = self.spans.iter().find(|span| span.is_primary).or(self.spans.first());
        primary.map(place::outermost_file)
    }
}

/// The program behind a finding: clippy is rustc with more lints, which have its name before theirs.
fn tool_of(code: Option<&str>) -> &'static str {
    match code {
        Some(code) if code.starts_with("clippy::") => "clippy",
        _ => "rustc",
    }
}

/// Whether a message without a place only counts the diagnostics before it.
fn is_closing(message: &str) -> bool {
    message.starts_with("aborting due to ")
        || message.ends_with(" warning emitted")
        || message.ends_with(" warnings emitted")
}

/// Whether a message says that the compiler itself crashed (`driver_impl_ice`, rustc 1.95; the
/// wording up to 1.79 has a colon or a small letter behind it).
fn is_crash(message: &str) -> bool {
    message.starts_with("the compiler unexpectedly panicked")
}

/// What a message says about the run itself: that the compiler crashed or could not begin. Without a
/// place, a file that can't be read is that of the crate (others are read for a `mod` somewhere).
fn failure(level: Level, message: &str, placeless: bool) -> Option<String> {
    if level == Level::Bug || is_crash(message) {
        Some(format!("the compiler itself failed: {message}"))
    } else if placeless && message.starts_with("couldn't read `") {
        Some(format!("the compiler could not begin: {message}"))
    } else {
        None
    }
}

/// Hands on what a diagnostic says, and returns its severity if it is a finding. The error is that
/// of a chain of expansions which is not of rustc's shape.
pub fn report(
    diagnostic: Diagnostic<'_>,
    base: &Base<'_>,
    sink: &mut dyn Sink,
) -> Result<Option<Severity>, serde_json::Error> {
    let Some(severity) = diagnostic.level.severity() else { return Ok(None) };
    let placeless = diagnostic.spans.is_empty();
    if let Some(failure) = failure(diagnostic.level, &diagnostic.message, placeless) {
        sink.tool_failed(failure);
    }
    if placeless && (is_closing(&diagnostic.message) || is_crash(&diagnostic.message)) {
        return Ok(None);
    }
    sink.finding(finding(severity, diagnostic, base)?);
    Ok(Some(severity))
}

fn finding<'a>(
    severity: Severity,
    diagnostic: Diagnostic<'a>,
    base: &Base<'_>,
) -> Result<Finding<'a>, serde_json::Error> {
    let Diagnostic { message, code, spans, children, .. } = diagnostic;
    let mut finding = Finding::new(severity, message);
    finding.code = code.map(|code| code.code).filter(|code| !code.is_empty());
    finding.tool = Some(Cow::Borrowed(tool_of(finding.code.as_deref())));
    finding.help = children.iter().find_map(further_information);
    let mut related = Related::default();
    let primary = spans.iter().position(|span| span.is_primary).unwrap_or(0);
    if let Some(span) = spans.get(primary) {
        let placed = place(span, base)?;
        let label = span.label();
        match (placed.written_at, label) {
            // Where it was written is worth a place of its own even without a word about it.
            (Some(spot), label) => related.add(spot, label.unwrap_or_default()),
            (None, Some(label)) => related.add(placed.spot.clone(), label),
            (None, None) => {}
        }
        finding.path = Some(placed.spot.path);
        finding.span = placed.spot.span;
    }
    for (_, span) in spans.iter().enumerate().filter(|(at, _)| *at != primary) {
        related.add(place(span, base)?.spot, span.label().unwrap_or_default());
    }
    finding.proposals.extend(suggestion::proposals(&spans, None, base));
    for child in &children {
        let before = finding.proposals.len();
        finding.proposals.extend(suggestion::proposals(&child.spans, Some(&child.message), base));
        if finding.proposals.len() == before {
            related.child(child, spans.is_empty(), base)?;
        }
    }
    finding.related = related.places;
    Ok(finding)
}

/// The page of a lint, which clippy and rustc name in a note of its own.
fn further_information<'a>(child: &Diagnostic<'a>) -> Option<Cow<'a, str>> {
    let clippy = || child.message.strip_prefix("for further information visit ");
    let rustc = || child.message.strip_prefix("for more information, see <")?.strip_suffix('>');
    Some(Cow::Owned(clippy().or_else(rustc)?.to_owned()))
}

/// The places of a diagnostic beside its own, each once.
#[derive(Default)]
struct Related<'a> {
    places: Vec<Place<'a>>,
}

impl<'a> Related<'a> {
    fn add(&mut self, spot: Spot<'a>, message: &str) {
        self.push(Some(spot.path), spot.span, message);
    }

    fn push(&mut self, path: Option<Cow<'a, str>>, span: Span, message: &str) {
        let known = |place: &Place<'_>| {
            place.span == span && place.path == path && place.message == message
        };
        if !self.places.iter().any(known) {
            self.places.push(Place { path, span, message: Cow::Owned(message.to_owned()) });
        }
    }

    /// A note or help: its message is at its primary place, its other places have their own words.
    /// Without any place it is kept only where the diagnostic has none either, as with a linker's
    /// errors, which say everything that matters in such notes.
    fn child(
        &mut self,
        child: &Diagnostic<'a>,
        placeless: bool,
        base: &Base<'_>,
    ) -> Result<(), serde_json::Error> {
        let primary = child.spans.iter().position(|span| span.is_primary).unwrap_or(0);
        let Some(first) = child.spans.get(primary) else {
            if placeless {
                self.push(None, Span::None, &child.message);
            }
            return Ok(());
        };
        self.add(place(first, base)?.spot, &child.message);
        for (_, span) in child.spans.iter().enumerate().filter(|(at, _)| *at != primary) {
            self.add(place(span, base)?.spot, span.label().unwrap_or_default());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
