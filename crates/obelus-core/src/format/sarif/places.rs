//! Where in which file: artifact locations become paths, regions become spans.

use std::borrow::Cow;

use super::model::{ArtifactLocation, Region, Run};
use crate::format::Places;
use crate::{Position, Span, Unit};

/// The path that `location` names, as a `file://` URI or as a plain path.
pub(super) fn path<'r>(
    location: &'r ArtifactLocation<'_>,
    run: &'r Run<'_>,
    places: &dyn Places,
) -> Option<Cow<'r, str>> {
    let by_index = location.index.and_then(|index| {
        let index = usize::try_from(index).ok()?;
        run.artifacts.as_ref()?.get(index)?.location.as_ref()
    });
    // Where both are there they say the same (§3.4.5).
    let location = if location.uri.is_some() { location } else { by_index? };
    let uri = &*location.uri.as_ref()?.0;
    let base = location.uri_base_id.as_ref().map(|id| base(&id.0, run));
    let full = match base {
        Some(base) if !base.is_empty() && scheme(uri).is_none() => Cow::Owned(join(&base, uri)),
        _ => Cow::Borrowed(uri),
    };
    match scheme(&full) {
        None => Some(plain(full, places)),
        Some("file") if full.starts_with("file://") => Some(full),
        // `file:/path` is the short form of RFC 8089; normalising knows the long one.
        Some("file") => Some(Cow::Owned(full.replacen("file:", "file://", 1))),
        // A file in no file system.
        Some(_) => None,
    }
}

/// The URI of base `id`, resolved along its chain (§3.14.14). A base without a URI is the root.
fn base(id: &str, run: &Run<'_>) -> String {
    let Some(bases) = &run.original_uri_base_ids else { return String::new() };
    let mut uri = String::new();
    let mut next = Some(id);
    // A chain longer than there are bases runs in a circle.
    for _ in 0..bases.len() {
        let Some(location) = next.and_then(|id| bases.get(id)) else { break };
        if let Some(part) = &location.uri {
            uri = join(&part.0, &uri);
            if scheme(&part.0).is_some() {
                break;
            }
        }
        next = location.uri_base_id.as_ref().map(|id| &*id.0);
    }
    uri
}

/// `tail` below `base`; a base should end with a slash, but not every one does.
fn join(base: &str, tail: &str) -> String {
    let tail = tail.strip_prefix("./").unwrap_or(tail);
    if base.is_empty() || base.ends_with('/') || tail.is_empty() {
        format!("{base}{tail}")
    } else {
        format!("{base}/{tail}")
    }
}

/// The scheme of an absolute URI. One letter is a Windows drive.
fn scheme(uri: &str) -> Option<&str> {
    let (scheme, rest) = uri.split_once(':')?;
    let valid = scheme.len() > 1
        && rest.starts_with('/')
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    valid.then_some(scheme)
}

/// A relative reference or bare path, decoded. Some producers do not encode their paths, so one
/// that is there as it is written is taken so.
fn plain<'u>(uri: Cow<'u, str>, places: &dyn Places) -> Cow<'u, str> {
    if !uri.contains('%') || places.exists(&uri) {
        return uri;
    }
    let mut out = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = tail.get(..2).filter(|_| first == b'%').and_then(|hex| {
            let hex = std::str::from_utf8(hex).ok()?;
            u8::from_str_radix(hex, 16).ok()
        });
        out.push(code.unwrap_or(first));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(out).map_or(uri, Cow::Owned)
}

/// What a column of the run counts. Every run with results must say so (§3.14.17); those that
/// don't (ruff 0.17.6, ty 0.0.108) count code points.
pub(super) fn unit(run: &Run<'_>) -> Unit {
    match run.column_kind.as_ref().map(|kind| &*kind.0) {
        Some("utf16CodeUnits") => Unit::Utf16,
        // Proposed for 2.2.
        Some("bytes" | "utf8CodeUnits") => Unit::Bytes,
        _ => Unit::CodePoints,
    }
}

/// The span of a region, and its own unit where that differs from the run's: a byte offset.
///
/// Columns that are not given stay absent, though the specification would have a region without
/// them reach from the start of its first line to the end of its last.
pub(super) fn span(region: &Region) -> (Span, Option<Unit>) {
    let number = |value: Option<i64>| value.and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0);
    if let Some(line) = number(region.start_line) {
        let end_column = number(region.end_column);
        // A region that ends in a column begins in one: the first, if none is given.
        let column = number(region.start_column).or(end_column.map(|_| 1));
        let end_line = number(region.end_line).or(end_column.map(|_| line));
        let end = end_line.map(|line| Position { line, column: end_column });
        return (Span::Lines { start: Position { line, column }, end }, None);
    }
    let offsets = |start: Option<i64>, length: Option<i64>| {
        let start = u64::try_from(start?).ok()?;
        let length = u64::try_from(length.unwrap_or(0)).ok()?;
        Some(Span::Offsets { start, end: start.saturating_add(length) })
    };
    if let Some(span) = offsets(region.char_offset, region.char_length) {
        return (span, None);
    }
    match offsets(region.byte_offset, region.byte_length) {
        Some(span) => (span, Some(Unit::Bytes)),
        None => (Span::None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes() {
        assert_eq!(scheme("file:///a"), Some("file"));
        assert_eq!(scheme("file:/a"), Some("file"));
        assert_eq!(scheme("https://a/b.py"), Some("https"));
        assert_eq!(scheme("C:/a.py"), None);
        assert_eq!(scheme("src/a:b.py"), None);
    }

    #[test]
    fn regions() {
        let region = Region { start_line: Some(2), end_column: Some(5), ..Region::default() };
        assert_eq!(span(&region), (Span::between((2, 1), (2, 5)), None));
        let region = Region { start_line: Some(0), start_column: Some(0), ..Region::default() };
        assert_eq!(span(&region), (Span::None, None));
        let region = Region { char_offset: Some(-1), byte_offset: Some(3), ..Region::default() };
        assert_eq!(span(&region), (Span::Offsets { start: 3, end: 3 }, Some(Unit::Bytes)));
    }
}
