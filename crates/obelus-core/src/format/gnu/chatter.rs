//! Lines of compilers that are no findings, each known by its words.

use super::{Head, Word};

/// Whether a line is drawn below a finding: `   12 | source`, `      | ^~~`, the tree of an analyzer.
pub(super) fn is_drawn(text: &str) -> bool {
    let rest = text.trim_start();
    if rest.len() == text.len() {
        return false;
    }
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    // The heads of an analyzer's paths: `  ‘f’: events 1-2`, `  'f': event 1`.
    rest.trim_start().starts_with('|')
        || (text.starts_with("  ") && text.contains(": event"))
        || rest.starts_with("<--")
        || rest.starts_with("└")
        || rest.starts_with("│")
}

/// Whether a line has nothing but markers of a place: `    ^~~~  ~~`.
pub fn is_markers(text: &str) -> bool {
    text.contains(['^', '~']) && text.chars().all(|c| matches!(c, ' ' | '\t' | '^' | '~' | '|'))
}

/// Whether a complaint without a place only sums up, or says of findings what they say themselves.
pub fn is_summary(head: &Head<'_>) -> bool {
    let message = head.message;
    message.starts_with("linker command failed")
        || (head.path == "collect2" && message.starts_with("ld returned "))
        || message.ends_with(" warnings being treated as errors")
        || (head.word == Word::Error && message.starts_with("too many errors"))
}

/// Whether a line is one of those that compilers print around findings.
pub fn is_known(text: &str) -> bool {
    is_context(text) || is_end(text)
}

/// Where a finding came from: includes, functions, instantiations.
fn is_context(text: &str) -> bool {
    const BEGIN: &[&str] = &[
        "In file included from ",
        "                 from ",
        "In module ",
        "During RTL pass: ",
        "during RTL pass: ",
        "during GIMPLE pass: ",
        "During IPA pass: ",
        "during IPA pass: ",
    ];
    const IN: &[&str] = &[
        ": In function ",
        ": In member function ",
        ": In static member function ",
        ": In constructor ",
        ": In copy constructor ",
        ": In destructor ",
        ": In lambda function",
        ": In instantiation of ",
        ": In substitution of ",
        ": At top level:",
        ": At global scope:",
        ": In ",
        ":   required ",
        ":   recursively required ",
        ":   in \u{2018}constexpr\u{2019} expansion ",
        ":   in 'constexpr' expansion ",
    ];
    BEGIN.iter().any(|known| text.starts_with(known))
        || IN.iter().any(|known| text.contains(known))
            && (text.ends_with(':') || text.contains(":   "))
        || text.starts_with("    inlined from ")
        || text.ends_with(" file not found, included from here:")
}

/// What closes a run.
fn is_end(text: &str) -> bool {
    const BEGIN: &[&str] = &[
        "compilation terminated",
        "fatal error: too many errors emitted",
        "Please submit a full bug report",
        "Please include the complete backtrace",
        "See <",
        "See https://",
        "Suppressed ",
        "Use -header-filter=",
        "Error while processing ",
        "Found compiler error",
        "ld returned ",
    ];
    let generated = text.ends_with(" generated.")
        && text.starts_with(|c: char| c.is_ascii_digit())
        && (text.contains("warning") || text.contains("error"));
    let treated = text.ends_with(" treated as errors") || text.ends_with(" treated as error");
    generated || treated || BEGIN.iter().any(|known| text.starts_with(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_and_words_around_findings_are_known() {
        for text in [
            "    3 | int x;",
            "      | ^~~",
            "  +++ |+#include <x>",
            "  \u{2018}f\u{2019}: events 1-2",
            "    |",
        ] {
            assert!(is_drawn(text), "{text}");
        }
        assert!(!is_drawn("int x | y;") && !is_drawn("    int x"));
        assert!(is_markers("    ^~~ ~~") && !is_markers("    ") && !is_markers("    x^"));
        for text in [
            "a.c: In function \u{2018}f\u{2019}:",
            "a.c: At top level:",
            "In file included from a.c:1:",
            "                 from b.c:2,",
            "a.cc:3:5:   required from here",
            "1 warning and 2 errors generated.",
            "compilation terminated.",
        ] {
            assert!(is_known(text), "{text}");
        }
        assert!(!is_known("Segmentation fault") && !is_known("cannot run cc1"));
    }
}
