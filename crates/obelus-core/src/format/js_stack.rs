//! Stacks as JavaScript's engine writes them, and what runners of tests say with them.
//!
//! `    at name (path:line:column)`, or without a name `    at path:line:column`; the text is V8's
//! (<https://v8.dev/docs/stack-trace-api>), columns count UTF-16 units from 1. The place of a
//! failure is the first frame that is code of the repository.

use obelus_record::Severity;

use super::Places;
use super::text::Head;
use crate::{Finding, LineEnds, Positions, Span, Unit};

/// The units of a frame.
pub(super) const POSITIONS: Positions =
    Positions { line_ends: LineEnds::EcmaScript, ..Positions::one_based(Unit::Utf16) };

/// What an error says, without the stack below it.
pub(super) fn message_of(text: &str) -> &str {
    let first = |from: &mut usize, line: &str| {
        let at = *from;
        *from += line.len();
        Some((at, line.to_owned()))
    };
    let frame = text
        .split_inclusive('\n')
        .scan(0, first)
        .find(|(_, line)| line.starts_with(char::is_whitespace) && frame(line).is_some());
    text[..frame.map_or(text.len(), |(at, _)| at)].trim_end()
}

/// The place of the first frame in `text` that is code of the repository.
pub(super) fn place_in<'t>(text: &'t str, places: &dyn Places) -> Option<Head<'t>> {
    text.lines().filter_map(frame).find(|place| is_own(place.path, places))
}

/// The place of a line that is a frame.
fn frame(line: &str) -> Option<Head<'_>> {
    let text = line.trim();
    bare_frame(text.strip_prefix("at ")?)
}

/// The place of a frame without its `at`: `name (path:line:column)` or `path:line:column`.
pub(super) fn bare_frame(text: &str) -> Option<Head<'_>> {
    let text = text.trim().trim_start_matches("async ");
    // A path may hold brackets too, the name of a function does not.
    let inner = text.strip_suffix(')').and_then(|text| Some(text.split_once(" (")?.1));
    let place = Head::whole(inner.unwrap_or(text))?;
    (place.column.is_some() && !place.path.starts_with("eval at ")).then_some(place)
}

/// Whether `path` names code of the repository, not of a package that was installed into it.
pub(super) fn is_own(path: &str, places: &dyn Places) -> bool {
    !path.starts_with("node:")
        && !path.starts_with('<')
        && !path.split(['/', '\\']).any(|part| part == "node_modules")
        && places.inside(path)
}

/// What a test that failed with the error `text` says: its name, and the error without its stack.
pub(super) fn failed_test<'t>(
    name: &str,
    text: &'t str,
    file: Option<&'t str>,
    places: &dyn Places,
) -> Finding<'t> {
    let place = place_in(text, places);
    let span = place.map_or(Span::None, |place| place.span());
    Finding {
        path: place.map(|place| place.path).or(file).map(Into::into),
        span,
        ..Finding::new(Severity::Error, format!("{name}: {}", message_of(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct All;
    impl Places for All {
        fn inside(&self, path: &str) -> bool {
            !path.starts_with("/usr")
        }
        fn exists(&self, _: &str) -> bool {
            true
        }
    }

    #[test]
    fn the_first_frame_of_the_repository() {
        let at = |text| place_in(text, &All).map(|p| (p.path, p.line, p.column));
        let stack = "Error: a\n  at once (b:1:1 said)\n    at /usr/x.js:1:2\n    at new A (/r/node_modules/a/b.js:1:2)\n    at async Promise.all (index 0)\n    at node:internal/x:1:2\n    at async work (file:///r/a (1)/b.js:3:4)\n    at c.js:5:6";
        assert_eq!(at(stack), Some(("file:///r/a (1)/b.js", 3, Some(4))));
        assert_eq!(at("    at c (d).js:5:6"), Some(("c (d).js", 5, Some(6))));
        assert_eq!(
            at("    at Object.<anonymous> [as x] (C:\\r\\a.js:5:6)"),
            Some(("C:\\r\\a.js", 5, Some(6)))
        );
        assert_eq!(message_of(stack), "Error: a\n  at once (b:1:1 said)");
        assert_eq!(message_of("Error: x\n\nat noon:1:2\n"), "Error: x\n\nat noon:1:2");
    }
}
