//! What silences: one construct of a file, with what it reaches.

use std::ops::{Range, RangeInclusive};

/// Something in a file that keeps a checker from saying what it would say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Construct {
    /// What it is, as the code of its record says behind `silenced/`.
    pub kind: &'static str,
    /// Its bytes in the file.
    pub span: Range<usize>,
    /// The line, from 1, that must have been written for the construct to be new.
    pub line: u32,
    /// Whom it silences.
    pub tools: Tools,
    /// What it silences of what they say.
    pub codes: Codes,
    /// Where.
    pub reach: Reach,
    /// A name to which it gives another type: what was said of its uses is silenced too.
    pub binds: Option<String>,
    /// Whether it silences only where a finding vanished: in itself it is ordinary code.
    pub needs_finding: bool,
    /// What it says, for the message.
    pub says: String,
}

impl Construct {
    /// One of `kind` at `span` on `line`, which silences all that `tools` say on this line.
    pub fn new(kind: &'static str, span: Range<usize>, line: u32, tools: Tools) -> Self {
        Construct {
            kind,
            span,
            line,
            tools,
            codes: Codes::All,
            reach: Reach::Lines(line..=line),
            binds: None,
            needs_finding: false,
            says: String::new(),
        }
    }

    /// Whether a construct like this one, which is gone, silenced all that this one does, so that
    /// this one is nothing new.
    pub fn continues(&self, old: &Construct) -> bool {
        self.kind == old.kind && old.codes.hold(&self.codes)
    }
}

/// Where a construct silences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// On these lines, from 1.
    Lines(RangeInclusive<u32>),
    /// In the whole file.
    File,
}

impl Reach {
    pub fn holds(&self, line: Option<u32>) -> bool {
        match (self, line) {
            (Reach::File, _) => true,
            (Reach::Lines(lines), Some(line)) => lines.contains(&line),
            (Reach::Lines(_), None) => false,
        }
    }
}

/// What of a tool's codes is silenced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Codes {
    All,
    These(Vec<String>),
}

impl Codes {
    /// These codes; all, where none is named.
    pub fn listed<S: Into<String>>(codes: impl IntoIterator<Item = S>) -> Self {
        let codes: Vec<String> = codes.into_iter().map(Into::into).collect();
        if codes.is_empty() { Codes::All } else { Codes::These(codes) }
    }

    /// Whether `code` is among them.
    pub fn cover(&self, code: Option<&str>) -> bool {
        match (self, code) {
            (Codes::All, _) => true,
            (Codes::These(listed), Some(code)) => listed.iter().any(|one| names(one, code)),
            (Codes::These(_), None) => false,
        }
    }

    /// Whether all of `others` are among them.
    fn hold(&self, others: &Codes) -> bool {
        match (self, others) {
            (Codes::All, _) => true,
            (Codes::These(_), Codes::All) => false,
            (Codes::These(own), Codes::These(others)) => {
                others.iter().all(|other| own.iter().any(|one| names(one, other)))
            }
        }
    }

    pub fn text(&self) -> String {
        match self {
            Codes::All => String::new(),
            Codes::These(codes) => codes.join(", "),
        }
    }
}

/// Lints of rustc that the group `unused` holds beside those whose name says so.
const UNUSED: [&str; 4] =
    ["dead_code", "unreachable_code", "unreachable_patterns", "path_statements"];
/// Groups of clippy, each of which may hold any of its lints: which, only clippy knows.
const CLIPPY_GROUPS: [&str; 10] = [
    "all",
    "cargo",
    "complexity",
    "correctness",
    "nursery",
    "pedantic",
    "perf",
    "restriction",
    "style",
    "suspicious",
];

/// Whether what is written in a list of codes, `listed`, means `code`.
pub(super) fn names(listed: &str, code: &str) -> bool {
    let listed = listed.trim();
    if listed == code || matches!(listed, "*" | "all" | "ALL" | "warnings") {
        return true;
    }
    if let Some(group) = listed.strip_prefix("clippy::") {
        return CLIPPY_GROUPS.contains(&group) && code.starts_with("clippy::");
    }
    if listed == "unused" {
        return code.starts_with("unused_") || UNUSED.contains(&code);
    }
    // oxlint prints `eslint(no-debugger)`, and is told `no-debugger` or `eslint/no-debugger`.
    if let Some((plugin, rule)) = code.strip_suffix(')').and_then(|code| code.split_once('(')) {
        return listed == rule
            || listed.strip_suffix(rule).is_some_and(|head| head == format!("{plugin}/"));
    }
    // GCC prints `-Wformat=`, and is told `-Wformat`.
    if code.strip_suffix('=') == Some(listed) {
        return true;
    }
    // biome's groups: `lint/suspicious` means all below it. What stands in parentheses limits it further.
    let group = listed.split('(').next().unwrap_or(listed);
    if code.strip_prefix(group).is_some_and(|rest| rest.starts_with('/')) {
        return true;
    }
    // Prefixes of ruff and flake8: capitals, then perhaps digits.
    let letters = listed.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_prefix = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    if is_prefix && code.starts_with(listed) {
        return code[letters.len()..].bytes().all(|byte| byte.is_ascii_digit());
    }
    listed.contains('*') && glob(listed, code)
}

