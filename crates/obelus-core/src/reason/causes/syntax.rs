//! Several syntax errors in one file: the first misleads the parser, and the others follow.

use obelus_record::{CauseRule, Diagnostic};

use super::Rule;
use super::claims::Claims;
use super::ground::{Ground, place};

/// Codes of TypeScript's parser; others below 2000 are about modules, modifiers and options.
const TYPESCRIPT: [(u32, u32); 16] = [
    (1002, 1014),
    (1109, 1110),
    (1121, 1128),
    (1130, 1146),
    (1160, 1161),
    (1177, 1182),
    (1185, 1185),
    (1351, 1351),
    (1357, 1357),
    (1359, 1359),
    (1381, 1382),
    (1434, 1443),
    (1472, 1472),
    (1477, 1478),
    (1499, 1538),
    (17_002, 17_015),
];
/// Codes under which other tools report what their parser says.
const CODES: [&str; 12] = [
    "syntax",
    "syntax-error",
    "invalid-syntax",
    "E999",
    "E0001",
    "E902",
    "parse",
    "parse-error",
    "CssSyntaxError",
    "Lint/Syntax",
    "parsing-error",
    "syntaxerror",
];
/// How a parser's messages begin, in lower case.
const BEGINNINGS: [&str; 15] = [
    "syntax error",
    "syntaxerror",
    "parse error",
    "parsing error",
    "unexpected token",
    "unexpected end",
    "unexpected closing delimiter",
    "mismatched closing delimiter",
    "this file contains an unclosed delimiter",
    "unterminated ",
    "unclosed ",
    "unknown start of token",
    "illegal start of",
    "reached end of file while parsing",
    "statements must be separated by newlines or semicolons",
];
/// Codes that say nothing about the kind of an error.
const PLAIN_CODES: [&str; 4] = ["typecheck", "compiler.err.expected", "compile", "compiles"];

/// See the module.
pub struct SyntaxErrors;

impl Rule for SyntaxErrors {
    fn find(&self, ground: &Ground<'_>, claims: &mut Claims) {
        let errors = ground.sayings.that(is_syntax_error);
        let path = |&index: &u32| ground.record(index).path.as_deref();
        let mut files: Vec<&str> = errors.iter().filter_map(path).collect();
        files.sort_unstable();
        files.dedup();
        for path in files {
            let is_error = |index: &u32| errors.binary_search(index).is_ok();
            let errors: Vec<u32> = ground.in_file(path).iter().copied().filter(is_error).collect();
            let Some((&first, _)) = errors.split_first() else { continue };
            // Two tools that stumble at the same place show the same cause.
            let at_first = place(ground.record(first));
            let shown_by: Vec<u32> = errors
                .iter()
                .copied()
                .filter(|&index| {
                    let other_tool = ground.record(index).tool != ground.record(first).tool;
                    index == first || other_tool && place(ground.record(index)) == at_first
                })
                .collect();
            let cell = ground.record(first).cell;
            // Each cell of a notebook is parsed alone.
            let others = errors.into_iter().filter(|&index| ground.record(index).cell == cell);
            claims.add(CauseRule::SyntaxErrors, &shown_by, None, others);
        }
    }
}

/// Whether a parser says that it can't make sense of the text.
pub fn is_syntax_error(record: &Diagnostic) -> bool {
    let code = record.code.as_deref().unwrap_or_default();
    if CODES.contains(&code) {
        return true;
    }
    if let Some(number) = code.strip_prefix("TS").and_then(|digits| digits.parse::<u32>().ok()) {
        return TYPESCRIPT.iter().any(|&(from, to)| (from..=to).contains(&number));
    }
    if is_c_sharp(code) {
        return true;
    }
    if !code.is_empty() && !PLAIN_CODES.contains(&code) {
        return false;
    }
    let message = record.message.trim_start().to_lowercase();
    BEGINNINGS.iter().any(|words| message.starts_with(words)) || expects(&message)
}

/// CS1001 to CS1003 and their like are about missing tokens.
fn is_c_sharp(code: &str) -> bool {
    let numbers =
        ["CS1001", "CS1002", "CS1003", "CS1022", "CS1026", "CS1513", "CS1514", "CS1519", "CS1525"];
    numbers.contains(&code)
}

/// `expected ';', found '}'`, `';' expected`, `expected one of …`: what a parser was waiting for. A
/// finding about types or counts expects a type, a value or a number of arguments, no token.
fn expects(message: &str) -> bool {
    let token = |text: &str| {
        let text = text.trim_start_matches("one of ").trim_start();
        text.starts_with(['\'', '`', '"', '‘', '“'])
            || [
                "expression",
                "identifier",
                "statement",
                "pattern",
                "item",
                "declaration",
                "indented block",
            ]
            .iter()
            .any(|what| text.starts_with(what))
    };
    let waits_for = |words: &str| message.strip_prefix(words).is_some_and(token);
    let first_line = message.lines().next().unwrap_or_default();
    let types = ["type", "argument", "value of"].iter().any(|word| first_line.contains(word));
    !types
        && (waits_for("expected ")
            || waits_for("missing ")
            || first_line.trim_end_matches('.').ends_with(" expected"))
        || message.starts_with("unindent not expected")
        || first_line.starts_with('"') && first_line.ends_with("\" was not closed")
        || message.starts_with("expected indented block")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn is(tool: &str, code: Option<&str>, message: &str) -> bool {
        let record = json!({"tool": tool, "severity": "error", "code": code, "message": message});
        is_syntax_error(&serde_json::from_value(record).unwrap())
    }

    #[test]
    fn parsers_are_told_from_checkers() {
        assert!(is("tsc", Some("TS1005"), "';' expected."));
        assert!(!is("tsc", Some("TS1259"), "Module can only be default-imported …"));
        assert!(is("mypy", Some("syntax"), "invalid syntax"));
        assert!(is("eslint", None, "Parsing error: Unexpected token }"));
        assert!(!is("eslint", Some("eqeqeq"), "Expected '===' and instead saw '=='."));
        assert!(is("rustc", None, "expected one of `!` or `::`, found `x`"));
        assert!(is("rustc", None, "expected expression, found `}`"));
        assert!(!is("rustc", Some("E0061"), "this function takes 1 argument"));
        assert!(!is("rustc", None, "expected `u8` argument"));
        assert!(is("go", None, "syntax error: unexpected newline"));
        assert!(is("golangci-lint", Some("typecheck"), "expected ';', found x"));
        assert!(!is("golangci-lint", Some("typecheck"), "undefined: x"));
        assert!(is("javac", None, "';' expected"));
        assert!(is("pyright", None, "Expected expression"));
        assert!(is("pyright", None, "\"(\" was not closed"));
        assert!(is("pyright", None, "Statements must be separated by newlines or semicolons"));
        assert!(!is("t", None, "the file was not closed"));
        assert!(!is("tsc", Some("TS2554"), "Expected 2 arguments, but got 1."));
    }
}
