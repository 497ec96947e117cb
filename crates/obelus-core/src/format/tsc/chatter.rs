//! Lines of the compiler's text output that are no diagnostics.

/// What a status line says: `6:02:26 PM - text`, with `--pretty` `[6:02:26 PM] text`. They come
/// with `--build --verbose` and with `--watch`; the time is written as the locale has it.
pub(in super::super) fn status(text: &str) -> Option<&str> {
    let (time, rest) = match text.strip_prefix('[') {
        Some(rest) => rest.split_once("] ")?,
        None => text.split_once(" - ")?,
    };
    is_time(time).then_some(rest)
}

/// Whether `text` is little more than hours, minutes and seconds.
fn is_time(text: &str) -> bool {
    let clock = text.split(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.')).any(|part| {
        let mut numbers = 0;
        part.split([':', '.']).all(|number| {
            numbers += 1;
            (1..=2).contains(&number.len())
        }) && numbers == 3
    });
    clock && text.chars().count() <= 24
}

/// Whether a status line begins a round of `--watch`. Those that end one or tell of a build hold a
/// number or a name in quotes in every locale, those that begin one hold neither.
pub(in super::super) fn begins_round(status: &str) -> bool {
    let text = status.trim_end();
    !text.is_empty()
        && !text.contains(|c: char| c.is_ascii_digit() || "'\"“”„«»「」".contains(c))
        && !text.ends_with([':', '：'])
}

/// Whether a status line says how many errors a round of `--watch` has.
pub(in super::super) fn ends_round(status: &str) -> bool {
    status.contains(|c: char| c.is_ascii_digit()) && !status.contains(['\'', '"'])
}

/// Whether a status line says that nothing was done: `--build --dry` only tells what it would do.
pub(in super::super) fn is_dry(status: &str) -> bool {
    status.starts_with("A non-dry build would ")
}

/// Whether the line belongs to what `--pretty` says last: `Found 9 errors in 3 files.`, and a table.
pub(in super::super) fn is_summary(text: &str) -> bool {
    let count = text.strip_prefix("Found ").and_then(|rest| rest.split_once(' '));
    if let Some((number, rest)) = count {
        return number.bytes().all(|b| b.is_ascii_digit())
            && (rest.starts_with("error ")
                || rest.starts_with("error.")
                || rest.starts_with("errors"));
    }
    if text == "Errors  Files" {
        return true;
    }
    // `     4  src/dup.ts:2`
    let row = text.trim_start().split_once("  ").zip(text.rsplit_once(':'));
    row.is_some_and(|((number, _), (_, line))| is_number(number) && is_number(line))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether the line is a measurement of `--diagnostics` or `--extendedDiagnostics`, such as
/// `Check time:        2.20s`; they come only after a check.
pub(in super::super) fn is_measurement(text: &str) -> bool {
    let Some((name, value)) = text.split_once(':') else { return false };
    let value = value.trim().trim_end_matches(['s', 'K', '%']);
    !value.is_empty()
        && value.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '/' | '_'))
}

/// Whether the line begins a log of `next build`, which tells its progress in lines of many kinds.
pub(in super::super) fn begins_next(text: &str) -> bool {
    text.starts_with("▲ Next.js ")
}

/// Whether a line of such a log tells of progress and not of what went wrong beside the types.
pub(in super::super) fn is_progress(text: &str) -> bool {
    let words = ["Failed to ", "Build failed", "Build error", "Type error", "Error:", "Error "];
    let bare = text.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    !words.iter().any(|word| bare.starts_with(word)) && !text.starts_with('⨯')
}

/// Whether the line names a file that was written (`--listEmittedFiles`).
pub(in super::super) fn is_emitted(text: &str) -> bool {
    text.starts_with("TSFILE: ")
}

/// Whether the line is the name of a source file and nothing else, as with `--listFiles` (absolute)
/// and `--explainFiles` (relative, with reasons on indented lines below).
pub(in super::super) fn is_listing(text: &str, exists: impl FnOnce(&str) -> bool) -> bool {
    const ENDINGS: [&str; 9] =
        [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];
    let absolute = text.starts_with('/') || text.get(1..3).is_some_and(|t| t == ":/");
    ENDINGS.iter().any(|ending| text.ends_with(ending))
        && (absolute || text.contains("node_modules/") || exists(text))
}

/// What it means that this line was printed, if it shows that no check was made.
pub(in super::super) fn answered_instead(text: &str) -> Option<&'static str> {
    if text.starts_with("tsc: The TypeScript Compiler - Version") {
        Some("it printed its help, as it does where it finds no project")
    } else if text.contains("This is not the tsc command you are looking for") {
        // The npm package called `tsc` (seen: 2.0.4).
        Some("another program answered to the name tsc; the package to install is typescript")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_several_locales() {
        for text in
            ["6:02:26 PM - x", "[6:02:26 PM] x", "18:02:26 - x", "18.02.26 - x", "오후 6:02:26 - x"]
        {
            assert_eq!(status(text), Some("x"), "{text}");
        }
        for text in ["src/a.ts:1:2 - x", "[shop] x", "12:30 - x", "a 1.2.345 - x"] {
            assert_eq!(status(text), None, "{text}");
        }
    }

    #[test]
    fn rounds_of_watch_in_any_language() {
        assert!(begins_round("File change detected. Starting incremental compilation..."));
        assert!(begins_round("Kompilierung im Überwachungsmodus wird gestartet..."));
        for text in [
            "Found 2 errors. Watching for file changes.",
            "Es wurden 0 Fehler gefunden. Es wird auf Dateiänderungen überwacht.",
            "Building project '/repo/js/tsconfig.json'...",
            "Projects in this build: ",
        ] {
            assert!(!begins_round(text), "{text}");
        }
        assert!(ends_round("Found 0 errors. Watching for file changes."));
        assert!(!ends_round("Building project '/repo/js2/tsconfig.json'..."));
    }

    #[test]
    fn summaries_measurements_and_listings() {
        for text in [
            "Found 1 error in src/a.ts:3",
            "Found 9 errors in 3 files.",
            "Found 1 error.",
            "    10  src/a.ts:3",
        ] {
            assert!(is_summary(text), "{text}");
        }
        assert!(!is_summary("Found errors in prose"));
        assert!(is_measurement("Check time:        2.20s"));
        assert!(is_measurement("Memory used:    118622K"));
        assert!(!is_measurement("web:typecheck: 3 failed"));
        assert!(is_listing("/repo/js/node_modules/typescript/lib/lib.d.ts", |_| false));
        assert!(is_listing("src/m.ts", |_| true));
        assert!(!is_listing("compiling src/m.ts", |_| false));
    }
}