/// Whether a name fits a pattern of which only `*` means something.
fn glob(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Tools that obey one kind of construct, by the names in their records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tools(pub &'static [&'static str]);

impl Tools {
    pub const TYPESCRIPT: Tools =
        Tools(&["tsc", "tsgo", "vue-tsc", "svelte-check", "deno-check", "next", "fork-ts-checker"]);
    /// oxlint obeys the comments of eslint too.
    pub const ESLINT: Tools = Tools(&["eslint", "oxlint", "next"]);
    pub const OXLINT: Tools = Tools(&["oxlint"]);
    pub const BIOME: Tools = Tools(&["biome"]);
    pub const PYTHON_TYPES: Tools =
        Tools(&["mypy", "pyright", "basedpyright", "pyrefly", "ty", "pyre"]);
    pub const MYPY: Tools = Tools(&["mypy"]);
    pub const PYRIGHT: Tools = Tools(&["pyright", "basedpyright"]);
    pub const NOQA: Tools = Tools(&["ruff", "flake8", "pycodestyle", "pyflakes"]);
    pub const RUFF: Tools = Tools(&["ruff"]);
    pub const FLAKE8: Tools = Tools(&["flake8", "pycodestyle", "pyflakes"]);
    pub const PYLINT: Tools = Tools(&["pylint"]);
    pub const RUST: Tools = Tools(&["rustc", "clippy"]);
    /// golangci-lint runs most of Go's linters and filters what they say.
    pub const NOLINT_GO: Tools =
        Tools(&["golangci-lint", "staticcheck", "go-vet", "govet", "errcheck", "revive"]);
    pub const STATICCHECK: Tools = Tools(&["staticcheck", "golangci-lint"]);
    pub const JAVAC: Tools =
        Tools(&["javac", "maven", "gradle", "errorprone", "pmd", "checkstyle"]);
    pub const C_COMPILERS: Tools = Tools(&["gcc", "clang", "clang-tidy", "cc", "msvc"]);
    pub const CLANG_TIDY: Tools = Tools(&["clang-tidy", "cpplint"]);
    pub const SHELLCHECK: Tools = Tools(&["shellcheck"]);
    pub const TESTS: Tools = Tools(&[
        "jest",
        "vitest",
        "mocha",
        "playwright",
        "node-test",
        "pytest",
        "unittest",
        "cargo-test",
        "nextest",
        "go-test",
        "junit",
        "gtest",
        "ctest",
    ]);
    pub const EVERY: Tools = Tools(&[]);
    /// No tool by itself: what silences here is read by none that Obelus runs.
    pub const NONE: Tools = Tools(&[""]);

    pub fn hold(self, tool: &str) -> bool {
        self.0.is_empty() || self.0.contains(&tool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_code_names_what_its_tool_says() {
        for (listed, code) in [
            ("no-undef", "no-undef"),
            ("clippy::all", "clippy::needless_return"),
            ("unused", "dead_code"),
            ("no-debugger", "eslint(no-debugger)"),
            ("lint/suspicious", "lint/suspicious/noExplicitAny"),
            ("E7", "E711"),
            ("F", "F401"),
            ("bugprone-*", "bugprone-use-after-move"),
            ("-Wformat", "-Wformat="),
        ] {
            assert!(names(listed, code), "{listed} {code}");
        }
        for (listed, code) in [
            ("no-undef", "no-undefined"),
            ("clippy::needless_return", "clippy::needless_bool"),
            ("E", "ERA001"),
            ("E71", "F711"),
            ("lint/style", "lint/suspicious/noExplicitAny"),
            ("bugprone-*", "modernize-use-nullptr"),
            ("unused", "non_snake_case"),
        ] {
            assert!(!names(listed, code), "{listed} {code}");
        }
    }
}
