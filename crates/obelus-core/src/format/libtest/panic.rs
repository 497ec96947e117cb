//! The words in which a Rust test fails.

use crate::format::Places;

/// Why a test failed, and where.
#[derive(Debug, PartialEq)]
pub struct Panic {
    /// The words of the panic, without its headline, notes and backtrace.
    pub message: String,
    /// Path, line and column.
    pub place: Option<(String, u32, u32)>,
}

/// What stands in the headline of a panic: its message where that stands there too (before Rust
/// 1.73), and its place.
pub fn head(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("thread '")?;
    let (_, rest) = rest.split_once("' ")?;
    // 1.91 and later print the thread's number behind its name.
    let rest = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(") ")?.1,
        None => rest,
    };
    let rest = rest.strip_prefix("panicked at ")?;
    match rest.strip_prefix('\'').and_then(|rest| rest.rsplit_once("', ")) {
        Some((message, place)) => Some((message, place)),
        None => Some(("", rest.trim_end_matches(':'))),
    }
}

/// What libtest itself says of a test that should have panicked.
const NOT_PANICKED: &str = "test did not panic as expected";
const OTHER_PANIC: &str = "panic did not contain expected string";

/// Reads what a failed test printed; nothing where no panic and no verdict of libtest is in it.
/// A place outside the repository gives way to the innermost frame inside, where there is one.
pub fn read(text: &str, places: &dyn Places) -> Option<Panic> {
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(rest) = line.strip_prefix("note: ").and_then(|l| l.strip_prefix(NOT_PANICKED)) {
            let place = rest.strip_prefix(" at ").and_then(place);
            return Some(Panic { message: NOT_PANICKED.to_owned(), place });
        }
        let Some((inline, at)) = head(line) else { continue };
        let rest: Vec<&str> = lines.collect();
        let message = match rest.iter().position(|l| *l == format!("note: {OTHER_PANIC}")) {
            Some(at) => rest[at..].join("\n").split_off("note: ".len()),
            None => {
                let end = rest.iter().position(|line| ends_message(line)).unwrap_or(rest.len());
                [&[inline][..], &rest[..end]].concat().join("\n")
            }
        };
        let message = message.trim_start_matches('\n').trim_end().to_owned();
        let own = |place: &(String, u32, u32)| places.inside(&place.0);
        let printed = place(at);
        let frame = || rest.iter().filter_map(|line| frame(line)).find(own);
        let place = match printed {
            Some(place) if own(&place) => Some(place),
            other => frame().or(other),
        };
        return Some(Panic { message, place });
    }
    None
}

/// Whether the message of a panic ends before this line.
fn ends_message(line: &str) -> bool {
    line.starts_with("note: run with `RUST_BACKTRACE=")
        || line == "stack backtrace:"
        || line.starts_with("note: ")
        || head(line).is_some()
}

/// The place of a frame of a backtrace.
fn frame(line: &str) -> Option<(String, u32, u32)> {
    place(line.trim_start().strip_prefix("at ")?)
}

fn place(text: &str) -> Option<(String, u32, u32)> {
    let (rest, column) = text.trim_end().rsplit_once(':')?;
    let (path, line) = rest.rsplit_once(':')?;
    Some((path.to_owned(), line.parse().ok()?, column.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Repository;

    impl Places for Repository {
        fn inside(&self, path: &str) -> bool {
            !path.starts_with('/')
        }

        fn exists(&self, path: &str) -> bool {
            self.inside(path)
        }
    }

    fn shown(text: &str) -> Option<(String, Option<String>)> {
        read(text, &Repository).map(|panic| {
            (
                panic.message,
                panic.place.map(|(path, line, column)| format!("{path}:{line}:{column}")),
            )
        })
    }

    #[test]
    fn panics_of_every_age_and_verdicts_of_the_harness() {
        let at = |place: &str| Some(place.to_owned());
        for (text, message, place) in [
            (
                "thread 'a b' (12) panicked at src/lib.rs:1:2:\nno\n\nmore\nnote: run with `RUST_BACKTRACE=1` …",
                "no\n\nmore",
                at("src/lib.rs:1:2"),
            ),
            ("thread 't' panicked at src/lib.rs:1:2:\nno", "no", at("src/lib.rs:1:2")),
            (
                "out\nthread 't' panicked at 'it, said', src/lib.rs:1:2\nnote: x",
                "it, said",
                at("src/lib.rs:1:2"),
            ),
            ("note: test did not panic as expected", NOT_PANICKED, None),
            ("note: test did not panic as expected at a.rs:3:4", NOT_PANICKED, at("a.rs:3:4")),
            (
                "thread 't' panicked at a.rs:1:2:\nx\nnote: panic did not contain expected string\n panic message: \"x\"",
                "panic did not contain expected string\n panic message: \"x\"",
                at("a.rs:1:2"),
            ),
            (
                "thread 't' panicked at /rustc/abc/library/core/src/x.rs:1:2:\nx\nstack backtrace:\n   0: core::x\n             at /rustc/abc/x.rs:9:9\n   1: shop::f\n             at ./src/shop.rs:5:6\n",
                "x",
                at("./src/shop.rs:5:6"),
            ),
        ] {
            assert_eq!(shown(text), Some((message.to_owned(), place)), "{text}");
        }
        assert_eq!(shown("Error: no\n"), None);
    }
}
