//! Where a span of rustc is, for somebody who edits the repository.

use std::borrow::Cow;

use crate::Span;
use crate::format::Places;

use super::message::{Expansion, RustcSpan};

/// A place in the finding's own units.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot<'a> {
    pub path: Cow<'a, str>,
    pub span: Span,
}

/// Where relative file names start, and what lies in the repository.
#[derive(Clone, Copy)]
pub struct Base<'b> {
    /// The folder, absolute; the working folder of the run where absent.
    pub folder: Option<&'b str>,
    pub places: &'b dyn Places,
}

impl Base<'_> {
    /// The file of `name`, as normalising should see it.
    pub fn locate<'n>(&self, name: Cow<'n, str>) -> Cow<'n, str> {
        match self.folder {
            Some(folder) if !is_absolute(&name) && !is_made_up(&name) => {
                Cow::Owned(format!("{folder}/{name}"))
            }
            _ => name,
        }
    }

    fn spot<'a>(&self, span: &RustcSpan<'a>) -> Spot<'a> {
        Spot {
            path: self.locate(span.file_name.clone()),
            span: Span::between(
                (span.line_start, span.column_start),
                (span.line_end, span.column_end),
            ),
        }
    }

    fn is_inside(&self, span: &RustcSpan<'_>) -> bool {
        !is_made_up(&span.file_name)
            && self.places.inside(&self.locate(Cow::Borrowed(&*span.file_name)))
    }
}

/// Whether a file name is absolute, on Unix or on Windows.
pub fn is_absolute(name: &str) -> bool {
    matches!(name.as_bytes(), [b'/' | b'\\', ..] | [_, b':', b'/' | b'\\', ..])
}

/// Whether the name stands for text that is no file: `<inline asm>`, `<anon>`, `<macro expansion>`
/// (`rustc_span::FileName`).
fn is_made_up(name: &str) -> bool {
    name.starts_with('<')
}

/// A span's place.
#[derive(Debug, PartialEq)]
pub struct Placed<'a> {
    pub spot: Spot<'a>,
    /// The span's own place, where it lies in the repository and `spot` is that of a macro's call.
    pub written_at: Option<Spot<'a>>,
}

/// The place of `span`. What a macro made is placed where the macro was called, at the outermost
/// call in the repository, because nothing can be corrected in code that nobody wrote; but what
/// the user wrote as an argument of the call keeps its own place, although rustc gives it the same
/// chain of expansions (format strings).
///
/// An attribute, a derive and a desugaring take code that the user wrote, so they are no calls.
pub fn place<'a>(span: &RustcSpan<'a>, base: &Base<'_>) -> Result<Placed<'a>, serde_json::Error> {
    let own = base.spot(span);
    if span.expansion.is_none() {
        return Ok(Placed { spot: own, written_at: None });
    }
    let is_inside = base.is_inside(span);
    let frames = frames(span)?;
    let is_call = |frame: &&Expansion<'_>| frame.macro_decl_name.ends_with('!');
    let reaches = |frame: &&Expansion<'_>| base.is_inside(&frame.span);
    let target = if frames.iter().any(|frame| is_call(&frame)) {
        // A call outside the repository is nothing to be corrected either: the outermost one inside.
        let call = frames.iter().rev().filter(is_call).find(reaches);
        call.filter(|call| !contains(&call.span, span))
    } else if is_inside {
        None
    } else {
        frames.last().filter(reaches)
    };
    Ok(match target {
        None => Placed { spot: own, written_at: None },
        Some(frame) => {
            Placed { spot: base.spot(&frame.span), written_at: is_inside.then_some(own) }
        }
    })
}

/// The file in which a span's code was written or called: that of the outermost expansion.
pub fn outermost_file<'a>(span: &RustcSpan<'a>) -> Cow<'a, str> {
    match span.expansion.and_then(|_| frames(span).ok()?.pop()) {
        Some(frame) => frame.span.file_name,
        None => span.file_name.clone(),
    }
}

/// The chain of expansions, from the innermost outwards.
fn frames<'a>(span: &RustcSpan<'a>) -> Result<Vec<Expansion<'a>>, serde_json::Error> {
    let mut frames: Vec<Expansion<'a>> = Vec::new();
    let mut next = span.expansion;
    while let Some(raw) = next {
        let frame: Expansion<'a> = serde_json::from_str(raw.get())?;
        next = frame.span.expansion;
        frames.push(frame);
    }
    Ok(frames)
}

/// Whether `inner` lies inside of `outer`.
fn contains(outer: &RustcSpan<'_>, inner: &RustcSpan<'_>) -> bool {
    outer.file_name == inner.file_name
        && outer.byte_start <= inner.byte_start
        && inner.byte_end <= outer.byte_end
}
